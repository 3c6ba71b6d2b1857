"""The runs that were started from the pages: a few at once, each a process, ended with us."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from mcp_assay.client.links import NotReached
from mcp_assay.history.location import VARIABLE
from mcp_assay.history.pages import VERDICTS
from mcp_assay.model.outcome import INTERRUPTED
from mcp_assay.model.own_fault import own_fault
from mcp_assay.text.safe import plain, shorten
from mcp_assay.web.live.board import NoteBoard
from mcp_assay.web.live.narrowing import RunOptions, child_words
from mcp_assay.web.live.process import RunProcess
from mcp_assay.web.live.progress import RunProgress
from mcp_assay.web.live.servers import LiveServer, LiveSettings

MOST_AT_ONCE: Final = 4
MOST_KEPT: Final = 50
"""So many runs that are over can still be looked at here; all are in the history."""
LONGEST_COMPLAINT: Final = 600


class TooManyRuns(Exception):
    """One run more than there may be at once; the text is a sentence."""


class LiveRun:
    """One run that was started from the pages."""

    def __init__(self, number: int, server: LiveServer, options: RunOptions) -> None:
        self.number: Final = number
        self.server: Final = server
        self.options: Final = options
        self.started: Final = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.board: Final = NoteBoard()
        self.progress: Final = RunProgress(self.board)
        self.is_over = False
        self.is_stopped = False
        """Whether somebody has stopped it."""
        self.outcome = ""
        """That of its report once it is over; `none` without a report."""
        self.recorded: int | None = None
        """Its number in the history, once it is there."""
        self._process: RunProcess | None = None

    @property
    def state(self) -> str:
        """What is going on, or what came of it, in a few words."""
        if self.is_over:
            return VERDICTS.get(self.outcome, "NO REPORT")
        return "stopping" if self.is_stopped else "running"

    async def run(self, settings: LiveSettings) -> None:
        """Make the run, and say at the end what came of it."""
        words = child_words(self.server, settings.limits, self.options)
        environment = {**os.environ, VARIABLE: settings.history}
        complaint, code = "", None
        try:
            process = self._process = RunProcess(words, environment)
            code = await process.run(partial(self._take, process))
            complaint = process.complaints
        except NotReached as refusal:
            complaint = str(refusal)
        except Exception as fault:  # noqa: BLE001  one run that fails ends no other
            complaint = str(own_fault("a run", fault))
        finally:
            self._conclude(code, complaint)

    async def stop(self) -> None:
        """Have it end, its report written and recorded."""
        if not self.is_over:
            self.is_stopped = True
            self.board.put("stopping", {"kind": "stopping"})
            if self._process is not None:
                await self._process.stop()

    def _take(self, process: RunProcess, line: bytes | None) -> None:
        self.progress.take(line)
        if self.progress.is_under_way:
            process.heed_interruptions()

    def _conclude(self, code: int | None, complaint: str) -> None:
        self.is_over = True
        summary, recorded = self.progress.summary, self.progress.recorded
        self.outcome, self.recorded = summary.summary.outcome if summary else "none", recorded
        note = {
            "kind": "end",
            "outcome": self.outcome,
            "text": self.state,
            "reason": _line((summary.summary.reason if summary else None) or ""),
            "run": recorded,
            "complaint": "" if recorded and summary else _last_words(complaint),
            "interrupted": code == INTERRUPTED,
        }
        self.board.put("end", note)
        self.board.close()


class LiveRuns:
    """All runs of one application."""

    def __init__(self, settings: LiveSettings) -> None:
        self.settings: Final = settings
        self._runs: Final[dict[int, LiveRun]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._latest = 0

    @property
    def under_way(self) -> int:
        """How many runs are not over."""
        return sum(not run.is_over for run in self._runs.values())

    def get(self, number: int) -> LiveRun | None:
        """The run with this number."""
        return self._runs.get(number)

    def latest_first(self) -> list[LiveRun]:
        """The runs that can be looked at."""
        return [*self._runs.values()][::-1]

    def start(self, server: LiveServer, options: RunOptions) -> LiveRun:
        """Start a run; raises TooManyRuns, or ServerChanged where it is another server by now."""
        under_way = self.under_way
        if under_way >= MOST_AT_ONCE:
            words = f"{under_way} runs are under way, the most that there may be at once"
            raise TooManyRuns(f"{words}: stop one, or wait for its end.")
        server.require_unchanged()
        self._latest += 1
        run = self._runs[self._latest] = LiveRun(self._latest, server, options)
        self._keep(run.run(self.settings))
        self._forget()
        return run

    def stop(self, run: LiveRun) -> None:
        """Have a run end; nobody waits for that."""
        if not run.is_stopped:
            self._keep(run.stop())

    async def close(self) -> None:
        """End all runs, and wait until they are."""
        for run in self._runs.values():
            self.stop(run)
        while self._tasks:
            await asyncio.wait(self._tasks)

    def hang_up(self) -> None:
        """Let nobody wait for news any more."""
        for run in self._runs.values():
            run.board.close()

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self) -> None:
        """Let go of the oldest runs that are over."""
        over = [number for number, run in self._runs.items() if run.is_over]
        for number in over[: max(0, len(self._runs) - MOST_KEPT)]:
            del self._runs[number]


def _last_words(complaint: str) -> str:
    """The last line of what a process said."""
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    return _line(lines[-1]) if lines else "It ended without a word."


def _line(text: str) -> str:
    return plain(shorten(text, LONGEST_COMPLAINT))

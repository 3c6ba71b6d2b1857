"""Servers -> a report on each, side by side: what `mcp-assay assess --all` and `lint --all` do.

At most so many run at a time, and all of them share one budget of seconds: each is sure of a part,
and one that needs more goes on as long as the others can still have theirs. What becomes of one
server is nothing to the others.
"""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Final, Literal

import mcp_assay
from mcp_assay.assess.assessment import Assessment, AssessOptions, NotReached
from mcp_assay.assess.lint_server import ServerLint, incomplete
from mcp_assay.assess.permissions import Ask, Closed, closed_tools
from mcp_assay.assess.untested import WAS_INTERRUPTED, ran_out
from mcp_assay.client.links import NotOpened
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.client.target import Command, ConnectionOptions, Target
from mcp_assay.judge.judge import ResponseJudge
from mcp_assay.model.report import Report, Timing, ToolVersion
from mcp_assay.model.reports import Reports, SkippedServer
from mcp_assay.report.overall import overall
from mcp_assay.validate.lint_run import LintOptions

FEWEST: Final = 2
MOST: Final = 8
"""How many servers are assessed at a time by default: one per CPU core, within limits."""
NOBODY: Final = Command(command=())
"""Stands for a server that its configuration does not describe."""
SURE: Final = 0.5
"""The part of an equal share that nobody can take from a server. The rest goes to whoever needs it:
most servers are quick, and it is better to end with a slow one than to cut it."""
LEAST_MORE: Final = 1.0
"""Seconds: for less than this nobody goes on."""
NO_TURN: Final = "not started: time ran out"


def usual_jobs() -> int:
    """How many servers to assess at a time where nobody says so."""
    return max(FEWEST, min(MOST, os.cpu_count() or FEWEST))


class ServerRun(ABC):
    """One of several servers: what is to be done with it, and what has become of it."""

    def __init__(self, name: str, target: Target | None, problem: str | None = None) -> None:
        self.name: Final = name
        self.target: Final = target or NOBODY
        self.unreached = problem
        """Why it was not started or reached, where it was not."""
        self.has_begun = False
        self.is_over = problem is not None
        self.is_interrupted = False
        self.refusal: NotReached | None = None
        """What came of trying to reach it, where that failed."""
        self.fault: Exception | None = None
        """What we ourselves got wrong, if anything."""
        self._began: float
        self._alarm: asyncio.Handle

    @property
    def not_opened(self) -> NotOpened:
        """Whether it did not answer, or answered otherwise, where no session could be opened."""
        return self.refusal.kind if self.refusal else "not_reached"

    async def run(self, more: Callable[[], float]) -> None:
        """Work on it for as long as there is more time; only an interruption comes out of this."""
        self.has_begun, self._began = True, _now()
        try:
            async with asyncio.timeout(None) as limit:
                self._go_on(limit, more)
                await self._work()
        except NotReached as refusal:
            self.refusal, self.unreached = refusal, str(refusal)
        except TimeoutError:
            self._cut(self.seconds)
        except Exception as fault:  # noqa: BLE001  the other servers are not to suffer for it
            self.fault = fault
        finally:
            self._alarm.cancel()
        self.is_over = True

    @property
    def seconds(self) -> float:
        """How long it has been running."""
        return _now() - self._began

    def _go_on(self, limit: asyncio.Timeout, more: Callable[[], float]) -> None:
        """Look again when the time that it has is over."""
        seconds, loop = more(), asyncio.get_running_loop()
        if seconds < LEAST_MORE:
            self._hurry()
            self._alarm = loop.call_soon(limit.reschedule, loop.time())
        else:
            self._alarm = loop.call_later(seconds, self._go_on, limit, more)

    def pass_over(self) -> None:
        """Note that there was no time left for it."""
        self.unreached = NO_TURN
        self.is_over = True

    def interrupt(self) -> None:
        """Note that the run ended before this server was through."""
        self.is_interrupted = not self.is_over

    def report(self) -> Report:
        """What was found out up to now."""
        report = self._report()
        if self.fault is None:
            return report
        words = f"Internal error in mcp-assay: {type(self.fault).__name__}: {self.fault}"
        return incomplete(report, self._redacted(words))

    @abstractmethod
    async def _work(self) -> None:
        """Do what is to be done with the server; raises NotReached."""

    @abstractmethod
    def _hurry(self) -> None:
        """Have what is open closed fast: the time is up."""

    @abstractmethod
    def _cut(self, seconds: float) -> None:
        """Note that it was ended after so many seconds."""

    @abstractmethod
    def _report(self) -> Report:
        """What was found out, as it is for one server."""

    @abstractmethod
    def _redacted(self, text: str) -> str:
        """The text without secrets of this server."""


class AssessedServer(ServerRun):
    """A server whose tools are called."""

    def __init__(
        self,
        name: str,
        target: Target | None,
        options: AssessOptions,
        judge: ResponseJudge | None = None,
        problem: str | None = None,
        *,
        ask: Ask | None = None,
    ) -> None:
        super().__init__(name, target, problem)
        self.assessment: Final = Assessment(self.target, options, judge)
        self._ask: Final = ask

    async def _work(self) -> None:
        await self.assessment.run(self._ask)

    def _hurry(self) -> None:
        self.assessment.hurry()

    def _cut(self, seconds: float) -> None:
        self.assessment.cut(seconds)

    def _report(self) -> Report:
        self.assessment.note_unreached(self.unreached, self.not_opened)
        if self.is_interrupted:
            self.assessment.interrupt()
        return self.assessment.report()

    def _redacted(self, text: str) -> str:
        return str(self.assessment.state.context.redactor.lines(text))

    def closed(self) -> Closed:
        """The tools about which the user may be asked."""
        state = self.assessment.state
        return closed_tools(state.options, state.permitted)


class LintedServer(ServerRun):
    """A server whose definitions are judged, and nothing else."""

    def __init__(
        self,
        name: str,
        target: Target | None,
        options: LintOptions,
        driving: ConnectionOptions,
        problem: str | None = None,
    ) -> None:
        super().__init__(name, target, problem)
        self._linting: Final = ServerLint(self.target, options, driving, max_time=inf)
        self._ended_after: float | None = None

    async def _work(self) -> None:
        await self._linting.run()

    def _hurry(self) -> None:
        self._linting.hurry()

    def _cut(self, seconds: float) -> None:
        self._ended_after = seconds

    def _report(self) -> Report:
        if self.unreached is not None:
            return self._linting.report_unreached(self.unreached, self.not_opened)
        report = self._linting.report()
        if self.is_interrupted:
            return incomplete(report, WAS_INTERRUPTED)
        return (
            report if self._ended_after is None else incomplete(report, ran_out(self._ended_after))
        )

    def _redacted(self, text: str) -> str:
        return self._linting.redacted(text)


class SeveralServers:
    """Several servers under way; whoever reports reads the runs, at any time."""

    def __init__(self, runs: Sequence[ServerRun], *, jobs: int, seconds: float) -> None:
        self.runs: Final = runs
        """In the order of the configuration, whichever ends first."""
        self._waiting: Final = deque(run for run in runs if not run.is_over)
        self._running: Final[list[ServerRun]] = []
        self._jobs: Final = min(jobs, max(1, len(self._waiting)))
        self._seconds: Final = seconds
        share = seconds * self._jobs / max(1, len(self._waiting))
        self._sure: Final = max(LEAST_MORE, SURE * share)
        """Seconds that every server can have."""
        self._ends: float
        self._watch: Final = Stopwatch()

    async def run(self) -> None:
        """Work on all servers, so many at a time, within the budget."""
        self._ends = _now() + self._seconds
        await asyncio.gather(*(self._work() for _ in range(self._jobs)))

    async def _work(self) -> None:
        """Take one server after the other, until none waits."""
        while self._waiting:
            run = self._waiting.popleft()
            if self._left() < LEAST_MORE:
                run.pass_over()
                continue
            self._running.append(run)
            await run.run(partial(self._more_for, run))
            self._running.remove(run)

    def _left(self) -> float:
        return self._ends - _now()

    def _more_for(self, run: ServerRun) -> float:
        """How much longer a server may run: its own part, then what the others do not need."""
        owed = self._sure - run.seconds
        if owed >= LEAST_MORE:
            return min(owed, self._left())
        claimed = self._sure * len(self._waiting)
        claimed += sum(max(0.0, self._sure - one.seconds) for one in self._running)
        return self._left() - claimed / self._jobs

    def timing(self) -> Timing:
        """When the run began, and how long it has taken up to now."""
        return self._watch.timing()


def report_on_all(
    config: str,
    reports: dict[str, Report],
    skipped: Sequence[SkippedServer],
    *,
    command: Literal["assess", "lint"],
    jobs: int,
    max_time: float,
    timing: Timing,
) -> Reports:
    """The report on all servers of a configuration."""
    return overall(
        config,
        reports,
        command=command,
        tool=ToolVersion(name="mcp-assay", version=mcp_assay.__version__),
        options={"jobs": jobs, "max_time": max_time},
        skipped=skipped,
        timing=timing,
    )


def _now() -> float:
    return asyncio.get_running_loop().time()

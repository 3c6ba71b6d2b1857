"""How far assessments have come, a line for each on a terminal; elsewhere nothing at all."""

from __future__ import annotations

import asyncio
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mcp_assay.cli.output import is_terminal
from mcp_assay.text.lines import counted, cut, padded, width

if TYPE_CHECKING:
    from mcp_assay.assess.assessment import Assessment
    from mcp_assay.assess.several import ServerRun
    from mcp_assay.assess.state import AssessmentState

TICK: Final = 0.1


WIDEST_TOOL_NAME: Final = 32


CLEAR: Final = "\r\x1b[K"


Answer = TypeVar("Answer")


class Ticking(ABC):
    """Says now and then, on a terminal, how far some work has come."""

    def __init__(self, *, quiet: bool) -> None:
        self._is_shown: Final = is_terminal() and not quiet
        self._started: Final = time.monotonic()

    async def while_running(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work; tell meanwhile how far it is, and leave nothing on the screen."""
        if not self._is_shown:
            await work
            return
        ticking = asyncio.ensure_future(self._tick())
        try:
            await work
        finally:
            ticking.cancel()
            self._clear()

    async def _tick(self) -> None:
        while True:
            self._redraw(time.monotonic() - self._started)
            await asyncio.sleep(TICK)

    @abstractmethod
    def _redraw(self, seconds: float) -> None:
        """Say how far it is, over what was said before."""

    @abstractmethod
    def _clear(self) -> None:
        """Take away what was said."""


class Ticker(Ticking):
    """Looks at an assessment now and then, and says how far it is."""

    def __init__(self, run: Assessment, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._run: Final = run

    def aside(self, ask: Callable[..., Answer]) -> Callable[..., Answer]:
        """What asks the user, on a line of its own."""

        def asked(*about: Any) -> Answer:
            if self._is_shown:
                self._clear()
            return ask(*about)

        return asked

    def _redraw(self, seconds: float) -> None:
        import shutil

        columns = shutil.get_terminal_size().columns - 1
        write_progress(CLEAR + cut(self.line(seconds), columns))

    def _clear(self) -> None:
        write_progress(CLEAR)

    def line(self, seconds: float) -> str:
        """What is going on: connecting, listing, or which tool is called."""
        return f"{doing(self._run.state)}  {seconds:.1f} s"


def doing(state: AssessmentState) -> str:
    """What is going on with a server."""
    if state.connection is None:
        return "connecting"
    runs = state.called.runs
    if not runs:
        return "probing" if state.permissions else "listing"
    allowed = sum(permission.allowed for permission in state.permissions.values())
    calls = sum(len(run.calls) for run in state.all_runs())
    name = cut(runs[-1].name, WIDEST_TOOL_NAME)
    done = f"tool {len(runs)} of {allowed}"
    return f"calling {name}  {done}  {counted(calls, 'call')}"


def write_progress(text: str) -> None:
    """Write to the terminal, at once."""
    sys.stderr.write(text)
    sys.stderr.flush()


LONGEST_SERVER: Final = 24


UP: Final = "\x1b[{}A"


CLEAR_BELOW: Final = "\r\x1b[J"


class SeveralTicker(Ticking):
    """Looks at the runs now and then, and says how far they are, over what it said before."""

    def __init__(self, runs: Sequence[ServerRun], *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._runs: Final = runs
        self._height = 0

    def _redraw(self, seconds: float) -> None:
        import shutil

        size = shutil.get_terminal_size()
        lines = self.lines(seconds)[: max(1, size.lines - 1)]
        self._show([cut(line, size.columns - 1) for line in lines])

    def _clear(self) -> None:
        self._show([])

    def _show(self, lines: Sequence[str]) -> None:
        back = UP.format(self._height - 1) if self._height > 1 else ""
        write_progress(back + CLEAR_BELOW + "\n".join(lines))
        self._height = len(lines)

    def lines(self, seconds: float) -> list[str]:
        """How many servers are through, and what goes on with each that is not."""
        done = sum(run.is_over for run in self._runs)
        running = [run for run in self._runs if run.has_begun and not run.is_over]
        names = [cut(run.name, LONGEST_SERVER) for run in running]
        widest = max(map(width, names), default=0)
        return [
            f"{done} of {len(self._runs)} servers done  {seconds:.1f} s",
            *(
                f"  {padded(name, widest)}  {_doing(run)}"
                for name, run in zip(names, running, strict=True)
            ),
        ]


def _doing(run: ServerRun) -> str:
    from mcp_assay.assess.several import AssessedServer

    return doing(run.assessment.state) if isinstance(run, AssessedServer) else "listing"

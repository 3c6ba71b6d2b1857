"""How far an assessment has come, in one line of a terminal; elsewhere nothing at all."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.cli.progress import is_terminal
from mcp_assay.report.columns import cut
from mcp_assay.report.lines import counted

TICK: Final = 0.1
LONGEST_NAME: Final = 32
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
            self._tell(time.monotonic() - self._started)
            await asyncio.sleep(TICK)

    @abstractmethod
    def _tell(self, seconds: float) -> None:
        """Say how far it is, over what was said before."""

    @abstractmethod
    def _clear(self) -> None:
        """Take away what was said."""


class Ticker(Ticking):
    """Looks at a dossier now and then, and says how far it is."""

    def __init__(self, dossier: Dossier, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._dossier: Final = dossier

    def aside(self, ask: Callable[..., Answer]) -> Callable[..., Answer]:
        """What asks the user, on a line of its own."""

        def asked(*about: Any) -> Answer:
            if self._is_shown:
                self._clear()
            return ask(*about)

        return asked

    def _tell(self, seconds: float) -> None:
        columns = shutil.get_terminal_size().columns - 1
        write_progress(CLEAR + cut(self.line(seconds), columns))

    def _clear(self) -> None:
        write_progress(CLEAR)

    def line(self, seconds: float) -> str:
        """What is going on: connecting, listing, or which tool is called."""
        return f"{doing(self._dossier)}  {seconds:.1f} s"


def doing(dossier: Dossier) -> str:
    """What is going on with a server."""
    if dossier.connection is None:
        return "connecting"
    if not dossier.trials:
        return "probing" if dossier.permissions else "listing"
    allowed = sum(permission.allowed for permission in dossier.permissions.values())
    calls = sum(len(trial.calls) for trial in dossier.all_trials())
    name = cut(next(reversed(dossier.trials)), LONGEST_NAME)
    done = f"tool {len(dossier.trials)} of {allowed}"
    return f"calling {name}  {done}  {counted(calls, 'call')}"


def write_progress(text: str) -> None:
    """Write to the terminal, at once."""
    sys.stderr.write(text)
    sys.stderr.flush()

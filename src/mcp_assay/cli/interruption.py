"""Work that a signal may end: what was found before is kept, and nothing stays behind."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final, TypeVar

from mcp_assay.cli.output import Unanswered

ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that end a run, where the system has them."""
HEEDED_GENTLY: Final = 2
"""The first lets the work close what it opened, the second hurries it; more wait for nothing."""

Given = TypeVar("Given")
Taken = TypeVar("Taken")


class Interruption:
    """Runs work, and knows whether a signal ended it."""

    def __init__(self) -> None:
        self.has_come = False
        """Whether the work was ended before its time."""
        self._signals = 0
        self._work: asyncio.Task[None] | None = None
        self._is_asking = False

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the work to its end, or until a signal comes."""
        with heeding(self._heed):
            try:
                with asyncio.Runner() as runner:
                    runner.run(self._watched(work))
            except (KeyboardInterrupt, Unanswered):
                self.has_come = True
            except asyncio.CancelledError:
                if not self._signals:
                    raise
                self.has_come = True
            finally:
                self._take_note()

    def _take_note(self) -> None:
        """Look at how the work ended: what nobody looks at would be complained of by the loop."""
        if self._work is not None and self._work.done() and not self._work.cancelled():
            self._work.exception()

    def asking(self, ask: Callable[[Given], Taken]) -> Callable[[Given], Taken]:
        """The same question; a signal ends it at once, though it waits for a person."""

        def asked(given: Given) -> Taken:
            self._is_asking = True
            try:
                return ask(given)
            finally:
                self._is_asking = False

        return asked

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        self._work = asyncio.current_task()
        await work

    def _heed(self, _: int, __: FrameType | None) -> None:
        self._signals += 1
        if self._work is None or self._is_asking or self._signals > HEEDED_GENTLY:
            raise KeyboardInterrupt
        with suppress(RuntimeError):  # the loop may just have been closed
            self._work.get_loop().call_soon_threadsafe(self._work.cancel)


@contextmanager
def heeding(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """While inside, the signals go to the handler, apart from those that we were to ignore."""
    numbers = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
    heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heeded}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)

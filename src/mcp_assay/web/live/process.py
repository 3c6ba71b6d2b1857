"""The process that makes one run: its lines as they come, an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from mcp_assay.client.guarded import PIECE, Guarded
from mcp_assay.client.links import Tail
from mcp_assay.client.stdio_frames import BoundedLines

LONGEST_LINE: Final = 4 * 1024 * 1024
"""Bytes of an event; a longer one is not read."""
SECONDS_TO_CLOSE: Final = 10.0
"""So long a run that was interrupted may take to close what it opened, and again to hurry."""
INTERRUPTS: Final = 2
"""The first ends a run gently, the second hurries it; then it is killed."""
MOST_COMPLAINTS: Final = 2_000
"""Bytes of the end of what is said on standard error."""

OnLine = Callable[[bytes | None], None]
"""Gets each line; None for one that is too long."""


class RunProcess:
    """`mcp-assay assess` in a process group of its own; it dies with this process."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        command = (sys.executable, "-P", "-m", "mcp_assay", *words)
        self._process: Final = Guarded(command, environment)
        self._complaints: Final = Tail(MOST_COMPLAINTS)
        self._heeding: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        """Done when an interruption ends the run alone: before, it would leave no report."""
        self._pid = 0

    async def run(self, on_line: OnLine) -> int:
        """Give all lines to whoever wants them; the exit code, once all have come."""
        try:
            os.close(self._process.stdin)
            self._pid = await self._process.started
            lines = asyncio.ensure_future(_read(self._process.stdout, _lines_to(on_line)))
            errors = asyncio.ensure_future(_read(self._process.stderr, self._complaints.add))
            code = await self._process.exited
            self._pid = 0
            await asyncio.wait([lines, errors], timeout=SECONDS_TO_CLOSE)
            for reading in (lines, errors):
                reading.cancel()
            return code
        finally:
            self._pid = 0
            await self._process.end()

    @property
    def complaints(self) -> str:
        """The end of what it said on standard error."""
        return self._complaints.since()

    def heed_interruptions(self) -> None:
        """Take note that the run has begun, so that it can be interrupted."""
        if not self._heeding.done():
            self._heeding.set_result(None)

    async def stop(self) -> None:
        """Have the run end: its report is still written, unless it does not heed."""
        exited, heeding = self._process.exited, self._heeding
        either: list[asyncio.Future[Any]] = [exited, heeding]
        await asyncio.wait(either, timeout=SECONDS_TO_CLOSE, return_when=asyncio.FIRST_COMPLETED)
        for _ in range(INTERRUPTS):
            self._interrupt()
            await asyncio.wait([exited], timeout=SECONDS_TO_CLOSE)
            if exited.done():
                return
        await self._process.end()

    def _interrupt(self) -> None:
        if self._pid:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGINT)


def _lines_to(on_line: OnLine) -> Callable[[bytes], None]:
    lines = BoundedLines(LONGEST_LINE)

    def take(piece: bytes) -> None:
        for line, size in lines.feed(piece):
            on_line(line if size <= LONGEST_LINE else None)

    return take


async def _read(descriptor: int, take: Callable[[bytes], None]) -> None:
    """Give everything to whoever takes it, until the last who could write has ended."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    os.set_blocking(descriptor, False)

    def read() -> None:
        with suppress(BlockingIOError):
            piece = os.read(descriptor, PIECE)
            take(piece)
            if not piece:
                loop.remove_reader(descriptor)
                ended.set()

    loop.add_reader(descriptor, read)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)

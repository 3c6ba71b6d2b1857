"""A server that is a process: lines to its standard input, lines from its standard output."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import time
from typing import Final

from mcp_assay.client.deadline import Deadline
from mcp_assay.client.guarded import PIECE, Guarded
from mcp_assay.client.links import (
    NO_HEADERS,
    NO_PATIENCE,
    PATIENCE,
    How,
    LinkEnding,
    LinkListener,
    Patience,
    Stop,
    Tail,
)
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.world import World
from mcp_assay.client.stdio_frames import CONN, BoundedLines
from mcp_assay.model.entry import Direction, Entry
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

LONGEST_FLOOD: Final = 4 * MAX_MESSAGE_BYTES
"""A line that goes on beyond this will have no end: the server is cut off."""
LAST_WORDS: Final = 0.25
"""Seconds that the streams of a dead server may stay open: others may hold on to them."""
SMALL_PIECE: Final = 1 << 12
BUSY_SECONDS: Final = 0.05
"""A piece that took longer to take in is of a flood: the next is small, so that others come in."""
PIECES_IN_PIPE: Final = 2
"""A pipe holds one, on every usual system; a server that goes on writing is not read for ever."""


class StdioLink:
    """A session with a process over its standard streams."""

    is_http: Final = False

    def __init__(
        self,
        process: Guarded,
        listener: LinkListener,
        patience: Patience = PATIENCE,
        deadline: Deadline | None = None,
    ) -> None:
        self._process: Final = process
        self._listener: Final = listener
        self._patience: Final = patience
        self._deadline: Final = deadline or Deadline()
        self._lines: Final = BoundedLines()
        self._piece = PIECE
        """How many bytes are read at once."""
        self._tail: Final = Tail()
        self._unsent = bytearray()
        self._is_waiting = False
        """Whether the server is to take more of what is not sent yet."""
        self._open = {process.stdin, process.stdout, process.stderr}
        self._how: How | None = None
        self._closing = False
        self._loop: Final = asyncio.get_running_loop()
        for descriptor in self._open:
            os.set_blocking(descriptor, False)
        self._loop.add_reader(process.stdout, self._read)
        self._loop.add_reader(process.stderr, self._drain)
        process.exited.add_done_callback(lambda _: self._note_exit())

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        environment: Mapping[str, str],
        listener: LinkListener,
        patience: Patience = PATIENCE,
        deadline: Deadline | None = None,
        *,
        sandbox: SandboxOptions | None = None,
    ) -> StdioLink:
        """Start a server, in a world of its own if one is asked for.

        Raises NotReached where that is not possible.
        """
        process = Guarded(command, environment, sandbox)
        link = cls(process, listener, patience, deadline)
        try:
            await process.started
        except BaseException:
            link._closing = True
            await link._end()
            raise
        return link

    @property
    def world(self) -> World | None:
        """The world that the server runs in, where it has one."""
        return self._process.world

    @property
    def session(self) -> str | None:
        """Nobody needs one: the pipe is the session."""
        return None

    def send(self, raw: bytes, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Send one message; what the server does not take yet is kept until it does.

        It is judged while the server works on it.
        """
        del headers
        is_idle = not self._unsent
        self._unsent += raw + b"\n"
        if is_idle and self._process.stdin in self._open:
            self._write()
        self._emit("c2s", text=raw)

    def take_in(self) -> None:
        """Take what the server has said by now, without waiting for the loop to report it."""
        if self._process.stdout in self._open:
            self._read()

    async def listen(self, headers: Mapping[str, str]) -> None:
        """Nothing to do: the server has one stream for all it says."""

    def adopt(self, exchange: int | None) -> None:
        """Nothing to adopt: the process is the session."""

    async def settle(self, exchange: int | None, seconds: float) -> bool:
        """Nothing to wait for: messages keep their order."""
        del exchange, seconds
        return True

    def drop(self, exchange: int | None) -> None:
        """Nothing to drop: all messages share one stream."""

    def stderr_mark(self) -> int:
        """How much was written to standard error up to now."""
        return self._tail.total

    def stderr_since(self, mark: int) -> str:
        """The last of what was written to standard error since then."""
        self._drain()
        return self._tail.since(mark)

    async def close(self) -> LinkEnding:
        """End the server: end of input, then SIGTERM, then SIGKILL; nothing of it is left.

        Who is in a hurry cancels this: then it is killed at once.
        """
        self._closing = True
        stopped_by: Stop | None = "SIGKILL"
        try:
            stopped_by = await self._stop()
        finally:
            self._read_rest()
            ending = await self._end(stopped_by)
        return ending

    async def _stop(self) -> Stop | None:
        """Let the server end as gently as it can; say what it took.

        What it would have taken is not known where our own time was up.
        """
        if self._process.exited.done():
            return None
        if self._deadline.is_over:
            self._loop.remove_reader(self._process.stdout)  # nobody has the time to judge more
        wanted = NO_PATIENCE if self._how else self._patience
        patience = self._patience_left(wanted)
        self._close_input()
        if await self._exits_within(patience.after_end_of_input):
            return "end of input"
        self._process.terminate()
        has_ended = await self._exits_within(patience.after_sigterm)
        if patience != wanted:
            return None
        return "SIGTERM" if has_ended else "SIGKILL"

    def _patience_left(self, wanted: Patience) -> Patience:
        """How long a server is waited for: each signal has its turn before our time is up."""
        share = self._deadline.left_to_close() / len(wanted)
        return Patience(*(min(seconds, share) for seconds in wanted))

    async def _exits_within(self, seconds: float) -> bool:
        await asyncio.wait([self._process.exited], timeout=seconds)
        return self._process.exited.done()

    async def _end(self, stopped_by: Stop | None = None) -> LinkEnding:
        await self._process.end(self._deadline.left_to_close())
        self._drain()
        for descriptor in tuple(self._open):
            self._let_go(descriptor)
        return self._ending(stopped_by)

    def _ending(self, stopped_by: Stop | None = None) -> LinkEnding:
        exited = self._process.exited
        return LinkEnding(
            how=self._how or "closed",
            code=exited.result() if exited.done() else None,
            stopped_by=stopped_by,
            left_behind=self._process.left_behind,
            stderr=self._tail.since(),
        )

    def _write(self) -> None:
        """Write as much as the server takes now; the rest when it takes more."""
        try:
            written = os.write(self._process.stdin, self._unsent)
        except BlockingIOError:
            written = 0
        except OSError:
            self._unsent.clear()
            self._close_input()
            return
        del self._unsent[:written]
        if self._unsent:
            self._loop.add_writer(self._process.stdin, self._write)
        elif self._is_waiting:
            self._loop.remove_writer(self._process.stdin)
        self._is_waiting = bool(self._unsent)

    def _close_input(self) -> None:
        if self._process.stdin in self._open:
            self._loop.remove_writer(self._process.stdin)
            self._let_go(self._process.stdin)
            self._emit("c2s", end=True)

    def _read(self) -> bool:
        """Take the next piece of standard output; False where there is none now."""
        try:
            piece = os.read(self._process.stdout, self._piece)
        except BlockingIOError:
            return False
        began = self._loop.time()
        for line, size in self._lines.feed(piece):
            self._take(line, size)
        is_busy = self._loop.time() - began > BUSY_SECONDS
        self._piece = SMALL_PIECE if is_busy else min(2 * self._piece, PIECE)
        if not piece:
            self._output_ends()
        elif self._lines.size > LONGEST_FLOOD:
            self._give_up("flooded")
            self._output_ends()
        return bool(piece)

    def _take(self, line: bytes, size: int) -> None:
        if size > MAX_MESSAGE_BYTES:
            self._emit("s2c", unread=size)
        else:
            self._emit("s2c", text=line)

    def _output_ends(self) -> None:
        if rest := self._lines.rest():
            self._take(*rest)
        self._let_go(self._process.stdout)
        self._emit("s2c", end=True)
        self._have_ended()

    def _read_rest(self) -> None:
        """Take what the server wrote before it ended, as far as a pipe holds it, in our time."""
        for _ in range(PIECES_IN_PIPE):
            is_open = self._process.stdout in self._open
            if not is_open or self._deadline.is_over or not self._read():
                return

    def _drain(self) -> None:
        while self._process.stderr in self._open:
            try:
                piece = os.read(self._process.stderr, PIECE)
            except BlockingIOError:
                return
            self._tail.add(piece)
            if not piece:
                self._let_go(self._process.stderr)
            if len(piece) == PIECE:
                return

    def _let_go(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.remove(descriptor)
            self._loop.remove_reader(descriptor)
            os.close(descriptor)

    def _note_exit(self) -> None:
        if self._process.stdout not in self._open:
            self._have_ended()
        else:
            self._loop.call_later(LAST_WORDS, self._give_up, "died")

    def _have_ended(self) -> None:
        """The output is over; a server that lives on without it is as good as dead."""
        if self._process.exited.done():
            self._give_up("died")
        else:
            self._loop.call_later(LAST_WORDS, self._give_up, "died")

    def _give_up(self, how: How) -> None:
        if self._how is None and not self._closing:
            self._how = how
            with suppress(OSError):
                self._drain()
            self._listener.ended(self._ending())

    def _emit(
        self, direction: Direction, *, text: bytes | None = None, unread: int = 0, end: bool = False
    ) -> None:
        self._listener.hear(
            Entry(
                direction=direction,
                at=time(),
                conn=CONN,
                transport="stdio",
                text=text,
                unread=unread,
                end=end,
                exact=True,
            )
        )

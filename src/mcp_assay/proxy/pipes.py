"""The two streams of a stdio session, forwarded by plain blocking reads and writes.

An end that closes closes the other end too: end of file goes downstream, a broken pipe upstream.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from time import time
from typing import Any, Final, TypeAlias

from mcp_assay.client.frames import Frame, FrameKind, MessageGate, Refusal
from mcp_assay.client.stdio_frames import CONN, BoundedLines
from mcp_assay.model.entry import Direction
from mcp_assay.proxy.tap import write_all
from mcp_assay.session.correlation import OTHER_SIDE
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

PIECE: Final = 1 << 16
"""How much is read at once: what a pipe holds."""

Put: TypeAlias = Callable[[Frame], None]


class Outlet:
    """The end of a pipe that is written to; several may write to it, whole pieces at a time."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor: Final = descriptor
        self._lock: Final = Lock()
        self._open = True

    def write(self, data: bytes) -> None:
        """Write the data, waiting as long as the reader makes it wait."""
        with self._lock:
            if not self._open:
                raise BrokenPipeError
            write_all(self.descriptor, data)

    def close(self) -> None:
        """Tell the reader that nothing more comes."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self.descriptor)


class Pump(Thread):
    """Forwards one direction until it ends, every piece at once and unchanged."""

    def __init__(self, direction: Direction, source: int, sink: Outlet, put: Put) -> None:
        super().__init__(name=f"pump-{direction}", daemon=True)
        self.waiting = True
        """Whether it waits for its source, not for its sink."""
        self._direction: Final = direction
        self._source: Final = source
        self._sink: Final = sink
        self._put: Final = put

    def run(self) -> None:
        """Forward until the source ends or the sink breaks; then close both."""
        with suppress(OSError):
            self.forward()
        os.close(self._source)
        self._sink.close()
        self._put(self._frame("end"))

    def forward(self) -> None:
        """Forward piece by piece; the tap has each first, so that no answer gets there before it.

        Whatever is done here delays every message, so it is done in place: calls are dear to
        somebody who has just been woken. Only this thread writes to the sink.
        """
        source, sink, put = self._source, self._sink.descriptor, self._put
        direction, begun = self._direction, 0
        while piece := os.read(source, PIECE):
            self.waiting = False
            if begun > MAX_MESSAGE_BYTES:
                begun = self._pass_over(piece, begun)
            else:
                put(Frame("bytes", direction, time(), CONN, payload=piece))
                end = piece.rfind(b"\n")
                begun = begun + len(piece) if end < 0 else len(piece) - end - 1
            written = os.write(sink, piece)
            if written < len(piece):
                write_all(sink, piece[written:])
            self.waiting = True
        if begun > MAX_MESSAGE_BYTES:
            self._end_long(begun)

    def _pass_over(self, piece: bytes, begun: int) -> int:
        """Copy nothing of a message that is too long to be judged, only what follows it.

        Takes and gives the length of the message that has begun and not ended.
        """
        end = piece.find(b"\n")
        if end < 0:
            return begun + len(piece)
        self._end_long(begun + end)
        rest = piece[end + 1 :]
        if rest:
            self._put(self._frame("bytes", rest))
        return len(rest) - rest.rfind(b"\n") - 1

    def _end_long(self, size: int) -> None:
        self._put(self._frame("big", facts={"bytes": size}))

    def _frame(
        self, kind: FrameKind, payload: bytes = b"", facts: dict[str, Any] | None = None
    ) -> Frame:
        return Frame(kind, self._direction, time(), CONN, payload=payload, facts=facts)


class GatedPump(Pump):
    """Holds each message until the gate has judged it; a refused one is answered, not forwarded.

    The tap gets whole lines, so that an answer of the gate never stands inside another message.
    """

    def __init__(
        self,
        direction: Direction,
        source: int,
        sink: Outlet,
        put: Put,
        *,
        gate: MessageGate,
        back: Outlet,
    ) -> None:
        super().__init__(direction, source, sink, put)
        self._gate: Final = gate
        self._back: Final = back
        """Where the sender of this direction listens."""

    def forward(self) -> None:
        """Judge and forward message by message, at last what stands behind the last newline."""
        lines = BoundedLines()
        while piece := os.read(self._source, PIECE):
            self.waiting = False
            for line, size in lines.feed(piece):
                self._decide(line, size, b"\n")
            self.waiting = True
        if rest := lines.rest():
            self._decide(*rest, b"")

    def _decide(self, line: bytes, size: int, ending: bytes) -> None:
        refusal = self._judged(line, size, ending)
        if refusal is None:
            self._sink.write(line + ending)
            return
        if refusal.instead is not None:
            self._sink.write(refusal.instead + b"\n")
        if refusal.reply is not None:
            self._reply(refusal.reply + b"\n")

    def _judged(self, line: bytes, size: int, ending: bytes) -> Refusal | None:
        if size > MAX_MESSAGE_BYTES:
            self._end_long(size)
            return self._gate.too_long(self._direction, line, CONN)
        self._put(self._frame("bytes", line + ending))
        if not line or line.isspace():
            return None
        return self._gate.check(self._direction, line, CONN)

    def _reply(self, reply: bytes) -> None:
        """Answer in the receiver's place; who listens no more may still have to say something."""
        self._put(Frame("bytes", OTHER_SIDE[self._direction], time(), CONN, payload=reply))
        with suppress(OSError):
            self._back.write(reply)

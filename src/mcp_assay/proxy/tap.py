"""The copy of the traffic that goes to the validator: never waited for, dropped when it is slow."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterator
from threading import Event, Lock, Thread
from typing import IO, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from mcp_assay.client.frames import Frame
from mcp_assay.model.entry import Direction

MOST_HELD: Final = 64 * 1024 * 1024
"""So many bytes wait for the validator; what comes on top is dropped and counted."""
OVERHEAD: Final = 200
"""About what a frame costs besides its payload."""
BATCH: Final = 1 << 20
"""About so many bytes are sent together."""
LINGER: Final = 0.2
"""Seconds in which less than a batch is collected: the validator is woken seldom."""
PATIENCE: Final = 10.0
"""Seconds that the validator has at the end for what waits; the rest of it is dropped."""

_LENGTH: Final = struct.Struct(">I")
_Stream: TypeAlias = tuple[Direction, str, int | None]


class Tap:
    """Frames that wait for the validator, and the thread that writes them to its pipe.

    The preamble is the first text that the validator reads.
    """

    def __init__(
        self, pipe: int, preamble: bytes, *, most: int = MOST_HELD, patience: float = PATIENCE
    ) -> None:
        self._pipe: Final = pipe
        self._preamble: Final = preamble
        self._most: Final = most
        self._patience: Final = patience
        self._lock: Final = Lock()
        self._waiting: list[Frame] = []
        self._something: Final = Lock()
        """Free when the first frame waits that the feeder does not know of."""
        self._something.acquire()
        self._held = 0
        self._gaps: dict[_Stream, int] = {}
        self._how = ""
        self._is_open = True
        self._urgent: Final = Event()
        """Set when there is so much, or so little time left, that nothing more is collected."""
        self._is_late = False
        self._feeder: Final = Thread(target=self._feed, name="tap", daemon=True)
        self._feeder.start()

    def put(self, frame: Frame) -> None:
        """Hand over a frame; at once, and without ever failing."""
        with self._lock:
            if not self._is_open:
                return
            if self._held >= self._most:
                self._miss(frame)
                return
            if not self._waiting:
                self._something.release()
            if self._gaps:
                self._note_gap(frame)
            self._waiting.append(frame)
            self._held += len(frame.payload) + OVERHEAD
            if self._held > BATCH:
                self._urgent.set()

    def close(self, how: str) -> None:
        """Send what is left and, as the last word, how it all ended."""
        with self._lock:
            self._how = how
            self._stop()
        self._urgent.set()
        self._feeder.join(self._patience)
        self._is_late = True
        self._feeder.join(self._patience)

    def _stop(self) -> None:
        if self._is_open and not self._waiting:
            self._something.release()
        self._is_open = False

    def _miss(self, frame: Frame) -> None:
        stream = _stream(frame)
        self._gaps[stream] = self._gaps.get(stream, 0) + 1

    def _note_gap(self, frame: Frame) -> None:
        if missing := self._gaps.pop(_stream(frame), 0):
            facts = {"frames": missing}
            self._waiting.append(replace(frame, kind="dropped", payload=b"", facts=facts))
            self._held += OVERHEAD

    def _feed(self) -> None:
        try:
            write_text(self._pipe, self._preamble)
            late = 0
            for frames in self._portions():
                if self._is_late:
                    late += len(frames)
                else:
                    self._send(frames)
            self._send([self._last_word(late)])
        except OSError:
            self._give_up()
        finally:
            os.close(self._pipe)

    def _portions(self) -> Iterator[list[Frame]]:
        """All frames in portions, as they come, up to the end."""
        while self._is_open or self._waiting:
            self._something.acquire()
            self._urgent.wait(LINGER)
            with self._lock:
                frames, self._waiting = self._waiting, []
                if self._is_open:
                    self._urgent.clear()
            yield from _portions(frames)

    def _send(self, frames: list[Frame]) -> None:
        write_text(self._pipe, msgspec.msgpack.encode(frames))
        with self._lock:
            self._held -= sum(map(_size, frames))

    def _last_word(self, late: int) -> Frame:
        facts = {"how": self._how, "dropped": late + sum(self._gaps.values())}
        return Frame(kind="over", direction="c2s", at=time.time(), conn="", facts=facts)

    def _give_up(self) -> None:
        """The validator is gone: nothing is kept for it any more."""
        with self._lock:
            self._is_open = False
            self._waiting.clear()


def read_batches(stream: IO[bytes]) -> Iterator[list[Frame]]:
    """The batches of frames that a tap wrote, as they arrive."""
    decode = msgspec.msgpack.Decoder(list[Frame]).decode
    while (text := read_text(stream)) is not None:
        yield decode(text)


def write_text(pipe: int, text: bytes) -> None:
    """Write a text with its length before it."""
    write_all(pipe, _LENGTH.pack(len(text)) + text)


def read_text(stream: IO[bytes]) -> bytes | None:
    """The next text with its length before it, None where the stream ends or breaks off."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(head)
    text = stream.read(size)
    return text if len(text) == size else None


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, however many writes it takes."""
    written = os.write(descriptor, data)
    while written < len(data):
        data = data[written:]
        written = os.write(descriptor, data)


def _portions(frames: list[Frame]) -> Iterator[list[Frame]]:
    """The frames in order, in lists of about a batch each."""
    portion, size = [], 0
    for frame in frames:
        portion.append(frame)
        size += _size(frame)
        if size >= BATCH:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _size(frame: Frame) -> int:
    return len(frame.payload) + OVERHEAD


def _stream(frame: Frame) -> _Stream:
    return frame.direction, frame.conn, frame.exchange

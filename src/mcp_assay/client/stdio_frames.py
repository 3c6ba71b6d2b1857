"""Frames of stdio streams -> their lines, in memory bounded by the longest that is judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_assay.client.frames import Frame
from mcp_assay.model.entry import Entry
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

TAIL: Final = 256
"""So many bytes of the end of a line that is too long are kept: there may be its id."""

CONN: Final = "stdio"
"""The name of the one connection that a pipe is."""


class BoundedLines:
    """Cuts one stream into lines; of one that is too long, the middle is left out."""

    def __init__(self, longest: int = MAX_MESSAGE_BYTES) -> None:
        self._longest: Final = longest
        self._parts: list[bytes] = []
        self._tail = b""
        self._size = 0

    def feed(self, piece: bytes) -> Iterator[tuple[bytes, int]]:
        """Each line that the piece completes, without its newline, and how long it really is."""
        *ended, begun = piece.split(b"\n")
        for part in ended:
            self._add(part)
            yield self._end()
        self._add(begun)

    @property
    def size(self) -> int:
        """How long the line is that has begun and not ended."""
        return self._size

    def rest(self) -> tuple[bytes, int] | None:
        """What stands behind the last newline, None where nothing does."""
        return self._end() if self._size else None

    def _add(self, part: bytes) -> None:
        room = max(0, self._longest - self._size)
        self._size += len(part)
        if room:
            self._parts.append(part[:room])
        if len(part) > room:
            self._tail = (self._tail + part[room:])[-TAIL:]

    def _end(self) -> tuple[bytes, int]:
        line, size = b"".join((*self._parts, self._tail)), self._size
        self._parts, self._tail, self._size = [], b"", 0
        return line, size


class StdioLines:
    """Puts the lines of both directions of stdio sessions together."""

    def __init__(self) -> None:
        self._streams: dict[tuple[str, str], BoundedLines] = {}
        self._torn: set[tuple[str, str]] = set()

    def feed(self, frame: Frame) -> Iterator[Entry]:
        """The lines that the frame completes; what it says of the stream itself."""
        stream = (frame.conn, frame.direction)
        if frame.kind == "bytes":
            yield from self._lines(stream, frame)
        elif frame.kind == "dropped":
            yield self._tear(stream, frame)
        elif frame.kind == "big":
            yield self._skip(stream, frame)
        elif frame.kind == "end":
            rest = self._of(stream).rest()
            if rest is not None:
                yield _message(frame, *rest)
            yield _entry(frame, end=True)

    def _lines(self, stream: tuple[str, str], frame: Frame) -> Iterator[Entry]:
        piece = frame.payload
        if stream in self._torn:
            _, newline, piece = piece.partition(b"\n")
            if not newline:
                return
            self._torn.remove(stream)
        for line, size in self._of(stream).feed(piece):
            if line and not line.isspace():
                yield _message(frame, line, size)

    def _tear(self, stream: tuple[str, str], frame: Frame) -> Entry:
        """Forget the line that was begun: its end may be missing."""
        self._streams.pop(stream, None)
        self._torn.add(stream)
        lost = (frame.facts or {}).get("frames", 1)
        return _entry(frame, lost=lost)

    def _skip(self, stream: tuple[str, str], frame: Frame) -> Entry:
        """Forget the line that was begun: it has become too long, and is over."""
        self._streams.pop(stream, None)
        self._torn.discard(stream)
        size = (frame.facts or {}).get("bytes", 0)
        return _entry(frame, unread=size)

    def _of(self, stream: tuple[str, str]) -> BoundedLines:
        return self._streams.setdefault(stream, BoundedLines())


def _message(frame: Frame, line: bytes, size: int) -> Entry:
    whole = size <= MAX_MESSAGE_BYTES
    return _entry(frame, text=line if whole else None, unread=0 if whole else size)


def _entry(
    frame: Frame,
    *,
    text: bytes | None = None,
    unread: int = 0,
    lost: int = 0,
    end: bool = False,
) -> Entry:
    """What a frame completes."""
    return Entry(
        direction=frame.direction,
        at=frame.at,
        conn=frame.conn,
        transport="stdio",
        text=text,
        unread=unread,
        lost=lost,
        end=end,
        exact=True,
    )

"""Chunks of a text/event-stream -> its blocks, each with its exact bytes and the event in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

BLANK_LINES: Final = (b"\n\n", b"\n\r", b"\r\r")
"""Every blank line has one of these in it, whatever its line ends are, and nothing else has."""
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_BLANK_LINE: Final = re.compile(rb"(?>\r\n|\r|\n)(?>\r\n|\r|\n)")
_BEGUN: Final = len(b"\r\n\r")
"""So many bytes at the end of a chunk may be the beginning of a blank line."""
_BOM: Final = b"\xef\xbb\xbf"
_MOST_RETRY_DIGITS: Final = 15


class Event(Struct, frozen=True):
    """The fields of one event; those that it does not have are None."""

    data: bytes | None = None
    """The lines of data joined by newlines, in the bytes of the sender."""
    event: str | None = None
    id: str | None = None
    retry: int | None = None


NO_EVENT: Final = Event()
"""What a block of comments and blank lines comes to."""


class EventBlock(Struct, frozen=True):
    """A piece of the stream up to and with the blank line that ends it."""

    raw: bytes
    """Its exact bytes; only the first of them where it is longer than is allowed."""
    event: Event | None
    """What it holds, None where it is longer than is allowed."""
    size: int


class EventStream:
    """A stream under way: chunks go in as they come, blocks come out as soon as they end.

    A carriage return at the end of a chunk ends its line at once; the line feed that may follow
    is then the first byte of the next block, where it means nothing.
    """

    __slots__ = ("_begun", "_dropped", "_head", "_is_first", "longest")

    def __init__(self, longest: int = MAX_MESSAGE_BYTES) -> None:
        self.longest = longest
        self._begun = bytearray()
        self._head = b""
        self._dropped = 0
        self._is_first = True

    @property
    def pending(self) -> bytes:
        """What came after the last blank line: an event that the end of the stream discards."""
        return self._head or bytes(self._begun)

    @property
    def is_too_long(self) -> bool:
        """Whether the block under way is longer already than any may be."""
        return self._dropped > 0

    def feed(self, chunk: bytes) -> list[EventBlock]:
        """The blocks that end in this chunk."""
        return [self._ended(raw) for raw in self._cut(chunk)]

    def skip(self, size: int) -> None:
        """Take note of bytes in the midst of a very long block that are left out here."""
        self._dropped += size

    def _cut(self, chunk: bytes) -> Iterator[bytes]:
        """The bytes of each block that ends in this chunk, or the last of a very long one."""
        begun = self._begun
        start, searched = 0, max(0, len(begun) - _BEGUN)
        begun += chunk
        while found := _BLANK_LINE.search(begun, searched):
            yield bytes(begun[start : found.end()])
            start = searched = found.end()
        del begun[:start]
        if self._dropped + len(begun) > self.longest:
            self._shorten()

    def _shorten(self) -> None:
        """Keep of a very long block how it began, and its end to know the blank line by."""
        self._head = self._head or bytes(self._begun[: self.longest])
        surplus = max(0, len(self._begun) - _BEGUN)
        del self._begun[:surplus]
        self._dropped += surplus

    def _ended(self, raw: bytes) -> EventBlock:
        is_first, self._is_first = self._is_first, False
        head, self._head = self._head or raw[: self.longest], b""
        size, self._dropped = self._dropped + len(raw), 0
        if size > self.longest:
            return EventBlock(head, None, size)
        return EventBlock(raw, read_event(raw.removeprefix(_BOM) if is_first else raw), size)


def read_event(block: bytes) -> Event:
    """The event that a block holds."""
    data: list[bytes] = []
    fields: dict[bytes, bytes] = {}
    for line in _LINE_END.split(block):
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            data.append(value)
        elif _counts(name, value):
            fields[name] = value
    return Event(
        data=b"\n".join(data) if data else None,
        event=_text(fields.get(b"event")),
        id=_text(fields.get(b"id")),
        retry=int(fields[b"retry"]) if b"retry" in fields else None,
    )


def _counts(name: bytes, value: bytes) -> bool:
    """Whether a receiver heeds the field: an id with a NUL, say, is as if it were not there."""
    if name == b"id":
        return b"\x00" not in value
    if name == b"retry":
        return value.isdigit() and len(value) <= _MOST_RETRY_DIGITS
    return name == b"event"


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")

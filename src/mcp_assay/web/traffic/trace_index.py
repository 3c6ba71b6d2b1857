"""Where the lines of a large file begin: one place in each block, found once and piece by piece."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import IO, Final

from msgspec import Struct

BLOCK: Final = 1 << 18
"""At most one place is kept for so many bytes: about 64 kB for a file of a gigabyte."""
PIECE: Final = 1 << 26
"""So many bytes are looked through at a time."""
LONGEST_LINE: Final = 1 << 24
"""Bytes of a line that is read; of a longer one only the beginning is."""
BEGINNING: Final = 4096


class FileLine(Struct, frozen=True):
    """A line without its newline; of one that is too long, how it begins."""

    number: int
    text: bytes
    size: int

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read."""
        return len(self.text) == self.size


class TraceIndex:
    """The lines of an open file by their numbers, from 1; nothing of what they say is kept.

    A chunk is what lies between two places that are kept: all its lines begin in one block, so that
    it is small, but for the last line, which may be of any length. A chunk that is not known, as
    when the file was begun anew, is empty.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file: Final = file
        self._offsets: Final = array("Q", [0])
        self._numbers: Final = array("Q", [1])
        self.seen = 0
        """So many bytes were looked through."""
        self.lines = 0
        """So many lines were begun in them."""
        self._newlines = 0

    def extend(self) -> bool:
        """Look through the next piece, as far as the file goes; whether there was any."""
        end = min(self.size(), self.seen + PIECE)
        begun = self.seen
        while self.seen < end:
            block = self._read(self.seen, min(BLOCK - self.seen % BLOCK, end - self.seen))
            if not block:
                break
            self._note(block)
        return self.seen > begun

    def size(self) -> int:
        """The size of the file now."""
        return os.fstat(self._file.fileno()).st_size

    @property
    def is_complete(self) -> bool:
        """Whether all that the file holds now was looked through."""
        return self.seen >= self.size()

    @property
    def chunks(self) -> int:
        """How many chunks are known."""
        return len(self._offsets)

    def chunk_of(self, number: int) -> int:
        """The chunk in which a line begins."""
        return max(0, bisect_right(self._numbers, number, hi=self.chunks) - 1)

    def numbers_in(self, chunk: int) -> range:
        """The numbers of the lines of a chunk."""
        if chunk >= self.chunks:
            return range(self.lines + 1, self.lines + 1)
        end = self._numbers[chunk + 1] if chunk + 1 < self.chunks else self.lines + 1
        return range(self._numbers[chunk], end)

    def lines_in(self, chunk: int) -> Iterator[FileLine]:
        """The lines of a chunk, read anew."""
        if chunk >= self.chunks:
            return
        start, end = self._offsets[chunk], self._end_of(chunk)
        number, text, at = self._numbers[chunk], self._read(start, min(end - start, BLOCK)), 0
        while (newline := text.find(b"\n", at)) >= 0:
            yield FileLine(number, text[at:newline], newline - at)
            number, at = number + 1, newline + 1
        if start + at >= end or (end == self.seen and not self.is_complete):
            return
        if start + len(text) >= end:
            yield FileLine(number, text[at:], len(text) - at)
        else:
            yield self._long_line(number, start + at, end)

    def bytes_of(self, chunk: int) -> bytes:
        """All bytes of a chunk, none where its last line is too long to be read."""
        size = self._size_of(chunk)
        return self._read(self._offsets[chunk], size) if 0 < size <= LONGEST_LINE else b""

    def size_of(self, chunk: int) -> int:
        """About how many bytes are read for a chunk."""
        return min(self._size_of(chunk), LONGEST_LINE)

    def _size_of(self, chunk: int) -> int:
        return self._end_of(chunk) - self._offsets[chunk] if chunk < self.chunks else 0

    def _end_of(self, chunk: int) -> int:
        return self._offsets[chunk + 1] if chunk + 1 < self.chunks else self.seen

    def _long_line(self, number: int, start: int, end: int) -> FileLine:
        """The last line of a chunk, which goes beyond its block."""
        size = end - start
        text = self._read(start, size if size <= LONGEST_LINE + 1 else BEGINNING)
        if text.endswith(b"\n") or self._read(end - 1, 1) == b"\n":
            size -= 1
        return FileLine(number, text[:size], size)

    def _note(self, block: bytes) -> None:
        """Keep the place of the first line that begins behind a newline, one for each block."""
        place = self.seen + block.find(b"\n") + 1
        if place > self.seen and place // BLOCK > self._offsets[-1] // BLOCK:
            self._numbers.append(self._newlines + 2)  # first: who reads meanwhile counts places
            self._offsets.append(place)
        self._newlines += block.count(b"\n")
        self.seen += len(block)
        self.lines = self._newlines + (not block.endswith(b"\n"))

    def _read(self, offset: int, size: int) -> bytes:
        return os.pread(self._file.fileno(), size, offset)

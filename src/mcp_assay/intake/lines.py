"""Blocks of bytes -> lines, in memory bounded by the longest line that is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

BLOCK = 1 << 18
"""How much is read at a time: large enough to be fast, small enough to stay in the cache."""


def lines(blocks: Iterable[bytes], longest: int) -> Iterator[bytes | None]:
    """Each line without its newline; None in place of a line of more than `longest` bytes.

    A block must not be larger than `longest`, so that only lines across blocks need measuring.
    """
    begun = _Begun(longest)
    for block in blocks:
        first, newline, rest = block.partition(b"\n")
        begun.add(first)
        if newline:
            yield begun.end()
            *whole, last = rest.split(b"\n")
            yield from whole
            begun.add(last)
    if begun.size:
        yield begun.end()


def pieces(text: bytes, size: int = BLOCK) -> Iterator[bytes]:
    """The text in blocks of at most `size` bytes."""
    return (text[start : start + size] for start in range(0, len(text), size))


class _Begun:
    """The part of a line that has been seen so far, dropped once it is too long."""

    __slots__ = ("longest", "parts", "size")

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.size <= self.longest:
            self.parts.append(part)
        else:
            self.parts.clear()

    def end(self) -> bytes | None:
        line = b"".join(self.parts) if self.size <= self.longest else None
        self.parts.clear()
        self.size = 0
        return line

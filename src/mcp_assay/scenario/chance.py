"""Seeded chance: draws from the hash of a key.

Plans need thousands of short, independent sources; to begin a Random costs ten times as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final, TypeVar

T = TypeVar("T")

_DRAW: Final = 8
"""Bytes of one draw: so many that none of the numbers below a count is favoured noticeably."""
_LETTERS: Final = bytes(ord("a") + byte % 26 for byte in range(256))
"""A letter for each byte."""


class Chance:
    """Draws that are the same for the same key, everywhere and always."""

    __slots__ = ("_at", "_bytes", "_hashed", "_key")

    def __init__(self, key: str) -> None:
        self._key: Final = key
        self._hashed = 0
        self._bytes = b""
        self._at = 0

    def below(self, count: int) -> int:
        """A number from 0 up to but not including `count`."""
        return int.from_bytes(self._drawn(_DRAW), "big") % count

    def between(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def letters(self, length: int) -> str:
        """So many small letters, at most as many as a hash has bytes."""
        return self._drawn(length).translate(_LETTERS).decode()

    def shuffled(self, options: Iterable[T]) -> Iterator[T]:
        """The options in another order, each drawn when it is asked for."""
        left = list(options)
        while left:
            yield left.pop(self.below(len(left)))

    def _drawn(self, length: int) -> bytes:
        """So many bytes that were not drawn before."""
        end = self._at + length
        if end > len(self._bytes):
            self._hashed += 1
            text = f"{self._key}#{self._hashed}"
            self._bytes = blake2b(text.encode("utf-8", "surrogatepass")).digest()
            end = length
        self._at = end
        return self._bytes[end - length : end]

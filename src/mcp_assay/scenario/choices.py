"""How choices are made: the first of everything, or by seeded chance from the hash of a key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, TypeVar

from mcp_assay.text.digests import blake2b

T = TypeVar("T")

_DRAW: Final = 8
"""Bytes of one draw: so many that none of the numbers below a count is favoured noticeably."""
MOSTLY: Final = 3
"""One of so many times a usual choice passes over the surest option that is left."""
RARELY: Final = 4
"""One of so many usual arguments has an option: each is one more that may be refused."""
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


Choice = TypeVar("Choice")
Strategy: TypeAlias = Literal["plain", "usual", "random", "unusual"]
"""The first and simplest everywhere, any usual ones, anything at all, or all but the usual."""


class Choices:
    """Choices of one kind; each place of the arguments has its own, so none disturbs another."""

    __slots__ = ("_anew", "_chance", "_key", "_strategy", "has_options", "is_plain", "is_unusual")

    def __init__(
        self,
        key: str,
        *,
        strategy: Strategy,
        has_options: bool,
        anew: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._key: Final = key
        self._anew: Final = anew
        self._strategy: Final[Strategy] = strategy
        self.is_unusual: Final = strategy == "unusual"
        """Whether what places usually have is avoided."""
        self.is_plain: Final = strategy == "plain"
        """Whether the first and simplest is chosen everywhere."""
        self.has_options: Final = has_options
        """Whether plain arguments have what is optional, too."""
        self._chance: Chance | None = None

    @property
    def chance(self) -> Chance:
        """The chance of this place; made on first use, because most places need none."""
        if self._chance is None:
            self._chance = Chance(self._key)
        return self._chance

    def made_anew(self, times: Mapping[str, int]) -> Choices:
        """The same choices, but for the places that were made so many times before; "" is all."""
        if not times:
            return self
        again = times.get("", 0)
        return Choices(
            f"{self._key}~{again}" if again else self._key,
            strategy=self._after(again),
            has_options=self.has_options,
            anew=times,
        )

    def at(self, step: str | int, again: int = 0) -> Choices:
        """The choices for a place inside; once made `again`, it is not plain any more."""
        again = again or self._anew.get(str(step), 0)
        key = f"{self._key}/{step}" + (f"~{again}" if again else "")
        return Choices(key, strategy=self._after(again), has_options=self.has_options)

    def pick(self, count: int) -> int:
        """One of so many."""
        return 0 if self.is_plain or count == 1 else self.chance.below(count)

    def chosen(self, options: Sequence[Choice]) -> Choice:
        """One of the options."""
        if self.is_plain or len(options) == 1:
            return options[0]
        if self._strategy == "usual":
            surest = (one for one in options[:-1] if self.chance.below(MOSTLY) > 0)
            return next(surest, options[-1])
        return self.chance.one_of(options)

    def is_usual(self) -> bool:
        """Whether a value is taken that such places usually have."""
        if self.is_plain or self._strategy == "usual":
            return True
        return self._strategy == "random" and self.pick(2) == 0

    def takes_option(self) -> bool:
        """Whether something optional is there."""
        if self.is_plain:
            return self.has_options
        return self.chance.below(RARELY if self._strategy == "usual" else 2) == 0

    def _after(self, again: int) -> Strategy:
        return "random" if again and self.is_plain else self._strategy

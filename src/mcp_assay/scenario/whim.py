"""How choices are made: the first of everything, or by a seeded chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, TypeVar

from mcp_assay.scenario.chance import Chance

T = TypeVar("T")
Mood: TypeAlias = Literal["plain", "random", "unusual"]
"""The first and simplest everywhere, anything at all, or anything but what is usual."""


class Whim:
    """Choices of one kind; each place of the arguments has its own, so none disturbs another."""

    __slots__ = ("_anew", "_chance", "_key", "_mood", "has_options", "is_plain", "is_unusual")

    def __init__(
        self,
        key: str,
        *,
        mood: Mood,
        has_options: bool,
        anew: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._key: Final = key
        self._anew: Final = anew
        self._mood: Final[Mood] = mood
        self.is_unusual: Final = mood == "unusual"
        """Whether what places usually have is avoided."""
        self.is_plain: Final = mood == "plain"
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

    def made_anew(self, times: Mapping[str, int]) -> Whim:
        """The same whim, but for the places that were made so many times before; "" is all."""
        if not times:
            return self
        again = times.get("", 0)
        return Whim(
            f"{self._key}~{again}" if again else self._key,
            mood=self._after(again),
            has_options=self.has_options,
            anew=times,
        )

    def at(self, step: str | int, again: int = 0) -> Whim:
        """The whim for a place inside; once made `again`, it is not plain any more."""
        again = again or self._anew.get(str(step), 0)
        key = f"{self._key}/{step}" + (f"~{again}" if again else "")
        return Whim(key, mood=self._after(again), has_options=self.has_options)

    def pick(self, count: int) -> int:
        """One of so many."""
        return 0 if self.is_plain or count == 1 else self.chance.below(count)

    def chosen(self, options: Sequence[T]) -> T:
        """One of the options."""
        if self.is_plain or len(options) == 1:
            return options[0]
        return self.chance.one_of(options)

    def is_usual(self) -> bool:
        """Whether a value is taken that such places usually have."""
        return self.is_plain or (self._mood == "random" and self.pick(2) == 0)

    def takes_option(self) -> bool:
        """Whether something optional is there."""
        return self.has_options if self.is_plain else self.chance.below(2) == 0

    def _after(self, again: int) -> Mood:
        return "random" if again and self.is_plain else self._mood

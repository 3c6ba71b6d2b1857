"""Numbers within limits, at them and beyond them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Final

from mcp_assay.scenario.chance import Chance
from mcp_assay.scenario.keywords import Flat, types_of

SMALLEST_STEP: Final = Fraction(1, 100)
"""How far a number that need not be whole lies beside a limit, at least."""

RELATIVE_STEP: Final = Fraction(1, 10**6)
SPREAD: Final = 100
"""How far from the nearest limit random numbers lie, in steps."""


class Range:
    """The numbers that a flat schema allows: from `low` to `high` in steps."""

    def __init__(self, flat: Flat) -> None:
        self.is_whole: Final = "integer" in (kinds := types_of(flat)) and "number" not in kinds
        self._multiple = _exact(flat.get("multipleOf")) or (Fraction(1) if self.is_whole else None)
        if self.is_whole and self._multiple and self._multiple.denominator != 1:
            self._multiple = Fraction(self._multiple.numerator)
        low, high = _exact(flat.get("minimum")), _exact(flat.get("maximum"))
        above, below = _exact(flat.get("exclusiveMinimum")), _exact(flat.get("exclusiveMaximum"))
        self.low: Final = self._first(low, above)
        self.high: Final = self._last(high, below)

    def at_low(self, steps: int = 0) -> int | float | None:
        """The number so many steps above the lowest; None where there is no lowest."""
        return None if self.low is None else self._number(self.low + steps * self._step(self.low))

    def at_high(self, steps: int = 0) -> int | float | None:
        """The number so many steps above the highest; None where there is no highest."""
        if self.high is None:
            return None
        return self._number(self.high + steps * self._step(self.high))

    def usual(self, wish: float) -> int | float:
        """The allowed number that is nearest to a wish."""
        number = Fraction(wish)
        if self._multiple is not None:
            number = floor(number / self._multiple) * self._multiple
        if self.high is not None:
            number = min(number, self.high)
        return self._number(number if self.low is None else max(number, self.low))

    def any(self, chance: Chance) -> int | float:
        """Some allowed number."""
        if self.low is None and self.high is None:
            return self.usual(chance.between(-SPREAD, SPREAD))
        start = self.low if self.low is not None else self.high
        sign = 1 if self.low is not None else -1
        step = self._multiple or Fraction(1, 4)
        number = (start or Fraction(0)) + sign * chance.between(0, SPREAD) * step
        return self.usual(self._number(number))

    def _first(self, low: Fraction | None, above: Fraction | None) -> Fraction | None:
        """The lowest number at or over the one and over the other limit."""
        if low is None and above is None:
            return None
        starts = [] if low is None else [self._up(low)]
        if above is not None:
            next_up = self._up(above)
            starts.append(next_up if next_up > above else next_up + self._step(above))
        return max(starts)

    def _last(self, high: Fraction | None, below: Fraction | None) -> Fraction | None:
        if high is None and below is None:
            return None
        ends = [] if high is None else [self._down(high)]
        if below is not None:
            next_down = self._down(below)
            ends.append(next_down if next_down < below else next_down - self._step(below))
        return min(ends)

    def _up(self, limit: Fraction) -> Fraction:
        return limit if self._multiple is None else ceil(limit / self._multiple) * self._multiple

    def _down(self, limit: Fraction) -> Fraction:
        return limit if self._multiple is None else floor(limit / self._multiple) * self._multiple

    def _step(self, near: Fraction) -> Fraction:
        return self._multiple or max(SMALLEST_STEP, abs(near) * RELATIVE_STEP)

    def _number(self, number: Fraction) -> int | float:
        if self.is_whole or number.denominator == 1:
            return int(number)
        try:
            return float(number)
        except OverflowError:
            return 0


def _exact(value: float | None) -> Fraction | None:
    """The number that was written, 0.1 as one tenth."""
    if value is None:
        return None
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))

"""A row of numbers or words as a small plot of characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

BARS: Final = "▁▂▃▄▅▆▇█"
ABSENT: Final = " "
OUTCOMES: Final[Mapping[str, str]] = {"pass": "+", "fail": "x", "incomplete": "?"}
STATUSES: Final[Mapping[str, str]] = {
    "fully_working": "+",
    "partially_working": "~",
    "unproven": "?",
    "connectivity_only": "!",
    "broken": "x",
    "not_called": ".",
}
LEGEND: Final = (
    "+ working  ~ partly working  ? unproven  ! dependency unavailable  x broken  . not called"
)


def outcomes_plot(outcomes: Sequence[str]) -> str:
    """One character for each outcome of a run."""
    return "".join(OUTCOMES.get(outcome, "?") for outcome in outcomes)


def statuses_plot(statuses: Sequence[str | None]) -> str:
    """One character for each status of a tool; a blank where it was not listed."""
    return "".join(ABSENT if one is None else STATUSES.get(one, "?") for one in statuses)


def bars(numbers: Sequence[float | None]) -> str:
    """One bar for each number, from zero up; empty where all of them are zero or unknown."""
    highest = max((one for one in numbers if one is not None), default=0)
    if highest <= 0:
        return ""
    top = len(BARS) - 1
    return "".join(
        ABSENT if one is None else BARS[round(top * max(one, 0) / highest)] for one in numbers
    )

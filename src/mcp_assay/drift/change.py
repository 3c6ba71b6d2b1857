"""One change of what a server promises or does, and how bad it is for whom."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

Grade: TypeAlias = Literal["breaking", "risky", "cosmetic"]
GRADES: Final[tuple[Grade, ...]] = ("breaking", "risky", "cosmetic")
"""From the worst on: something stops working; something may; nobody needs to do anything."""
UNDECIDED: Final = "could not be decided"


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is no longer as it was."""

    grade: Grade
    place: str
    """The tool, resource or prompt, and the member of it, as a JSON Pointer."""
    message: str
    """What changed, in a sentence."""
    breaks: str = ""
    """For whom, and how; empty where for nobody."""


def by_gravity(changes: list[Change]) -> list[Change]:
    """Changes, the worst first, then by place."""
    return sorted(changes, key=lambda one: (GRADES.index(one.grade), one.place, one.message))

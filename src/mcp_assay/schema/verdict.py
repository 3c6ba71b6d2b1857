"""What came of checking one value against one schema."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.wire.pointer import Path

Outcome: TypeAlias = Literal["valid", "invalid", "undecided"]


class Problem(Struct, frozen=True):
    """One place of a value where it does not fit its schema."""

    path: Path
    text: str
    """In plain words, as what is said of the place: "is a string, the schema says integer"."""
    kind: str = ""
    """What it breaks, as the engine calls it: "Type", "Enum", "Required"."""


class Verdict(Struct, frozen=True, omit_defaults=True):
    """Whether a value fits a schema; where that stays open, the reason is a whole sentence."""

    outcome: Outcome
    problems: tuple[Problem, ...] = ()
    reason: str | None = None


VALID: Final = Verdict("valid")
INVALID: Final = Verdict("invalid", (Problem((), "does not fit the schema"),))
"""The value does not fit, and where it does not was too much to find out."""


def undecided(reason: str) -> Verdict:
    """Nothing can be said of the value, and this is why."""
    return Verdict("undecided", reason=reason)

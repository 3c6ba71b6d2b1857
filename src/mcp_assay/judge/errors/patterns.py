"""How a pattern of error wording is written: a phrase, what it speaks for, and how loudly.

A phrase is found in any case, as whole words, with `_` and `-` read as spaces, and in the parts of
a name such as `UserNotFoundError`. A single word with a capital letter, or without letters, is a
name or a number: it is found as it is written. " … " stands for some words in between, a "*" at the
end for the rest of the word. A table lists phrases in lines,
or between bars.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.verdict import ErrorKind

DECISIVE: Final = 20.0
"""Whatever else is said, this is what happened."""
CERTAIN: Final = 8.0
"""Nothing else says this."""
STRONG: Final = 4.0
FAIR: Final = 2.0
FAINT: Final = 1.0
SILENT: Final = 0.0
"""Says nothing by itself: what wrappers add, and what must not be taken for something louder."""

STRENGTHS: Final = {"certain": CERTAIN, "strong": STRONG, "fair": FAIR, "faint": FAINT}
"""The names that strengths have in a configuration."""

OWN: Final = "configuration"
"""The source of patterns that users add."""
GAP: Final = " … "
STEM: Final = "*"


class Pattern(Struct, frozen=True):
    """One wording, and what it says about the error that has it."""

    phrase: str
    speaks_for: ErrorKind
    weight: float
    name: str
    """What it is, for people: "crash signature", "business pattern"."""
    source: str = ""
    is_frame: bool = False
    """Whether it marks a line of a stack trace."""
    owed_to_input: bool = False
    """Whether it speaks for a refusal instead where it is about what the caller wrote."""
    owed_to_trial: bool = False
    """Whether it does so, too, where the caller meant to send something wrong."""

    @property
    def is_own(self) -> bool:
        """Whether the user added it: then nothing that we know hides it."""
        return self.source == OWN

    @property
    def has_gap(self) -> bool:
        """Whether some words may stand between its two parts."""
        return GAP in self.phrase

    @property
    def is_stem(self) -> bool:
        """Whether words that only begin with its last word are meant too."""
        return self.phrase.endswith(STEM)

    @property
    def is_literal(self) -> bool:
        """Whether it is a name or a number, and is found only as it is written."""
        phrase = self.phrase
        return " " not in phrase and (phrase != phrase.lower() or not _has_letters(phrase))


def _has_letters(phrase: str) -> bool:
    return any(map(str.isalpha, phrase))


def table(source: str, *groups: Iterable[Pattern]) -> tuple[Pattern, ...]:
    """The patterns of one family, marked with its name."""
    return tuple(replace(pattern, source=source) for group in groups for pattern in group)


def business(weight: float, phrases: str) -> list[Pattern]:
    """Wordings of a tool that works and refuses."""
    return _patterns(phrases, Pattern("", "business", weight, "business pattern"))


def failure(weight: float, phrases: str) -> list[Pattern]:
    """Wordings of a tool that is itself at fault."""
    return _patterns(phrases, Pattern("", "failure", weight, "crash signature"))


def conversion(weight: float, phrases: str) -> list[Pattern]:
    """Wordings of a tool that cannot read something: a refusal if the caller wrote that."""
    model = Pattern("", "failure", weight, "unreadable text", owed_to_input=True)
    return _patterns(phrases, model)


def misreading(weight: float, phrases: str) -> list[Pattern]:
    """Wordings of a single value that cannot be read: mostly one that the caller wrote."""
    model = Pattern("", "failure", weight, "unreadable value", owed_to_input=True)
    return _patterns(phrases, replace(model, owed_to_trial=True))


def frames(weight: float, phrases: str) -> list[Pattern]:
    """The marks of a stack trace."""
    return _patterns(phrases, Pattern("", "failure", weight, "stack trace", is_frame=True))


def environment(weight: float, phrases: str) -> list[Pattern]:
    """Wordings of surroundings that fail."""
    return _patterns(phrases, Pattern("", "environment", weight, "environment pattern"))


def unclear(weight: float, phrases: str) -> list[Pattern]:
    """Wordings that do not tell what happened."""
    return _patterns(phrases, Pattern("", "unclear", weight, "says nothing"))


def wrapper(phrases: str) -> list[Pattern]:
    """Words that libraries put around any message."""
    return _patterns(phrases, Pattern("", "unclear", SILENT, "wrapper"))


def _patterns(phrases: str, model: Pattern) -> list[Pattern]:
    """One pattern like the model for each phrase; phrases stand in lines, or between bars."""
    parts = (part.strip() for line in phrases.splitlines() for part in line.split(" | "))
    return [replace(model, phrase=part) for part in parts if part]

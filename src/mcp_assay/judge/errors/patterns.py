"""How a pattern of error wording is written: a phrase, what it speaks for, and how loudly.

A phrase is found in any case, as whole words, with `_` and `-` read as spaces, and in the parts of
a name such as `UserNotFoundError`. A single word with a capital letter, or without letters, is a
name or a number: it is found as it is written. " … " stands for some words in between, a "*" at the
end for the rest of the word.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

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
    owed_to_error_case: bool = False
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

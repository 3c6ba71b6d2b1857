"""Messages that have no known wording at all: a bare key, or a sentence that says something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import CERTAIN, FAIR, SILENT
from mcp_assay.model.verdict import Factor

MISSING_FILE: Final = "no such file or directory: '"
PROGRAM: Final = re.compile(rf"{MISSING_FILE}([a-z0-9 +]{{1,40}})'")
"""In a folded text; a name with a dot or a slash is a file."""
QUOTES: Final = ("'", '"')
LONGEST_KEY: Final = 60


def bare_factors(text: str, fold: str, found: Sequence[Factor], given: Given) -> Iterator[Factor]:
    """What the shape of a message says where its words do not."""
    if MISSING_FILE in fold:
        yield from _missing_program(fold, given)
    if any(factor.weight > SILENT for factor in found):
        return
    rest = _unwrapped(text.strip(), found)
    if _is_quoted_key(rest):
        # Python says no more of a key that a dictionary lacks.
        yield Factor("bare key", "failure", FAIR, rest, "python")


def _missing_program(fold: str, given: Given) -> Iterator[Factor]:
    """A file that is not there, has no folder, and was not asked for: a program to be run."""
    for match in PROGRAM.finditer(fold):
        if not any(match[1] in value for value in given.values):
            yield Factor("missing program", "environment", CERTAIN, match[1], "python")


def _unwrapped(text: str, found: Sequence[Factor]) -> str:
    """What a wrapper has put its words, and the name of the tool, before."""
    for factor in found:
        before, wrapper, after = text.partition(factor.text)
        if wrapper and not before:
            text = after.partition(": ")[2]
    return text.strip()


def _is_quoted_key(text: str) -> bool:
    inside = text[1:-1]
    return (
        2 < len(text) <= LONGEST_KEY
        and text[0] == text[-1]
        and text[0] in QUOTES
        and not any(character.isspace() or character in QUOTES for character in inside)
    )

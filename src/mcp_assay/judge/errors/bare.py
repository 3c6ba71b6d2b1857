"""Messages that have no known wording at all: a bare key, or a sentence that says something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import CERTAIN, FAIR, SILENT
from mcp_assay.model.verdict import Factor

MISSING_FILE: Final = "no such file or directory"
NAMED_FILE: Final = re.compile(rf"{MISSING_FILE}(?:: |, [a-z]{{1,12}} )'([^'\n]{{1,300}})'")
"""As Python and Node word it, in a folded text."""
QUOTES: Final = ("'", '"')
LONGEST_KEY: Final = 60


def bare_factors(text: str, fold: str, found: Sequence[Factor], given: Given) -> Iterator[Factor]:
    """What the shape of a message says where its words do not."""
    if MISSING_FILE in fold:
        yield from _missing_own_file(fold, given)
    if any(factor.weight > SILENT for factor in found):
        return
    rest = _unwrapped(text.strip(), found)
    if _is_quoted_key(rest):
        # Python says no more of a key that a dictionary lacks.
        yield Factor("bare key", "failure", FAIR, rest, "python")


def _missing_own_file(fold: str, given: Given) -> Iterator[Factor]:
    """A file that is not there, and that nobody asked for: a program, or a file of the server's."""
    for match in NAMED_FILE.finditer(fold):
        if not given.has_part_of(match[1]):
            yield Factor("file of its own", "environment", CERTAIN, match[1], "response")


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

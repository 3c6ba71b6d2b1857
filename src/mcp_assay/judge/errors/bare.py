"""Messages that have no known wording at all: a bare key, or a sentence that says something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import CERTAIN, FAIR, SILENT, STRONG
from mcp_assay.model.verdict import Factor

MISSING_FILE: Final = "no such file or directory"
NAMED_FILE: Final = re.compile(rf"{MISSING_FILE}(?:: |, [a-z]{{1,12}} )'([^'\n]{{1,300}})'")
"""As Python and Node word it, in a folded text."""
SETTING: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,60}(?![A-Za-z0-9_])")
"""A name as variables of the environment have it."""
SETTING_ENDS: Final = frozenset(
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "URL", "URI", "DSN", "HOST", "PORT", "ENDPOINT"]
)
"""The last words of such names."""
CODE_STARTS: Final = frozenset(
    ["BAD", "E", "ERR", "ERROR", "EXPIRED", "INVALID", "MISSING", "NO", "UNKNOWN", "WRONG"]
)
"""The first words of names that are codes of errors instead."""
WANTING: Final = re.compile(
    r"\b(?:is|be|are|not|isn't|must) set\b|\bset the\b|\bplease set\b|\brequire[sd]?\b"
    r"|\bmissing\b|\bprovide\b|\bdefined?\b|\bconfigured?\b|\bneed(?:s|ed)?\b"
)
"""What is said of a variable that is wanted."""
NEAR: Final = 60
MOST_SETTINGS: Final = 20
QUOTES: Final = ("'", '"')
LONGEST_KEY: Final = 60


def bare_factors(text: str, fold: str, found: Sequence[Factor], given: Given) -> Iterator[Factor]:
    """What the shape of a message says where its words do not."""
    if MISSING_FILE in fold:
        yield from _missing_own_file(fold, given)
    yield from _wanted_settings(text, fold, given)
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


def _wanted_settings(text: str, fold: str, given: Given) -> Iterator[Factor]:
    """A variable of the server's environment that it wants, and that is no argument."""
    for match in islice(SETTING.finditer(text), MOST_SETTINGS):
        if not _is_setting(match[0]) or given.takes(match[0]):
            continue
        if WANTING.search(fold, max(match.start() - NEAR, 0), match.end() + NEAR):
            yield Factor("setting of its own", "environment", STRONG, match[0], "response")
            return


def _is_setting(name: str) -> bool:
    first, *_, last = name.split("_")
    return last in SETTING_ENDS and first not in CODE_STARTS


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

"""What an error names in quotes: if the caller sent it, it is a refusal; if nobody did, it is not.

"Unknown unit 'furlongg'" is a refusal where that was sent. Where nothing of the kind was sent, the
tool has asked for it itself: a column that is not there is its own mistake, a program that is not
there is what the machine lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from mcp_assay.judge.errors.error_shape import LONGEST_READ
from mcp_assay.judge.errors.given import Given
from mcp_assay.judge.errors.patterns import STRONG
from mcp_assay.model.verdict import ErrorKind, Factor

OWN: Final = 1.25 * STRONG
"""Louder than the words of a refusal, and less than those that nothing else says."""
MOST_NAMED: Final = 8
BEFORE: Final = 30
"""So far before a name it is said what it is the name of."""

_HAS_NAME: Final = re.compile(r"['\"`“(]\w")
_OPEN: Final = "['\"`“]"
_CLOSE: Final = "['\"`”]"
_NAMED: Final = r"([a-z_@#$][\w.@:#$+/-]{2,80})"
NOT_THERE: Final = re.compile(
    rf"(?:{_OPEN}|\(){_NAMED}(?:{_CLOSE}|\)) (?:was |is |could |cannot |can't |does |did ){{0,2}}"
    r"(?:not |n't )?(?:be )?(?:found|exist|located)\b"
    r"|\b(?:not found|no such \w{2,20}|specified|does not exist"
    r"|(?:cannot|can't|could not|couldn't) find(?: the)?(?: \w{2,20}){0,3})"
    rf":? {_OPEN}{_NAMED}{_CLOSE}",
)
"""How errors name what is not there."""
NOT_RIGHT: Final = re.compile(
    r"\b(?:invalid|unknown|unsupported|unrecogni[sz]ed|unexpected|illegal|bad)(?: [\w-]{2,20}){0,3}"
    rf":? {_OPEN}{_NAMED}{_CLOSE}",
)
"""How errors name what is not right."""
OF_CODE: Final = re.compile(
    r"\b(?:attribute|bean|class|column|constant|constructor|field|filter|function|import|key|keyword"
    r"|method|module|name|object|operator|package|parameter|property|relation|selector|symbol|table"
    r"|type|variable|view)s?\b",
)
"""What programs are made of, and the requests that they make."""


NAME_HINTS: Final = (
    "found", "exist", "located", "no such", "specified", "find", "invalid", "unknown",
    "unsupported", "unrecogni", "unexpected", "illegal", "bad ",
)  # fmt: skip


def named_factors(text: str, given: Given) -> Iterator[Factor]:
    """A thing that an error names, if it can be told that nobody sent it."""
    if not given.values or not _HAS_NAME.search(text) or given.names_a_place:
        return
    said = text[:LONGEST_READ].lower()
    yield from _first(said, NOT_THERE, given)
    yield from _first(said, NOT_RIGHT, given)


def _first(said: str, form: re.Pattern[str], given: Given) -> Iterator[Factor]:
    matches = list(islice(form.finditer(said), MOST_NAMED))
    names = [next(filter(None, match.groups())) for match in matches]
    if not names or any(map(given.knows, names)):
        return
    kind = _kind(said, form, matches[0])
    yield Factor("names what nobody sent", kind, OWN, matches[0][0], "input")


def _kind(said: str, form: re.Pattern[str], match: re.Match[str]) -> ErrorKind:
    if form is NOT_RIGHT or OF_CODE.search(said, max(0, match.start() - BEFORE), match.end()):
        return "failure"
    return "environment"

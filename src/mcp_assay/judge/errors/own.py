"""Patterns that users add: the `errors` table of a configuration, read strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

from mcp_assay.judge.errors.patterns import GAP, SILENT, STRENGTHS, Pattern
from mcp_assay.model.verdict import ErrorKind

SOURCE: Final = "configuration"
IGNORED: Final = "ignore"
KINDS: Final[Mapping[str, ErrorKind]] = {kind: kind for kind in get_args(ErrorKind)}
KEYS: Final = (*KINDS, IGNORED)
LOUDER: Final = 2.0
"""How much louder a pattern of the user's is: it knows the server."""
SHORTEST: Final = 2
LONGEST: Final = 200


class WrongPattern(ValueError):
    """A pattern of a configuration that cannot be used; the text says which and why."""


def own_patterns(table: object) -> list[Pattern]:
    """The patterns of an `errors` table; raises WrongPattern."""
    if not isinstance(table, Mapping):
        raise WrongPattern("errors must be a table")
    unknown = [str(key) for key in table if key not in KEYS]
    if unknown:
        raise WrongPattern(f"errors.{unknown[0]} is unknown; use one of {', '.join(KEYS)}")
    return [pattern for key, given in table.items() for pattern in _patterns(key, given)]


def _patterns(key: str, given: object) -> Iterator[Pattern]:
    if not isinstance(given, list):
        raise WrongPattern(f"errors.{key} must be a list of phrases")
    for index, item in enumerate(given):
        yield _pattern(key, item, f"errors.{key}[{index}]")


def _pattern(key: str, item: Any, place: str) -> Pattern:
    entry = {"phrase": item} if isinstance(item, str) else item
    if not isinstance(entry, Mapping) or not {"phrase"} <= set(entry) <= {"phrase", "strength"}:
        raise WrongPattern(f"{place} must be a phrase, or a table with phrase and strength")
    phrase, strength = entry["phrase"], entry.get("strength", "certain")
    if not isinstance(phrase, str) or not SHORTEST <= len(phrase.strip(GAP)) <= LONGEST:
        raise WrongPattern(f"{place} must be a phrase of {SHORTEST} to {LONGEST} characters")
    if strength not in STRENGTHS:
        raise WrongPattern(f"{place} has an unknown strength; use one of {', '.join(STRENGTHS)}")
    if key == IGNORED:
        return Pattern(phrase.strip(), "unclear", SILENT, "ignored words", SOURCE)
    weight = LOUDER * STRENGTHS[strength]
    return Pattern(phrase.strip(), KINDS[key], weight, "own pattern", SOURCE)

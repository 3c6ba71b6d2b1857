"""Patterns that users add: the `errors` table of a configuration, read strictly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeGuard, get_args

from mcp_assay.judge.errors.lexicon import folded
from mcp_assay.judge.errors.patterns import GAP, OWN, SILENT, STEM, STRENGTHS, Pattern
from mcp_assay.model.verdict import ErrorKind

IGNORED: Final = "ignore"
KINDS: Final[Mapping[str, ErrorKind]] = {kind: kind for kind in get_args(ErrorKind)}
KEYS: Final = (*KINDS, IGNORED)
LOUDER: Final = 3.0
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
    phrase, strength = _phrase(entry["phrase"], place), entry.get("strength", "certain")
    if not isinstance(strength, str) or strength not in STRENGTHS:
        raise WrongPattern(f"{place} has an unknown strength; use one of {', '.join(STRENGTHS)}")
    if key == IGNORED:
        return Pattern(phrase, "unclear", SILENT, "ignored words", OWN)
    weight = LOUDER * STRENGTHS[strength]
    return Pattern(phrase, KINDS[key], weight, "own pattern", OWN)


def _phrase(given: object, place: str) -> str:
    """A phrase that can be found: at most one gap with words on both sides, "*" only at its end."""
    phrase = (
        " ".join(given.replace("...", "…").replace("…", " … ").split()) if _is_text(given) else ""
    )
    words = phrase.removesuffix(STEM)
    if not SHORTEST <= len(words) <= LONGEST:
        raise WrongPattern(f"{place} must be a phrase of {SHORTEST} to {LONGEST} characters")
    parts = words.split(GAP.strip())
    if len(parts) > 2 or not all(folded(part).strip() for part in parts) or STEM in words:
        raise WrongPattern(f'{place} may have one "…" between words, and one "*" at its end')
    return phrase


def _is_text(given: object) -> TypeGuard[str]:
    return isinstance(given, str)

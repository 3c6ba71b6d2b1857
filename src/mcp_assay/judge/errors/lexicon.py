"""Every pattern found in a text at once, in time that grows with the text alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick

from mcp_assay.judge.errors.patterns import GAP, STEM, Pattern

WIDEST_GAP: Final = 60
"""So many characters may stand for the "…" of a phrase."""
MOST_FOUND: Final = 400
"""So many places of a text are looked at; what matters stands near its beginning or its end."""
LONGEST_NAME: Final = 80

_HUMP: Final = re.compile(r"[a-z0-9][A-Z]")
_WORD_STARTS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IDEOGRAPHS: Final = "\u2e80"
"""From here on writing has no spaces between its words."""


class Hit(NamedTuple):
    """A pattern at its place in a text."""

    start: int
    end: int
    pattern: Pattern


def folded(text: str) -> str:
    """The text as phrases are looked for in it, each character at its place."""
    lowered = text.lower()
    if not text.isascii():
        # A few capitals have lower forms of two characters.
        lowered = lowered if len(lowered) == len(text) else "".join(map(_lower, text))
        lowered = lowered.replace("\u2019", "'").replace("\xa0", " ")
    return lowered.replace("_", " ").replace("-", " ").replace("\t", " ")


class Lexicon:
    """Patterns, ready to be looked for."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        chosen = {pattern.phrase: pattern for pattern in patterns}
        literal = [pattern for pattern in chosen.values() if pattern.is_literal]
        worded = [pattern for pattern in chosen.values() if not pattern.is_literal]
        self._literal: Final = _Finder(literal, str)
        self._worded: Final = _Finder(worded, folded)

    def hits(self, text: str, fold: str) -> list[Hit]:
        """The patterns of a text from left to right; of those in one place the longest."""
        names = self._literal.hits(text)
        known = {hit.start: hit.end for hit in names}
        worded = [hit for hit in self._worded.hits(fold) if known.get(hit.start) != hit.end]
        if _HUMP.search(text):
            worded += self._in_names(text, known)
        return _longest(names + worded)

    def _in_names(self, text: str, known: Container[int]) -> Iterator[Hit]:
        """What the parts of names say: `RateLimitExceeded` says what the three words say."""
        done = 0
        for hump in _HUMP.finditer(text):
            start, end = _name_around(text, hump.start(), done)
            if start < done:
                continue
            done = end
            if start in known:
                continue
            words = _WORD_STARTS.sub(" ", text[start:end]).lower()
            yield from (Hit(start, end, hit.pattern) for hit in self._worded.hits(words))


class _Finder:
    """Looks for phrases in whole words, those with gaps too."""

    def __init__(self, patterns: Sequence[Pattern], form: Callable[[str], str]) -> None:
        self._whole: dict[int, Pattern] = {}
        self._opening: set[int] = set()
        self._closing: dict[int, list[tuple[int, Pattern]]] = {}
        """By their second part: the place of the first, and the phrase."""
        self._stems: set[int] = set()
        places: dict[str, int] = {}
        for pattern in patterns:
            opening, gap, closing = form(pattern.phrase.removesuffix(STEM)).partition(GAP)
            place = last = places.setdefault(opening, len(places))
            if gap:
                last = places.setdefault(closing, len(places))
                self._opening.add(place)
                self._closing.setdefault(last, []).append((place, pattern))
            else:
                self._whole[place] = pattern
            if pattern.is_stem:
                self._stems.add(last)
        self._automaton: Final = AhoCorasick(list(places))

    def hits(self, text: str) -> list[Hit]:
        found: list[Hit] = []
        opened: dict[int, tuple[int, int]] = {}
        padded = f" {text} "  # so that there is a character before the first and after the last
        matches = self._automaton.find_matches_as_indexes(padded, overlapping=True)
        for place, start, end in matches[:MOST_FOUND]:
            if padded[start - 1].isalnum() and _goes_on(padded[start]):
                continue
            if padded[end].isalnum() and place not in self._stems and _goes_on(padded[end - 1]):
                continue
            if place in self._whole:
                found.append(Hit(start - 1, end - 1, self._whole[place]))
            if place in self._closing:
                found += self._closed(text, place, start - 1, end - 1, opened)
            if place in self._opening:
                opened[place] = start - 1, end - 1
        return found

    def _closed(
        self, text: str, place: int, start: int, end: int, opened: dict[int, tuple[int, int]]
    ) -> Iterator[Hit]:
        """The phrases whose second part stands here, and whose first part stands not far before."""
        for opening, pattern in self._closing[place]:
            if opening not in opened:
                continue
            begin, gap = opened[opening]
            if gap <= start <= gap + WIDEST_GAP and "\n" not in text[gap:start]:
                yield Hit(begin, end, pattern)


def _lower(character: str) -> str:
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _goes_on(character: str) -> bool:
    """Whether a letter or digit beside this character belongs to the same word."""
    return character.isalnum() and character < _IDEOGRAPHS


def _name_around(text: str, place: int, earliest: int) -> tuple[int, int]:
    start, end = place, place + 2
    while start > earliest and place - start < LONGEST_NAME and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and end - place < LONGEST_NAME and text[end].isalnum():
        end += 1
    return start, end


def _longest(found: list[Hit]) -> list[Hit]:
    """The hits that do not lie within a longer one, from left to right.

    A phrase with a gap covers words that are none of its own: only fainter ones give way to it.
    """
    kept: list[Hit] = []
    cover: Hit | None = None
    for hit in sorted(found, key=_leftmost_longest):
        if cover is None or hit.end > cover.end or hit[:2] == cover[:2]:
            kept.append(hit)
            cover = hit
        elif cover.pattern.has_gap and hit.pattern.weight > cover.pattern.weight:
            kept.append(hit)
    return kept


def _leftmost_longest(hit: Hit) -> tuple[int, int]:
    return hit.start, -hit.end

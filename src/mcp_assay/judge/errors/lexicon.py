"""Every pattern found in a text at once, in time that grows with the text alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick

from mcp_assay.judge.errors.patterns import GAP, STEM, Pattern

WIDEST_GAP: Final = 60
"""So many characters may stand for the "…" of a phrase."""
LONGEST_WORD_SEEN: Final = 80
MOST_KNOWN: Final = 64
LONGEST_KNOWN: Final = 2_000
"""So many texts, each so long, of which it is remembered what was found in them."""

_HUMP: Final = re.compile(r"[a-z0-9][A-Z]")
_NAME: Final = re.compile(rf"[A-Za-z0-9]{{1,{LONGEST_WORD_SEEN}}}")
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
        self._whole: dict[int, Pattern] = {}
        self._exact: dict[int, dict[str, Pattern]] = {}
        """Names and numbers, which are found only as they are written."""
        self._names: set[str] = set()
        self._opening: set[int] = set()
        self._closing: dict[int, list[tuple[int, Pattern]]] = {}
        """By their second part: the place of the first, and the phrase."""
        self._stems: set[int] = set()
        self._places: dict[str, int] = {}
        for pattern in {pattern.phrase: pattern for pattern in patterns}.values():
            self._add(pattern)
        self._automaton: Final = AhoCorasick(list(self._places))
        self._known: Final[dict[str, list[Hit]]] = {}
        """What was found in the latest texts: a tool refuses many calls in the same words."""

    def hits(self, text: str, fold: str) -> list[Hit]:
        """The patterns of a text from left to right; of those in one place the longest."""
        known = self._known.get(text)
        if known is None:
            known = self._looked_up(text, fold)
            if len(text) <= LONGEST_KNOWN:
                self._remember(text, known)
        return known

    def _remember(self, text: str, found: list[Hit]) -> None:
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[text] = found

    def _looked_up(self, text: str, fold: str) -> list[Hit]:
        found = self._found(text, fold)
        if _has_inner_capitals(text) and _HUMP.search(text):
            found += self._in_names(text)
        return _longest(found)

    def _add(self, pattern: Pattern) -> None:
        opening, gap, closing = folded(pattern.phrase.removesuffix(STEM)).partition(GAP)
        place = last = self._place(opening)
        if gap:
            last = self._place(closing)
            self._opening.add(place)
            self._closing.setdefault(last, []).append((place, pattern))
        elif pattern.is_literal:
            self._exact.setdefault(place, {})[pattern.phrase] = pattern
            self._names.add(pattern.phrase)
        else:
            self._whole[place] = pattern
        if pattern.is_stem:
            self._stems.add(last)

    def _place(self, part: str) -> int:
        return self._places.setdefault(part, len(self._places))

    def _found(self, text: str, fold: str) -> list[Hit]:
        """The phrases that stand in whole words, those with gaps too."""
        found: list[Hit] = []
        opened: dict[int, tuple[int, int]] = {}
        whole, exact = self._whole, self._exact
        padded = f"{fold} "  # so that there is a character before the first and after the last
        matches = self._automaton.find_matches_as_indexes(fold, overlapping=True)
        for place, start, end in matches:
            if padded[start - 1].isalnum() and _goes_on(padded[start]):
                continue
            if padded[end].isalnum() and place not in self._stems and _goes_on(padded[end - 1]):
                continue
            pattern = whole.get(place)
            if place in exact:
                pattern = exact[place].get(text[start:end], pattern)
            if pattern is not None:
                found.append(Hit(start, end, pattern))
            if place in self._closing:
                found += self._closed(fold, place, start, end, opened)
            if place in self._opening:
                opened[place] = start, end
        return found

    def _closed(
        self, fold: str, place: int, start: int, end: int, opened: dict[int, tuple[int, int]]
    ) -> Iterator[Hit]:
        """The phrases whose second part stands here, and whose first part stands not far before."""
        for opening, pattern in self._closing[place]:
            if opening not in opened:
                continue
            begin, gap = opened[opening]
            if gap <= start <= gap + WIDEST_GAP and "\n" not in fold[gap:start]:
                yield Hit(begin, end, pattern)

    def _in_names(self, text: str) -> Iterator[Hit]:
        """What the parts of names say: `RateLimitExceeded` says what the three words say."""
        done = 0
        for hump in _HUMP.finditer(text):
            start, end = _name_around(text, hump.start(), done)
            if start < done:
                continue
            done = end
            name = text[start:end]
            if name in self._names:
                continue
            words = _WORD_STARTS.sub(" ", name).lower()
            yield from (Hit(start, end, hit.pattern) for hit in self._found(words, words))


def _has_inner_capitals(text: str) -> bool:
    inner = text[1:]
    return inner != inner.lower()


def _lower(character: str) -> str:
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _goes_on(character: str) -> bool:
    """Whether a letter or digit beside this character belongs to the same word."""
    return character.isalnum() and character < _IDEOGRAPHS


def _name_around(text: str, place: int, earliest: int) -> tuple[int, int]:
    start = place
    while start > earliest and place - start < LONGEST_WORD_SEEN and text[start - 1].isalnum():
        start -= 1
    name = _NAME.match(text, place)
    return start, name.end() if name else place


def _longest(found: list[Hit]) -> list[Hit]:
    """The hits that do not lie within a longer one, from left to right.

    A phrase with a gap covers words that are none of its own: only fainter ones give way to it.
    """
    if all(one.end <= other.start for one, other in pairwise(found)):
        return found
    kept: list[Hit] = []
    cover: Hit | None = None
    for hit in sorted(found, key=_leftmost_longest):
        if cover is None or hit.end > cover.end or hit[:2] == cover[:2]:
            kept.append(hit)
            cover = hit
        elif hit.pattern.is_own or (
            cover.pattern.has_gap and hit.pattern.weight > cover.pattern.weight
        ):
            kept.append(hit)
    return kept


def _leftmost_longest(hit: Hit) -> tuple[int, int]:
    return hit.start, -hit.end

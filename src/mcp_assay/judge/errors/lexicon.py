"""Every pattern found in a text at once, in time that grows with the text alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from ahocorasick_rs import AhoCorasick

from mcp_assay.judge.errors.patterns import GAP, STEM, Pattern

WIDEST_GAP: Final = 60
"""So many characters may stand for the "…" of a phrase."""
ALTERNATIVELY: Final = (
    *(" or ", " ou ", " oder ", " o ", " lub ", " eller ", " veya ", " hoặc ", " atau "),
    *(" ή ", " или ", " або ", " nebo ", " أو ", " या ", "或", "または", "또는 "),  # noqa: RUF001
)
"""What is said behind these words is one more of what was named before: a date or None."""
LONGEST_WORD_SEEN: Final = 80
MOST_KNOWN: Final = 64
LONGEST_KNOWN: Final = 2_000
"""So many texts, each so long, of which it is remembered what was found in them."""

_SMALL: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_CAPITAL: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_CLASSES: Final = bytes(
    ord("a" if byte in _SMALL else "A" if byte in _CAPITAL else " ") for byte in range(256)
)
"""What each byte is: a small letter or digit, a capital letter, or neither."""
_HUMP: Final = b"aA"
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
        self._roles: Final = [self._role(place) for place in range(len(self._places))]
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
        classes = text.encode("ascii", "replace").translate(_CLASSES)
        if _HUMP in classes:
            found += self._in_names(text, classes)
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

    def _role(self, place: int) -> tuple[Pattern | None, bool, bool]:
        """The pattern at a place, whether it is nothing else, and whether it is a stem."""
        pattern = self._whole.get(place)
        is_more = place in self._exact or place in self._closing or place in self._opening
        return pattern, pattern is not None and not is_more, place in self._stems

    def _place(self, part: str) -> int:
        return self._places.setdefault(part, len(self._places))

    def _found(self, text: str, fold: str) -> list[Hit]:
        """The phrases that stand in whole words, those with gaps too."""
        found: list[Hit] = []
        opened: dict[int, tuple[int, int]] = {}
        padded = f"{fold} "  # so that there is a character before the first and after the last
        roles = self._roles
        for place, start, end in self._automaton.find_matches_as_indexes(fold, overlapping=True):
            if padded[start - 1].isalnum() and _goes_on(padded[start]):
                continue
            pattern, is_plain, is_stem = roles[place]
            if not is_stem and padded[end].isalnum() and _goes_on(padded[end - 1]):
                continue
            if is_plain:
                found.append(Hit(start, end, pattern))  # type: ignore[arg-type]
                continue
            if place in self._exact:
                pattern = self._exact[place].get(text[start:end], pattern)
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
            if gap > start or start > gap + WIDEST_GAP or "\n" in fold[gap:start]:
                continue
            if not fold[gap:start].rstrip("'\"`").endswith(ALTERNATIVELY):
                yield Hit(begin, end, pattern)

    def _in_names(self, text: str, classes: bytes) -> Iterator[Hit]:
        """What the parts of names say: `RateLimitExceeded` says what the three words say."""
        spans = _humped(classes)
        names = [(start, end) for start, end in spans if text[start:end] not in self._names]
        if names:
            words = [_WORD_STARTS.sub(" ", text[start:end]).lower() for start, end in names]
            lines = "\n".join(words)
            starts = list(accumulate((len(one) + 1 for one in words), initial=0))
            for hit in self._found(lines, lines):
                yield Hit(*names[bisect_right(starts, hit.start) - 1], hit.pattern)


def _humped(classes: bytes) -> Iterator[tuple[int, int]]:
    """Where the names are that have a capital letter inside; of a very long one, its middle."""
    end = 0
    while (place := classes.find(_HUMP, end)) >= 0:
        start = classes.rfind(b" ", max(end, place - LONGEST_WORD_SEEN), place) + 1
        start = max(start, end, place - LONGEST_WORD_SEEN)
        end = classes.find(b" ", place, place + LONGEST_WORD_SEEN)
        end = min(place + LONGEST_WORD_SEEN, len(classes)) if end < 0 else end
        yield start, end


def _lower(character: str) -> str:
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _goes_on(character: str) -> bool:
    """Whether a letter or digit beside this character belongs to the same word."""
    return character.isalnum() and character < _IDEOGRAPHS


def _longest(found: list[Hit]) -> list[Hit]:
    """The hits that do not lie within a longer one, from left to right.

    A phrase with a gap covers words that are none of its own: only fainter ones give way to it.
    """
    if len(found) < 2 or all(one.end <= other.start for one, other in pairwise(found)):
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

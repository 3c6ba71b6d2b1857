"""Words of an error that are only mentioned: names in quotes, and the values that are allowed."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice, pairwise
from typing import Final

from mcp_assay.judge.errors.lexicon import Hit
from mcp_assay.judge.errors.patterns import FAIR

MOST_SPANS: Final = 100
LONGEST_LIST: Final = 600

_QUOTED: Final = re.compile(
    r"(?<![\w:=\[{])(?<!: )(?<!= )(?<!class )"
    r"(?:'[^'\n]{1,120}'(?!\w)|\"[^\"\n]{1,120}\"|`[^`\n]{1,120}`|“[^”\n]{1,120}”|«[^»\n]{1,120}»)"
)
"""A name in quotes; what follows a colon or an equals sign is a message or a value."""
_KEY: Final = re.compile(
    r"(?:Error|Exception|out_of_range)'?\)?: ?('[^'\n]{1,120}'|\"[^\"\n]{1,120}\")$"
)
"""The one key that an exception names."""
_ENDING_QUOTES: Final = ("'", '"')
_INNER_HINTS: Final = ("key '", "attribute '", "argument '")
_INNER_QUOTE: Final = re.compile(
    r"\bkey '[^'\n]{1,120}'|\battribute '[^'\n]{1,120}'|\bargument '[^'\n]{1,120}'"
)
_LIST: Final = re.compile(
    r"(?:\b(?:one of|must be in|choose from|pick from|choose between)[ :=]{1,3}"
    r"|\b(?:allowed|valid|supported|available|possible|accepted|known|permitted)(?: \w{1,20}){0,2}"
    r"(?: are)?(?:: ?| ?= ?| ?\[| ?\()|; (?:use|try|choose) )"
    rf"[^\n.;<][^\n.;]{{0,{LONGEST_LIST}}}",
    re.ASCII,
)
"""The values that a refusal lists as allowed."""


_QUOTES: Final = frozenset("'\"`“«")
LISTS: Final = "lists"
ADDS: Final = "adds"
"""That a text may list values, and may add something that is no part of the complaint."""
LIST_HINTS: Final = (
    "one of", "must be in", "choose", "pick from", "allowed", "valid", "supported", "available",
    "possible", "accepted", "known", "permitted", "; use ", "; try ",
)  # fmt: skip
"""One of these stands in every folded text that lists values."""
ASIDES: Final = (" can also ", "alternatively", "optionally", " may also ", "could indicate")
"""Words in sentences about what else might be done, or might be the case."""
_STOPS: Final = re.compile(r"[.!?]\s|\n")


class _Spans:
    """Parts of a text that do not overlap."""

    def __init__(self, found: list[tuple[int, int]]) -> None:
        self._starts: Final = [start for start, _ in found]
        self._ends: Final = [end for _, end in found]

    def hold(self, hit: Hit) -> bool:
        """Whether a hit lies in one of them."""
        index = bisect_right(self._starts, hit.start) - 1
        return index >= 0 and hit.end <= self._ends[index]


def lists_values(text: str) -> str | None:
    """The words with which an error lists what is allowed."""
    found = _LIST.search(text.lower())
    return text[found.start() : found.end()] if found else None


def without_mentions(text: str, hits: list[Hit], hints: set[str]) -> list[Hit]:
    """The hits that are said of the call, and not only mentioned in a list or in quotes.

    Words in quotes are all that counts where nothing else decides. The hints say which of LISTS and
    ADDS the text may have.
    """
    kinds = {hit.pattern.speaks_for for hit in hits}
    if not kinds - {"business", "unclear"}:
        return hits
    if ADDS in hints:
        hits = _without_asides(text.lower(), hits)
    left = hits
    if LISTS in hints:
        listed = _spans(_LIST, text.lower())
        left = [hit for hit in hits if not listed.hold(hit) or hit.pattern.speaks_for == "business"]
    if len(left) < 2:
        return left
    if not _QUOTES.intersection(text):
        return left
    quoted = _quoted(text)
    spoken = [hit for hit in left if not quoted.hold(hit)]
    return spoken if _decides(spoken) else left


def _without_asides(lowered: str, hits: list[Hit]) -> list[Hit]:
    """The hits outside of sentences that only add something, if those decide."""
    ends = (stop.end() for stop in islice(_STOPS.finditer(lowered), MOST_SPANS))
    stops = [0, *ends, len(lowered)]
    asides = _Spans(
        [
            (start, end)
            for start, end in pairwise(stops)
            if any(words in lowered[start:end] for words in ASIDES)
        ]
    )
    spoken = [hit for hit in hits if not asides.hold(hit)]
    return spoken if _decides(spoken) else hits


def _decides(hits: list[Hit]) -> bool:
    return any(
        hit.pattern.weight >= FAIR and hit.pattern.speaks_for in ("business", "failure")
        for hit in hits
    )


def _spans(form: re.Pattern[str], text: str) -> _Spans:
    return _Spans([match.span() for match in islice(form.finditer(text), MOST_SPANS)])


def _quoted(text: str) -> _Spans:
    found = [match.span() for match in islice(_QUOTED.finditer(text), MOST_SPANS)]
    if text.endswith(_ENDING_QUOTES):
        found += [match.span(1) for match in islice(_KEY.finditer(text), MOST_SPANS)]
    if any(words in text for words in _INNER_HINTS):
        found += [match.span() for match in islice(_INNER_QUOTE.finditer(text), MOST_SPANS)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if not merged or start >= merged[-1][1]:
            merged.append((start, end))
    return _Spans(merged)

"""A form that errors have, and the forms of a table that a text has.

Every form is bounded, so that it takes time in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, Literal

from ahocorasick_rs import AhoCorasick
from msgspec import Struct

from mcp_assay.judge.errors.given import Given
from mcp_assay.model.verdict import ErrorKind, Factor

LONGEST_READ: Final = 16_000
MOST_MATCHES: Final = 20
LONGEST_SHOWN: Final = 80
LONGEST_SUBJECT: Final = 60
PUNCTUATION: Final = ".,:;!?()[]'\"`"


class ErrorShape(Struct, frozen=True):
    """A form of errors, and what it says about the one that has it."""

    name: str
    speaks_for: ErrorKind
    weight: float
    form: re.Pattern[str]
    hints: tuple[str, ...]
    """One of these stands in every folded text that has the form: what is looked for first."""
    callers_if: Literal["", "sent", "written", "named"] = ""
    """It says nothing if its first group was sent, stands in a text that was sent, or if what has
    the form names a value that was sent."""

    is_small: bool = False
    """Whether the form is written in small letters, and is looked for in a text made of them."""
    subject: tuple[str, ...] = ()
    """Endings of words: one such word stands in what has the form, or before it in its sentence."""

    def found_in(self, text: str, given: Given) -> re.Match[str] | None:
        """The first place of the form that tells of something else than what was sent."""
        for match in islice(self.form.finditer(text), MOST_MATCHES):
            if self._has_subject(text, match) and not self._is_callers(match, given):
                return match
        return None

    def _has_subject(self, text: str, match: re.Match[str]) -> bool:
        if not self.subject:
            return True
        start = match.start()
        begin = max(
            0, start - LONGEST_SUBJECT, text.rfind(". ", 0, start), text.rfind("\n", 0, start)
        )
        words = text[begin : match.end()].lower().split()
        return any(
            word.strip(PUNCTUATION).removesuffix("s").endswith(self.subject) for word in words
        )

    def _is_callers(self, match: re.Match[str], given: Given) -> bool:
        if not self.callers_if:
            return False
        if self.callers_if == "named":
            start = max(0, match.start() - LONGEST_SUBJECT)
            return given.named_in_prose(match.string[start : match.end()]) is not None
        named = next(filter(None, match.groups()), "")
        has = given.has_sent if self.callers_if == "sent" else given.has_written
        return named != "" and has(named)


class ShapeTable:
    """Forms, each tried only on texts that have one of its hints; and other hints, by name."""

    def __init__(self, shapes: Sequence[ErrorShape], others: Mapping[str, tuple[str, ...]]) -> None:
        self._shapes: Final = shapes
        names: dict[str, list[int | str]] = {}
        for place, shape in enumerate(shapes):
            for hint in shape.hints:
                names.setdefault(hint, []).append(place)
        for name, hints in others.items():
            for hint in hints:
                names.setdefault(hint, []).append(name)
        self._of_hint: Final = list(names.values())
        self._automaton: Final = AhoCorasick(list(names))

    def hinted(self, fold: str) -> set[int | str]:
        """The places of the forms, and the names of the other hints, that a folded text has."""
        found = self._automaton.find_matches_as_indexes(fold, overlapping=True)
        return {name for hint, _, _ in found for name in self._of_hint[hint]}

    def factors(self, text: str, hinted: set[int | str], given: Given) -> Iterator[Factor]:
        """What the forms say that a text has, in the order of the table."""
        small = text.lower()
        for place in sorted(place for place in hinted if type(place) is int):
            shape = self._shapes[place]
            if found := shape.found_in(small if shape.is_small else text, given):
                shown = found[0].strip()[:LONGEST_SHOWN] or shape.name
                yield Factor(shape.name, shape.speaks_for, shape.weight, shown, "shape")

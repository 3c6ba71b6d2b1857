"""Whether a sentence in another language than English says that something is only read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Final, NamedTuple

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING
from mcp_assay.text.names import word_set


@dataclass(frozen=True)
class Language:
    """The verbs of one language, as the table of languages has them."""

    name: str
    is_verb_last: bool
    has_gaps: bool
    words: Mapping[str, Sequence[str]]
    """Of each section of the table: small, reads, changes, no deeds."""

    def verbs(self, section: str) -> Sequence[str]:
        """The words of one section; few languages have all of them."""
        return self.words.get(section, ())


@cache
def languages() -> tuple[Language, ...]:
    """The languages of the table."""
    text = (get_data("mcp_assay.text", "foreign_verbs.txt") or b"").decode("utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    _, *parts = re.split(r"^= (.+) =$", lines, flags=re.MULTILINE)
    return tuple(_language(*one) for one in zip(parts[::2], parts[1::2], strict=True))


def _language(heading: str, text: str) -> Language:
    _, *parts = re.split(r"^== (.+) ==$", text, flags=re.MULTILINE)
    sections = zip(parts[::2], parts[1::2], strict=True)
    return Language(
        name=heading.partition(",")[0],
        is_verb_last="verb last" in heading,
        has_gaps="without gaps" not in heading,
        words={name: _plain(words).split() for name, words in sections},
    )


_LATIN: Final = r"[A-Za-z\u00c0-\u024f]+"
_NAME_INSIDE: Final = re.compile(
    r"(?<=[a-z,(] )[A-Z\u00c0-\u00d6\u00d8-\u00de\u0141\u015a\u0160\u017b\u017d]"
    rf"{_LATIN}(?:-{_LATIN})*"
)
"""A word with a capital inside of a sentence: a name, whatever its accents."""
_IDEOGRAPHS: Final = "\u2e80"
"""From here on one letter may be a word."""
_DOTTED: Final = re.compile(r"(?<![A-Za-z0-9-])[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
"""A host or a member of something."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_LEAD: Final = 3
"""One of so many words at the beginning is the verb."""


@lru_cache(maxsize=128)
def _plain(text: str) -> str:
    """The text in small letters, those of the Latin alphabet without accents."""
    letters = unicodedata.normalize("NFKD", text.lower().replace("\u0131", "i"))
    before = ("", *letters)
    plain = (
        one
        for last, one in zip(before, letters, strict=False)
        if unicodedata.category(one) != "Mn" or not last.isascii()
    )
    return unicodedata.normalize("NFC", "".join(plain))


class _Forms(NamedTuple):
    """Words to be found: whole ones, and beginnings of others."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]

    def any_of(self, words: Iterable[str]) -> bool:
        return any(word in self.whole or word.startswith(self.beginnings) for word in words)


class _Verbs(NamedTuple):
    """What is looked for in a sentence that may be in this language."""

    is_verb_last: bool
    small: frozenset[str]
    reads: _Forms
    changes: _Forms

    def is_spoken(self, words: list[str]) -> bool:
        """Whether small words of this language prove that a sentence is in it."""
        small = self.small.intersection(words) - ENGLISH
        if small - NO_PROOF or len(small) > 1:
            return True
        said = [_plain(word) for word in words] if small else []
        return self.is_read(said) or self.changes.any_of(said[:1])

    def is_read(self, words: list[str]) -> bool:
        return self.reads.any_of(words if self.is_verb_last else words[:_LEAD])


@cache
def _spaced() -> tuple[_Verbs, ...]:
    """The languages whose words have gaps between them."""
    return tuple(
        _Verbs(
            one.is_verb_last,
            frozenset(one.verbs("small")),
            _forms(one.verbs("reads")),
            _forms(one.verbs("changes")),
        )
        for one in languages()
        if one.has_gaps
    )


def _forms(words: Sequence[str]) -> _Forms:
    beginnings = tuple(one[:-1] for one in words if one.endswith("*"))
    return _Forms(frozenset(one for one in words if not one.endswith("*")), beginnings)


@cache
def _dense(section: str) -> re.Pattern[str]:
    """What a section has of the languages without gaps."""
    words = [word for one in languages() if not one.has_gaps for word in one.verbs(section)]
    return re.compile("|".join(map(_dense_pattern, words)))


@cache
def _dense_change() -> re.Pattern[str]:
    """A verb for a change where one may stand, in the languages without gaps."""
    found = []
    for one in languages():
        if one.has_gaps or not one.verbs("changes"):
            continue
        changes = "|".join(map(_dense_pattern, one.verbs("changes")))
        before = "|".join(word.replace("...", r"\w{1,12}?") for word in one.verbs("before verbs"))
        found.append(rf"(?:\b|(?<=[A-Za-z0-9])|{before})(?:{changes})" if before else changes)
    return re.compile("|".join(found))


@cache
def _next_verb() -> re.Pattern[str]:
    """What goes on to another verb, which is none for reading."""
    return re.compile(f"(?:{_dense('then').pattern})(?!(?:{_dense('reads').pattern}))")


def _dense_pattern(word: str) -> str:
    verb, gap, end = word.partition("...")
    return rf"{verb}(?=\w{{0,12}}?{end})" if gap else verb


@cache
def _first_words() -> frozenset[str]:
    """Words that tell by themselves that a sentence which they begin is not in English."""
    plain = [one for one in _spaced() if one.small]
    return frozenset().union(*(one.reads.whole | one.changes.whole for one in plain)) - ENGLISH


ENGLISH: Final = word_set(
    """
    a an analyse are as cancel compare describe do e edit for hole i in install is le lies lire list
    liste lit met mise mo of on open par print reset resume so start stop ta tom tu vide
    """
)
"""Words of other languages that are English, too."""
NO_PROOF: Final = word_set(
    """
    a al alla att auf aus av bij bu com con da dal dan das dei del dem den der des do dos du e el em
    est et i il ile los med met mit na nach nos os ou para per pour pro sich som su sur till uit una
    van ve via w y z ze
    """
)
"""Small words that prove nothing alone: they are in names, or English."""


def is_foreign(sentence: str) -> bool:
    """Whether a sentence is in another language than English."""
    said = _DOTTED.sub(" ", sentence)
    words = _WORD.findall(said if said.isascii() else _NAME_INSIDE.sub(" ", said))
    if any(not word.isascii() and (len(word) > 1 or word >= _IDEOGRAPHS) for word in words):
        return True
    if words and words[0].lower() in _first_words():
        return True
    return any(one.is_spoken(words) for one in _spaced())


def foreign_reads(sentence: str) -> bool:
    """Whether a sentence in another language begins with a verb for reading."""
    plain = _plain(sentence)
    words = _WORD.findall(plain)
    return bool(_dense("reads").search(plain)) or any(one.is_read(words) for one in _spaced())


def foreign_changes(sentence: str) -> bool:
    """Whether a sentence in another language has a verb for a change anywhere.

    It is one of its language, of all languages where nothing tells which that is.
    """
    plain = _plain(sentence)
    words = _WORD.findall(plain)
    dense = _dense("no deeds").sub(" ", plain)
    if _dense_change().search(dense) or _next_verb().search(dense):
        return True
    if not ALWAYS_CHANGING.isdisjoint(words):
        return True
    known = [one for one in _spaced() if one.is_read(words) or len(one.small & {*words}) > 1]
    is_dense = _dense("reads").search(plain) is not None
    return any(one.changes.any_of(words) for one in known or (() if is_dense else _spaced()))

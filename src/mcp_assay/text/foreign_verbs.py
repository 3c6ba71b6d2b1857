"""Whether a sentence in another language than English says that something is only read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final, NamedTuple

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING
from mcp_assay.text.foreign_languages import (
    EITHER_END,
    GAP,
    LAST,
    languages,
    plain_letters,
)
from mcp_assay.text.names import word_set

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
_WORD: Final = re.compile(r"(?:[^\W\d_]|[\u0900-\u0903\u093a-\u094f])+")
"""Letters, among them the vowel signs of Devanagari."""
_CLAUSE_END: Final = re.compile(r"[.:;,()\n]")
_OF_DENSE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""Letters of the languages that are written without gaps."""
_NOUN: Final = ("ungen", "heit", "heiten", "keit", "keiten")
"""No participle ends so."""
_LEAD: Final = 3
"""One of so many words at the beginning is the verb."""


class _Forms(NamedTuple):
    """Words to be found: whole ones, and beginnings of others."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]

    def any_of(self, words: Iterable[str]) -> bool:
        return any(word in self.whole or word.startswith(self.beginnings) for word in words)


class _SentenceWords(NamedTuple):
    """The plain words of a sentence."""

    words: list[str]
    last: str
    """The one at the end of the first clause, where an infinitive may stand."""


class _Verbs(NamedTuple):
    """What is looked for in a sentence that may be in this language."""

    place: str
    small: frozenset[str]
    reads: _Forms
    changes: _Forms
    makes: _Forms
    things: _Forms
    files: _Forms
    auxiliaries: frozenset[str]
    done: frozenset[str]
    participles: Sequence[str]
    denied: re.Pattern[str]

    def is_spoken(self, words: list[str]) -> bool:
        """Whether small words of this language prove that a sentence is in it."""
        small = self.small.intersection(words) - ENGLISH
        if small - NO_PROOF or len(small) > 1:
            return True
        said = [plain_letters(word) for word in words] if small else []
        return self.is_read(_SentenceWords(said, "")) or self.changed(said[:1])

    def is_proven_by(self, words: AbstractSet[str]) -> bool:
        """Whether one of these words is of this language and of no other, nor part of names."""
        return bool(self.small & words - ENGLISH - NO_PROOF)

    def ends_in(self, word: str) -> bool:
        """Whether this word is an infinitive of this language at the end of a clause."""
        is_infinitive = self.place == EITHER_END and word.endswith("en")
        return is_infinitive and word in self.reads.whole | self.changes.whole

    def is_read(self, said: _SentenceWords) -> bool:
        if self.place == LAST:
            return self.reads.any_of(said.words)
        ends = [said.last] if self.place == EITHER_END else []
        return self.reads.any_of([*said.words[:_LEAD], *ends])

    def changed(self, words: Sequence[str], *, is_text_made: bool = False) -> bool:
        """Whether one of these words is a verb for a change, or something else is done."""
        makes = is_text_made and not self.files.any_of(words)
        if self.changes.any_of(words) or (not makes and self.makes.any_of(words)):
            return True
        if self.auxiliaries.isdisjoint(words):
            return False
        return self.done.isdisjoint(words) or any(map(self._is_else_done, words))

    def _is_else_done(self, word: str) -> bool:
        """Whether a word is a participle, and none of those that only read."""
        return word not in self.done and any(
            word.startswith(start) and word.endswith(end) and not word.endswith(_NOUN)
            for start, _, end in (one.partition(GAP) for one in self.participles)
        )


@cache
def _spaced() -> tuple[_Verbs, ...]:
    """The languages whose words have gaps between them."""
    return tuple(
        _Verbs(
            place=one.place,
            small=frozenset(one.verbs("small")),
            reads=_forms(one.verbs("reads")),
            changes=_forms(one.verbs("changes")),
            makes=_forms(one.verbs("makes")),
            things=_forms(one.verbs("things")),
            files=_forms(one.verbs("files")),
            auxiliaries=frozenset(one.verbs("auxiliaries")),
            done=frozenset(one.verbs("done")),
            participles=one.verbs("participles"),
            denied=_denied(one.verbs("not"), one.verbs("auxiliaries")),
        )
        for one in languages()
        if one.has_gaps
    )


def _denied(nots: Sequence[str], auxiliaries: Sequence[str]) -> re.Pattern[str]:
    """What is said not to be done: a word behind one for not, and what it is done with."""
    no, does = ("|".join(words) or "(?!)" for words in (nots, auxiliaries))
    return re.compile(rf"\b(?:(?:{does}) )?(?:{no}) \w+(?: (?:{does})\b)?")


def _forms(words: Sequence[str]) -> _Forms:
    beginnings = tuple(one[:-1] for one in words if one.endswith("*"))
    return _Forms(frozenset(one for one in words if not one.endswith("*")), beginnings)


@cache
def _dense(section: str) -> re.Pattern[str]:
    """What a section has of the languages without gaps."""
    words = [word for one in languages() if not one.has_gaps for word in one.verbs(section)]
    return re.compile("|".join(map(_dense_pattern, words)))


@cache
def _dense_change(is_text_made: bool = False) -> re.Pattern[str]:
    """A verb for a change where one may stand, in the languages without gaps."""
    found = []
    for one in languages():
        if one.has_gaps:
            continue
        kinds = ("changes",) if is_text_made else ("changes", "makes")
        changes = "|".join(_dense_pattern(word) for kind in kinds for word in one.verbs(kind))
        before = "|".join(word.replace(GAP, r"\w{1,12}?") for word in one.verbs("before verbs"))
        heads = "|".join(one.verbs("heads"))
        verb = f"(?:{changes})" + (rf"(?!\s?(?:{heads}))" if heads else "")
        found.append(rf"(?:\b|(?<=[A-Za-z0-9])|{before}){verb}" if before else verb)
    return re.compile("|".join(found))


@cache
def _next_verb(is_text_made: bool = False) -> re.Pattern[str]:
    """What goes on to another verb, which is none for reading, nor for a text that is made."""
    kinds = ("reads", "makes") if is_text_made else ("reads",)
    harmless = "|".join(_dense(kind).pattern for kind in kinds)
    return re.compile(f"(?:{_dense('then').pattern})(?!{harmless})")


def _dense_pattern(word: str) -> str:
    verb, gap, end = word.partition(GAP)
    return rf"{verb}(?=\w{{0,12}}?{end})" if gap else verb


@cache
def _first_words() -> frozenset[str]:
    """Words that tell by themselves that a sentence which they begin is not in English."""
    plain = [one for one in _spaced() if one.small]
    return frozenset().union(*(one.reads.whole | one.changes.whole for one in plain)) - ENGLISH


ENGLISH: Final = word_set(
    """
    a active an analyse are as cancel compare configure define describe do e edit for hole i in
    install is le lies lire list liste lit meet met mise mo move of on open par plan plant print
    reset resume say so start stop ta tan tar them tom toon tu vat verse vide
    """
)
"""Words of other languages that are English, too."""
NO_PROOF: Final = word_set(
    """
    a al alla att auf aus av bij bu com con da dal dan das dei del dem den der des do dos du e el em
    est et i il ile los med met mit na nach nos os ou para per pour pro sich som su sur till uit un
    una van ve via w y z ze
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
    last = _said(plain_letters(sentence)).last
    if any(one.ends_in(last) for one in _spaced()):
        return True
    return any(one.is_spoken(words) for one in _spaced())


def is_known(sentence: str) -> bool:
    """Whether a sentence is surely in one of the languages whose verbs are known here."""
    if _OF_DENSE.search(sentence):
        return True
    words = {*_WORD.findall(plain_letters(sentence))}
    return any(one.is_proven_by(words) or len(one.small & words - ENGLISH) > 1 for one in _spaced())


def foreign_thing(sentence: str) -> bool:
    """Whether a sentence in another language begins with what names an answer, not with a verb."""
    plain = plain_letters(sentence)
    first = _WORD.findall(plain)[:1]
    if _dense("things").match(plain):
        return True
    return is_known(sentence) and any(one.things.any_of(first) for one in _spaced())


def foreign_reads(sentence: str) -> bool:
    """Whether a sentence in another language begins with a verb for reading."""
    plain = plain_letters(sentence)
    said = _said(plain)
    return bool(_dense("reads").search(plain)) or any(one.is_read(said) for one in _spaced())


def foreign_makes(sentence: str) -> bool:
    """Whether a sentence in another language begins with a verb by which a text is made."""
    plain = plain_letters(sentence)
    words = _said(plain).words
    lead = any(one.makes.any_of(words if one.place else words[:_LEAD]) for one in _spaced())
    return bool(_dense("makes").search(plain)) or lead


def foreign_changes(sentence: str, *, beside: str = "", is_text_made: bool = False) -> bool:
    """Whether a sentence in another language has a verb for a change anywhere.

    It is one of its language, of all languages where nothing tells which that is; `beside`: the
    sentence with which its description begins. `is_text_made`: its tool makes a text by its name,
    so that a verb for that is none for a change.
    """
    plain = plain_letters(sentence)
    said = _said(plain)
    dense = _dense("no deeds").sub(" ", plain)
    is_made = is_text_made and not _dense("files").search(plain)
    if _dense_change(is_made).search(dense) or _next_verb(is_made).search(dense):
        return True
    if not ALWAYS_CHANGING.isdisjoint(said.words):
        return True
    is_dense = _OF_DENSE.search(sentence) is not None
    asked = _languages_of(sentence, beside) or (() if is_dense else _spaced())
    return any(
        one.changed(_WORD.findall(one.denied.sub(" ", plain)), is_text_made=is_text_made)
        for one in asked
    )


def _languages_of(sentence: str, beside: str) -> list[_Verbs]:
    """The languages in which a sentence may be, by its words and those of one beside it."""
    said = [_said(plain_letters(one)) for one in (sentence, beside)]
    words = {word for one in said for word in one.words}
    return [
        one
        for one in _spaced()
        if any(map(one.is_read, said)) or len(one.small & words) > 1 or one.is_proven_by(words)
    ]


def _said(plain: str) -> _SentenceWords:
    clause = _WORD.findall(_CLAUSE_END.split(plain, maxsplit=1)[0])
    return _SentenceWords(_WORD.findall(plain), clause[-1] if clause else "")

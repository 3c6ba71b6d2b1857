"""What a tool is about, by its name, title and the first sentence of its description.

A tool about errors, logs or states may tell of failures that are not its own, one that looks
something up may find nothing, and one that hands out texts may hand out any.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Final

from mcp_assay.judge import sign_wording as wording
from mcp_assay.text.changing_verbs import changing_verb_in
from mcp_assay.text.names import name_words

LONGEST_SENTENCE: Final = 200
LONGEST_STEM: Final = 4


class ToolSubject:
    """What one tool says that it is about."""

    def __init__(self, tool: object) -> None:
        members = tool if isinstance(tool, dict) else {}
        parts = (members.get(name) for name in ("name", "title", "description"))
        name, title, description = (
            part[:LONGEST_SENTENCE] if isinstance(part, str) else "" for part in parts
        )
        self._about: Final = _about(name, title, description)
        self._name: Final = name
        self._words: Final = _words(name)
        self._verb: Final = next(iter(self._words), "")

    def _is(self, subject: re.Pattern[str]) -> bool:
        return _is_about(subject, self._about)

    @cached_property
    def is_errors(self) -> bool:
        """Whether errors, logs or the like are its subject."""
        return self._is(wording.ABOUT_ERRORS)

    @cached_property
    def is_states(self) -> bool:
        """Whether it tells how something else went, or whether something holds."""
        if self._is(wording.ABOUT_STATES):
            return True
        return self.tells and not wording.PROCESSES.isdisjoint(self._words)

    @property
    def checks(self) -> bool:
        """Whether what it does is to look for faults, which are its answer then."""
        return not wording.CHECKING.isdisjoint(self._words)

    @cached_property
    def is_http(self) -> bool:
        """Whether it passes on what another server answered."""
        return self._is(wording.ABOUT_HTTP)

    @cached_property
    def is_lookup(self) -> bool:
        """Whether that there is no such thing may be its answer."""
        return self._is(wording.ABOUT_LOOKUP)

    @cached_property
    def is_list(self) -> bool:
        """Whether that there are no such things may be its answer."""
        return self.is_lookup or self._is(wording.ABOUT_LISTS)

    @cached_property
    def is_comparison(self) -> bool:
        """Whether that two things differ may be its answer."""
        return self._is(wording.ABOUT_DIFFERENCES)

    @cached_property
    def may_say_anything(self) -> bool:
        """Whether its answer may be any text that people write to each other or themselves."""
        return self._is(wording.ABOUT_SPEECH)

    @property
    def is_container(self) -> bool:
        """Whether it hands out what a thing holds, which may be any text."""
        return self.is_asked_for and not wording.CONTAINERS.isdisjoint(self._words)

    @property
    def is_document(self) -> bool:
        """Whether it hands out what stands in a document, which may be about anything."""
        return self.is_asked_for and not wording.DOCUMENTS.isdisjoint(self._words)

    @property
    def evaluates(self) -> bool:
        """Whether its answer is a value, for which there may be no better text."""
        return not wording.EVALUATING.isdisjoint(self._words)

    @cached_property
    def is_speech(self) -> bool:
        """Whether its answer is a text that others wrote."""
        is_handed_out = self._verb not in wording.DOING
        return is_handed_out and (self.may_say_anything or self._is(wording.ABOUT_PUBLICATIONS))

    @cached_property
    def is_filler(self) -> bool:
        """Whether placeholders are what it makes."""
        return self._is(wording.ABOUT_FILLERS)

    @cached_property
    def is_plan(self) -> bool:
        """Whether it hands out what is to be done."""
        return self._is(wording.ABOUT_PLANS)

    @property
    def stem(self) -> str:
        """How the word begins that says what it does; nothing where that is short."""
        is_long = len(self._verb) >= LONGEST_STEM
        return self._verb[:LONGEST_STEM].removesuffix("y") if is_long else ""

    def names(self, phrase: str) -> bool:
        """Whether a phrase has no words but those by which the tool says what it is about."""
        words = frozenset(name_words(phrase))
        return not words.isdisjoint(self._words) and words <= frozenset(_words(self._about))

    def is_named_in(self, text: str) -> bool:
        """Whether a text has a word for what the tool deals with."""
        return not set(name_words(text)).isdisjoint(self.nouns)

    @property
    def removes(self) -> bool:
        """Whether it takes something away, which then is gone."""
        return self._verb in wording.REMOVING

    @property
    def nouns(self) -> tuple[str, ...]:
        """What it deals with, by its name: the words behind the first."""
        return self._words[1:]

    @cached_property
    def tells(self) -> bool:
        """Whether it does nothing but answer: that something is not so may be what it tells."""
        return bool(self._words) and self._verb not in wording.DOING and not _changes(self._name)

    @property
    def is_asked_for(self) -> bool:
        """Whether one thing is asked for by its name or number."""
        return self._verb in wording.READING

    @property
    def hands_out(self) -> bool:
        """Whether its answer is something stored, line by line perhaps."""
        return self.is_asked_for or self.is_speech or self.is_errors


@lru_cache(maxsize=1024)
def _is_about(subject: re.Pattern[str], about: str) -> bool:
    return subject.search(about) is not None


@lru_cache(maxsize=256)
def _changes(name: str) -> bool:
    return changing_verb_in(name) is not None


@lru_cache(maxsize=256)
def _words(name: str) -> tuple[str, ...]:
    return tuple(name_words(name))


@lru_cache(maxsize=256)
def _about(name: str, title: str, description: str) -> str:
    first = re.split(r"[.\n]", description, maxsplit=1)[0]
    return " | ".join((" ".join(name_words(name)), title, first)).lower()

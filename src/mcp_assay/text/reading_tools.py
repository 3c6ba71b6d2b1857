"""Whether a tool that gives no hint only reads, by every word of its name and description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, AND, HARMLESS_ALONE, changing_verb_in
from mcp_assay.text.lookalikes import mixes_alphabets
from mcp_assay.text.names import name_words
from mcp_assay.text.reading_arguments import arguments_of, arguments_read, names_file
from mcp_assay.text.reading_words import (
    ASIDE,
    BECOMING,
    CHANGING,
    DEALING,
    DEED_BEHIND,
    DEEDS_FIRST,
    DENIED,
    FILE_MADE,
    MAKING,
    NAMES_OF_READERS,
    NO_VERBS,
    OBJECTS,
    OTHER_TOOL,
    OTHERWISE,
    OUTRIGHT,
    PARTICIPLES,
    PARTICLES,
    READ_ONLY,
    READ_THINGS,
    READING,
    RUN_READING,
    RUNNING,
    SAME_WITH_PARTICLE,
    SUBJECT,
    SUM,
    THING_BEHIND,
)

HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
MAX_DESCRIPTION: Final = 4_000
"""Who says more than so many characters is not understood in every word."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?:])\s+|\n+")
_WORDS: Final = re.compile(r"[A-Za-z]+")
_COMPOUNDS: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
"""Words of which up-to-date is one."""
_CLOSE: Final = 4
"""So many words behind a verb say what it does."""


def declares_no_hint(tool: Mapping[str, Any]) -> bool:
    """Whether a tool says nothing of what it does in its annotations."""
    hints = tool.get("annotations")
    return not isinstance(hints, Mapping) or all(hints.get(hint) is None for hint in HINTS)


def only_reads(tool: Mapping[str, Any]) -> bool:
    """Whether name, description and arguments of a tool say that it only reads.

    Where one of them may be for a deed, or is in another language, they do not.
    """
    name, description = tool.get("name"), tool.get("description", "")
    if not isinstance(name, str) or not isinstance(description, str):
        return False
    if len(description) > MAX_DESCRIPTION or mixes_alphabets(name) or _is_foreign(description):
        return False
    description = description.replace("\u2019", "'")
    arguments = arguments_of(tool)
    makes_files = bool(FILE_MADE.search(description)) or any(map(names_file, arguments))
    return (
        _name_reads(name, description, makes_files)
        and arguments_read(arguments, description, is_look=_leads_with_reading(description))
        and all(_sentence_reads(one, name, makes_files) for one in _sentences(description))
    )


def _is_foreign(text: str) -> bool:
    """Whether a text has words that are in none of the tables, whatever they mean."""
    return not text.isascii() and any(one.isalpha() and not one.isascii() for one in text)


def _name_reads(name: str, description: str, makes_files: bool) -> bool:
    words = name_words(name)
    if len(words) == 1 and words[0] in HARMLESS_ALONE:
        return SUM.search(description) is not None
    if _name_changes(name, words) or not DEEDS_FIRST.isdisjoint(words[:1]):
        return False
    known = {base for word in words for base in _bases(word)}
    if known & NAMES_OF_READERS:
        return True
    if known & MAKING:
        return not makes_files
    names_thing = bool(known & READ_THINGS) or _is_told(words, description)
    return names_thing and _leads_with_reading(description)


def _name_changes(name: str, words: list[str]) -> bool:
    """Whether a word of a name may be for a deed that changes something."""
    return (
        changing_verb_in(name) is not None
        or not CHANGING.isdisjoint(_before_reading(words))
        or any(before in AND and word not in READING for before, word in pairwise(words))
        or any(_is_otherwise(word, words[at + 1 :]) for at, word in enumerate(words))
    )


def _is_told(words: list[str], description: str) -> bool:
    """Whether a description tells of all that a name names, so that this is what is read.

    Before that the name may have one word for the server.
    """
    told = {base for word in name_words(description) for base in (word, *_bases(word))}
    return told.issuperset(words[1:]) and (len(words) > 1 or told.issuperset(words))


def _before_reading(words: list[str]) -> list[str]:
    """The words of a name up to the verb that reads: what follows on that is a thing."""
    reading = next((at for at, word in enumerate(words) if word in READING), len(words))
    return [word for word in words[:reading] if word not in MAKING]


def _leads_with_reading(description: str) -> bool:
    lead = next(iter(_deeds(next(iter(_sentences(description)), ""))), ("", ""))[0]
    return not READING.isdisjoint(_bases(lead))


def _is_otherwise(word: str, behind: list[str]) -> bool:
    """Whether a verb that reads does something with the words behind it."""
    bases = set(_bases(word))
    if behind[:1] and behind[0] in PARTICLES and bases & (READING | MAKING) - SAME_WITH_PARTICLE:
        return True
    return any(not OTHERWISE.get(base, NO_WORDS).isdisjoint(behind[:_CLOSE]) for base in bases)


NO_WORDS: Final = frozenset[str]()


def _sentences(description: str) -> list[str]:
    return [
        one.strip(" -*#>\t") for one in _SENTENCE_END.split(description) if one.strip(" -*#>\t")
    ]


def _sentence_reads(sentence: str, name: str, makes_files: bool) -> bool:
    """Whether all that a sentence says of the deeds of its tool leaves everything as it is."""
    if DEALING.search(sentence) or OUTRIGHT.search(sentence):
        return False
    said = DENIED.sub(" ", OTHER_TOOL.sub(" ", SUM.sub(" ", sentence)))
    rest = ASIDE.sub(" ", said)
    if _says_changing(said, "s") or _says_changing(rest, "ing") or _becomes_changed(rest):
        return False
    things = set(name_words(name))
    return all(_deed_reads(word, behind, things, makes_files) for word, behind in _deeds(rest))


def _says_changing(text: str, ending: str) -> bool:
    """Whether a text has a form of a verb that always changes something, wherever it stands."""
    words = ["", *(word.lower() for word in _WORDS.findall(text))]
    return any(
        word.endswith(ending)
        and word not in ALWAYS_CHANGING
        and before not in THING_BEHIND
        and not ALWAYS_CHANGING.isdisjoint(_bases(word))
        for before, word in pairwise(words)
    )


def _becomes_changed(text: str) -> bool:
    """Whether a text says that something is done to things."""
    done = (one[1].lower() for one in BECOMING.finditer(text))
    return any(
        word in PARTICIPLES or (word.endswith("ed") and not CHANGING.isdisjoint(_bases(word)))
        for word in done
    )


def _deeds(sentence: str) -> Iterator[tuple[str, str]]:
    """The words of a sentence that may be deeds of the tool, each with all that follows."""
    start = SUBJECT.match(sentence)
    rest = sentence[start.end() :] if start else sentence
    if first := _WORDS.match(rest):
        yield first[0].lower(), rest[first.end() :]
    for found in DEED_BEHIND.finditer(rest):
        yield found[1].lower(), rest[found.end(1) :]


def _deed_reads(word: str, behind: str, things: set[str], makes_files: bool) -> bool:
    """Whether a word that may be a deed is none, or one that leaves everything as it is."""
    bases = set(_bases(word))
    following = [one.lower() for one in _COMPOUNDS.findall(behind[:80])[:_CLOSE]]
    if word in NO_VERBS or word in things:
        return not (word in things and bases & CHANGING and _has_object(following))
    if bases & READING:
        return not _is_otherwise(word, following)
    if bases & MAKING:
        return not makes_files
    if bases & RUNNING:
        return bool(RUN_READING.search(behind) or READ_ONLY.search(behind))
    if word in ALWAYS_CHANGING:
        return False
    is_verb = _has_object(following) or (bool(bases & CHANGING) and not _is_thing(word, following))
    return not is_verb


def _has_object(following: list[str]) -> bool:
    return following[:1] != [] and following[0] in OBJECTS


def _is_thing(word: str, following: list[str]) -> bool:
    """Whether a word that may be a changing verb is a thing, by what follows on it."""
    if not following or following[0] in NO_VERBS - PARTICLES:
        return True
    return changing_verb_in("_".join([word, *following[:2]])) is None and word.endswith("s")


@lru_cache(maxsize=4096)
def _bases(word: str) -> tuple[str, ...]:
    """The verbs of which a word may be a form."""
    found = [word]
    for ending in ("ies", "es", "s", "ied", "ed", "d", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            found += [stem + "y"] if ending in ("ies", "ied") else [stem, stem + "e"]
            found += [stem[:-1]] if stem[-1:] == stem[-2:-1] else []
    return tuple(found)

"""Whether a tool that gives no hint only reads, by every word of its name and description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from mcp_assay.text.changing_verbs import AND, changing_verb_in
from mcp_assay.text.lookalikes import mixes_alphabets
from mcp_assay.text.names import name_words
from mcp_assay.text.reading_words import (
    ANY_LANGUAGE,
    ANY_QUERY,
    ASIDE,
    BECOMING,
    CHANGING,
    DEALING,
    DEED_BEHIND,
    DENIED,
    FILE_MADE,
    FILES,
    MAKING,
    NAMES_OF_READERS,
    NO_VERBS,
    OBJECTS,
    OTHER_TOOL,
    OTHERWISE,
    PARTICLES,
    QUERY,
    READ_ONLY,
    READ_THINGS,
    READING,
    RUN_READING,
    RUNNING,
    SUBJECT,
    SUM,
    TARGETS,
    WRITTEN_BY,
    WRITTEN_TO,
)

HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
MAX_DESCRIPTION: Final = 4_000
"""Who says more than so many characters is not understood in every word."""
MAX_ARGUMENTS: Final = 100
_SENTENCE_END: Final = re.compile(r"(?<=[.!?:])\s+|\n+")
_WORDS: Final = re.compile(r"[A-Za-z]+")
_CLOSE: Final = 4
"""So many words behind a verb say what it does."""


def declares_no_hint(tool: Mapping[str, Any]) -> bool:
    """Whether a tool says nothing of what it does in its annotations."""
    hints = tool.get("annotations")
    return not isinstance(hints, Mapping) or all(hints.get(hint) is None for hint in HINTS)


def only_reads(tool: Mapping[str, Any]) -> bool:
    """Whether name, description and arguments of a tool say that it only reads.

    Where a word is not understood they do not.
    """
    name, description = tool.get("name"), tool.get("description", "")
    if not isinstance(name, str) or not isinstance(description, str):
        return False
    if len(description) > MAX_DESCRIPTION or mixes_alphabets(name) or _is_foreign(description):
        return False
    description = description.replace("\u2019", "'")
    arguments = _arguments(tool)
    makes_files = bool(FILE_MADE.search(description)) or any(map(_is_file, arguments))
    return (
        _name_reads(name, description, makes_files)
        and _arguments_read(arguments, description)
        and all(_sentence_reads(one, name, makes_files) for one in _sentences(description))
    )


def _is_foreign(text: str) -> bool:
    """Whether a text has words that are in none of the tables, whatever they mean."""
    return not text.isascii() and any(one.isalpha() and not one.isascii() for one in text)


def _arguments(tool: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of a tool, each with its description."""
    schema = tool.get("inputSchema")
    named = schema.get("properties") if isinstance(schema, Mapping) else None
    members = list(named.items())[:MAX_ARGUMENTS] if isinstance(named, Mapping) else []
    return {str(name): _description(member) for name, member in members}


def _description(member: object) -> str:
    text = member.get("description") if isinstance(member, Mapping) else ""
    return text[:MAX_DESCRIPTION] if isinstance(text, str) else ""


def _name_reads(name: str, description: str, makes_files: bool) -> bool:
    words = name_words(name)
    if SUM.search(description):
        return len(words) == 1
    if _name_changes(name, words):
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
    return any(
        not OTHERWISE.get(base, NO_WORDS).isdisjoint(behind[:_CLOSE]) for base in _bases(word)
    )


NO_WORDS: Final = frozenset[str]()


def _arguments_read(arguments: Mapping[str, str], description: str) -> bool:
    """Whether no argument names a place to write to, or asks for anything at all."""
    for name, text in arguments.items():
        words = set(name_words(name))
        if words & WRITTEN_TO or (words & TARGETS and words & FILES) or WRITTEN_BY.search(text):
            return False
        is_query = words & QUERY and ANY_LANGUAGE.search(f"{description} {text}")
        is_any = bool(words & ANY_QUERY) and not _is_only_text(words, description)
        if (is_any or is_query) and not READ_ONLY.search(f"{description} {text}"):
            return False
    return True


def _is_only_text(words: set[str], description: str) -> bool:
    """Whether a code is short for something, or a program is only looked at."""
    return words & ANY_QUERY == {"code"} and (len(words) > 1 or _leads_with_reading(description))


def _is_file(argument: str) -> bool:
    return not FILES.isdisjoint(name_words(argument))


def _sentences(description: str) -> list[str]:
    return [
        one.strip(" -*#>\t") for one in _SENTENCE_END.split(description) if one.strip(" -*#>\t")
    ]


def _sentence_reads(sentence: str, name: str, makes_files: bool) -> bool:
    """Whether all that a sentence says of the deeds of its tool leaves everything as it is."""
    if DEALING.search(sentence):
        return False
    if SUM.search(sentence):
        return True
    rest = DENIED.sub(" ", ASIDE.sub(" ", OTHER_TOOL.sub(" ", sentence)))
    things = set(name_words(name))
    becoming = (one[1] for one in BECOMING.finditer(rest))
    if any(not CHANGING.isdisjoint(_bases(word)) for word in becoming):
        return False
    return all(_deed_reads(word, behind, things, makes_files) for word, behind in _deeds(rest))


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
    following = [one.lower() for one in _WORDS.findall(behind[:80])[:_CLOSE]]
    if word in NO_VERBS or word in things:
        return not (word in things and bases & CHANGING and _has_object(following))
    if bases & READING:
        return not _is_otherwise(word, following)
    if bases & MAKING:
        return not makes_files
    if bases & RUNNING:
        return bool(RUN_READING.search(behind) or READ_ONLY.search(behind))
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

"""What the sentences of a description say of the deeds of a tool, whoever else they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, changing_verb_in
from mcp_assay.text.foreign_verbs import foreign_changes, foreign_reads, is_foreign
from mcp_assay.text.reading_words import (
    ABBREVIATED,
    ADVICE,
    ANSWERS,
    ASIDE,
    BECOMING,
    CHAIN,
    CHANGING,
    CODE,
    COMPOUND_HEADS,
    CONTENTS,
    DEALING,
    DEED_BEHIND,
    DEEDS_LISTED,
    DENIED,
    DETERMINERS,
    EXAMPLES,
    FENCED,
    FILE_MADE,
    HEADS,
    HOW_TO,
    INERT,
    LEFT_OPEN,
    MADE,
    MADE_TEXTS,
    MAKING,
    NO_VERBS,
    NOUNS_TOO,
    OBJECTS,
    OBLIGED,
    OTHER_TOOL,
    OTHERWISE,
    OUTPUT_CUT,
    OUTRIGHT,
    PARTICIPLES,
    PARTICLES,
    PARTNERS,
    PREPOSITIONS,
    PURPOSES,
    QUOTED,
    READ_ONLY,
    READING,
    RUN_READING,
    RUNNING,
    SAME_WITH_PARTICLE,
    SUBJECT,
    SUM,
    TESTED,
    TEXT_MADE,
    THEIRS,
    THING_BEHIND,
    TOLD,
    TURNED,
    TURNED_TO,
    WANTED,
    WRITTEN_BY,
)

_SENTENCE_END: Final = re.compile(r"(?<=[.!?:;])\s+|(?<=[\u3002\uff01\uff1f\uff1b])\s*|\n+")
_MARKS: Final = " -*#>\t\u2022"
_ITEM: Final = re.compile(r"\s*(?:[-*\u2022]|\d+[.)])\s")
_LABEL: Final = re.compile(r"\w+\s*(?:\([^()]*\))?:")
_LABEL_ALONE: Final = re.compile(r"[`'\"*]*\w+[`'\"*]*(?: \([^()]*\))?:")
_HEADING: Final = re.compile(
    r"\s*[#*_]{0,4}\s*(?P<words>[A-Za-z]+(?: [A-Za-z]+){0,2})[*_]{0,3}"
    r"(?:\s*:[*_]{0,3}(?P<rest>.*)|\s*$)"
)
_ENTRY: Final = re.compile(
    r"\s*(?:[-*\u2022=+]|\d+[.)]|[`'\"*]*\w+[`'\"*]*\s*(?:\([^()]*\))?\s*:|[\[{\]}])"
)
"""A line as those of a section are, though it stands as far out as its heading."""
_WRAPPED: Final = 60
"""A line of so many characters may go on in the next one."""
_WORDS: Final = re.compile(r"[A-Za-z]+")
_COMPOUNDS: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
"""Words of which up-to-date is one."""
_CLAUSE_END: Final = re.compile(r"[,;:.()\u2013\u2014\u2192]")
_VERBS_FIRST: Final = re.compile(
    r"[A-Za-z]+(?:\s*(?:,\s*(?:and|or)?|/|&|\band\b|\bor\b)\s*[A-Za-z]+)+"
)
"""Verbs in a row, with what they are about behind them: get, update or list rows."""
_FIRST: Final = re.compile(r"[^\w]")
_ARTICLE: Final = re.compile(r"(?:an?|the) ", re.IGNORECASE)
_WHERETO: Final = frozenset({"to", "into", "onto"})
_GAP: Final = " . "
"""In place of words left out, so that those around them do not become one clause."""
_CLOSE: Final = 4
"""So many words behind a verb say what it does."""
_FAR: Final = 80
"""Those are within so many characters."""
NO_WORDS: Final = frozenset[str]()


class About(Enum):
    """What a sentence is about."""

    TOOL = "tool"
    CONTENT = "content"
    """What an answer contains."""
    ARGUMENT = "argument"
    EXAMPLE = "example"
    FAULT = "fault"
    """What a caller does wrong, and what comes of that."""


SECTIONS: Final = (
    (
        re.compile(
            r"(?:(?:keyword|optional|required|tool|input) )?(?:args|arguments|param(?:eter)?s|inputs?)",
            re.IGNORECASE,
        ),
        About.ARGUMENT,
    ),
    (
        re.compile(
            r"(?:returns?|return values?|yields?|outputs?|output format|responses?"
            r"|response format|results?)",
            re.IGNORECASE,
        ),
        About.CONTENT,
    ),
    (
        re.compile(r"(?:usage )?examples?(?: \w+){0,2}|usage|sample \w+", re.IGNORECASE),
        About.EXAMPLE,
    ),
    (re.compile(r"(?:raises|exceptions|errors?)", re.IGNORECASE), About.FAULT),
)
"""The headings of docstrings, and what is below each of them."""


class ToolSentence(NamedTuple):
    """A sentence, or an item of a list."""

    text: str
    about: About = About.TOOL
    is_first: bool = False


@dataclass(frozen=True, kw_only=True)
class ToolTraits:
    """What is known of a tool before its sentences are read."""

    things: frozenset[str]
    """The words of its name."""
    makes_files: bool
    """Whether what it makes may be a file."""
    is_look: bool
    """Whether its description begins with a verb that reads."""
    arguments: frozenset[str] = frozenset()
    """Their names."""


def tool_sentences(description: str) -> list[ToolSentence]:
    """The sentences of a description; examples in blocks of their own are left out."""
    text = FENCED.sub("\n", description.replace("\u2019", "'"))
    found, in_contents = [], False
    for about, part in _sections(ABBREVIATED.sub(r"\1\2\3\4", text)):
        for line in _lines(part):
            is_item = about is About.TOOL and in_contents and _ITEM.match(line) is not None
            sentences = [one.strip(_MARKS) for one in _SENTENCE_END.split(line)]
            meant = About.CONTENT if is_item else about
            found += [ToolSentence(one, meant, is_first=not found) for one in sentences if one]
            last = next((one for one in reversed(sentences) if one), "")
            is_intro = CONTENTS.search(last) and not DEEDS_LISTED.search(last)
            in_contents = bool(is_intro) or is_item
    return found


def _sections(text: str) -> Iterator[tuple[About, str]]:
    """The parts of a docstring: what is below a heading, up to a line that stands as far out."""
    about, margin, lines = About.TOOL, -1, list[str]()
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        meant = _meant_by(heading["words"]) if heading else None
        inset = len(line) - len(line.lstrip())
        is_out = bool(line.strip()) and inset <= margin and not _ENTRY.match(line)
        if heading is not None and meant is not None:
            yield about, "\n".join(lines)
            about, margin, lines = meant, inset, [heading["rest"] or ""]
        elif is_out:
            yield about, "\n".join(lines)
            about, margin, lines = About.TOOL, -1, [line]
        else:
            lines.append(line)
    yield about, "\n".join(lines)


def _meant_by(heading: str) -> About | None:
    """What stands below a heading of a docstring; None where it is no such heading."""
    return next((about for words, about in SECTIONS if words.fullmatch(heading)), None)


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, those in one that were wrapped; blank ones are left out."""
    pending: list[str] = []
    for line in text.split("\n"):
        bare = line.strip()
        goes_on = bare[:1].islower() or bare[:1] == "("
        if pending and goes_on and len(pending[-1]) >= _WRAPPED and not _LABEL.match(bare):
            pending.append(bare)
            continue
        if pending:
            yield " ".join(pending)
        pending = [line.rstrip()] if bare else []
    if pending:
        yield " ".join(pending)


def leads_with(verbs: frozenset[str], first: str) -> bool:
    """Whether the first sentence begins with one of these verbs, or reads in another language."""
    if is_foreign(first):
        return foreign_reads(first)
    lead = next(iter(_deeds(_in_plain_words(first))), NO_DEED).verb
    return not verbs.isdisjoint(bases(lead))


def is_thing(first: str) -> bool:
    """Whether the first sentence has no verb: it names what the tool answers."""
    start = _ARTICLE.match(first)
    words = [one.lower() for one in _WORDS.findall(first[start.end() if start else 0 :][:_FAR])]
    if not words or not CHANGING.isdisjoint(bases(words[0])):
        return False
    if words[0] in DETERMINERS:
        return True
    head = [*takewhile(lambda one: one not in NO_VERBS, words)]
    return not ANSWERS.isdisjoint(head[-1:]) and OBJECTS.isdisjoint(head)


def is_understood(first: str) -> bool:
    """Whether the first sentence is in a language that is known here."""
    if is_foreign(first):
        return foreign_reads(first)
    words = [word.lower() for word in _WORDS.findall(first)]
    is_known = any(not (READING | MAKING | RUNNING).isdisjoint(bases(word)) for word in words)
    return len(words) < _CLOSE or is_known or not (NO_VERBS | OBJECTS).isdisjoint(words)


def sentence_reads(one: ToolSentence, tool: ToolTraits) -> bool:
    """Whether all that a sentence says of the deeds of its tool leaves everything as it is."""
    sentence = one.text
    if one.about is About.FAULT:
        return True
    if one.about is About.ARGUMENT or _FIRST.split(sentence, maxsplit=1)[0] in tool.arguments:
        return not is_written_to(sentence)
    if DEALING.search(sentence) or OUTRIGHT.search(sentence):
        return False
    if is_foreign(sentence):
        return not foreign_changes(sentence)
    if one.about is About.EXAMPLE:
        return not _is_request(sentence) and not _examples_change(sentence, "")
    is_told = one.about is About.CONTENT or (not one.is_first and TOLD.match(sentence) is not None)
    if is_told or _LABEL_ALONE.fullmatch(sentence):
        return _names_no_deed(sentence)
    said = _of_tool(sentence)
    rest = ASIDE.sub(" ", said)
    if _says_changing(said, "s") or _says_changing(rest, "ing") or _happens(rest):
        return False
    told = THEIRS.sub(_GAP, EXAMPLES.sub(" ", rest))
    return not (_examples_change(sentence, rest) or _begins_with_change(told)) and all(
        _deed_reads(deed, tool, one.is_first) for deed in _deeds(told)
    )


def is_written_to(said: str) -> bool:
    """Whether what is said of an argument speaks of something that is written."""
    return WRITTEN_BY.search(said) is not None


def _examples_change(sentence: str, rest: str) -> bool:
    """Whether what a sentence has as an example, or in quotation marks, asks for a change."""
    return any(_is_request(one[0]) for one in QUOTED.finditer(sentence)) or any(
        _asks_for_change(one[1]) for one in EXAMPLES.finditer(rest)
    )


def _is_request(quotation: str) -> bool:
    """Whether a quotation is what a caller may ask for, and that is a change."""
    verb, thing = ([one.lower() for one in _WORDS.findall(quotation)[:2]] + ["", ""])[:2]
    return verb in ALWAYS_CHANGING and thing in OBJECTS


def _asks_for_change(example: str) -> bool:
    """Whether an example is what a caller may ask for, and that is a change."""
    return any(
        one.verb in ALWAYS_CHANGING and not _is_compound(one.verb, _following(one.behind))
        for one in _deeds(example)
    )


def _of_tool(sentence: str) -> str:
    """A sentence without what it says of others: callers, other tools, what is not done."""
    said = OTHER_TOOL.sub(" ", DENIED.sub(_GAP, _in_plain_words(sentence)))
    said = _unquoted(CODE.sub(" ", said))
    if ADVICE.match(said):
        said = WANTED.sub(" to", ADVICE.sub("", said))
    for others in (OUTPUT_CUT, HOW_TO, LEFT_OPEN, OBLIGED):
        said = others.sub(_GAP, said)
    return CHAIN.sub(_things_joined, said)


def _in_plain_words(sentence: str) -> str:
    """A sentence in which sums, tests and texts made are what they are: computed, checked."""
    return MADE.sub("compute it", TESTED.sub("check ", SUM.sub("compute ", sentence)))


def _things_joined(chain: re.Match[str]) -> str:
    """Words joined by slashes, or the first of them where that is no verb: branch/tag."""
    first = chain[1].lower()
    if chain["head"]:
        return f"things{chain['head']}"
    return chain[0] if first in READING | MAKING | CHANGING else chain[1]


def _unquoted(sentence: str) -> str:
    """A sentence without its quotations; what is nothing else is an example of what to ask for."""
    rest = QUOTED.sub(" ", sentence)
    return rest if _WORDS.search(rest) else sentence.strip("\"' ")


def _names_no_deed(text: str) -> bool:
    """Whether a label or an item of an answer is for a thing."""
    first = _WORDS.search(text)
    deeds = _says_changing(text, "s") or _says_changing(text, "ing")
    return not deeds and not (first and first[0].lower() in ALWAYS_CHANGING)


def _begins_with_change(sentence: str) -> bool:
    """Whether one of the verbs in a row with which a sentence begins changes something."""
    start = SUBJECT.match(sentence)
    row = _VERBS_FIRST.match(sentence, start.end() if start else 0)
    verbs = [one.lower() for one in _WORDS.findall(row[0])] if row else []
    if not verbs or READING.isdisjoint(bases(verbs[0])):
        return False
    return any(not CHANGING.isdisjoint(bases(verb)) for verb in verbs if not verb.endswith("ed"))


def _says_changing(text: str, ending: str) -> bool:
    """Whether a text has a form of a verb that always changes something, wherever it stands."""
    words = ["", *(word.lower() for word in _WORDS.findall(text))]
    return any(
        word.endswith(ending)
        and word not in ALWAYS_CHANGING
        and before not in THING_BEHIND
        and not (word.endswith("ing") and before in PURPOSES)
        and not ALWAYS_CHANGING.isdisjoint(bases(word))
        for before, word in pairwise(words)
    )


def _happens(text: str) -> bool:
    """Whether a text says that something is done, or that others do it: three failures lock it."""
    words = ["", *(word.lower() for word in _WORDS.findall(text)), ""]
    return _becomes_changed(text) or any(
        before.endswith("s") and before not in NO_VERBS and word in CHANGING and behind in OBJECTS
        for before, word, behind in zip(words, words[1:], words[2:], strict=False)
    )


def _becomes_changed(text: str) -> bool:
    """Whether a text says that something is done to things."""
    done = (one[1].lower() for one in BECOMING.finditer(text))
    return any(
        word in PARTICIPLES
        or (word.endswith("ed") and not (CHANGING - INERT).isdisjoint(bases(word)))
        for word in done
    )


class Deed(NamedTuple):
    """A word that may be for a deed."""

    verb: str
    behind: str
    """What follows closely."""
    is_first: bool = False
    """Whether its sentence begins with it."""


NO_DEED: Final = Deed("", "")


def _deeds(sentence: str) -> Iterator[Deed]:
    """The words of a sentence that may be deeds of the tool."""
    start = SUBJECT.match(sentence)
    at = start.end() if start else 0
    if first := _WORDS.match(sentence, at):
        yield Deed(first[0].lower(), sentence[first.end() : first.end() + _FAR], is_first=True)
    for found in DEED_BEHIND.finditer(sentence, at):
        word = found["deed"].lower()
        # "by" has the form in -ing behind it, or a thing.
        if found["before"] != "by" or word.endswith("ing"):
            yield Deed(word, sentence[found.end() : found.end() + _FAR])


def _deed_reads(deed: Deed, tool: ToolTraits, in_first: bool) -> bool:
    """Whether a word that may be a deed is none, or one that leaves everything as it is.

    What nobody knows is taken for a deed in the first sentence, which is about the tool.
    """
    word, behind, is_first = deed
    forms, following = set(bases(word)), _following(behind)
    if word in NO_VERBS | OBJECTS or _is_compound(word, following):
        return True
    if forms & (READING | INERT) and word not in ALWAYS_CHANGING:
        return not is_otherwise(word, following)
    if forms & MAKING:
        is_text = (
            not tool.makes_files
            or _makes_text(word, behind)
            or (tool.is_look and not FILE_MADE.search(_CLAUSE_END.split(behind, maxsplit=1)[0]))
        )
        return is_text and not is_otherwise(word, following)
    if forms & RUNNING:
        return bool(RUN_READING.search(behind) or READ_ONLY.search(behind))
    if word in tool.things:
        return not (forms & CHANGING and _has_object(following))
    if is_first and _says_it_does(word, following):
        return False
    is_known = in_first or word.endswith("s") or forms & CHANGING
    return not (is_known and _may_change(word, behind, following))


def _says_it_does(word: str, following: list[str]) -> bool:
    """Whether a sentence begins with what a tool does to things: downloads objects."""
    known = set(bases(word)) & CHANGING
    if not word.endswith("s") or word in CHANGING or not known or not following:
        return False
    return following[0] not in NO_VERBS | HEADS


def _may_change(word: str, behind: str, following: list[str]) -> bool:
    """Whether a word that is none for reading may be a verb."""
    if word in ALWAYS_CHANGING or word.endswith("ly"):
        return word in ALWAYS_CHANGING
    if not CHANGING.isdisjoint(bases(word)) and not _is_thing(word, behind, following):
        return True
    return _has_object(following) or _has_partner(word, following)


def _following(behind: str) -> list[str]:
    """The next words of the same clause."""
    clause = _CLAUSE_END.split(behind, maxsplit=1)[0]
    return [one.lower() for one in _COMPOUNDS.findall(clause)[:_CLOSE]]


def _makes_text(word: str, behind: str) -> bool:
    """Whether what was read is given as a text, or in some order."""
    is_text = not MADE_TEXTS.isdisjoint(_following(behind))
    return is_text or TEXT_MADE.search(behind) is not None or word.endswith("ed")


def _has_object(following: list[str]) -> bool:
    return following[:1] != [] and following[0] in OBJECTS


def _has_partner(word: str, following: list[str]) -> bool:
    """Whether a word is a verb by what it is done with: pair with them."""
    if word.endswith("s") or len(following) < 2:
        return False
    return following[0] in PREPOSITIONS and following[1] in PARTNERS


def _is_thing(word: str, behind: str, following: list[str]) -> bool:
    """Whether a word that may be a changing verb is a thing, by what follows on it."""
    if not TURNED.isdisjoint(bases(word)) and not TURNED_TO.isdisjoint(following[:1]):
        return False
    if _has_object(following) or _has_partner(word, following):
        return False
    clause = _CLAUSE_END.split(behind, maxsplit=1)[0]
    is_last = not _WORDS.search(clause)
    if word.endswith("ed"):
        return True
    if word.endswith("ing"):
        return is_last or following[0] not in NO_VERBS
    if following and following[0] in _WHERETO and NOUNS_TOO.isdisjoint(bases(word)):
        return False
    if is_last or following[0] in NO_VERBS - PARTICLES:
        return True
    return changing_verb_in("_".join([word, *following[:2]])) is None and word.endswith("s")


def _is_compound(word: str, following: list[str]) -> bool:
    """Whether a word makes a thing together with the next one: a pull request, a start date."""
    head = following[0] if following else ""
    return (word in NOUNS_TOO and head in HEADS) or head in COMPOUND_HEADS.get(word, NO_WORDS)


def is_otherwise(word: str, behind: list[str]) -> bool:
    """Whether a verb that reads does something with the words behind it."""
    forms = set(bases(word))
    if behind[:1] and behind[0] in PARTICLES and forms & (READING | MAKING) - SAME_WITH_PARTICLE:
        return True
    return any(not OTHERWISE.get(form, NO_WORDS).isdisjoint(behind[:_CLOSE]) for form in forms)


@lru_cache(maxsize=4096)
def bases(word: str) -> tuple[str, ...]:
    """The verbs of which a word may be a form."""
    found = [word]
    for ending in ("ies", "es", "s", "ied", "ed", "d", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            found += [stem + "y"] if ending in ("ies", "ied") else [stem, stem + "e"]
            found += [stem[:-1]] if stem[-1:] == stem[-2:-1] else []
    return tuple(found)

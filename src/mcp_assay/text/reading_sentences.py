"""What the sentences of a description say of the deeds of a tool, whoever else they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, changing_verb_in
from mcp_assay.text.description_parts import About, ToolSentence
from mcp_assay.text.foreign_verbs import (
    foreign_changes,
    foreign_reads,
    foreign_thing,
    is_foreign,
)
from mcp_assay.text.reading_words import (
    ADVICE,
    ANSWERS,
    ASIDE,
    BECOMING,
    CHAIN,
    CHANGING,
    CODE,
    COMPOUND_HEADS,
    CONVERTING,
    DEALING,
    DEED_BEHIND,
    DENIED,
    DETERMINERS,
    EXAMPLES,
    FILE_MADE,
    FOR_OTHERS,
    GIVEN_TEXTS,
    HEADS,
    HOW_TO,
    INCLUDED,
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
    SHAPING,
    SUBJECT,
    SUM,
    TESTED,
    TEXT_MADE,
    THEIRS,
    THING_BEHIND,
    TOLD,
    TRIMMED,
    TURNED,
    TURNED_TO,
    WANTED,
    WRITTEN_BY,
)

_LABEL_ALONE: Final = re.compile(r"[`'\"*]*\w+[`'\"*]*(?: \([^()]*\))?:")
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
_ABLE: Final = ("able", "ible")
"""Adjectives that may stand within a compound: clean readable text."""
NO_WORDS: Final = frozenset[str]()


@dataclass(frozen=True, kw_only=True)
class ToolTraits:
    """What is known of a tool before its sentences are read."""

    things: frozenset[str]
    """The words of its name."""
    makes_files: bool
    """Whether what it makes may be a file."""
    makes_text: bool
    """Whether it makes one text of another, by its name, and no file."""
    is_look: bool
    """Whether its description begins with a verb that reads."""
    arguments: frozenset[str] = frozenset()
    """Their names."""
    first_foreign: str = ""
    """The sentence with which its description begins, where that is in another language."""


def leads_with(verbs: frozenset[str], first: str) -> bool:
    """Whether the first sentence begins with one of these verbs, or reads in another language."""
    if is_foreign(first):
        return foreign_reads(first)
    lead = next(iter(_deeds(_in_plain_words(first))), NO_DEED).verb
    return not verbs.isdisjoint(bases(lead))


def is_thing(first: str) -> bool:
    """Whether the first sentence has no verb: it names what the tool answers."""
    if is_foreign(first):
        return foreign_thing(first)
    start = _ARTICLE.match(first)
    words = [one.lower() for one in _WORDS.findall(first[start.end() if start else 0 :][:_FAR])]
    if not words or not (CHANGING | SHAPING).isdisjoint(bases(words[0])):
        return False
    if words[0] in DETERMINERS:
        return True
    head = [*takewhile(lambda one: one not in NO_VERBS, words)]
    return not ANSWERS.isdisjoint(head[-1:]) and OBJECTS.isdisjoint(head)


def is_understood(first: str) -> bool:
    """Whether the first sentence is in a language that is known here."""
    if is_foreign(first):
        return foreign_reads(first) or foreign_thing(first)
    words = [word.lower() for word in _WORDS.findall(first)]
    is_known = any(not (READING | MAKING | RUNNING).isdisjoint(bases(word)) for word in words)
    return len(words) < _CLOSE or is_known or not (NO_VERBS | OBJECTS).isdisjoint(words)


def sentence_reads(one: ToolSentence, tool: ToolTraits) -> bool:
    """Whether all that a sentence says of the deeds of its tool leaves everything as it is."""
    about, sentence = _about(one, tool), one.text
    if about is About.FAULT:
        return True
    if about is About.ARGUMENT:
        return not is_written_to(sentence)
    if DEALING.search(sentence) or OUTRIGHT.search(sentence):
        return False
    if (other := is_foreign(sentence)) or tool.first_foreign:
        changes = foreign_changes(sentence, beside=tool.first_foreign, is_text_made=tool.makes_text)
        if other or changes:
            return not changes
    if about is About.TOOL:
        return _tool_only_reads(one, tool)
    return _names_no_deed(sentence) if about is About.CONTENT else not _examples_change(sentence)


def _about(one: ToolSentence, tool: ToolTraits) -> About:
    """What a sentence is about: by the section in which it stands, or by its first words."""
    if one.about is not About.TOOL:
        return one.about
    if _FIRST.split(one.text, maxsplit=1)[0] in tool.arguments:
        return About.ARGUMENT
    is_told = TOLD.match(one.text) is not None and not one.is_first
    return About.CONTENT if is_told or _LABEL_ALONE.fullmatch(one.text) else About.TOOL


def _tool_only_reads(one: ToolSentence, tool: ToolTraits) -> bool:
    said = _of_tool(one.text)
    rest = ASIDE.sub(" ", said)
    if _says_changing(said, "s") or _says_changing(rest, "ing") or _happens(rest):
        return False
    told = THEIRS.sub(_GAP, EXAMPLES.sub(" ", rest))
    is_asked = _examples_change(_in_plain_words(one.text)) or any(
        _asks_for_change(example[1]) for example in EXAMPLES.finditer(rest)
    )
    return not (is_asked or _begins_with_change(told)) and all(
        _deed_reads(deed, tool, one.is_first) for deed in _deeds(told)
    )


def is_written_to(said: str) -> bool:
    """Whether what is said of an argument speaks of something that is written."""
    return WRITTEN_BY.search(said) is not None


def _examples_change(sentence: str) -> bool:
    """Whether an example, or what a sentence has in quotation marks, asks for a change."""
    return _is_request(sentence) or any(_is_request(one[0]) for one in QUOTED.finditer(sentence))


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
    said = INCLUDED.sub(_GAP, _untrimmed(_in_plain_words(sentence)))
    said = OTHER_TOOL.sub(" ", DENIED.sub(_GAP, said))
    said = _unquoted(CODE.sub(" ", said))
    if ADVICE.match(said):
        said = WANTED.sub(" to", ADVICE.sub("", said))
    for others in (OUTPUT_CUT, FOR_OTHERS, HOW_TO, LEFT_OPEN, OBLIGED):
        said = others.sub(_GAP, said)
    return CHAIN.sub(_things_joined, said)


def _in_plain_words(sentence: str) -> str:
    """A sentence in which sums, tests and texts made are what they are: computed, checked."""
    return MADE.sub("compute it", TESTED.sub("check ", SUM.sub("compute ", sentence)))


def _untrimmed(sentence: str) -> str:
    """A sentence without what is left out of the text that it says is made."""
    made = TEXT_MADE.search(sentence)
    return sentence[: made.end()] + TRIMMED.sub(_GAP, sentence[made.end() :]) if made else sentence


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


class PossibleDeed(NamedTuple):
    """A word that may be for a deed."""

    verb: str
    behind: str
    """What follows closely."""
    is_first: bool = False
    """Whether its sentence begins with it."""


NO_DEED: Final = PossibleDeed("", "")


def _deeds(sentence: str) -> Iterator[PossibleDeed]:
    """The words of a sentence that may be deeds of the tool."""
    start = SUBJECT.match(sentence)
    at = start.end() if start else 0
    if first := _WORDS.match(sentence, at):
        yield PossibleDeed(
            first[0].lower(), sentence[first.end() : first.end() + _FAR], is_first=True
        )
    for found in DEED_BEHIND.finditer(sentence, at):
        word = found["deed"].lower()
        # "by" has the form in -ing behind it, or a thing.
        if found["before"] != "by" or word.endswith("ing"):
            yield PossibleDeed(word, sentence[found.end() : found.end() + _FAR])


def _deed_reads(deed: PossibleDeed, tool: ToolTraits, in_first: bool) -> bool:
    """Whether a word that may be a deed is none, or one that leaves everything as it is.

    What nobody knows is taken for a deed in the first sentence, which is about the tool.
    """
    word, behind, is_first = deed
    forms, following = set(bases(word)), _following(behind)
    if len(word) == 1 or word in NO_VERBS | OBJECTS or _is_compound(word, following):
        return True
    if forms & (READING | INERT) and word not in ALWAYS_CHANGING:
        return not is_otherwise(word, following)
    if forms & MAKING or (forms & CONVERTING and not GIVEN_TEXTS.isdisjoint(following[:1])):
        return _makes_text(deed, tool) and not is_otherwise(word, following)
    if forms & RUNNING:
        return bool(RUN_READING.search(behind) or READ_ONLY.search(behind))
    if word in tool.things:
        return not (forms & CHANGING and _has_object(following))
    is_known = in_first or word.endswith("s") or forms & CHANGING
    does = is_first and _says_it_does(word, following)
    return not (does or (is_known and _may_change(word, behind, following)))


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


def _makes_text(deed: PossibleDeed, tool: ToolTraits) -> bool:
    """Whether what is made is an answer: a text, or what was read, in some order."""
    is_noun = deed.verb.endswith("ing") and not _following(deed.behind)
    if not tool.makes_files or deed.verb.endswith("ed") or is_noun:
        return True
    clause = _CLAUSE_END.split(deed.behind, maxsplit=1)[0]
    is_text = not MADE_TEXTS.isdisjoint(_following(deed.behind)) or TEXT_MADE.search(deed.behind)
    return bool(is_text) or (tool.is_look and not FILE_MADE.search(clause))


def _has_object(following: list[str]) -> bool:
    return following[:1] != [] and following[0] in OBJECTS


def _has_partner(word: str, following: list[str]) -> bool:
    """Whether a word is a verb by what it is done with: pair with them."""
    if word.endswith("s") or len(following) < 2:
        return False
    return following[0] in PREPOSITIONS and following[1] in PARTNERS


def _is_thing(word: str, behind: str, following: list[str]) -> bool:
    """Whether a word that may be a changing verb is a thing, by what follows on it."""
    forms, head = bases(word), following[:1]
    if not TURNED.isdisjoint(forms) and not TURNED_TO.isdisjoint(head):
        return False
    if _has_object(following) or _has_partner(word, following):
        return False
    is_last = not _WORDS.search(_CLAUSE_END.split(behind, maxsplit=1)[0])
    if word.endswith(("ed", "ing")):
        return word.endswith("ed") or is_last or NO_VERBS.isdisjoint(head)
    if not _WHERETO.isdisjoint(head) and NOUNS_TOO.isdisjoint(forms):
        return False
    is_named = changing_verb_in("_".join([word, *following[:2]])) is None and word.endswith("s")
    return is_last or is_named or not (NO_VERBS - PARTICLES).isdisjoint(head)


def _is_compound(word: str, following: list[str]) -> bool:
    """Whether a word makes a thing together with the next one: a pull request, a start date."""
    ahead = [one for one in following if not one.endswith(_ABLE)]
    head = ahead[0] if ahead else ""
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

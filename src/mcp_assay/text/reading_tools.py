"""Whether a tool that gives no hint only reads, by every word of its name and description."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, AND, HARMLESS_ALONE, changing_verb_in
from mcp_assay.text.description_parts import tool_sentences
from mcp_assay.text.foreign_verbs import foreign_makes, is_foreign, is_known
from mcp_assay.text.lookalikes import mixes_alphabets
from mcp_assay.text.names import name_words
from mcp_assay.text.reading_arguments import (
    are_numbers,
    arguments_of,
    arguments_read,
    names_file,
    names_stored,
)
from mcp_assay.text.reading_sentences import (
    ToolTraits,
    bases,
    is_otherwise,
    is_thing,
    is_understood,
    leads_with,
    sentence_reads,
)
from mcp_assay.text.reading_words import (
    ANSWERS,
    CHANGING,
    CONVERTING,
    DECLARED,
    DEEDS_FIRST,
    DOCUMENT,
    FILE_MADE,
    FILE_PLACES,
    GIVEN,
    MAKING,
    NAMES_OF_READERS,
    NOUNS_TOO,
    PLAIN_LOOKS,
    READING,
    RUNNING_CODE,
    SHAPING,
    SUM,
    SUMS,
)

HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
MAX_DESCRIPTION: Final = 4_000
"""Who says more than so many characters is not understood in every word."""


def declares_no_hint(tool: Mapping[str, Any]) -> bool:
    """Whether a tool says nothing of what it does in its annotations."""
    hints = tool.get("annotations")
    return not isinstance(hints, Mapping) or all(hints.get(hint) is None for hint in HINTS)


def only_reads(tool: Mapping[str, Any]) -> bool:
    """Whether name, description and arguments of a tool say that it only reads.

    Where one of them may be for a deed, or is in a language that nobody here knows, they do not.
    """
    name, description = tool.get("name"), tool.get("description", "")
    if not isinstance(name, str) or not isinstance(description, str):
        return False
    if len(description) > MAX_DESCRIPTION or mixes_alphabets(name):
        return False
    said, arguments = tool_sentences(description), arguments_of(tool)
    first = said[0].text if said else ""
    words = name_words(name)
    makes_files = _may_make_files(words, description, arguments)
    known = ToolTraits(
        things=frozenset(words),
        makes_files=makes_files,
        makes_text=not makes_files and _is_named_by_making(words, arguments),
        is_look=leads_with(READING, first),
        arguments=frozenset(arguments),
        first_foreign=first if is_foreign(first) else "",
    )
    is_inspected = known.is_look and not _may_run_code(words, first)
    is_declared = known.is_look and DECLARED.search(description) is not None
    return (
        _name_reads(name, first, known, arguments)
        and arguments_read(arguments, description, is_look=is_inspected)
        and (is_understood(first) or _is_told_by_name(words, first, known))
        and all(sentence_reads(one, known) for one in said[: 1 if is_declared else None])
    )


def _may_run_code(words: list[str], first: str) -> bool:
    """Whether a program that is given may be run, not only looked at."""
    if is_foreign(first):
        return PLAIN_LOOKS.isdisjoint(words)
    return leads_with(RUNNING_CODE, first)


def _is_given_text(words: list[str], arguments: Mapping[str, Any]) -> bool:
    """Whether a name says of which form another is made, and that is given as it is: a_to_b."""
    source = words[: words.index("to")][-1:] if "to" in words[1:-1] else []
    given = {word for name in arguments for word in name_words(name)}
    return FILE_PLACES.isdisjoint(given) and not given.isdisjoint(source)


def _may_make_files(words: list[str], description: str, arguments: Mapping[str, Any]) -> bool:
    """Whether what is made may be a file, by the words of the description and the arguments."""
    if _is_given_text(words, arguments):
        return FILE_MADE.search(DOCUMENT.sub(" ", description)) is not None
    return FILE_MADE.search(description) is not None or any(map(names_file, arguments))


def _is_named_by_making(words: list[str], arguments: Mapping[str, Any]) -> bool:
    """Whether a name says that one text is made of another: generate_x, x_to_y, to_y."""
    is_converted = words[:1] == ["to"] or _is_given_text(words, arguments)
    return is_converted or not (MAKING | CONVERTING).isdisjoint(words)


def _is_told_by_name(words: list[str], first: str, tool: ToolTraits) -> bool:
    """Whether a name in English says what a description in a language that is known does not.

    Each of its sentences is still asked for verbs that change something.
    """
    is_reader = not NAMES_OF_READERS.isdisjoint(words) or tool.makes_text
    return is_reader and is_foreign(first) and is_known(first)


def _name_reads(name: str, first: str, tool: ToolTraits, arguments: Mapping[str, Any]) -> bool:
    """Whether the name, together with how the description begins, is that of a reader."""
    words = name_words(name)
    if _shapes_session(words, arguments):
        return False
    if not (SUMS | HARMLESS_ALONE).isdisjoint(words):
        is_sum = SUM.search(first) is not None or (tool.is_look and are_numbers(arguments))
        return is_sum and (len(words) == 1 or changing_verb_in(name) is None)
    if tool.is_look and _says_what_name_says(first, words):
        return True
    is_deed = _is_deed_first(words, first) or _name_changes(name, words)
    return not is_deed and _name_is_of_reader(words, first, tool, arguments)


def _shapes_session(words: list[str], arguments: Mapping[str, Any]) -> bool:
    """Whether a name is for what is done to that which a session holds: the next call sees it."""
    is_shaped = not SHAPING.isdisjoint(words[:1])
    return is_shaped and any("session" in name_words(one) for one in arguments)


def _is_deed_first(words: list[str], first: str) -> bool:
    """Whether a name begins with a verb that is done to something there: report a user."""
    is_alone = len(words) == 1 and not leads_with(frozenset(words), first)
    return not is_alone and not DEEDS_FIRST.isdisjoint(words[:1])


def _name_is_of_reader(
    words: list[str], first: str, tool: ToolTraits, arguments: Mapping[str, Any]
) -> bool:
    """Whether a name in which no verb changes anything is that of a reader.

    It is by a verb that reads, by what is answered, by what is made or by how the description
    begins; what makes something of a file, or of what is stored, may change that.
    """
    known = {base for word in words for base in bases(word)}
    if known & NAMES_OF_READERS:
        return True
    is_harmless = CHANGING.isdisjoint(_roots(words))
    if not tool.makes_files and _is_named_by_answer(words, first, arguments):
        return is_harmless
    in_other_words = tool.makes_text and is_foreign(first) and foreign_makes(first)
    converts = bool(known & CONVERTING) or leads_with(CONVERTING, first) or in_other_words
    is_random = "random" in words and leads_with(MAKING, first)
    makes = converts or is_random or bool(known & MAKING)
    is_stored = any(map(names_stored, arguments)) and not _is_given_text(words, arguments)
    if tool.makes_files or (makes and is_stored):
        return tool.is_look and known.isdisjoint(MAKING) and is_harmless
    return bool(known & MAKING) or ((tool.is_look or converts or is_random) and is_harmless)


def _is_named_by_answer(words: list[str], first: str, arguments: Mapping[str, Any]) -> bool:
    """Whether name and description have no verb, and nothing is given for what they name."""
    is_named = is_thing(first) if first else not ANSWERS.isdisjoint(words[-1:])
    return is_named and GIVEN.isdisjoint(word for one in arguments for word in name_words(one))


def _says_what_name_says(first: str, words: list[str]) -> bool:
    """Whether the first sentence begins with the verb of a name, before which things may stand.

    A name that ends in a deed and that verb may be for the deed: a vote count counts a vote.
    """
    for at, word in enumerate(words if AND.isdisjoint(words) else ()):
        if word in NAMES_OF_READERS - DEEDS_FIRST and leads_with(frozenset({word}), first):
            is_last = at == len(words) - 1 and word not in PLAIN_LOOKS
            is_head = is_last and not CHANGING.isdisjoint(words[at - 1 : at])
            others = {one for one in (*words[:at], *words[at + 1 :]) if one in CHANGING}
            return not is_head and others <= NOUNS_TOO - ALWAYS_CHANGING
    return False


def _name_changes(name: str, words: list[str]) -> bool:
    """Whether a word of a name may be for a deed that changes something."""
    return (
        changing_verb_in(name) is not None
        or not CHANGING.isdisjoint(_before_reading(words))
        or any(before in AND and word in CHANGING for before, word in pairwise(words))
        or any(is_otherwise(word, words[at + 1 :]) for at, word in enumerate(words))
    )


def _roots(words: list[str]) -> set[str]:
    """The verbs that words of a name may be made from: a cleaner cleans."""
    return {
        verb
        for at, word in enumerate(words)
        if not word.endswith("s") and not (at and at == len(words) - 1 and word in NOUNS_TOO)
        for verb in (*bases(word), *(word.removesuffix(end) for end in ("er", "r", "or")))
    }


def _before_reading(words: list[str]) -> list[str]:
    """The words of a name up to the verb that reads: what follows on that is a thing."""
    reading = next((at for at, word in enumerate(words) if word in READING), len(words))
    return [word for word in words[:reading] if word not in MAKING]

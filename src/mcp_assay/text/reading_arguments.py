"""Whether the arguments of a tool that seems to read let a caller ask for more than that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.text.changing_verbs import ALWAYS_CHANGING, HARMLESS_ALONE
from mcp_assay.text.foreign_verbs import foreign_changes, is_foreign
from mcp_assay.text.names import name_words
from mcp_assay.text.reading_words import (
    ADDRESSES,
    ANY_LANGUAGE,
    ANY_QUERY,
    ARITHMETIC,
    DEEDS_ASKED,
    DENIED,
    DONE_TOO,
    FILES,
    FORMS,
    MEASURES,
    NUMBER_TYPES,
    PLACES,
    QUERY,
    READ_ONLY,
    REQUEST_METHODS,
    STORED,
    SWITCHED,
    SWITCHES,
    TARGETS,
    TEXTS,
    TO_BE_STORED,
    WRITTEN_BY,
    WRITTEN_TO,
)

MAX_ARGUMENTS: Final = 100
"""Of more than so many not every one is looked at."""
MAX_TEXT: Final = 4_000
"""So much is read of the description of one."""


def arguments_of(tool: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a tool, each with its schema."""
    schema = tool.get("inputSchema")
    named = schema.get("properties") if isinstance(schema, Mapping) else None
    members = named.items() if isinstance(named, Mapping) else ()
    return {str(name): member for name, member in members}


def names_file(argument: str) -> bool:
    """Whether an argument is a file or a folder, by its name."""
    return not FILES.isdisjoint(name_words(argument))


def names_stored(argument: str) -> bool:
    """Whether an argument is the id of something that is stored, by its name."""
    return not STORED.isdisjoint(name_words(argument)[-1:])


def are_numbers(arguments: Mapping[str, Any]) -> bool:
    """Whether a tool gets numbers and nothing else, so that it may be a sum."""
    kinds = [one.get("type") if isinstance(one, Mapping) else None for one in arguments.values()]
    return bool(kinds) and all(kind in NUMBER_TYPES for kind in kinds)


def arguments_read(arguments: Mapping[str, Any], description: str, *, is_look: bool) -> bool:
    """Whether no argument names a place to write to, asks for a deed, or for anything at all.

    `is_look`: the description begins with a verb that reads, so that a program is looked at.
    """
    if len(arguments) > MAX_ARGUMENTS:
        return False
    words = [word for name in arguments for word in name_words(name)]
    is_request = not ADDRESSES.isdisjoint(words)
    return all(
        not _writes(name, member)
        and not _asks_for_deed(name, member, is_request=is_request)
        and not _asks_for_anything(name, member, description, is_look=is_look)
        for name, member in arguments.items()
    )


def _text(member: object) -> str:
    text = member.get("description") if isinstance(member, Mapping) else ""
    return text[:MAX_TEXT] if isinstance(text, str) else ""


def _choices(member: object) -> list[Any]:
    """The values that an argument offers to choose from."""
    choices = member.get("enum") if isinstance(member, Mapping) else None
    return [one for one in choices if isinstance(one, str)] if isinstance(choices, list) else []


def _is_switch(member: object) -> bool:
    return isinstance(member, Mapping) and member.get("type") == "boolean"


def _writes(name: str, member: object) -> bool:
    words, said = name_words(name), _text(member)
    if not FORMS.isdisjoint(words[-1:]) and TO_BE_STORED.search(said) is None:
        return not WRITTEN_TO.isdisjoint(words) and not PLACES.isdisjoint(_choices(member))
    is_target = not TARGETS.isdisjoint(words) and not FILES.isdisjoint(words)
    return is_target or not WRITTEN_TO.isdisjoint(words) or _is_written_to(words, said)


def _is_written_to(words: list[str], said: str) -> bool:
    """Whether what is said of an argument speaks of something that is written."""
    is_place = not FILES.isdisjoint(words)
    in_other_words = is_place and is_foreign(said) and foreign_changes(said)
    return WRITTEN_BY.search(said) is not None or in_other_words


def _asks_for_deed(name: str, member: object, *, is_request: bool) -> bool:
    """Whether what is given for an argument decides what is done."""
    words = name_words(name)
    is_thing = len(words) > 1 and not MEASURES.isdisjoint(words[-1:])
    if (set(words[:1]) & (ALWAYS_CHANGING - SWITCHED) and not is_thing) or set(words) <= SWITCHES:
        return True
    if words[:1] == ["auto"] and _is_switch(member):
        return not (SWITCHES | ALWAYS_CHANGING | DONE_TOO).isdisjoint(words[1:])
    if set(words[:1]) & DONE_TOO and _is_switch(member):
        return True
    choices = _choices(member)
    if choices:
        return _offers_deed(choices)
    is_method = is_request and set(words[-1:]) <= REQUEST_METHODS
    return is_method or set(words) <= DEEDS_ASKED


def _offers_deed(choices: list[Any]) -> bool:
    """Whether one of the values to choose from is a deed; a sum adds nothing to anything."""
    offered = {word for one in choices for word in name_words(str(one))[:1]}
    harmless = HARMLESS_ALONE if offered & ARITHMETIC else frozenset()
    return not (ALWAYS_CHANGING - harmless).isdisjoint(offered)


def _asks_for_anything(name: str, member: object, description: str, *, is_look: bool) -> bool:
    """Whether an argument is in a language in which anything can be asked for."""
    if _is_switch(member):
        return False
    head = [word for word in name_words(name) if word not in TEXTS][-1:]
    words, said = set(head), f"{description} {_text(member)}"
    # A code is short for something, or a program that is only looked at.
    is_only_text = words & ANY_QUERY == {"code"} and (len(name_words(name)) > 1 or is_look)
    is_any = bool(words & ANY_QUERY) and not is_only_text
    is_query = bool(words & QUERY) and ANY_LANGUAGE.search(said) is not None
    return (is_any or is_query) and not READ_ONLY.search(DENIED.sub(" ", said))

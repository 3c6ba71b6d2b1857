"""Where a tool and the values that its inputSchema lists do not agree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.rules.behaviour.arguments import differ_only_at, place_of, shown_value, value_at
from mcp_assay.rules.behaviour.rule import (
    DONE,
    at,
    behaviour_rule,
    called,
    example,
    fields_of,
    is_of_the_tool,
    sentence,
    shown,
)
from mcp_assay.rules.behaviour.texts import texts_of
from mcp_assay.rules.engine.rule import Example, Found
from mcp_assay.text.names import name_parts
from mcp_assay.text.words import MOST_NAMED, listing, quote
from mcp_assay.wire.pointer import tokens

WANTING: Final = re.compile(
    r"\b(?:requires?|required|needs?|needed|must (?:also )?(?:be )?(?:provide|specif|give|set)\w*"
    r"|missing|(?:please|also) (?:provide|specify|give|set))\b"
)
"""How a refusal asks for something."""
UNLISTED: Final = re.compile(
    r"\b(?:unsupported|(?:not|n't)(?: yet| currently)? (?:supported|allowed|available|recogni[sz]ed"
    r"|accepted|known|implemented|one of|in)|unknown|unrecogni[sz]ed|invalid|illegal"
    r"|disallowed|(?:must|should|has to) be (?:one of|either|in)|expected one of"
    r"|one of the"
    r"|valid (?:values|options|choices)|allowed (?:values|options)|supported (?:values|options))\b"
)
"""How a refusal says of a value that it is none of those that are taken."""
OF_ORDER: Final = re.compile(
    r"\b(?:only|first|must|cannot|can't|not|before|until|unless)\b[^.\n]{0,80}"
    r"\b(?:after|before|until|unless|once|first|as long as|while)\b"
    r"|\btransitions?\b|\b(?:current|previous) (?:state|status|stage|phase|step)\b"
)
"""How a refusal says that a value is not taken now, or here: another one has to come first."""
OURS: Final = "assay"
"""A word of the values that are made to be refused; a refusal that repeats it allows nothing."""
LONGEST_READ: Final = 4_000
"""So much of a refusal is searched for what it asks for."""
LONGEST_LIST: Final = 600
"""Characters of a list that certainly was read to its end."""
SORTS: Final = ("name", "date")
PLACE: Final = {"pointer": "/sort", "types": ["string"], "listed": list(SORTS)}


def _by_value(number: int, **ending: Any) -> dict[str, Any]:
    """A call of an example with one of the values that its schema lists."""
    return called(
        {"sort": SORTS[number - 1]}, name=f"value {number} of 2", pointer="/sort", **ending
    )


def _refused(text: str) -> dict[str, Any]:
    """A call of an example with the second of them, and the words in which it was refused."""
    return _by_value(2, outcome="unproven", error={"code": -32602, "message": text})


def _outside(*allowed: str) -> Example:
    """An example in which a refusal lists these values."""
    refused = called(
        {"sort": "assay-not-listed"},
        name="outside the listed values",
        valid=False,
        pointer="/sort",
        allowed=list(allowed),
    )
    return example(refused, pointer="/calls/0", places=[PLACE])


@behaviour_rule(
    "DRIFT-001",
    "enum-value-rejected",
    reason="enum_value_rejected",
    shown_by=is_of_the_tool,
    tries=("value ",),
    good=lambda: [
        example(_by_value(1, result=DONE)),
        example(
            _by_value(1, result=DONE),
            _refused("Invalid arguments: with sort date, Entry Year is required"),
            places=[PLACE, {"pointer": "/entryYear", "types": ["integer"]}],
        ),
        example(_by_value(1, result=DONE), _refused("The folder exists already.")),
        example(_by_value(1, result=DONE), _refused("Sorting by date found no entries.")),
        example(_by_value(1, result=DONE), _refused("The cell A1 is invalid.")),
        example(_by_value(1, result=DONE), _refused("The file is not valid date.")),
        example(
            _by_value(1, result=DONE), _refused("date is only allowed after name was sorted by.")
        ),
        example(
            _by_value(1, result=DONE), _refused("A transition from name to date is not allowed.")
        ),
    ],
    bad=lambda: [
        example(
            _by_value(1, result=DONE), _refused("Unknown sort order: date"), pointer="/calls/1"
        ),
        example(
            called({"sort": "name"}, result=DONE),
            _refused("sort must be one of: name, size"),
            pointer="/calls/1",
        ),
    ],
)
def enum_value_rejected(tried: ToolRun) -> Iterator[Found]:
    """A tool rejects a value that its enum lists as none that it takes, while it takes others.

    Why: clients offer the listed values, and their users get an error.
    Instead: accept every listed value, or list only those that work.
    """
    refused = refused_values(tried)
    for pointer in dict.fromkeys(call.scenario.pointer for call in refused):
        calls = [call for call in refused if call.scenario.pointer == pointer]
        values = [shown_value(value_at(call.scenario.arguments, pointer)) for call in calls]
        more = f" and {len(values) - MOST_NAMED} more" if len(values) > MOST_NAMED else ""
        words = f"rejects {', '.join(values[:MOST_NAMED])}{more}, which its schema lists"
        text = sentence(shown(tried), words, fields_of(calls))
        yield at(tried, calls[0], text, key=pointer)


def refused_values(tried: ToolRun) -> list[Call]:
    """The calls in which a listed value was refused, and that alone can be the reason."""
    return [call for call in tried.calls if _is_refused_value(tried, call)]


def _is_refused_value(tried: ToolRun, call: Call) -> bool:
    """Whether a listed value was refused, and another one with all else alike was taken."""
    if not call.scenario.name.startswith("value ") or call.verdict.outcome != "unproven":
        return False
    value = value_at(call.scenario.arguments, call.scenario.pointer)
    if isinstance(value, bool) or not _is_about(call, value) or _wants_more(tried, call):
        return False
    taken = (other for other in tried.calls if other.verdict.succeeded)
    return any(differ_only_at(call, other, call.scenario.pointer) for other in taken)


def _is_about(call: Call, value: Any) -> bool:
    """Whether a refusal says that the value, or the argument, is none that is taken."""
    said = _refusal(call)
    named = (shown_value(value).strip("\"'"), tokens(call.scenario.pointer)[-1])
    is_of_value = UNLISTED.search(said) is not None and OF_ORDER.search(said) is None
    return is_of_value and any(_has_word(said, name) for name in named)


def _wants_more(tried: ToolRun, call: Call) -> bool:
    """Whether a refusal asks for an argument that was left out, which the value may need."""
    said = _refusal(call)
    if not WANTING.search(said):
        return False
    places = (tokens(place.pointer) for place in tried.places)
    arguments = {steps[0] for steps in places if len(steps) == 1}
    left_out = (name for name in arguments if name not in call.scenario.arguments)
    return any(
        _has_word(said, name) or _has_word(said, " ".join(name_parts(name))) for name in left_out
    )


def _refusal(call: Call) -> str:
    """What a call was answered with, in small letters."""
    error = call.answer.error or {}
    texts = (*texts_of(call.answer.result), str(error.get("message", "")))
    return " ".join(text[:LONGEST_READ] for text in texts)[:LONGEST_READ].casefold()


def _has_word(said: str, name: str) -> bool:
    word = re.escape(name.casefold())
    return word != "" and re.search(rf"(?<!\w){word}(?!\w)", said) is not None


@behaviour_rule(
    "DRIFT-006",
    "enum-list-differs",
    reason="enum_list_differs",
    shown_by=is_of_the_tool,
    tries=("value ", "outside the listed values"),
    good=lambda: [
        _outside("name", "date"),
        _outside("date", "NAME", "assay-not-listed"),
        _outside("red", "green"),
        _outside("name", "..."),
    ],
    bad=lambda: [_outside("name", "date", "size"), _outside("name"), _outside("name", "size")],
)
def enum_list_differs(tried: ToolRun) -> Iterator[Found]:
    """An error message lists different allowed values than the schema.

    Why: one of the two lists is out of date; callers who follow it are rejected, or miss valid
    values.
    Instead: generate the schema and the error message from the same list.
    """
    refused, reported = refused_values(tried), set[str]()
    for call in filter(_lists_values, tried.calls):
        pointer = call.scenario.pointer
        text = None if pointer in reported else _difference(tried, call, refused)
        if text:
            reported.add(pointer)
            yield at(tried, call, text, key=pointer)


def _lists_values(call: Call) -> bool:
    return bool(call.allowed)


def _difference(tried: ToolRun, call: Call, refused: Iterable[Call]) -> str | None:
    """How the values that a refusal names differ from those of the schema, as a sentence."""
    more, missing = _apart(tried, call, refused)
    return _difference_words(tried, call, more, missing) if more or missing else None


def unlisted_values(tried: ToolRun) -> list[tuple[str, str]]:
    """The values that refusals allow and the schema does not list, each with its place."""
    found = (
        (call.scenario.pointer, value)
        for call in filter(_lists_values, tried.calls)
        for value in _apart(tried, call, ())[0]
    )
    return list(dict.fromkeys(found))


def _apart(tried: ToolRun, call: Call, refused: Iterable[Call]) -> tuple[list[str], list[str]]:
    """The values that only a refusal names, and those that only the schema lists.

    That a listed value is refused is reported by itself.
    """
    place = place_of(tried, call)
    sent = value_at(call.scenario.arguments, call.scenario.pointer) if place else None
    if place is None or not place.listed or not isinstance(sent, str | int | float):
        return [], []
    listed = _texts(place.listed)
    named = _named(call, {str(sent).casefold(), *_words_of(call, tried)} - listed.keys())
    common = listed.keys() & named.keys()
    if not _is_whole(named) or 2 * len(common) < len(listed):
        return [], []
    more = [named[key] for key in named if key not in listed]
    rejected = _texts(value_at(one.scenario.arguments, place.pointer) for one in refused)
    missing = [listed[key] for key in listed if key not in named and key not in rejected]
    return more, missing


def _is_whole(named: Iterable[str]) -> bool:
    """Whether a list was read to its end, and is not one of examples only."""
    has_words = all(any(map(str.isalnum, value)) for value in named)
    return has_words and sum(map(len, named)) <= LONGEST_LIST


def _difference_words(tried: ToolRun, call: Call, more: list[str], missing: list[str]) -> str:
    parts = []
    if more:
        parts.append(f"names {listing(more[:MOST_NAMED], 'and')}, which its schema does not list")
    if missing:
        parts.append(f"leaves out {listing(missing[:MOST_NAMED], 'and')}, which its schema lists")
    refusal = f"An error of tool {quote(tried.name)}"
    return sentence(refusal, " and ".join(parts), fields_of([call]))


def _named(call: Call, echoes: Iterable[str]) -> dict[str, str]:
    """The values that a refusal allows, without what it only repeats of the call."""
    named = {key: value for key, value in _texts(call.allowed).items() if OURS not in key}
    for echo in echoes:
        named.pop(echo, None)
    return named


def _words_of(call: Call, tried: ToolRun) -> tuple[str, ...]:
    """Names that may stand in quotes beside a list: the argument's and the tool's."""
    return call.scenario.pointer.rpartition("/")[2].casefold(), tried.name.casefold()


def _texts(values: Iterable[Any]) -> dict[str, str]:
    """Values as refusals write them, by what is equal however it is written."""
    return {str(value).casefold(): str(value) for value in values if value is not None}

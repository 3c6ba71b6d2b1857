"""Places of arguments: what stood there in a call, and what the schema says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.scenario import PlannedPlace
from mcp_assay.text.names import name_words, word_set
from mcp_assay.text.words import quote
from mcp_assay.wire.pointer import find, tokens

RUNNING: Final = word_set("debug eval evaluate exec execute interpret interpreter repl run shell")
PROGRAMS: Final = word_set(
    """
    cmd code command commands expr expression function javascript js lua program python script
    snippet source
    """
)
"""Words in the names of tools that run something, and of arguments that are what they run."""
MOST_ARGUMENTS: Final = 200
ABSENT: Final = object()
"""Stands for a value that is not there."""
_NUMBER: Final = re.compile(r"\s*[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?\s*")
_TRUTHS: Final = frozenset(
    {"true", "false", "yes", "no", "on", "off", "1", "0", "t", "f", "y", "n"}
)


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and _NUMBER.fullmatch(value[:200]) is not None


def _is_truth(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _TRUTHS
    return not isinstance(value, bool) and value in (0, 1)


CONVERTED: Final[Mapping[str, Callable[[Any], bool]]] = {
    "string": lambda value: isinstance(value, bool | int | float),
    "integer": lambda value: isinstance(value, bool | float) or _is_number(value),
    "number": lambda value: isinstance(value, bool) or _is_number(value),
    "boolean": _is_truth,
    "array": lambda value: not isinstance(value, list),
    "object": lambda value: isinstance(value, str) and value.lstrip().startswith("{"),
}
"""What lenient readers make a value of each type of: "5" is 5, true is 1, one item is a list."""


def place_of(tried: ToolRun, call: Call) -> PlannedPlace | None:
    """What the schema says of the place that a call is about."""
    pointer = call.scenario.pointer
    return next((place for place in tried.places if pointer and place.pointer == pointer), None)


def value_at(arguments: Any, pointer: str) -> Any:
    """What stands at a place of arguments; ABSENT where nothing does."""
    return find(arguments, tokens(pointer), ABSENT)


def differ_only_at(one: Call, other: Call, pointer: str) -> bool:
    """Whether two calls sent the same, apart from one argument."""
    name = tokens(pointer)[0]
    rests = [
        {key: value for key, value in call.scenario.arguments.items() if key != name}
        for call in (one, other)
    ]
    return rests[0] == rests[1]


def is_conversion(value: Any, types: tuple[str, ...]) -> bool:
    """Whether a value of another type says the same as one of these types would.

    No value at all is what lenient readers take for an argument that was left out.
    """
    return value is None or any(CONVERTED[kind](value) for kind in types if kind in CONVERTED)


def shown_value(value: Any) -> str:
    """A value as it stands in a sentence."""
    return quote(value) if isinstance(value, str) else repr(value)[:40]


def runs_programs(tool: dict[str, Any]) -> bool:
    """Whether a tool runs what the caller wrote, whose errors are then what it is asked for."""
    schema = tool.get("inputSchema")
    listed = schema.get("properties") if isinstance(schema, dict) else None
    names = islice(listed, MOST_ARGUMENTS) if isinstance(listed, dict) else ()
    words = frozenset(name_words(str(tool.get("name", ""))))
    return bool(words & RUNNING) and any(PROGRAMS & set(name_words(str(name))) for name in names)

"""What a tool returns -> the JSON value that it stands for."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath
from typing import Any, Final

import msgspec

from mcp_assay.envelope.results import block_in
from mcp_assay.text.words import spot
from mcp_assay.wire.python_values import examine

DEEPEST: Final = 100
"""So many levels of a value are sent; some parsers and serializers stop soon after."""

MOST_PARTS: Final = 250_000
"""So many values within a value are sent: where parts are shared, few objects are very many."""

BINARY: Final = (bytes, bytearray, memoryview)
"""What is never turned into text: nobody would know that it was something else."""


class Unfit(Exception):
    """A value that JSON has no form for; its text says why."""


def json_value(value: object, seen_as: Callable[[object], object] | None = None) -> Any:
    """The JSON value that a Python value stands for; raises Unfit where there is none.

    `seen_as` may see something else in the value as a whole before it is taken apart.
    """
    try:
        plain = _Plainer().plain(seen_as(value) if seen_as else value)
    except Unfit:
        raise
    except Exception as fault:
        raise Unfit(f"it failed to turn into JSON: {type(fault).__name__}") from fault
    reading = examine(plain)
    if reading.notes:
        note = reading.notes[0]
        raise Unfit(f"{spot(note.path)}: {note.text}" if note.path else note.text)
    return reading.value


def readable(value: Any) -> str:
    """A JSON value as text for people: a string as it is, anything else broken into lines."""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


class _Plainer:
    """Takes a value apart until nothing is left but JSON types, and what JSON has no form for."""

    def __init__(self) -> None:
        self._room = MOST_PARTS

    def plain(self, value: Any, around: tuple[int, ...] = ()) -> Any:
        self._room -= 1
        if self._room < 0:
            raise Unfit(f"the value has more than {MOST_PARTS:,} parts")
        if value is None or isinstance(value, str | int | float) or type(value) in BINARY:
            return value
        if id(value) in around:
            raise Unfit("the value contains itself")
        if len(around) >= DEEPEST:
            raise Unfit(f"the value is nested more than {DEEPEST} levels deep")
        return self._inside(_opened(value), (*around, id(value)))

    def _inside(self, inside: Any, around: tuple[int, ...]) -> Any:
        if isinstance(inside, Mapping):
            return self._members(inside, around)
        if isinstance(inside, set | frozenset):
            return sorted((self.plain(item, around) for item in inside), key=_sorting_text)
        if isinstance(inside, list | tuple | deque):
            return [self.plain(item, around) for item in inside]
        return inside

    def _members(self, value: Mapping[Any, Any], around: tuple[int, ...]) -> dict[Any, Any]:
        members = {_name(key): self.plain(member, around) for key, member in value.items()}
        if len(members) < len(value):
            raise Unfit("two members have the same name as text")
        return members


def _opened(value: Any) -> Any:
    """What is in an object that stands for something else; anything else as it is."""
    if isinstance(value, Mapping | list | tuple | deque | set | frozenset):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, PurePath):
        return str(value)
    if hasattr(type(value), "model_dump"):
        return block_in(value) or value.model_dump(mode="json", by_alias=True)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    try:
        return block_in(value) or msgspec.to_builtins(value, builtin_types=BINARY, str_keys=True)
    except (TypeError, ValueError):
        raise Unfit(f"JSON has no form for {type(value).__name__}") from None


def _name(key: Any) -> Any:
    """A member's name: integers become text, as everybody expects of them."""
    return str(key) if type(key) is int else key


def _sorting_text(item: Any) -> str:
    return json.dumps(item, sort_keys=True, default=repr)

"""How large a value is, found out quickly: values of a whole level are looked at together."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, Final

from msgspec import Struct

from mcp_assay.schema.limits import MAX_VALUE_DEPTH
from mcp_assay.schema.texts import NotJson, plain
from mcp_assay.wire.leaves import is_well_formed
from mcp_assay.wire.limits import MAX_MESSAGE_BYTES

# By the ids of types, because a type can have a hash of the caller's making.
_NAMES: Final = frozenset({id(str)})
_PLAIN: Final = frozenset(map(id, (str, int, float, bool, type(None), list, dict)))
_MOST_VALUES: Final = MAX_MESSAGE_BYTES // 2
"""No text within the limit holds more; a Python value with shared parts may."""
_MOST_BITS: Final = 1023
"""Integers of more bits may be beyond the range of a double."""


class Size(Struct, frozen=True):
    """How large a value is."""

    values: int
    """Values inside the value, and it itself."""
    characters: int
    depth: int
    """Arrays and objects inside each other, counted no further than just beyond the limit."""


def measured(value: object) -> tuple[object, Size]:
    """The value in plain JSON types, and its size; raises NotJson."""
    size = _size_of_plain(value)
    if size is None:
        value = plain(value)
        size = _size_of_plain(value)
    if size is None:
        raise NotJson("it is too large")
    if size.depth > MAX_VALUE_DEPTH:
        raise NotJson(f"it is nested more than {MAX_VALUE_DEPTH} levels deep")
    return value, size


def _size_of_plain(value: object) -> Size | None:
    """How large a value is; None where anything in it may have no exact form in JSON."""
    values = characters = depth = 0
    level = [value]
    while level:
        values += len(level)
        names, below = _inside(level)
        if not _is_plain(level, names) or values > _MOST_VALUES:
            return None
        characters += sum(len(one) for one in (*names, *level) if isinstance(one, str))
        depth += any(isinstance(one, dict | list) for one in level)
        level = below if depth <= MAX_VALUE_DEPTH else []
    return Size(values, characters, depth) if characters <= MAX_MESSAGE_BYTES else None


def _inside(level: list[Any]) -> tuple[list[Any], list[Any]]:
    """The names and the values that stand in the objects and arrays of a level."""
    names: list[Any] = []
    below: list[Any] = []
    for one in level:
        if len(below) > _MOST_VALUES:
            break
        if type(one) is dict:
            names += one
            below += one.values()
        elif type(one) is list:
            below += one
    return names, below


def _is_plain(level: list[Any], names: list[Any]) -> bool:
    if not (_kinds(level) <= _PLAIN and _kinds(names) <= _NAMES):
        return False
    texts = (one for one in level if type(one) is str)
    return (
        all(isfinite(one) for one in level if type(one) is float)
        and all(one.bit_length() <= _MOST_BITS for one in level if type(one) is int)
        and all(text.isascii() or is_well_formed(text) for text in (*names, *texts))
    )


def _kinds(values: Iterable[Any]) -> set[int]:
    return set(map(id, map(type, values)))

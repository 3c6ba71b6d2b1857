"""The shape of JSON values that were seen: types, members, nullability, and known lists of values.

A shape is written as JSON Schema, so that people can review it and programs can check with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

DEEPEST: Final = 12
"""Levels that are told apart; below them anything goes."""
MOST_MEMBERS: Final = 100
"""An object with more different members is a map: its members are not named."""
FIRST_ITEMS: Final = 200
"""Items of a list that are looked at."""

Enums: TypeAlias = Mapping[str, Iterable[Any]]
"""Known lists of values, by the name of the field."""
NO_ENUMS: Final[Enums] = {}


class Shape(Struct, frozen=True, kw_only=True):
    """What values at one place looked like, all of them taken together."""

    types: frozenset[str] = frozenset()
    members: Mapping[str, Shape] = {}
    required: frozenset[str] = frozenset()
    """Members that every object had."""
    values: Shape | None = None
    """What all members of a map look like."""
    items: Shape | None = None
    """None where every list was empty."""
    enum: tuple[Any, ...] | None = None
    """The known list that all values were taken from."""


ANYTHING: Final = Shape()


def type_of(value: object) -> str:
    """The JSON type of a value, integers told from other numbers."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    names = ((str, "string"), (Mapping, "object"))
    return next((name for kind, name in names if isinstance(value, kind)), "array")


def shape_of(value: object, enums: Enums = NO_ENUMS, name: str = "", depth: int = 0) -> Shape:
    """The shape of one value; strings of a field that has a known list are noted with it."""
    kind = frozenset({type_of(value)})
    if depth >= DEEPEST:
        return Shape(types=kind)
    if isinstance(value, Mapping):
        members = {str(key): shape_of(it, enums, str(key), depth + 1) for key, it in value.items()}
        return _as_map(Shape(types=kind, members=members, required=frozenset(members)))
    if isinstance(value, list | tuple):
        items = [shape_of(it, enums, name, depth + 1) for it in value[:FIRST_ITEMS]]
        return Shape(types=kind, items=joined(items) if items else None)
    known = tuple(enums.get(name, ()))
    return Shape(types=kind, enum=known if isinstance(value, str) and value in known else None)


def joined(shapes: Iterable[Shape]) -> Shape:
    """What several shapes have in common, as one that fits all of them."""
    found: Shape | None = None
    for shape in shapes:
        found = shape if found is None else _both(found, shape)
    return ANYTHING if found is None else found


def _both(one: Shape, other: Shape) -> Shape:
    both = Shape(
        types=_types(one.types | other.types),
        items=_either(one.items, other.items),
        enum=one.enum if one.enum == other.enum else _only_enum(one, other),
    )
    if "object" not in one.types or "object" not in other.types:
        owner = one if "object" in one.types else other
        return replace(both, members=owner.members, required=owner.required, values=owner.values)
    if one.values is not None or other.values is not None:
        return replace(both, values=_either(_valued(one), _valued(other)))
    names = {**one.members, **other.members}
    members = {name: _member(one, other, name) for name in names}
    return _as_map(replace(both, members=members, required=one.required & other.required))


def _member(one: Shape, other: Shape, name: str) -> Shape:
    shapes = [shape.members[name] for shape in (one, other) if name in shape.members]
    return joined(shapes)


def _either(one: Shape | None, other: Shape | None) -> Shape | None:
    known = [shape for shape in (one, other) if shape is not None]
    return joined(known) if known else None


def _only_enum(one: Shape, other: Shape) -> tuple[Any, ...] | None:
    """The list of the one that has strings, where the other has none."""
    with_text = [shape for shape in (one, other) if "string" in shape.types]
    return with_text[0].enum if len(with_text) == 1 else None


def _types(types: frozenset[str]) -> frozenset[str]:
    """An integer is a number."""
    return types - {"integer"} if "number" in types else types


def _valued(shape: Shape) -> Shape | None:
    return shape.values or (joined(shape.members.values()) if shape.members else None)


def _as_map(shape: Shape) -> Shape:
    if len(shape.members) <= MOST_MEMBERS:
        return shape
    return replace(shape, members={}, required=frozenset(), values=_valued(shape))


def to_schema(shape: Shape) -> dict[str, Any]:
    """The shape as JSON Schema."""
    schema: dict[str, Any] = {}
    types = sorted(shape.types)
    if types:
        schema["type"] = types[0] if len(types) == 1 else types
    if shape.enum is not None:
        schema["enum"] = [*shape.enum, *([None] if "null" in shape.types else [])]
    if shape.members:
        schema["properties"] = {name: to_schema(shape.members[name]) for name in shape.members}
    if shape.required:
        schema["required"] = sorted(shape.required)
    if shape.values is not None:
        schema["additionalProperties"] = to_schema(shape.values)
    if shape.items is not None:
        schema["items"] = to_schema(shape.items)
    return schema


def from_schema(schema: object) -> Shape:
    """The shape that a schema of ours stands for; what is not of ours is left out."""
    if not isinstance(schema, Mapping):
        return ANYTHING
    types, enum = schema.get("type", []), schema.get("enum")
    return Shape(
        types=frozenset([types] if isinstance(types, str) else map(str, types)),
        members={name: from_schema(it) for name, it in schema.get("properties", {}).items()},
        required=frozenset(map(str, schema.get("required", []))),
        values=_part(schema, "additionalProperties"),
        items=_part(schema, "items"),
        enum=tuple(it for it in enum if it is not None) if isinstance(enum, list) else None,
    )


def _part(schema: Mapping[str, Any], name: str) -> Shape | None:
    return from_schema(schema[name]) if name in schema else None

"""The shapes of answers, then and now -> graded changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.drift.comparison import Change, Grade
from mcp_assay.text.words import json_type
from mcp_assay.wire.pointer import pointer

DEEPEST: Final = 12
"""Levels that are distinguished; below them anything goes."""
MOST_MEMBERS: Final = 100
"""An object with more different members is a map: its members are not named."""
FIRST_ITEMS: Final = 200
"""Items of a list that are looked at."""

Enums: TypeAlias = Mapping[str, Iterable[Any]]
"""Known lists of values, by the name of the field."""
NO_ENUMS: Final[Enums] = {}


class ValueShape(Struct, frozen=True, kw_only=True):
    """What values at one place looked like, all of them taken together."""

    types: frozenset[str] = frozenset()
    members: Mapping[str, ValueShape] = {}
    required: frozenset[str] = frozenset()
    """Members that every object had."""
    values: ValueShape | None = None
    """What all members of a map look like."""
    items: ValueShape | None = None
    """None where every list was empty."""
    enum: tuple[Any, ...] | None = None
    """The known list that all values were taken from."""


ANYTHING: Final = ValueShape()


def shape_of(value: object, enums: Enums = NO_ENUMS, name: str = "", depth: int = 0) -> ValueShape:
    """The shape of one value; strings of a field that has a known list are noted with it."""
    kind = frozenset({json_type(value, written=True)})
    if depth >= DEEPEST:
        return ValueShape(types=kind)
    if isinstance(value, Mapping):
        members = {str(key): shape_of(it, enums, str(key), depth + 1) for key, it in value.items()}
        return _as_map(ValueShape(types=kind, members=members, required=frozenset(members)))
    if isinstance(value, list | tuple):
        items = [shape_of(it, enums, name, depth + 1) for it in value[:FIRST_ITEMS]]
        return ValueShape(types=kind, items=joined(items) if items else None)
    known = tuple(enums.get(name, ()))
    return ValueShape(types=kind, enum=known if isinstance(value, str) and value in known else None)


def joined(shapes: Iterable[ValueShape]) -> ValueShape:
    """What several shapes have in common, as one that fits all of them."""
    found: ValueShape | None = None
    for shape in shapes:
        found = shape if found is None else _both(found, shape)
    return ANYTHING if found is None else found


def _both(one: ValueShape, other: ValueShape) -> ValueShape:
    both = ValueShape(
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


def _member(one: ValueShape, other: ValueShape, name: str) -> ValueShape:
    shapes = [shape.members[name] for shape in (one, other) if name in shape.members]
    return joined(shapes)


def _either(one: ValueShape | None, other: ValueShape | None) -> ValueShape | None:
    known = [shape for shape in (one, other) if shape is not None]
    return joined(known) if known else None


def _only_enum(one: ValueShape, other: ValueShape) -> tuple[Any, ...] | None:
    """The list of the one that has strings, where the other has none."""
    with_text = [shape for shape in (one, other) if "string" in shape.types]
    return with_text[0].enum if len(with_text) == 1 else None


def _types(types: frozenset[str]) -> frozenset[str]:
    """An integer is a number."""
    return types - {"integer"} if "number" in types else types


def _valued(shape: ValueShape) -> ValueShape | None:
    return shape.values or (joined(shape.members.values()) if shape.members else None)


def _as_map(shape: ValueShape) -> ValueShape:
    if len(shape.members) <= MOST_MEMBERS:
        return shape
    return replace(shape, members={}, required=frozenset(), values=_valued(shape))


def to_schema(shape: ValueShape) -> dict[str, Any]:
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


def from_schema(schema: object) -> ValueShape:
    """The shape that a schema of ours stands for; what is not of ours is left out."""
    if not isinstance(schema, Mapping):
        return ANYTHING
    types, enum = schema.get("type", []), schema.get("enum")
    return ValueShape(
        types=frozenset([types] if isinstance(types, str) else map(str, types)),
        members={name: from_schema(it) for name, it in schema.get("properties", {}).items()},
        required=frozenset(map(str, schema.get("required", []))),
        values=_part(schema, "additionalProperties"),
        items=_part(schema, "items"),
        enum=tuple(it for it in enum if it is not None) if isinstance(enum, list) else None,
    )


def _part(schema: Mapping[str, Any], name: str) -> ValueShape | None:
    return from_schema(schema[name]) if name in schema else None


READERS: Final = "clients that read it"
STRICT: Final = "clients that check for null or for its type"


def answer_changes(old: ValueShape, new: ValueShape, place: str) -> list[Change]:
    """What changed in answers; what only fewer calls did not show is no change."""
    return list(_changes(old, new, place, ()))


def _changes(
    old: ValueShape, new: ValueShape, place: str, path: tuple[str, ...]
) -> Iterator[Change]:
    if not old.types or not new.types:
        return
    found = _type_change(old, new, place, path)
    if found is not None:
        yield found
    yield from _enum_changes(old, new, place, path)
    if "object" in old.types and "object" in new.types and new.values is None:
        yield from _member_changes(old, new, place, path)
    if old.values is not None and new.values is not None:
        yield from _changes(old.values, new.values, place, (*path, "*"))
    if old.items is not None and new.items is not None:
        yield from _changes(old.items, new.items, place, (*path, "*"))


def _type_change(
    old: ValueShape, new: ValueShape, place: str, path: tuple[str, ...]
) -> Change | None:
    added = _added_types(old, new)
    if not added:
        return None
    words = f"changed from {_listed(old.types)} to {_listed(new.types)}"
    if added == {"null"}:
        return _change("risky", place, path, "may now be null", "clients that do not expect null")
    if old.types & new.types:
        return _change("risky", place, path, words, STRICT)
    return _change("breaking", place, path, words, READERS)


def _added_types(old: ValueShape, new: ValueShape) -> frozenset[str]:
    """Types that are new; an integer where numbers were is none."""
    known = old.types | ({"integer"} if "number" in old.types else frozenset())
    return new.types - known


def _enum_changes(
    old: ValueShape, new: ValueShape, place: str, path: tuple[str, ...]
) -> Iterator[Change]:
    if old.enum is None:
        return
    if new.enum is None:
        if "string" in new.types:
            words = f"contains values outside {_listed(map(str, old.enum))}"
            yield _change("risky", place, path, words, "clients that know these values only")
        return
    added = [value for value in new.enum if value not in old.enum]
    if added:
        words = f"may now be {_listed(map(str, added))} too"
        yield _change("risky", place, path, words, "clients that know the old values only")


def _member_changes(
    old: ValueShape, new: ValueShape, place: str, path: tuple[str, ...]
) -> Iterator[Change]:
    for name in sorted(old.required - new.required):
        if name in new.members:
            yield _change("risky", place, (*path, name), "is now sometimes missing", READERS)
        else:
            yield _change("breaking", place, (*path, name), "is gone", READERS)
    for name in sorted(new.members.keys() - old.members.keys()):
        if old.values is None:
            yield _change("cosmetic", place, (*path, name), "is new", "")
    for name in sorted(old.members.keys() & new.members.keys()):
        yield from _changes(old.members[name], new.members[name], place, (*path, name))


def _change(grade: Grade, place: str, path: tuple[str, ...], words: str, breaks: str) -> Change:
    shown = f"The member {'.'.join(path)!r} of the answer" if path else "The answer"
    where = f"{place}{pointer(path)}"
    return Change(grade=grade, place=where, message=f"{shown} {words}.", breaks=breaks)


def _listed(names: Iterator[str] | frozenset[str] | map[str]) -> str:
    return " or ".join(sorted(names))

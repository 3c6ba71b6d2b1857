"""A small JSON Schema check for servers that refuse what their own inputSchema forbids."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any] | bool


def faults(schema: Schema, value: Any, ignoring: Container[str] = ()) -> list[str]:
    """Say what is wrong with the value; keywords in `ignoring` are not enforced anywhere."""
    root: Mapping[str, Any] = {} if isinstance(schema, bool) else schema
    return list(_Check(root, ignoring).all(schema, value, "arguments"))


class _Check:
    def __init__(self, root: Mapping[str, Any], ignoring: Container[str]) -> None:
        self.root, self.ignoring = root, ignoring

    def all(self, schema: Schema, value: Any, where: str) -> Iterator[str]:
        if isinstance(schema, bool):
            yield from () if schema else (f"{where} is not allowed",)
            return
        for keyword, limit in schema.items():
            if keyword in self.ignoring:
                continue
            if keyword in _LIMITS and not _LIMITS[keyword](value, limit):
                yield f"{where} does not keep {keyword} {limit!r}"
            elif keyword in _PARTS:
                yield from _PARTS[keyword](self, schema, value, where)

    def fits(self, schema: Schema, value: Any) -> bool:
        return next(self.all(schema, value, ""), None) is None

    def target(self, reference: str) -> Schema:
        found: Any = self.root
        for name in reference.removeprefix("#").split("/")[1:]:
            found = found[name]
        return found  # type: ignore[no-any-return]


def _reference(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    return check.all(check.target(schema["$ref"]), value, where)


def _required(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{name} is missing" for name in schema["required"] if name not in value)


def _members(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    for name, part in schema["properties"].items():
        if isinstance(value, dict) and name in value:
            yield from check.all(part, value[name], name)


def _others(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    for name in value if isinstance(value, dict) else ():
        if name not in schema.get("properties", ()):
            yield from check.all(schema["additionalProperties"], value[name], "an unknown argument")


def _items(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    for item in value if isinstance(value, list) else ():
        yield from check.all(schema["items"], item, f"an item of {where}")


def _every(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    for part in schema["allOf"]:
        yield from check.all(part, value, where)


def _some(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    if not any(check.fits(part, value) for part in schema["anyOf"]):
        yield f"{where} fits none of the alternatives"


def _one(check: _Check, schema: Mapping[str, Any], value: Any, where: str) -> Iterator[str]:
    if sum(check.fits(part, value) for part in schema["oneOf"]) != 1:
        yield f"{where} does not fit exactly one of the alternatives"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == value // 1,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _of_type(value: Any, names: str | list[str]) -> bool:
    return any(_TYPES[name](value) for name in ([names] if isinstance(names, str) else names))


def _same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _number(holds: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda value, limit: not _is_number(value) or holds(value, limit)


def _sized(kind: type[Any], holds: Callable[[int, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda value, limit: not isinstance(value, kind) or holds(len(value), limit)


def _at_least(value: Any, limit: Any) -> bool:
    return bool(value >= limit)


def _at_most(value: Any, limit: Any) -> bool:
    return bool(value <= limit)


_LIMITS: Mapping[str, Callable[[Any, Any], bool]] = {
    "type": _of_type,
    "enum": lambda value, allowed: any(_same(value, one) for one in allowed),
    "const": _same,
    "minimum": _number(_at_least),
    "maximum": _number(_at_most),
    "exclusiveMinimum": _number(lambda value, limit: value > limit),
    "exclusiveMaximum": _number(lambda value, limit: value < limit),
    "multipleOf": _number(lambda value, limit: value % limit == 0),
    "minLength": _sized(str, _at_least),
    "maxLength": _sized(str, _at_most),
    "minItems": _sized(list, _at_least),
    "maxItems": _sized(list, _at_most),
    "pattern": lambda value, form: not isinstance(value, str) or bool(re.search(form, value)),
    "uniqueItems": lambda value, on: (
        not on or not isinstance(value, list) or len(set(map(repr, value))) == len(value)
    ),
}
_Part = Callable[[_Check, Mapping[str, Any], Any, str], Iterator[str]]
_PARTS: Mapping[str, _Part] = {
    "$ref": _reference,
    "required": _required,
    "properties": _members,
    "additionalProperties": _others,
    "items": _items,
    "allOf": _every,
    "anyOf": _some,
    "oneOf": _one,
}

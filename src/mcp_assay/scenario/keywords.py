"""The keywords of JSON Schema that shape a value: what they must look like, how two become one."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, lcm
from typing import Any, Final, TypeAlias

from msgspec import json

from mcp_assay.text.words import json_type

Flat: TypeAlias = dict[str, Any]
"""A schema without references and branches: what holds at one place of a value."""

TYPES: Final = ("string", "integer", "number", "boolean", "object", "array", "null")
ANYTHING: Final[Any] = True
"""The schema that everything fits."""

_HINTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("object", ("properties", "required", "additionalProperties", "minProperties")),
    ("array", ("items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems")),
    ("string", ("minLength", "maxLength", "pattern", "format")),
    ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
)
"""What a value is meant to be, where a schema has keywords for it and names no type."""


def is_number(value: object) -> bool:
    """Whether the value is a number that Python can calculate with."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return value.bit_length() < 1_000
    return isinstance(value, float) and isfinite(value)


def is_count(value: object) -> bool:
    """Whether the value can say how many."""
    return isinstance(value, int | float) and is_number(value) and value >= 0 and value % 1 == 0


def is_schema(value: object) -> bool:
    """Whether the value can be a schema."""
    return isinstance(value, dict | bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_type(value: object) -> bool:
    return value in TYPES if isinstance(value, str) else _are_texts(value)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_schemas(value: object) -> bool:
    return isinstance(value, list) and all(map(is_schema, value))


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _are_named_schemas(value: object) -> bool:
    return isinstance(value, dict) and all(map(is_schema, value.values()))


def _are_named_lists(value: object) -> bool:
    return isinstance(value, dict) and all(map(_are_texts, value.values()))


def types_of(flat: Flat) -> tuple[str, ...]:
    """The types that a place may have, the intended one first."""
    named = flat.get("type")
    if isinstance(named, str):
        return (named,)
    if isinstance(named, list):
        if len(named) == 1 and named[0] in TYPES:
            return (named[0],)
        return tuple(sorted((one for one in named if one in TYPES), key=lambda one: one == "null"))
    if isinstance(flat.get("enum"), list):
        return tuple(dict.fromkeys(map(json_type, flat["enum"])))
    meant = [name for name, hints in _HINTS if any(hint in flat for hint in hints)]
    return tuple(dict.fromkeys((*meant, *TYPES)))


def _both(one: Any, other: Any) -> Any:
    if one is ANYTHING or other is ANYTHING:
        return other if one is ANYTHING else one
    return {"allOf": [one, other]}


def _common_types(one: Any, other: Any) -> list[str]:
    first, second = (value if isinstance(value, list) else [value] for value in (one, other))
    kept = [name for name in first if name in second]
    if ("number" in first and "integer" in second) or ("integer" in first and "number" in second):
        kept.append("integer")
    return list(dict.fromkeys(kept))


def common_values(one: list[Any], other: list[Any]) -> list[Any]:
    """The values that both lists have."""
    known = {json.encode(value, order="deterministic") for value in other}
    return [value for value in one if json.encode(value, order="deterministic") in known]


def _common_multiple(one: float, other: float) -> float:
    if one == int(one) and other == int(other) and one >= 1 and other >= 1:
        return lcm(int(one), int(other))
    return max(one, other)


def _united(one: list[Any], other: list[Any]) -> list[Any]:
    return list(dict.fromkeys((*one, *other)))


def _joined(one: list[Any], other: list[Any]) -> list[Any]:
    return [*one, *other]


def _one_or_the_other(one: Any, other: Any) -> Any:
    return {"anyOf": [one, other]}


def _united_lists(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {name: _united(one.get(name, []), other.get(name, [])) for name in {**one, **other}}


def _united_schemas(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    names = {**one, **other}
    return {name: _both(one.get(name, True), other.get(name, True)) for name in names}


FORMS: Final[dict[str, Callable[[object], bool]]] = {
    "type": _is_type,
    "enum": _is_list,
    "minimum": is_number,
    "maximum": is_number,
    "exclusiveMinimum": is_number,
    "exclusiveMaximum": is_number,
    "multipleOf": is_number,
    "minLength": is_count,
    "maxLength": is_count,
    "minItems": is_count,
    "maxItems": is_count,
    "minContains": is_count,
    "minProperties": is_count,
    "maxProperties": is_count,
    "pattern": _is_text,
    "format": _is_text,
    "description": _is_text,
    "title": _is_text,
    "examples": _is_list,
    "required": _are_texts,
    "properties": _are_named_schemas,
    "patternProperties": _are_named_schemas,
    "dependentSchemas": _are_named_schemas,
    "dependentRequired": _are_named_lists,
    "additionalProperties": is_schema,
    "propertyNames": is_schema,
    "items": is_schema,
    "prefixItems": _are_schemas,
    "contains": is_schema,
    "not": is_schema,
    "uniqueItems": lambda value: value is True,
}
"""What the value of a keyword must be; one that is not so is not looked at."""

_MERGED: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "type": _common_types,
    "enum": common_values,
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minContains": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
    "multipleOf": _common_multiple,
    "patterns": _united,
    "examples": _joined,
    "required": _united,
    "dependentRequired": _united_lists,
    "dependentSchemas": _united_schemas,
    "patternProperties": _united_schemas,
    "additionalProperties": _both,
    "propertyNames": _both,
    "items": _both,
    "contains": _both,
    "not": _one_or_the_other,
}
"""How two of a keyword become one that says both; of all others the first is kept."""


def merged(one: Flat, other: Flat) -> Flat:
    """What holds where both hold."""
    both = {**other, **one}
    for keyword, merge in _MERGED.items():
        if keyword in one and keyword in other:
            both[keyword] = merge(one[keyword], other[keyword])
    if "properties" in one or "properties" in other:
        both["properties"] = _merged_properties(one, other)
    if "prefixItems" in one and "prefixItems" in other:
        both["prefixItems"] = _merged_prefixes(one, other)
    return both


def _merged_properties(one: Flat, other: Flat) -> dict[str, Any]:
    """A name that only one of them lists must be one of the additional names of the other."""
    names = {**one.get("properties", {}), **other.get("properties", {})}
    return {name: _both(_member(one, name), _member(other, name)) for name in names}


def _member(flat: Flat, name: str) -> Any:
    listed = flat.get("properties", {})
    if name in listed or flat.get("patternProperties"):
        return listed.get(name, True)
    return flat.get("additionalProperties", True)


def _merged_prefixes(one: Flat, other: Flat) -> list[Any]:
    first, second = one["prefixItems"], other["prefixItems"]
    return [
        _both(
            first[index] if index < len(first) else one.get("items", True),
            second[index] if index < len(second) else other.get("items", True),
        )
        for index in range(max(len(first), len(second)))
    ]

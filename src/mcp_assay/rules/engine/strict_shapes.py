"""The fast check's reading of the tables: one JSON Schema that accepts only what is beyond doubt.

It is stricter than the specification: unknown members, names of later revisions and anything that
some rule might object to do not pass. What does not pass goes to the slow check, which decides.
Draft-07 throughout, because there the engine asserts contentEncoding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.rules.engine.rule import REGISTRY
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.formats import FORMATS
from mcp_assay.spec.meta_keys import defined_keys, strict_extension_keys, strict_keys
from mcp_assay.spec.shape import (
    MAX_SAFE_INTEGER,
    Anything,
    Boolean,
    Case,
    Choice,
    Either,
    Extensions,
    Integer,
    ListOf,
    MapOf,
    Meta,
    Null,
    Number,
    Shape,
    Text,
    Token,
    Type,
    Use,
)
from mcp_assay.spec.shapes import SHAPES

JsonSchema: TypeAlias = dict[str, Any]

TOKEN: Final[JsonSchema] = {
    "type": ["string", "integer"],
    "minimum": -MAX_SAFE_INTEGER,
    "maximum": MAX_SAFE_INTEGER,
}


Accepts: TypeAlias = Callable[[dict[str, Any]], bool]

VISITS_BEFORE_COMPILING: Final = 20
"""So often a shape is read member by member before its check is compiled, which takes longer."""


def compiled(strict: JsonSchema) -> Accepts:
    """The check of a strict JSON Schema, for values that orjson has made."""
    from jsonschema_rs import Draft7Validator, RegexOptions  # noqa: PLC0415  slow to import

    options = RegexOptions()
    return Draft7Validator(
        strict, validate_formats=True, offline=True, pattern_options=options
    ).is_valid


class Shortcut:
    """Whether a part of a message is beyond reproach, so that nobody need look at it closely."""

    __slots__ = ("_revision", "_shape", "_visits", "accepts")

    def __init__(self, shape: str, revision: str) -> None:
        self._shape: Final = shape
        self._revision: Final = revision
        self._visits = 0
        self.accepts: Accepts = self._visit
        """Whether the part certainly has no fault."""

    def _visit(self, value: dict[str, Any]) -> bool:
        self._visits += 1
        if self._visits > VISITS_BEFORE_COMPILING:
            self.accepts = compiled(schema(Use(self._shape), self._revision))
        return False


@cache
def shortcut(shape: str, revision: str) -> Shortcut:
    """The shortcut past an object of the shape."""
    return Shortcut(shape, revision)


def schema(type: Type, revision: str) -> JsonSchema:
    """The strict JSON Schema of a type in a revision."""
    return _BUILDERS[type.__class__](type, revision)


def envelope(members: Mapping[str, JsonSchema], optional: frozenset[str]) -> JsonSchema:
    """The strict JSON Schema of a message with exactly these members."""
    properties = {"jsonrpc": {"const": "2.0"}, **members}
    return _closed(properties, [name for name in properties if name not in optional])


def _closed(properties: Mapping[str, JsonSchema], needed: list[str]) -> JsonSchema:
    """An object without other members; where it needs them all, the engine counts them sooner."""
    all_needed = len(needed) == len(properties)
    presence = {"minProperties": len(needed)} if all_needed else {"required": needed}
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **(presence if needed else {}),
    }


def _text(type: Text, revision: str) -> JsonSchema:
    strict: JsonSchema = {"type": "string"}
    if type.values:
        return {"const": type.values[0]} if len(type.values) == 1 else {"enum": list(type.values)}
    return {**strict, **FORMATS[type.format].schema} if type.format else strict


def _integer(type: Integer, revision: str) -> JsonSchema:
    return {"type": "integer"} | _bound("minimum", type.minimum)


def _number(type: Number, revision: str) -> JsonSchema:
    return {"type": "number"} | _bound("minimum", type.minimum) | _bound("maximum", type.maximum)


def _bound(name: str, value: float | None) -> JsonSchema:
    return {} if value is None else {name: value}


def _list(type: ListOf, revision: str) -> JsonSchema:
    items = {"type": "array", "items": schema(type.item, revision)}
    return items | _bound("maxItems", type.most)


def _map(type: MapOf, revision: str) -> JsonSchema:
    if isinstance(type.value, Anything):
        return {"type": "object"}
    return {"type": "object", "additionalProperties": schema(type.value, revision)}


def _use(type: Use, revision: str) -> JsonSchema:
    return _shape(SHAPES[type.shape], revision)


def _shape(shape: Shape, revision: str) -> JsonSchema:
    fields = shape.fields_in(revision)
    properties = {field.name: schema(field.type, revision) for field in fields}
    needed = [field.name for field in fields if field.need != "optional"]
    strict = (_open if shape.open else _closed)(properties, needed)
    if shape.exactly_one:
        strict["oneOf"] = [{"required": [name]} for name in shape.exactly_one]
    if patches := _patches(shape.name, revision):
        strict["allOf"] = patches
    return strict


def _open(properties: Mapping[str, JsonSchema], needed: list[str]) -> JsonSchema:
    strict: JsonSchema = {"type": "object", "properties": properties}
    return {**strict, "required": needed} if needed else strict


@cache
def _patches(shape: str, revision: str) -> list[Mapping[str, Any]]:
    return [
        rule.patch[shape]
        for rule in REGISTRY.values()
        if shape in rule.patch and applies(rule.id, revision)
    ]


def _meta(type: Meta, revision: str) -> JsonSchema:
    members = _shape(replace(SHAPES[type.shape], open=True), revision)
    own = {field.name for field in SHAPES[type.shape].fields_in(revision)}
    return members | {"propertyNames": strict_keys(revision, defined_keys(revision) | own)}


def _extensions(type: Extensions, revision: str) -> JsonSchema:
    return {
        "type": "object",
        "propertyNames": strict_extension_keys(),
        "additionalProperties": {"type": "object"},
    }


def _choice(type: Choice, revision: str) -> JsonSchema:
    cases = [case for case in type.cases if case.since <= revision <= case.until]
    return {"anyOf": [_case(type.by, case, revision) for case in cases]}


def _case(by: str, case: Case, revision: str) -> JsonSchema:
    strict = schema(Use(case.shape), revision)
    if _is_self_describing(SHAPES[case.shape], by, revision):
        return strict
    return {"allOf": [{"required": [by], "properties": {by: {"const": case.value}}}, strict]}


def _is_self_describing(shape: Shape, by: str, revision: str) -> bool:
    """Whether the shape fixes the member that tells it from the other alternatives."""
    fixed = [f for f in shape.fields_in(revision) if f.name == by and isinstance(f.type, Text)]
    return any(field.type.values for field in fixed if isinstance(field.type, Text))


def _either(type: Either, revision: str) -> JsonSchema:
    options = [o for o in type.options if o.since <= revision and not o.rare]
    schemas = [schema(option.type, revision) for option in options]
    return {"anyOf": schemas} if len(schemas) > 1 else schemas[0]


_BUILDERS: Final[Mapping[type, Callable[[Any, str], JsonSchema]]] = {
    Text: _text,
    Integer: _integer,
    Number: _number,
    Boolean: lambda type, revision: {"type": "boolean"},
    Null: lambda type, revision: {"type": "null"},
    Token: lambda type, revision: TOKEN,
    Anything: lambda type, revision: {},
    ListOf: _list,
    MapOf: _map,
    Use: _use,
    Meta: _meta,
    Extensions: _extensions,
    Choice: _choice,
    Either: _either,
}

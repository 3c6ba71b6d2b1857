"""The fast lane's reading of the tables: one JSON Schema that accepts only what is beyond reproach.

It is stricter than the specification: unknown members, names of later revisions and anything that
some rule might object to do not pass. What does not pass goes to the slow lane, which decides.
Draft-07 throughout, because there the engine asserts contentEncoding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from mcp_assay.rules.rule import REGISTRY
from mcp_assay.rules.walk import defined_keys
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.formats import FORMATS
from mcp_assay.spec.meta_keys import strict_extension_keys, strict_keys
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


def schema(type: Type, revision: str) -> JsonSchema:
    """The strict JSON Schema of a type in a revision."""
    return _BUILDERS[type.__class__](type, revision)


def envelope(members: Mapping[str, JsonSchema], optional: frozenset[str]) -> JsonSchema:
    """The strict JSON Schema of a message with exactly these members."""
    properties = {"jsonrpc": {"const": "2.0"}, **members}
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _text(type: Text, revision: str) -> JsonSchema:
    strict: JsonSchema = {"type": "string"}
    if type.values:
        return {"enum": list(type.values)}
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
    strict: JsonSchema = {
        "type": "object",
        "properties": {field.name: schema(field.type, revision) for field in fields},
        "required": [field.name for field in fields if field.need != "optional"],
    }
    if not shape.open:
        strict["additionalProperties"] = False
    if shape.exactly_one:
        strict["oneOf"] = [{"required": [name]} for name in shape.exactly_one]
    patches = _patches(shape.name, revision)
    return {"allOf": [strict, *patches]} if patches else strict


@cache
def _patches(shape: str, revision: str) -> list[Mapping[str, Any]]:
    return [
        rule.patch[shape]
        for rule in REGISTRY.values()
        if shape in rule.patch and applies(rule.id, revision)
    ]


def _meta(type: Meta, revision: str) -> JsonSchema:
    members = _shape(SHAPES[type.shape], revision)
    del members["additionalProperties"]
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
    if _tells_itself(SHAPES[case.shape], by, revision):
        return strict
    return {"allOf": [{"required": [by], "properties": {by: {"const": case.value}}}, strict]}


def _tells_itself(shape: Shape, by: str, revision: str) -> bool:
    """Whether the shape fixes the member that tells it from the other alternatives."""
    fixed = [f for f in shape.fields_in(revision) if f.name == by and isinstance(f.type, Text)]
    return any(field.type.values for field in fixed if isinstance(field.type, Text))


def _either(type: Either, revision: str) -> JsonSchema:
    options = [option for option in type.options if option.since <= revision]
    return {"anyOf": [schema(option.type, revision) for option in options]}


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

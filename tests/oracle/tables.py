"""Our tables written as a plain JSON Schema, so that the same walk makes messages from them too.

Only the walk reads this schema, no verdict depends on it. It has a bound wherever a table, or a
rule about the envelope, has one: in places it asks for more than the official schema does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

from mcp_assay.spec.methods import error_shapes, methods_in
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25
from mcp_assay.spec.shape import (
    Anything,
    Boolean,
    Choice,
    Either,
    Extensions,
    Field,
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
from tests.oracle.official import Kind, Schema, Unit, error_definitions, official
from tests.oracle.reachable_rules import Path, UnitKey, source_paths

Members: TypeAlias = dict[str, Schema]

TOKEN: Final[Schema] = {"type": ["string", "integer"]}
OBJECT: Final[Schema] = {"type": "object"}

OTHER_NAMES: Final = {"base64": "byte"}
"""Formats for which values are listed under the name that the official schemas use."""

FOREIGN: Final[Mapping[Kind, list[str]]] = {
    "request": ["result", "error"],
    "notification": ["id", "result", "error"],
    "result": ["error", "method"],
    "error": ["result", "method"],
}
"""What a message of each kind must not have; the official schemas leave that unsaid."""


class Tables:
    """The tables of one revision, to be walked as an official schema is."""

    def __init__(self, revision: str) -> None:
        oracle = official(revision)
        self.revision = revision
        self._units = oracle.units()
        self._codes = {name: code for code, name in error_definitions(oracle.unpatched)}
        self.definitions: Schema = {
            name: _definition(shape, revision) for name, shape in SHAPES.items()
        }

    def units(self) -> tuple[Unit, ...]:
        """The official units, so that the oracle can be asked about a message of one."""
        return self._units

    def schema(self, unit: Unit) -> Schema:
        """The schema of a whole message of `unit`."""
        build = {"result": self._answer, "error": self._error}.get(unit.kind, self._call)
        members, optional = build(unit)
        return {
            "type": "object",
            "properties": {"jsonrpc": {"type": "string", "const": "2.0"}, **members},
            "required": ["jsonrpc", *(name for name in members if name not in optional)],
            "propertyNames": {"not": {"enum": FOREIGN[unit.kind]}},
        }

    def _call(self, unit: Unit) -> tuple[Members, Collection[str]]:
        method = methods_in(self.revision)[str(unit.method)]
        members: Members = {"id": TOKEN} if unit.kind == "request" else {}
        members["method"] = {"type": "string", "const": unit.method}
        members["params"] = _schema(method.params, self.revision)
        needed = method.needs_params or _asks_for_members(method.params, self.revision)
        return members, () if needed else ("params",)

    def _answer(self, unit: Unit) -> tuple[Members, Collection[str]]:
        result = methods_in(self.revision)[str(unit.method)].result
        return {"id": TOKEN, "result": _variant(result, unit.variant, self.revision)}, ()

    def _error(self, unit: Unit) -> tuple[Members, Collection[str]]:
        code = self._codes.get(unit.definition)
        shape = error_shapes(self.revision).get(code, "Error")
        error = _narrowed(shape, "code", code, self.revision) if code else _reference(shape)
        members = {"id": TOKEN, "error": error}
        return members, ("id",) if self.revision >= R2025_11_25 else ()


def table_paths(revision: str) -> frozenset[tuple[UnitKey, Path]]:
    """Every property path of every unit by our tables, in the form of `paths`."""
    return source_paths(Tables(revision))


def reachable_shapes(revision: str) -> dict[str, set[UnitKey]]:
    """The shapes that a message can reach, each with the units that it can occur in."""
    tables = Tables(revision)
    found: dict[str, set[UnitKey]] = {}
    for unit in tables.units():
        for name in _reached(tables.schema(unit), tables.definitions):
            found.setdefault(name, set()).add(unit.key)
    return found


def _reached(schema: Schema, definitions: Schema) -> set[str]:
    names = _referred(schema)
    while more := _referred([definitions[name] for name in names]) - names:
        names |= more
    return names


def _referred(schema: Any) -> set[str]:
    return set(re.findall(r'"#/definitions/(\w+)"', json.dumps(schema)))


def _definition(shape: Shape, revision: str) -> Schema:
    if not shape.exactly_one:
        return _object(shape, revision)
    return {"anyOf": [_object(shape, revision, chosen=name) for name in shape.exactly_one]}


def _object(shape: Shape, revision: str, *, chosen: str | None = None) -> Schema:
    others = [name for name in shape.exactly_one if name != chosen]
    fields = [field for field in shape.fields_in(revision) if field.name not in others]
    return {
        "type": "object",
        "properties": {field.name: _schema(field.type, revision) for field in fields},
        "required": [
            field.name for field in fields if field.name == chosen or _is_needed(field, revision)
        ],
    } | ({"propertyNames": {"not": {"enum": others}}} if others else {})


def _is_needed(field: Field, revision: str) -> bool:
    empty_is_faulty = field.implied and _asks_for_members(field.type, revision)
    return field.need == "required" or empty_is_faulty


def _asks_for_members(type: Type, revision: str) -> bool:
    """Whether an empty object is not enough."""
    if isinstance(type, Choice):
        return all(_asks_for_members(Use(case.shape), revision) for case in type.cases)
    return isinstance(type, Use | Meta) and any(
        _is_needed(field, revision) for field in SHAPES[type.shape].fields_in(revision)
    )


def _variant(result: Type | None, variant: str | None, revision: str) -> Schema:
    """The one alternative of a result that `variant` stands for."""
    if isinstance(result, Choice) and variant:
        shape = next(case.shape for case in result.cases if case.value == variant)
        return _narrowed(shape, result.by, variant, revision)
    if isinstance(result, Either):
        return next(
            _schema(option.type, revision) for option in result.options if option.member == variant
        )
    assert result is not None
    return _schema(result, revision)


def _narrowed(shape: str, name: str, value: Any, revision: str) -> Schema:
    """The shape with one value for one of its fields, if it has that field."""
    known = any(field.name == name for field in SHAPES[shape].fields_in(revision))
    narrow = {"properties": {name: {"const": value}}, "required": [name]}
    return {"allOf": [_reference(shape), *([narrow] if known else [])]}


def _reference(shape: str) -> Schema:
    return {"$ref": f"#/definitions/{shape}"}


def _schema(type: Type, revision: str) -> Schema:
    return _BUILDERS[type.__class__](type, revision)


def _text(type: Text, _revision: str) -> Schema:
    text: Schema = {"type": "string"}
    if type.format:
        text["format"] = OTHER_NAMES.get(type.format, type.format)
    if len(type.values) == 1:
        text["const"] = type.values[0]
    elif type.values:
        text["enum"] = list(type.values)
    return text


def _number(type: Integer | Number, _revision: str) -> Schema:
    bounds = {"minimum": type.minimum, "maximum": getattr(type, "maximum", None)}
    stated = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"type": "integer" if isinstance(type, Integer) else "number", **stated}


def _list(type: ListOf, revision: str) -> Schema:
    most = {} if type.most is None else {"maxItems": type.most}
    return {"type": "array", "items": _schema(type.item, revision), **most}


def _map(type: MapOf, revision: str) -> Schema:
    return {**OBJECT, "additionalProperties": _schema(type.value, revision)}


def _meta(type: Meta, revision: str) -> Schema:
    names = {"propertyNames": {"format": "meta-key"}} if revision >= R2025_06_18 else {}
    return {"allOf": [_reference(type.shape)], **names}


def _extensions(_type: Extensions, _revision: str) -> Schema:
    names = {"format": "extension-key"}
    return {**OBJECT, "additionalProperties": OBJECT, "propertyNames": names}


def _choice(type: Choice, revision: str) -> Schema:
    known = (case for case in type.cases if case.since <= revision <= case.until)
    return {"anyOf": [_reference(case.shape) for case in known]}


def _either(type: Either, revision: str) -> Schema:
    known = (option.type for option in type.options if option.since <= revision)
    return {"anyOf": [_schema(option, revision) for option in dict.fromkeys(known)]}


_BUILDERS: Final[Mapping[type, Callable[[Any, str], Schema]]] = {
    Text: _text,
    Integer: _number,
    Number: _number,
    Boolean: lambda _type, _revision: {"type": "boolean"},
    Null: lambda _type, _revision: {"type": "null"},
    Token: lambda _type, _revision: TOKEN,
    Anything: lambda _type, _revision: {},
    ListOf: _list,
    MapOf: _map,
    Use: lambda type, _revision: _reference(type.shape),
    Meta: _meta,
    Extensions: _extensions,
    Choice: _choice,
    Either: _either,
}

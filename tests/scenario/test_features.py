"""Every keyword of JSON Schema that occurs: good arguments are made, and known to be good."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import plan
from mcp_assay.schema.checker import Schemas
from tests.scenario.helping import field, first, is_valid, planned

TREE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
    },
    "required": ["name", "children"],
}
FEATURES: dict[str, Any] = {
    "no type": {},
    "true": True,
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "null": {"type": "null"},
    "array": {"type": "array"},
    "object": {"type": "object"},
    "type list": {"type": ["null", "integer", "string"]},
    "enum": {"enum": ["a", 2, None, {"b": []}]},
    "const": {"const": {"a": [1, 2.5, None]}},
    "length": {"type": "string", "minLength": 30, "maxLength": 32},
    "short": {"type": "string", "maxLength": 1},
    "pattern": {"type": "string", "pattern": "^[a-f]{3}-[0-9]+$"},
    "pattern and length": {"type": "string", "pattern": "^[a-z]+$", "minLength": 50},
    "two patterns": {"allOf": [{"pattern": "^a"}, {"pattern": "b$"}], "enum": ["ab", "ba"]},
    "closed range": {"type": "integer", "minimum": 17, "maximum": 17},
    "exclusive range": {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5},
    "fraction": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5},
    "multiple": {"type": "integer", "multipleOf": 7, "minimum": 50},
    "two multiples": {
        "allOf": [{"multipleOf": 4}, {"multipleOf": 6}],
        "type": "integer",
        "minimum": 1,
    },
    "small multiple": {"type": "number", "multipleOf": 0.01, "minimum": 0.005},
    "negative": {"type": "integer", "maximum": -100},
    "huge minimum": {"type": "number", "minimum": 1e300},
    "anyOf": {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 9}]},
    "oneOf": {
        "oneOf": [{"type": "integer", "multipleOf": 3}, {"type": "integer", "multipleOf": 5}]
    },
    "oneOf, overlapping": {"oneOf": [{"type": "string"}, {"type": "string", "minLength": 3}]},
    "allOf": {"allOf": [{"type": "integer"}, {"minimum": 4}, {"maximum": 4}]},
    "allOf of objects": {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"a": {"maxLength": 2}, "b": {"const": 1}}, "required": ["b"]},
        ]
    },
    "not": {"type": "string", "not": {"enum": ["example"]}},
    "not a type": {"not": {"type": "string"}},
    "if then": {
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}, "size": {"type": "integer"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["size"]},
        "else": {"properties": {"size": False}},
    },
    "reference": {"$ref": "#/$defs/text"},
    "reference with siblings": {"$ref": "#/$defs/text", "maxLength": 4},
    "a branch that cannot be made": {
        "anyOf": [{"type": "string", "pattern": r"^\p{Greek}$"}, {"type": "string"}]
    },
    "recursion": {"$ref": "#/$defs/tree"},
    "items": {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    "unique items": {
        "type": "array",
        "items": {"type": "boolean"},
        "minItems": 2,
        "uniqueItems": True,
    },
    "unique numbers": {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 9,
        "uniqueItems": True,
    },
    "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"const": 3}], "items": False},
    "contains": {"type": "array", "items": {"type": "integer"}, "contains": {"const": 42}},
    "contains twice": {"type": "array", "contains": {"const": "z"}, "minContains": 2},
    "no items": {"type": "array", "maxItems": 0},
    "nested": {
        "type": "object",
        "properties": {"a": {"type": "object", "required": ["b"]}},
        "required": ["a"],
    },
    "required without schema": {"type": "object", "required": ["b", "c"]},
    "patternProperties": {
        "type": "object",
        "patternProperties": {"^n_[a-z]+$": {"type": "integer"}},
        "additionalProperties": False,
        "minProperties": 2,
    },
    "propertyNames": {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z]{3}$"},
        "minProperties": 2,
    },
    "additionalProperties": {
        "type": "object",
        "additionalProperties": {"type": "integer"},
        "minProperties": 2,
    },
    "maxProperties": {
        "type": "object",
        "properties": {"a": {}, "b": {}, "c": {}},
        "maxProperties": 1,
    },
    "dependentRequired": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "dependentRequired": {"a": ["b"], "b": ["c"]},
    },
    "dependentSchemas": {
        "type": "object",
        "required": ["a"],
        "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"const": 5}}}},
    },
}
DEFINITIONS = {"$defs": {"text": {"type": "string", "minLength": 2}, "tree": TREE}}
OLDER: dict[str, Any] = {
    "tuple of draft 7": {
        "type": "array",
        "items": [{"const": 1}],
        "additionalItems": False,
        "minItems": 1,
    },
    "dependencies": {"type": "object", "required": ["a"], "dependencies": {"a": ["b"]}},
    "definitions": {"$ref": "#/definitions/text"},
}


@pytest.mark.parametrize("feature", FEATURES)
def test_good_arguments_are_made_for(feature: str) -> None:
    schema = field(FEATURES[feature], **DEFINITIONS)
    found = planned(schema)
    assert found.scenarios[0].name == "happy path"
    assert found.scenarios[0].valid is True
    assert [one for one in found.scenarios if one.valid != is_valid(schema, one.arguments)] == []


@pytest.mark.parametrize("feature", OLDER)
def test_good_arguments_are_made_for_the_older(feature: str) -> None:
    schema = field(
        OLDER[feature],
        **{"$schema": "http://json-schema.org/draft-07/schema#"},
        definitions={"text": {"type": "string", "minLength": 2}},
    )
    assert is_valid(schema, first(schema))


def test_the_exclusive_limits_of_draft_4_are_kept() -> None:
    limited = {"type": "integer", "minimum": 4, "exclusiveMinimum": True, "maximum": 5}
    schema = field(limited, **{"$schema": "http://json-schema.org/draft-04/schema#"})
    assert first(schema) == {"x": 5}


@pytest.mark.parametrize(
    ("format", "value"),
    [
        ("date", "2026-01-15"),
        ("date-time", "2026-01-15T12:30:00Z"),
        ("time", "12:30:00Z"),
        ("email", "assay@example.invalid"),
        ("uri", "https://example.invalid/"),
        ("uuid", "6f1d2c3a-8b4e-4f5a-9c6d-0e1f2a3b4c5d"),
        ("ipv4", "192.0.2.1"),
        ("ipv6", "2001:db8::1"),
        ("hostname", "host.example.invalid"),
        ("duration", "PT1H"),
        ("json-pointer", "/part"),
        ("regex", "^[a-z]+$"),
    ],
)
def test_a_text_has_its_format(format: str, value: str) -> None:
    assert first(field({"type": "string", "format": format})) == {"x": value}


def test_arguments_that_are_listed_as_a_whole_are_used() -> None:
    assert first({"enum": [5, {"a": 1}]}) == {"a": 1}


@pytest.mark.parametrize("schema", [True, {}, {"type": "object"}, {"properties": {}}])
def test_a_tool_without_arguments_is_called_without(schema: Any) -> None:
    assert first(schema) == {}


@pytest.mark.parametrize(
    ("schema", "gap"),
    [
        (False, "No arguments match the tool's inputSchema."),
        ({"type": "string"}, "No arguments match the tool's inputSchema."),
        ([], "The schema is neither an object nor a boolean."),
        (field({"enum": [*range(10_001)]}), "The schema has an enum with too many values."),
        (field(False), 'No value matches the schema of the argument "/x".'),
        (field({"enum": []}), 'No value matches the schema of the argument "/x".'),
        (
            field({"allOf": [{"type": "string"}, {"type": "integer"}]}),
            'No value matches the schema of the argument "/x".',
        ),
        (
            field({"type": "integer", "minimum": 5, "maximum": 4}),
            'No value matches the schema of the argument "/x".',
        ),
        (
            field({"type": "string", "pattern": r"(a)\1"}),
            'No string can be generated for "/x": its pattern repeats what a group has matched.',
        ),
        (
            field({"type": "string", "pattern": "^a{5}$", "maxLength": 4}),
            'No string was found for "/x" that matches its pattern and length.',
        ),
    ],
)
def test_what_cannot_be_made_is_said(schema: Any, gap: str) -> None:
    found = planned(schema)
    assert any(one.text.startswith(gap) for one in found.gaps)
    assert [one.valid for one in found.scenarios if one.valid] == []


def test_an_optional_argument_that_cannot_be_made_is_left_out_and_said() -> None:
    schema = field({"type": "string"}, required=[])
    schema["properties"]["y"] = {"type": "string", "minLength": 10**9}
    found = planned(schema)
    assert all("y" not in one.arguments for one in found.scenarios if one.valid)
    assert found.gaps[0].text.startswith('The argument "/y" asks for 1,000,000,000 characters')


def test_a_tool_without_a_schema_is_called_without_arguments_and_that_is_said() -> None:
    found = plan({"name": "bare"}, seed=0, budget=5, values=Values(), schemas=Schemas())
    assert found.scenarios[0].arguments == {}
    assert [gap.text for gap in found.gaps] == [
        "The tool has no inputSchema, so nothing is known about its arguments."
    ]

"""What schemas are sorted into: tame, wild, and refused with a reason."""

from __future__ import annotations

from typing import Any, Final

import orjson
import pytest

from mcp_assay.schema.checker import Schemas
from mcp_assay.schema.outline import SchemaOutline
from mcp_assay.schema.preflight import survey
from tests.schema.bombs import chain, doubling, nested

TREE: Final = {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}
ANY_JSON: Final = {
    "$defs": {
        "json": {
            "anyOf": [
                {"type": ["string", "number", "boolean", "null"]},
                {"type": "array", "items": {"$ref": "#/$defs/json"}},
                {"type": "object", "additionalProperties": {"$ref": "#/$defs/json"}},
            ]
        }
    },
    "$ref": "#/$defs/json",
}
LINKED_LIST: Final = {
    "definitions": {
        "Node": {
            "type": "object",
            "properties": {
                "value": {"type": "string"},
                "next": {"anyOf": [{"$ref": "#/definitions/Node"}, {"type": "null"}]},
            },
        }
    },
    "$schema": "http://json-schema.org/draft-07/schema#",
    "$ref": "#/definitions/Node",
}

TAME: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    "empty": {},
    "a tree": TREE,
    "any JSON": ANY_JSON,
    "a linked list": LINKED_LIST,
    "a short doubling": doubling(5),
    "a chain of references": chain(100),
    "a hundred members": {"properties": {f"member{n}": {"type": "string"} for n in range(100)}},
    "the identifier of a host": {"$id": "https://example.invalid/notes", "type": "object"},
    "a reference to its own identifier": {
        "$id": "https://example.invalid/notes",
        "$defs": {"title": {"type": "string"}},
        "properties": {"title": {"$ref": "https://example.invalid/notes#/$defs/title"}},
    },
    "a name of a resource": {
        "$id": "urn:example:notes",
        "$defs": {"title": {}},
        "$ref": "#/$defs/title",
    },
    "a reference that is data": {
        "const": {"$ref": "https://example.invalid/"},
        "default": {"$ref": "file:///etc/hostname"},
        "enum": [{"$ref": "elsewhere.json"}],
        "examples": [{"$schema": "https://example.invalid/"}],
    },
    "members with the names of keywords": {
        "properties": {"$ref": {"type": "string"}, "$id": {"type": "string"}, "$schema": {}}
    },
    "a reference to where no keyword holds a schema": {
        "parts": [{"title": {"type": "string"}}],
        "$ref": "#/parts/0/title",
    },
    "escapes in a reference": {"$defs": {"a/b~": {}}, "$ref": "#/$defs/a~1b~0"},
    "a reference to an anchor": {"$defs": {"a": {"$anchor": "title"}}, "$ref": "#title"},
    "https in the name of a dialect": {"$schema": "https://json-schema.org/draft-07/schema"},
}

WILD: Final[dict[str, Any]] = {
    "doubling": doubling(28),
    "doubling by oneOf": doubling(28, by="oneOf"),
    "a reference to itself": {"$ref": "#"},
    "a circle": {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    | {"$ref": "#/$defs/a"},
    "growth with the depth of the value": {"allOf": [TREE, TREE]},
    "growth under an array": {"items": {"$ref": "#"}, "contains": {"$ref": "#"}},
    "growth under patterns": {"patternProperties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}},
    "unevaluated in unevaluated": nested(
        lambda inner: {"allOf": [inner], "unevaluatedProperties": False}, 30
    ),
    "a long chain of references": chain(2_000),
    "very many subschemas": {"properties": {f"member{n}": {} for n in range(3_000)}},
    "a long enum": {"enum": list(range(5_000))},
    "many patterns": {"patternProperties": {f"^{n}": {} for n in range(100)}},
    "a reference to a dialect": {"$ref": "https://json-schema.org/draft/2020-12/schema"},
    "a reference to an embedded resource": {
        "$id": "https://example.invalid/notes/",
        "$defs": {"title": {"$id": "title", "$anchor": "whole", "type": "string"}},
        "properties": {"title": {"$ref": "title#whole"}},
    },
    "one name for two parts": {
        "$defs": {"a": {"$anchor": "part"}, "b": {"$anchor": "part"}},
        "$ref": "#part",
    },
    "percent signs in a reference": {"$defs": {"a%": {}}, "$ref": "#/$defs/a%25"},
    "a reference that the value decides": {"$dynamicAnchor": "a", "items": {"$dynamicRef": "#a"}},
}

REFUSED: Final[dict[str, tuple[Any, str]]] = {
    "an array": ([], "neither an object nor a boolean"),
    "null": (None, "neither an object nor a boolean"),
    "a reference to a host": (
        {"$ref": "https://example.invalid/a"},
        "which is remote and not fetched",
    ),
    "a reference to a file": ({"$ref": "file:///etc/hostname"}, "which is remote and not fetched"),
    "a reference beside the whole": ({"$ref": "other.json"}, "which is remote and not fetched"),
    "a reference under an identifier": (
        {"$id": "https://example.invalid/a", "items": {"$ref": "b"}},
        "which is remote and not fetched",
    ),
    "a reference that nobody uses": (
        {"$defs": {"a": {"$ref": "https://example.invalid/"}}},
        "which is remote and not fetched",
    ),
    "a dynamic reference to a host": (
        {"$dynamicRef": "https://example.invalid/#a"},
        "which is remote and not fetched",
    ),
    "a reference to nothing": ({"$ref": "#/$defs/a"}, "which does not exist"),
    "a reference to no schema": (
        {"$defs": {}, "required": ["a"], "$ref": "#/required"},
        "which does not exist",
    ),
    "an unknown anchor": ({"$ref": "#a"}, "which does not exist"),
    "no address": ({"$ref": "http://[a/#b"}, "as an invalid address"),
    "an unknown dialect": ({"$schema": "https://example.invalid/dialect"}, "unknown dialect"),
    "a dialect that is no string": ({"$schema": 7}, "unknown dialect"),
    "two dialects": (
        {"items": {"$schema": "http://json-schema.org/draft-04/schema#"}},
        "a part in a different dialect",
    ),
    "depth": (nested(lambda inner: {"items": inner}, 200), "levels deep"),
    "depth in data": ({"const": nested(lambda inner: [inner], 200)}, "levels deep"),
    "a long pattern": ({"pattern": "a" * 5_000}, "a pattern of more than 4,096 bytes"),
    "a long pattern of names": ({"patternProperties": {"é" * 3_000: {}}}, "a pattern of more"),
    "an endless enum": ({"enum": list(range(20_000))}, "too many values"),
    "a crowd of subschemas": ({"anyOf": [{}] * 30_000}, "too many subschemas"),
    "a crowd of references": (
        {"anyOf": [{"$ref": "#/$defs/a"}] * 6_000, "$defs": {"a": {}}},
        "refer",
    ),
    "size": ({"description": "a" * 2_000_000}, "more than 1,048,576 bytes"),
}


@pytest.mark.parametrize("what", TAME)
def test_ordinary_schemas_are_tame(what: str) -> None:
    found = survey(orjson.dumps(TAME[what]))
    assert (found.sort, found.reason) == ("tame", None)
    assert found.effort is not None


@pytest.mark.parametrize("what", WILD)
def test_schemas_that_may_take_long_are_wild(what: str) -> None:
    found = survey(orjson.dumps(WILD[what]))
    assert found.sort == "wild"
    assert found.reason


@pytest.mark.parametrize("what", REFUSED)
def test_schemas_that_cannot_be_used_are_refused_with_a_reason(what: str) -> None:
    schema, words = REFUSED[what]
    found = survey(orjson.dumps(schema))
    assert found.sort == "refused"
    assert words in str(found.reason)


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_text_that_is_no_json_is_refused(text: bytes) -> None:
    assert survey(text).sort == "refused"


@pytest.mark.parametrize(
    ("schema", "visits"),
    [
        (True, 1),
        ({"properties": {"a": {}}, "additionalProperties": {}}, 1),
        ({"properties": {"a": {}}, "patternProperties": {"^a": {}}}, 2),
        ({"properties": {"a": {}}, "unevaluatedProperties": {}}, 2),
        ({"prefixItems": [{}, {}], "items": {}}, 1),
        ({"prefixItems": [{}], "contains": {}}, 2),
        ({"allOf": [{"prefixItems": [True, {"not": {}}]}, {"prefixItems": [True, {}]}]}, 3),
        ({"items": [{"not": {}}], "additionalItems": {}}, 2),
        ({"allOf": [{}, {}, {}]}, 4),
        ({"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, 3),
        ({"allOf": [{"properties": {"a": {"not": {}}}}, {"properties": {"a": {"not": {}}}}]}, 4),
        ({"if": {}, "then": {}, "else": {}}, 4),
        ({"dependentSchemas": {"a": {}, "b": {}}}, 3),
        (TREE, 2),
        (doubling(3), 30),
    ],
)
def test_those_who_may_judge_one_place_are_counted(schema: Any, visits: int) -> None:
    found = survey(orjson.dumps(schema))
    assert found.effort is not None
    assert found.effort.visits == visits


@pytest.mark.parametrize(
    ("schema", "why", "place"),
    [
        ({"type": "text"}, "invalid", ("type",)),
        ({"properties": {"a": {"minLength": "x"}}}, "invalid", ("properties", "a", "minLength")),
        ({"$schema": "https://example.com/x"}, "dialect", ("$schema",)),
        ({"$ref": "https://example.com/x"}, "outside", ()),
        ({"$ref": "#/$defs/x"}, "nowhere", ()),
        ({"pattern": "x" * 5_000}, "too large", ()),
        ({"pattern": "(?!x)"}, "pattern", ()),
        ({"$id": "a", "$defs": {"b": {"$id": "b"}}}, "unclear", ()),
        ({"enum": list(range(2_000))}, "costly", ()),
        ({"type": "object"}, None, ()),
    ],
)
def test_why_a_schema_is_not_tame_is_said_for_programs(
    schema: dict[str, Any], why: str | None, place: tuple[str, ...]
) -> None:
    prepared = Schemas().prepare(schema)
    assert (prepared.why, prepared.place) == (why, place)
    assert (prepared.because is None) == (why is None)


def test_every_dead_reference_of_a_schema_is_known() -> None:
    outline = SchemaOutline(
        {
            "properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "other.json"}},
            "$ref": "#/properties/a",
        }
    )
    assert {(dead.address, dead.refusal.why) for dead in outline.dead} == {
        ("#/$defs/x", "nowhere"),
        ("other.json", "outside"),
    }

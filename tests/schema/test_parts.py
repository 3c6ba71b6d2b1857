"""The schemas inside a schema, each with its place."""

from __future__ import annotations

from typing import Any

from mcp_assay.schema.keywords import parts
from mcp_assay.schema.limits import WILD_BEYOND


def test_every_schema_is_found_where_it_stands() -> None:
    document = {
        "properties": {"a": {"items": {"type": "string"}}, "b": True},
        "anyOf": [{"required": ["a"]}, 7],
        "not": {},
        "$defs": {"c": {}},
        "enum": [{"type": "no schema"}],
    }
    found, is_all = parts(document)
    assert is_all
    assert {part.path: part.keyword for part in found} == {
        (): "",
        ("properties", "a"): "properties",
        ("properties", "a", "items"): "items",
        ("anyOf", 0): "anyOf",
        ("not",): "not",
        ("$defs", "c"): "$defs",
    }


def test_a_part_knows_its_name_and_whether_properties_alone_lead_to_it() -> None:
    inner: dict[str, Any] = {"properties": {"properties": {"properties": {"x": {}}, "items": {}}}}
    known = {part.path: (part.name, part.is_property) for part in parts(inner)[0]}
    assert known == {
        (): (None, False),
        ("properties", "properties"): ("properties", True),
        ("properties", "properties", "properties", "x"): ("x", True),
        ("properties", "properties", "items"): (None, False),
    }


def test_of_very_many_schemas_the_first_are_found_and_that_is_said() -> None:
    wide: dict[str, Any] = {"anyOf": [{}] * WILD_BEYOND.subschemas}
    found, is_all = parts(wide)
    assert not is_all
    assert len(found) <= WILD_BEYOND.subschemas

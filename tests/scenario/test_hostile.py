"""Schemas that ask for too much end soon, with a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time
from timeit import timeit
from typing import Any, Final

import orjson
import pytest

from mcp_assay.model.scenario import Gap, GapKind, Plan
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import plan
from mcp_assay.schema.checker import Schemas
from tests.scenario.helping import closed, field, is_valid, planned
from tests.schema.bombs import chain, doubling, nested

CORPUS: Final = Path(__file__).parents[3] / "shared/corpora/JSON-Schema-Test-Suite/tests"
DIALECTS: Final = {
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
SLOWEST: Final = 2.0
"""Seconds of work for one plan."""

TEXT: Final = {"type": "string"}


def looped(required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"$ref": "#"} for name in ("a", "b", "c")},
        "required": required,
    }


BOMBS: Final[dict[str, Any]] = {
    "a very long text": field({"type": "string", "minLength": 10**9}),
    "a very long array": field({"type": "array", "minItems": 10**9}),
    "very many members": field({"type": "object", "minProperties": 10**9}),
    "very many required members": {"type": "object", "required": [f"n{at}" for at in range(9_000)]},
    "a loop": looped(["a"]),
    "a loop that doubles": looped(["a", "b"]),
    "arrays of arrays": field(
        nested(lambda one: {"type": "array", "items": one, "minItems": 9}, 9)
    ),
    "a long pattern": field({"type": "string", "pattern": "(((x{99}){99}){99})"}),
    "impossible": field({"allOf": [{"minimum": 3}, {"maximum": 2}], "type": "integer"}),
    "never": field({"not": {}}),
    "unique switches": field(
        {"type": "array", "items": {"type": "boolean"}, "minItems": 9, "uniqueItems": True}
    ),
    "a lie about limits": field({"type": "string", "minLength": 9, "maxLength": 3}),
    "a doubling that nothing fits": field({"$ref": "#/$defs/x"}, **{"$defs": {"x": doubling(30)}}),
    "a long chain": chain(400),
    "a reference to itself": {"$ref": "#"},
    "members that need each other": {
        "type": "object",
        "required": ["n0"],
        "dependentRequired": {f"n{at}": [f"n{at + 1}"] for at in range(2_000)},
    },
    "not JSON": field({"const": {1, 2}}),
    "no schema": "nothing",
    "outside": field({"$ref": "https://example.invalid/schema"}),
    "a file": field({"$ref": "file:///dev/null"}),
    "deep": nested(lambda one: {"properties": {"a": one}}, 300),
    "odd keywords": {
        "type": "object",
        "properties": {"x": {"minimum": "a", "enum": 5, "required": 3}},
    },
}
"""None of them can be met, or nobody can say so."""

MANY: Final[dict[str, Any]] = {
    "a doubling": {"$defs": doubling(4)["$defs"], **closed({"x": {"$ref": "#/$defs/part4"}})},
    "many branches": field({"anyOf": [{"const": at} for at in range(200)]}),
    "many values": field({"enum": list(range(900))}),
    "many options": closed({f"n{at}": TEXT for at in range(200)}, []),
    "many texts": field({"type": "array", "items": TEXT, "minItems": 200}),
    "deep objects": closed({"a": nested(lambda one: closed({"a": one}), 15, TEXT)}),
    "optional loop": looped([]),
}


def planned_soon(schema: Any) -> Plan:
    found: list[Plan] = []
    spent = timeit(lambda: found.append(planned(schema)), number=1, timer=process_time)
    assert spent < SLOWEST
    return found[0]


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_ends_soon_with_a_sentence(bomb: str) -> None:
    found = planned_soon(BOMBS[bomb])
    assert found.gaps
    assert all(gap.text.endswith(".") and len(gap.text) < 300 for gap in found.gaps)
    assert [one for one in found.scenarios if one.valid] == []


def test_huge_limits_end_soon_and_what_is_said_to_fit_them_does() -> None:
    limits = {"minimum": 1e308, "exclusiveMaximum": 1.1e308, "multipleOf": 1e-9}
    schema = field({"type": "number", **limits})
    found = planned_soon(schema)
    assert found.gaps == [Gap(GapKind.UNMADE, "The value cannot be checked: it is too large.")]
    fitting = [one.arguments for one in found.scenarios if one.valid]
    assert fitting
    assert all(is_valid(schema, one) for one in fitting)


@pytest.mark.parametrize("large", MANY)
def test_a_large_schema_is_met_soon(large: str) -> None:
    assert planned_soon(MANY[large]).scenarios[0].valid is True


@pytest.mark.parametrize("tool", [{}, {"name": 5}, {"name": "x", "inputSchema": None}])
def test_a_tool_of_any_shape_has_a_plan(tool: dict[str, Any]) -> None:
    found = plan(tool, seed=0, budget=9, values=Values(), schemas=Schemas())
    assert found.scenarios[0].arguments == {}
    assert found.gaps


def test_a_cyclic_schema_is_refused() -> None:
    cyclic: dict[str, Any] = {"type": "object"}
    cyclic["properties"] = {"x": cyclic}
    found = planned(cyclic)
    assert [one.valid for one in found.scenarios] == [None]
    assert found.gaps


def odd_schemas() -> Iterator[Any]:
    """The schemas of the official suite, each as a whole and as that of one argument."""
    for folder, dialect in DIALECTS.items():
        for path in sorted((CORPUS / folder).glob("*.json")):
            for group in orjson.loads(path.read_bytes()):
                schema = group["schema"]
                yield schema
                named = isinstance(schema, dict) and "$schema" in schema
                inner = (
                    {name: schema[name] for name in schema if name != "$schema"}
                    if named
                    else schema
                )
                yield field(inner, **{"$schema": dialect})


@pytest.mark.skipif(
    not CORPUS.is_dir(), reason="../shared/corpora/JSON-Schema-Test-Suite is absent"
)
def test_odd_schemas_have_plans_whose_expectations_are_right() -> None:
    judged = 0
    for schema in odd_schemas():
        decided = [one for one in planned(schema, budget=12).scenarios if one.valid is not None]
        judged += len(decided)
        assert [one for one in decided if one.valid != is_valid(schema, one.arguments)] == []
    assert judged > 5_000

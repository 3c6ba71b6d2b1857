"""What is found in definitions, what is not, and what stays open."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules.definition.linter import (
    MOST_DEFINITIONS,
    MOST_FAULTS,
    MOST_FINDINGS,
    Linter,
    lint,
)
from mcp_assay.rules.definition.rule import inputs, taking, tool
from mcp_assay.rules.definition.surface import Surface, surface_of
from mcp_assay.schema.messages import VALID, SchemaVerdict
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS

SECONDS = 20
CITY = {"type": "string", "description": "A city"}


def rules(*tools: Any, revision: str = R2025_11_25) -> list[tuple[str, str]]:
    return [(one.rule, one.pointer) for one in lint(Surface(tools=tools), revision)]


def reported(*tools: Any) -> list[str]:
    return [one.message for one in lint(Surface(tools=tools))]


def linter(*tools: Any, revision: str = R2025_11_25, **more: Any) -> tuple[Linter, list[Finding]]:
    judge = Linter(revision, **more)
    return judge, list(judge.findings(Surface(tools=tools)))


HARMLESS: dict[str, dict[str, Any]] = {
    "a name that anyOf requires": {
        "type": "object",
        "properties": {"id": CITY, "name": CITY},
        "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
    },
    "a name that a part describes": {
        "type": "object",
        "required": ["id"],
        "allOf": [{"properties": {"id": CITY}}],
    },
    "a name that a pattern describes": {
        "type": "object",
        "required": ["x-id"],
        "patternProperties": {"^x-": CITY},
        "properties": {},
    },
    "a name in a map": {
        "type": "object",
        "required": ["default"],
        "additionalProperties": CITY,
    },
    "a default through a reference": {
        **inputs(unit={"$ref": "#/$defs/Unit", "default": "C"}),
        "$defs": {"Unit": {"enum": ["C", "F"]}},
    },
    "a default of a nullable argument": inputs(
        city={"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}
    ),
    "a default of the whole": {**inputs(city=CITY), "default": {"city": "Rome"}},
    "a default beside a reference to a property": inputs(
        start=CITY, end={"$ref": "#/properties/start", "default": 7}
    ),
    "an annotation of somebody's": inputs(city={**CITY, "x-order": 1, "example": 7}),
    "a part that is refused": inputs(city=CITY, password={"not": {}}),
    "limits of another type": inputs(size={"type": "string", "minimum": 1, "maxLength": 1}),
    "a pattern with look-ahead": inputs(city={**CITY, "pattern": "^(?!x)", "default": "Rome"}),
    "a recursive schema": {
        **inputs(tree={"$ref": "#/$defs/Tree"}),
        "$defs": {"Tree": {"properties": {"left": {"$ref": "#/$defs/Tree"}}}},
    },
    "an older dialect": {
        "$schema": "http://json-schema.org/draft-04/schema#",
        **inputs(n={"type": "integer", "minimum": 0, "exclusiveMinimum": True}),
    },
    "a description with examples": inputs(
        unit={"enum": ["C", "F"], "description": "A unit, for example 'K' or 'R'."}
    ),
    "a description with media types": inputs(
        kind={"enum": ["text/plain", "json"], "description": "One of: text/plain, json."}
    ),
    "a description in capitals": inputs(
        order={"enum": ["asc", "desc"], "description": "Either ASC or DESC"}
    ),
    "a description that goes on": inputs(
        unit={"enum": ["C", "F"], "description": "One of C, F depending on the country"}
    ),
}


@pytest.mark.parametrize("schema", HARMLESS.values(), ids=HARMLESS)
@pytest.mark.parametrize("revision", REVISIONS)
def test_what_is_legal_and_sensible_is_not_found_fault_with(
    schema: dict[str, Any], revision: str
) -> None:
    assert rules(tool(inputSchema=schema), revision=revision) == []


@pytest.mark.parametrize(
    "description",
    [
        "One of 'C', 'F', 'K'.",
        'One of: "C", "F" or "K"',
        "Allowed values: C | F | K",
        "The unit (one of `C`, `F`, and `K`)",
        "Must be either C, F, or K.",
        "Valid values are C, F, K\nDefault: C",
    ],
)
def test_a_list_in_words_is_read_in_many_forms(description: str) -> None:
    found = reported(taking(unit={"enum": ["C", "F"], "description": description}))
    assert [text.partition(", ")[2] for text in found] == [
        'the description names "K", which the enum does not list.'
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"enum": ["C", "F"]}, {"type": "null"}]},
        {"type": "array", "items": {"enum": ["C", "F"]}},
        {"enum": ["C", "F", None]},
    ],
)
def test_the_values_may_stand_in_a_part(schema: dict[str, Any]) -> None:
    found = rules(taking(unit={**schema, "description": "One of: C, F, K"}))
    assert found == [("LINT-101", "/tools/0/inputSchema/properties/unit/description")]


@pytest.mark.parametrize(
    "schema",
    [
        {"minimum": 2, "maximum": 1},
        {"exclusiveMinimum": 1, "maximum": 1},
        {"minimum": 1, "exclusiveMaximum": 1},
        {"minLength": 2, "maxLength": 1},
        {"minItems": 2, "maxItems": 1},
        {"minProperties": 2, "maxProperties": 1},
        {"type": "string", "enum": [1, 2]},
        {"items": {"minimum": 2, "maximum": 1}},
    ],
)
def test_limits_that_nothing_keeps_are_found(schema: dict[str, Any]) -> None:
    assert [rule for rule, _ in rules(taking(x=schema))] == ["LINT-103"]


def test_each_fault_is_a_finding_of_its_own() -> None:
    schema = inputs(a={"type": "integer", "default": "1", "examples": ["2", 3, "4"]})
    found = rules(tool(inputSchema={**schema, "required": ["b", "c"]}))
    assert found == [
        ("TOOL-015", "/tools/0/inputSchema/properties/a/default"),
        ("TOOL-015", "/tools/0/inputSchema/properties/a/examples/0"),
        ("TOOL-015", "/tools/0/inputSchema/properties/a/examples/2"),
        ("TOOL-015", "/tools/0/inputSchema/required/0"),
        ("TOOL-015", "/tools/0/inputSchema/required/1"),
    ]


def test_a_finding_names_its_tool_and_is_known_again_wherever_the_tool_is_listed() -> None:
    odd = tool("odd", description=None)
    [alone] = lint(Surface(tools=[odd]))
    [behind] = lint(Surface(tools=[tool(), odd]))
    [other] = lint(Surface(tools=[tool("other", description=None)]))
    assert alone.where.tool == "odd"
    assert alone.fingerprint == behind.fingerprint
    assert alone.fingerprint != other.fingerprint
    assert alone.cause == other.cause


def test_the_dialect_of_a_schema_without_one_depends_on_the_revision() -> None:
    old = taking(pair={"type": "array", "items": [CITY, CITY]})
    broken = taking(pair={"type": "pair"})
    assert rules(old, revision=R2025_06_18) == []
    assert [rule for rule, _ in rules(old)] == ["TOOL-008"]
    severities = {
        revision: [one.severity for one in lint(Surface(tools=[broken]), revision)]
        for revision in (R2024_11_05, R2026_07_28)
    }
    assert severities == {R2024_11_05: ["warning"], R2026_07_28: ["error"]}


def test_a_revision_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed: 2024-11-05"):
        lint(Surface(), "2023-01-01")


def test_only_what_was_looked_at_is_decided() -> None:
    judge, found = linter(tool())
    assert found == []
    assert {"TOOL-001", "TOOL-004", "TOOL-015", "LINT-101"} <= judge.decided
    assert judge.decided.isdisjoint({"TOOL-009", "TOOL-027", "RES-001", "PROMPT-001"})


def test_a_list_that_goes_on_leaves_open_what_is_about_the_whole() -> None:
    judge = Linter()
    assert list(judge.findings(surface_of({"tools": [tool()], "nextCursor": "2"}))) == []
    assert "TOOL-004" not in judge.decided
    assert judge.left_open["TOOL-004", "the list has more pages"] == 1


def test_a_schema_with_too_many_parts_leaves_open_what_is_about_all_of_them() -> None:
    judge, found = linter(LARGE["properties"])
    assert found == []
    assert judge.left_open["LINT-101", "a schema has too many parts"] == 1
    assert "TOOL-007" in judge.decided


def test_a_schema_that_may_take_long_is_left_open_without_a_worker() -> None:
    slow = taking(city={**CITY, "pattern": "^(?!x)", "default": "Rome"})
    judge, found = linter(slow)
    assert found == []
    assert {"TOOL-008", "TOOL-015"} <= {rule for rule, _ in judge.left_open}


def test_a_schema_that_may_take_long_is_given_to_the_worker() -> None:
    class Approving:
        def check(self, schema: bytes, value: bytes) -> SchemaVerdict:
            return VALID

    slow = taking(city={**CITY, "pattern": "^(?!x)", "default": "Rome"})
    judge, found = linter(slow, worker=Approving())
    assert found == []
    assert {"TOOL-008", "TOOL-015"} <= judge.decided


HOSTILE: dict[str, Any] = {
    "nothing": None,
    "numbers": 7,
    "lists": [[], [[]]],
    "empty objects": [{}] * 1000,
    "wrong types": {
        "name": {},
        "description": [],
        "inputSchema": 7,
        "outputSchema": None,
        "annotations": "x",
        "execution": [],
        "icons": [7, {"src": 7, "sizes": [7], "theme": []}],
    },
    "odd keywords": tool(
        inputSchema={
            "type": ["object", {}],
            "properties": {"a": 7, "b": [], "c": None, "d": {"enum": {}, "minimum": "x"}},
            "required": {"a": 1},
            "anyOf": {},
            "$ref": 7,
            "$schema": [],
            "$defs": [],
            "examples": "x",
        }
    ),
    "odd texts": tool("\ud800", inputSchema=inputs(**{"\ud800": {"default": "\ud800"}})),
    "odd numbers": taking(
        n={"minimum": float("inf"), "maximum": -(10**400), "default": 10**400},
        x={"enum": [float("nan")], "x-mcp-header": "X", "type": "integer", "maximum": 1e308},
    ),
    "endless references": tool(inputSchema={"type": "object", "$ref": "#"}),
    "odd addresses": taking(a={"$ref": "http://[::1"}, b={"$ref": "//"}, c={"$id": "http://["}),
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("revision", REVISIONS)
def test_whatever_is_listed_is_judged(value: Any, revision: str) -> None:
    listed = value if isinstance(value, list) else [value]
    surface = Surface(tools=listed, resources=listed, templates=listed, prompts=listed)
    assert lint(surface, revision)


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


LARGE: dict[str, Any] = {
    "nesting": tool(inputSchema=deep(400)),
    "properties": tool(inputSchema=inputs(**{f"p{n}": CITY for n in range(50_000)})),
    "defaults": tool(
        inputSchema=inputs(**{f"p{n}": {"type": "integer", "default": n} for n in range(1_900)})
    ),
    "defaults through references": tool(
        inputSchema={
            **inputs(**{f"p{n}": {"$ref": "#/$defs/d0", "default": "x"} for n in range(900)}),
            "$defs": {f"d{n}": CITY for n in range(900)},
        }
    ),
    "a long description": taking(
        unit={"enum": ["C"], "description": "one of " + "C, or or , or C " * 100_000}
    ),
    "many lists in words": taking(unit={"enum": ["C"], "description": "one of a, " * 100_000}),
    "many values": taking(unit={"type": "string", "enum": [str(n) for n in range(200_000)]}),
    "booleans": tool(inputSchema=inputs(**{f"p{n}": True for n in range(100_000)})),
}


@pytest.mark.parametrize("value", LARGE.values(), ids=LARGE)
def test_what_is_large_is_judged_in_good_time(value: Any) -> None:
    started = process_time()
    lint(Surface(tools=[value]), R2026_07_28)
    assert process_time() - started < SECONDS


def test_what_is_spent_on_checking_is_bounded_over_all_tools() -> None:
    heavy = LARGE["defaults through references"]
    started = process_time()
    judge, _ = linter(*[{**heavy, "name": f"t{n}"} for n in range(30)])
    assert process_time() - started < SECONDS
    assert judge.left_open["TOOL-015", "a default or example could not be checked"] > 0


def test_of_many_faults_of_a_tool_the_first_are_listed_and_the_rest_is_counted() -> None:
    found = lint(Surface(tools=[tool(inputSchema=inputs(**{f"p{n}": True for n in range(150)}))]))
    *listed, last = found
    assert {one.rule for one in listed} == {"TOOL-014"}
    assert len(listed) == MOST_FAULTS
    assert (last.rule, last.details) == ("LIMIT-003", {"unlisted": 50})


def test_of_very_many_definitions_the_first_are_judged_and_that_is_said() -> None:
    judge, found = linter(*[7] * (MOST_DEFINITIONS + 2))
    assert len(found) == MOST_DEFINITIONS
    [limit] = judge.limits
    assert (limit.name, limit.count) == ("tools", 2)


def test_of_a_surface_full_of_faults_a_bounded_number_is_reported_and_no_error_is_crowded_out() -> (
    None
):
    noisy = tool(inputSchema=inputs(**{f"p{n}": True for n in range(MOST_FAULTS)}))
    count = MOST_FINDINGS // MOST_FAULTS + 1
    named = [{**noisy, "name": f"t{n}", "description": f"Number {n}"} for n in range(count)]
    judge, found = linter(*named, tool(""))
    assert [one.rule for one in found if one.severity == "error"] == ["TOOL-001"]
    assert len(found) == MOST_FINDINGS + 1
    [limit] = judge.limits
    assert (limit.name, limit.count) == ("definition-findings", MOST_FAULTS)

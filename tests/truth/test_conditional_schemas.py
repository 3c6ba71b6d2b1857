"""Schemas with conditions: every listed value is tried and counted, in arguments that suit it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.model.scenario import Plan
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import plan
from mcp_assay.schema.checker import Schemas
from tests.truth.running import report_on

NUMBER: Final = {"type": "integer"}
TEXT: Final = {"type": "string"}


def when(value: Any, then: Any, otherwise: Any = None, **more: Any) -> dict[str, Any]:
    """A condition on the argument "mode"."""
    condition = {"if": {"properties": {"mode": value}, **more}, "then": then}
    return condition if otherwise is None else {**condition, "else": otherwise}


def needs(*names: str) -> dict[str, Any]:
    return {"required": list(names)}


def taking(mode: Any, **more: Any) -> dict[str, Any]:
    """A schema with the argument "mode" and two others."""
    members = {"mode": mode, "size": NUMBER, "title": TEXT}
    return {"type": "object", "properties": members, "required": ["mode"], **more}


ABC: Final = {"type": "string", "enum": ["a", "b", "c"]}
LISTED: Final[dict[str, tuple[dict[str, Any], list[Any]]]] = {
    "then and else": (
        taking(ABC, **when({"const": "b"}, needs("size"), needs("title"))),
        ["a", "b", "c"],
    ),
    "the first value": (taking(ABC, **when({"const": "a"}, needs("size"))), ["a", "b", "c"]),
    "the last value": (taking(ABC, **when({"const": "c"}, needs("size"))), ["a", "b", "c"]),
    "some of the values": (
        taking(ABC, **when({"enum": ["b", "c"]}, needs("size"), {"properties": {"size": False}})),
        ["a", "b", "c"],
    ),
    "a condition for each value": (
        taking(
            ABC,
            allOf=[
                when({"const": "a"}, needs("size"), required=["mode"]),
                when({"const": "b"}, needs("title"), required=["mode"]),
                when({"const": "c"}, {**needs("size"), "properties": {"size": {"minimum": 5}}}),
            ],
        ),
        ["a", "b", "c"],
    ),
    "by reference": (
        taking(
            {"$ref": "#/$defs/mode"},
            **{"$defs": {"mode": ABC}},
            **when({"const": "b"}, needs("size")),
        ),
        ["a", "b", "c"],
    ),
    "numbers": (
        taking({"enum": [1, 2, 3]}, **when({"const": 3}, needs("title"))),
        [1, 2, 3],
    ),
    "branches that name themselves": (
        taking(
            TEXT,
            oneOf=[
                {"properties": {"mode": {"const": "a"}}, "required": ["size"]},
                {"properties": {"mode": {"const": "b"}}, "required": ["title"]},
                {"properties": {"mode": {"const": "c"}}},
            ],
        ),
        ["a", "b", "c"],
    ),
    "a dependent schema": (
        taking(ABC, dependentSchemas={"mode": when({"const": "b"}, needs("size"))}),
        ["a", "b", "c"],
    ),
    "an optional argument": (
        {**taking(ABC, **when({"const": "c"}, needs("size"), required=["mode"])), "required": []},
        ["a", "b", "c"],
    ),
}


def planned(schema: dict[str, Any]) -> Plan:
    tool = {"name": "find", "inputSchema": schema}
    return plan(tool, seed=0, budget=40, values=Values(), schemas=Schemas())


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_value_is_planned_in_valid_arguments(name: str) -> None:
    schema, values = LISTED[name]
    made = planned(schema)
    assert made.listed["/mode"] == values
    tried = [one.arguments.get("mode") for one in made.scenarios if one.valid]
    assert all(value in tried for value in values)


def test_a_condition_inside_an_argument_counts_too() -> None:
    inner = taking({"enum": ["eq", "in"]}, **when({"const": "eq"}, needs("title"), needs("size")))
    schema = {"type": "object", "properties": {"filter": inner}, "required": ["filter"]}
    made = planned(schema)
    assert made.listed["/filter/mode"] == ["eq", "in"]
    assert {one.arguments["filter"]["mode"] for one in made.scenarios if one.valid} == {"eq", "in"}


UNLISTED: Final = {
    "a text": taking(TEXT, **when({"const": "raw"}, needs("size"))),
    "a number": taking(NUMBER, **when({"const": 7}, needs("size"))),
    "a text or one value": taking(TEXT, anyOf=[{"properties": {"mode": {"const": "a"}}}, {}]),
    "a pattern": taking(TEXT, **when({"pattern": "^x"}, needs("size"))),
    "a limit": taking(NUMBER, **when({"minimum": 5}, needs("title"))),
    "nothing at all": taking(True, **when({"const": "a"}, needs("size"))),
}


@pytest.mark.parametrize("name", UNLISTED)
def test_a_value_of_a_condition_is_no_list(name: str) -> None:
    made = planned(UNLISTED[name])
    assert "/mode" not in made.listed
    assert any(one.valid for one in made.scenarios)


def test_a_contradiction_that_nobody_must_meet_leaves_arguments() -> None:
    parts = [{"properties": {"size": {"const": 1}}}, {"properties": {"size": {"const": 2}}}]
    schema = {**taking(ABC), "allOf": parts}
    assert any(one.valid for one in planned(schema).scenarios)


def test_a_contradiction_that_must_be_met_leaves_none() -> None:
    parts = [{"properties": {"mode": {"const": "a"}}}, {"properties": {"mode": {"const": "b"}}}]
    made = planned({**taking(ABC), "allOf": parts})
    assert not any(one.valid for one in made.scenarios)


def test_a_correct_refusal_of_a_server_is_not_accused() -> None:
    report = report_on("conditional", max_calls=40)
    assert not [it.rule for it in report.findings if it.rule.startswith("DRIFT")]
    (tool,) = report.tools
    reached = tool.coverage.listed_values["/mode"]
    assert (tool.status, reached.reached, reached.of) == ("fully_working", 3, 3)

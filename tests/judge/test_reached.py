"""What the calls of a tool reached is counted by those that succeeded."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.judge.coverage import (
    MOST_MISSED,
    NO_SUCCESS,
    NO_SURROUNDINGS,
    coverage_of,
)
from mcp_assay.model.tool import Coverage, Reached
from mcp_assay.rules.behaviour.rule import called, tool_run_of

SCHEMA = {"properties": {"sort": {}, "limit": {}, "page": {}}, "required": ["sort"]}
SORT = {"pointer": "/sort", "listed": ["name", "date", "size"], "required": True}


def covered(*calls: dict[str, Any], places: Any = (SORT,), schema: Any = SCHEMA) -> Coverage:
    tool = {"name": "find", "inputSchema": schema}
    gaps = ["A gap."]
    value = {"tool": tool, "calls": list(calls), "places": list(places), "gaps": gaps}
    return coverage_of(tool_run_of(value))


def test_only_calls_that_succeeded_reach_anything() -> None:
    found = covered(
        called({"sort": "name", "limit": 5}),
        called({"sort": "date"}, outcome="unproven"),
        called({"sort": "size", "page": 1}, valid=False),
    )
    assert (found.valid_calls, found.invalid_calls, found.succeeded) == (2, 1, 1)
    assert found.listed_values == {"/sort": Reached(reached=1, of=3, missed=["date", "size"])}
    assert found.optional_arguments == Reached(reached=1, of=2, missed=["page"])
    assert found.not_reached == [
        'sort "date", "size": no successful call; 1 of 3 values covered.',
        'No successful call used "page".',
        "A gap.",
    ]


def test_a_tool_of_which_all_was_reached_has_only_its_gaps() -> None:
    calls = [called({"sort": value, "limit": 1, "page": 1}) for value in ("name", "date", "size")]
    assert covered(*calls).not_reached == ["A gap."]


def test_that_no_call_succeeded_is_said_plainly() -> None:
    found = covered(called({"sort": "name"}, outcome="unproven"))
    assert found.not_reached == [NO_SUCCESS, "A gap."]
    assert covered().not_reached == ["A gap."]
    lost = covered(called({"sort": "name"}, outcome="failed", trouble="environment"))
    assert lost.not_reached == [NO_SURROUNDINGS, "A gap."]


def test_values_count_as_json_has_them_and_wherever_in_an_array_they_stand() -> None:
    place = {"pointer": "/tags/0", "listed": [1, True, "1", None, 2.5]}
    found = covered(called({"tags": [2.5, 1.0, "1"]}), places=[place])
    assert found.listed_values["/tags/0"] == Reached(reached=3, of=5, missed=[True, None])


def test_long_lists_are_counted_and_not_listed_whole() -> None:
    place = {"pointer": "/sort", "listed": [f"v{number}" for number in range(1000)]}
    found = covered(called({"sort": "v0"}), places=[place])
    assert len(found.listed_values["/sort"].missed) == MOST_MISSED
    assert found.not_reached[0].startswith('sort "v1", "v2", "v3" and 996 more: ')


def test_every_optional_argument_counts_however_many_there_are() -> None:
    names = [f"p{at}" for at in range(1_000)]
    schema = {"properties": dict.fromkeys(names, True), "required": ["p0", ["odd"]]}
    found = covered(called({"p1": 1}), places=(), schema=schema).optional_arguments
    assert (found.reached, found.of, len(found.missed)) == (1, 999, MOST_MISSED)


@pytest.mark.parametrize("schema", [None, True, {"properties": []}, {"required": {"a": 1}}])
def test_an_odd_schema_has_no_options(schema: Any) -> None:
    assert covered(called({}), schema=schema).optional_arguments == Reached()

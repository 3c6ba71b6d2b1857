"""What a plan holds, and in which order."""

from __future__ import annotations

from time import process_time
from timeit import timeit
from typing import Any

import pytest

from mcp_assay.model.scenario import Gap, GapKind, PlannedPlace
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import Planning, plan
from mcp_assay.scenario.usual_values import is_effort
from mcp_assay.schema.checker import Schemas, SchemaVerdict
from mcp_assay.schema.messages import undecided
from tests.scenario.helping import closed, field, first, is_valid, named, planned

TEXT = {"type": "string"}
SEARCH = closed(
    {
        "query": {"type": "string", "minLength": 1, "maxLength": 40},
        "sort": {"type": "string", "enum": ["new", "old", "best"]},
        "page": {"type": "integer", "minimum": 1, "maximum": 9},
        "email": {"type": "string", "format": "email"},
        "where": closed({"city": {"type": "string"}, "code": {"type": "integer"}}, ["city"]),
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
    },
    ["query", "sort"],
)


def test_the_first_calls_are_good_then_each_argument_is_wrong_once() -> None:
    reported = [(one.name, one.pointer) for one in planned(SEARCH).scenarios[:9]]
    assert reported == [
        ("happy path", ""),
        ("happy path, all arguments", ""),
        ("required, but missing", "/query"),
        ("required, but missing", "/sort"),
        ("wrong type", "/email"),
        ("wrong type", "/page"),
        ("wrong type", "/tags"),
        ("wrong type", "/where"),
        ("unknown argument", ""),
    ]


def test_the_first_call_has_what_is_required_and_the_second_all() -> None:
    few, all_of_them = (one.arguments for one in planned(SEARCH).scenarios[:2])
    assert few == {"query": "hello", "sort": "new"}
    assert set(all_of_them) == set(SEARCH["properties"])


def test_valid_is_what_the_schema_says() -> None:
    scenarios = planned(SEARCH, budget=200).scenarios
    assert len(scenarios) == 200
    assert [one for one in scenarios if one.valid != is_valid(SEARCH, one.arguments)] == []


def test_error_cases_are_the_invalid_ones() -> None:
    for one in planned(SEARCH, budget=200).scenarios:
        assert (one.category == "error_case") == (one.valid is False)


def test_every_category_occurs() -> None:
    assert {one.category for one in planned(SEARCH).scenarios} == {
        "happy_path",
        "edge_case",
        "boundary",
        "error_case",
    }


def test_an_error_case_is_good_but_for_one_place() -> None:
    good = [one.arguments for one in planned(SEARCH, budget=200).scenarios if one.valid]
    for one in planned(SEARCH, budget=200).scenarios:
        if one.category != "error_case" or one.name.startswith("random"):
            continue
        touched = one.pointer.split("/")[1] if one.pointer else "assay_unknown_argument"
        rest = {name: value for name, value in one.arguments.items() if name != touched}
        assert any(
            rest == {name: value for name, value in other.items() if name != touched}
            for other in good
        )


def test_every_listed_value_is_tried_once() -> None:
    values = [one.arguments["sort"] for one in planned(SEARCH).scenarios if one.valid]
    assert {"new", "old", "best"} <= set(values)
    assert len(named(planned(SEARCH), "value", "/sort")) == 2  # the first is in the happy path


def test_a_switch_is_tried_on_both_sides() -> None:
    tried = named(planned(closed({"loud": {"type": "boolean"}})), "")
    assert [one.arguments["loud"] for one in tried if one.valid] == [True, False]


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"type": "integer", "minimum": 3, "maximum": 7}, {3, 4, 6, 7}, {2, 8}),
        ({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 7}, {4, 5, 6}, {3, 7}),
        ({"type": "integer", "multipleOf": 5, "minimum": 10, "maximum": 20}, {10, 15, 20}, {5, 25}),
        ({"type": "number", "minimum": 0, "maximum": 1}, {0, 0.01, 0.99, 1}, {-0.01, 1.01}),
    ],
)
def test_numbers_are_tried_at_and_beside_their_limits(
    schema: dict[str, Any], valid: set[float], invalid: set[float]
) -> None:
    found = named(planned(closed({"level": schema})), "limit", "/level")
    good = named(planned(closed({"level": schema})), "happy path")
    assert valid <= {one.arguments["level"] for one in (*found, *good) if one.valid}
    assert invalid <= {one.arguments["level"] for one in found if one.valid is False}


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"type": "string", "minLength": 3, "maxLength": 9}, {3, 4, 8, 9}, {2, 10}),
        ({"type": "array", "items": TEXT, "minItems": 2, "maxItems": 5}, {2, 3, 4, 5}, {1, 6}),
        ({"type": "object", "minProperties": 2, "maxProperties": 5}, {2, 3, 4, 5}, {1, 6}),
    ],
)  # fmt: skip
def test_sizes_are_tried_at_and_beside_their_limits(
    schema: dict[str, Any], valid: set[int], invalid: set[int]
) -> None:
    found = planned(closed({"it": schema})).scenarios
    limits = [one for one in found if one.name.startswith(("limit", "happy path"))]
    assert valid <= {len(one.arguments["it"]) for one in limits if one.valid}
    assert invalid <= {len(one.arguments["it"]) for one in limits if one.valid is False}


TEXT_EDGES = [
    "empty text",
    "quotes and a semicolon",
    "brackets, a backslash and signs of patterns",
    "percent signs, markup and lines",
    "text of many scripts",
    "long text",
    "text of blanks",
]


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ({"type": "string"}, TEXT_EDGES),
        ({"type": "integer"}, ["zero", "negative number", "large number"]),
        ({"type": "number"}, ["zero", "negative number", "number with a fraction", "large number"]),
        ({"type": "array", "items": {"type": "integer"}}, ["empty list", "long list"]),
    ],
)
def test_rare_values_are_tried(schema: dict[str, Any], names: list[str]) -> None:
    found = named(planned(closed({"it": schema})), "edge: ", "/it")
    assert [one.name.removeprefix("edge: ") for one in found] == names
    assert all(one.valid for one in found)


def test_places_inside_objects_and_arrays_are_tried_too() -> None:
    pointers = {one.pointer for one in planned(SEARCH, budget=200).scenarios}
    assert {"/where/city", "/where/code", "/tags/0"} <= pointers


def test_nothing_is_wrong_where_everything_is_allowed() -> None:
    assert all(one.valid for one in planned({"type": "object"}).scenarios)


def test_no_two_scenarios_have_the_same_arguments_or_name_and_place() -> None:
    scenarios = planned(SEARCH, budget=200).scenarios
    assert len({repr(one.arguments) for one in scenarios}) == len(scenarios)
    assert len({(one.name, one.pointer) for one in scenarios}) == len(scenarios)


@pytest.mark.parametrize("budget", [0, 1, 2, 7, 50])
def test_a_small_plan_is_the_beginning_of_a_large_one(budget: int) -> None:
    assert planned(SEARCH, budget=budget).scenarios == planned(SEARCH).scenarios[:budget]


def test_what_the_budget_leaves_out_is_said() -> None:
    whole = [one for one in planned(SEARCH, budget=500).scenarios if "random" not in one.name]
    gap = f"{len(whole) - 9} scenarios exceed the budget of 9 calls."
    assert planned(SEARCH, budget=9).gaps == [Gap(GapKind.BUDGET, gap)]
    assert planned(SEARCH, budget=500).gaps == []


def test_a_tool_without_arguments_needs_few_calls() -> None:
    assert len(planned(closed({})).scenarios) == 2


def test_the_same_seed_gives_the_same_plan_and_another_one_another() -> None:
    assert planned(SEARCH, budget=200) == planned(SEARCH, budget=200)
    assert planned(SEARCH, budget=200) != planned(SEARCH, budget=200, seed=1)


def reversed_names(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: reversed_names(value[name]) for name in reversed(value)}
    return [reversed_names(one) for one in value] if isinstance(value, list) else value


def test_the_order_of_names_in_the_schema_does_not_matter() -> None:
    assert planned(reversed_names(SEARCH), budget=200) == planned(SEARCH, budget=200)


def test_an_argument_does_not_change_what_is_made_for_another() -> None:
    code = {"type": "string", "pattern": "^[a-z]{8}$"}
    both = first(closed({"code": code, "more": {"type": "string", "pattern": "^[0-9]{9}$"}}))
    assert both["code"] == first(closed({"code": code}))["code"]


@pytest.mark.parametrize("name", ["duration", "delay_seconds", "steps"])
def test_what_takes_time_is_kept_short_even_where_it_is_optional(name: str) -> None:
    schema = closed({name: {"type": "number", "default": 600, "maximum": 3600}}, [])
    found = planned(schema)
    assert found.scenarios[0].arguments[name] <= 2
    valid = [one.arguments for one in found.scenarios if one.valid]
    assert max(arguments.get(name, 0) for arguments in valid) <= 2
    assert f'The maximum of "/{name}" was not tried' in found.gaps[0].text
    assert found.gaps[0].kind == GapKind.EFFORT


def test_the_examples_of_the_user_come_first_and_count_as_the_user_says() -> None:
    given = {"valid": [{"x": "tea"}], "invalid": [{"x": "coffee"}, {"x": 5}]}
    found = planned(field({"type": "string"}), values=Values.given({"try": given}))
    assert (found.scenarios[0].name, found.scenarios[0].arguments) == ("example 1", {"x": "tea"})
    refused = named(found, "refused example")
    assert [(one.arguments["x"], one.valid) for one in refused] == [("coffee", False), (5, False)]


def test_what_the_user_wants_refused_is_tried_once_and_as_that() -> None:
    happy = planned(field({"type": "string"})).scenarios[0].arguments
    values = Values.given({"try": {"invalid": [happy]}})
    found = planned(field({"type": "string"}), values=values)
    assert [one.name for one in found.scenarios if one.arguments == happy] == ["refused example 1"]


def test_a_tool_without_errors_is_not_tried_with_wrong_arguments() -> None:
    given = {"no_error": "it takes everything", "invalid": [{"x": 5}]}
    found = planned(field({"type": "string"}), values=Values.given({"try": given}))
    assert [one.arguments for one in found.scenarios if one.valid is False] == [{"x": 5}]
    assert found.gaps[-1] == Gap(
        GapKind.UNWANTED, "Invalid arguments were not tried: it takes everything"
    )


def test_a_plan_says_what_the_schema_says_of_each_place() -> None:
    schema = closed({"sort": {"enum": ["a", "b"]}, "limit": {"type": "integer"}}, ["sort"])
    assert planned(schema).places == [
        PlannedPlace(pointer="/sort", types=("string",), listed=("a", "b"), required=True),
        PlannedPlace(pointer="/limit", types=("integer",)),
    ]


@pytest.mark.parametrize(
    ("schema", "listed"),
    [
        ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}, ("a", "b")),
        ({"anyOf": [{"enum": ["a"]}, {"enum": ["a", "b"]}, {"type": "null"}]}, ("a", "b")),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]}, None),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "integer"}]}, ("a", "b")),
        ({"oneOf": [{"const": "a", "minLength": 1}, {"const": "b", "minLength": 1}]}, ("a", "b")),
    ],
)
def test_values_in_branches_are_one_list_unless_another_branch_takes_more(
    schema: Any, listed: tuple[str, ...] | None
) -> None:
    assert planned(field(schema)).places[0].listed == listed


def test_a_member_that_names_its_branch_lists_the_names_of_all_branches() -> None:
    branches = [
        closed({"name": {"const": "find"}, "filter": {"type": "object"}}, ["name"]),
        closed({"name": {"const": "count"}, "most": {"type": "integer"}}, ["name"]),
        closed({"name": {"const": "sum"}, "most": {"type": "integer"}}, ["name"]),
    ]
    places = {one.pointer: one for one in planned(field({"anyOf": branches})).places}
    assert places["/x/name"].listed == ("find", "count", "sum")
    assert places["/x/filter"].listed is None


@pytest.mark.parametrize(
    ("name", "description", "value"),
    [
        ("query", "Run a SQL query.", "SELECT 1"),
        ("query", "Ask a GraphQL endpoint.", "{ __typename }"),
        ("query", "Search the web.", "hello"),
        ("title", "Run a SQL query.", "An example"),
    ],
)
def test_a_query_is_in_the_language_that_its_tool_speaks(
    name: str, description: str, value: str
) -> None:
    tool = {"name": "ask", "description": description}
    schema = closed({name: {"type": "string"}})
    found = plan(
        {**tool, "inputSchema": schema}, seed=0, budget=1, values=Values(), schemas=Schemas()
    )
    assert [one.arguments for one in found.scenarios] == [{name: value}]


@pytest.mark.parametrize("name", ["maxLongitude", "max_price", "total_score"])
def test_a_maximum_of_a_quantity_is_no_effort(name: str) -> None:
    assert not is_effort(name)
    assert is_effort("max_results")


class Undecided:
    """A worker that never comes to an end, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def check(self, schema: bytes, value: bytes) -> SchemaVerdict:
        self.asked += 1
        return undecided("The check took too long.")


def test_a_schema_that_nobody_can_decide_about_is_asked_about_a_few_times_only() -> None:
    worker = Undecided()
    wild = field({"$dynamicRef": "#/$defs/a"}, **{"$defs": {"a": {"type": "string"}}})
    tool = {"name": "wild", "inputSchema": wild}
    found = plan(tool, seed=0, budget=50, values=Values(), schemas=Schemas(worker))
    assert worker.asked <= 3
    assert {one.valid for one in found.scenarios} == {None}
    assert Gap(GapKind.UNMADE, "The check took too long.") in found.gaps


def test_a_plan_takes_a_few_milliseconds() -> None:
    times = [timeit(lambda: planned(SEARCH), number=1, timer=process_time) for _ in range(5)]
    assert min(times) < 0.05


def test_what_was_made_before_counts_and_is_not_made_again() -> None:
    tool = {"name": "try", "inputSchema": SEARCH}
    before = planned(SEARCH, budget=5).scenarios
    after = Planning(tool, seed=0, budget=20, values=Values(), schemas=Schemas(), made=before)
    assert [*before, *after.scenarios] == planned(SEARCH, budget=20).scenarios
    assert after.gaps() == planned(SEARCH, budget=20).gaps


def nested(levels: int) -> Any:
    """A schema of objects in each other."""
    return closed({"a": nested(levels - 1)}) if levels else {"type": "integer"}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (closed({f"p{at}": {"type": "integer"} for at in range(64)}), None),
        (
            closed({f"p{at}": {"type": "integer"} for at in range(65)}),
            "Only 64 argument positions were varied; there are more.",
        ),
        (nested(4), None),
        (nested(5), "Places more than 4 levels deep in the arguments were not varied."),
    ],
)
def test_places_that_are_not_varied_are_said(schema: Any, said: str | None) -> None:
    assert planned(schema, budget=1_000).gaps == (
        [] if said is None else [Gap(GapKind.NOT_VARIED, said)]
    )

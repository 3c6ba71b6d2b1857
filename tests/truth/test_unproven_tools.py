"""Why a tool was not seen to work, by kind, and which advice follows from that."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.obstacle import OBSTACLE_REMEDIES, Obstacle
from mcp_assay.model.report import Report
from mcp_assay.model.scenario import Gap, GapKind, PlannedPlace, Scenario
from mcp_assay.model.verdict import ScenarioVerdict
from mcp_assay.report.as_text import full_text
from mcp_assay.rules.behaviour.obstacles import help_for, obstacle_of
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import plan
from mcp_assay.schema.checker import Schemas
from mcp_assay.text.lines import as_plain_text

SERVER = Path(__file__).parent / "stubborn_server.py"
KINDS: dict[str, Obstacle | None] = {
    "find_by_title": Obstacle.REJECTED,
    "find_by_titles": Obstacle.REJECTED,
    "count_books": Obstacle.NO_ARGUMENTS,
    "list_books": Obstacle.ALL_TRIED,
    "list_shelves": Obstacle.ALL_TRIED,
    "read_impossible": Obstacle.UNSATISFIABLE,
    "read_inside": Obstacle.INTERNAL_ERROR,
    "read_remote": Obstacle.DEPENDENCY,
    "read_unflagged": Obstacle.UNFLAGGED_ERROR,
    "read_flagged": Obstacle.FLAGGED_SUCCESS,
    "read_promise": Obstacle.NOT_IMPLEMENTED,
    "read_aloud": None,
    "read_twice": Obstacle.DUPLICATE_NAME,
}
"""What the tools of the server are to be told."""


@pytest.fixture(scope="module")
def assessed() -> Report:
    command = Command(command=(sys.executable, str(SERVER)), environment=allowed(os.environ, {}))
    run = Assessment(command, AssessOptions(timeout=30.0, max_time=300.0, max_calls=16))
    asyncio.run(run.run())
    return run.report()


@pytest.mark.parametrize("name", KINDS)
def test_each_tool_is_told_its_own_reason(assessed: Report, name: str) -> None:
    (row,) = [tool for tool in assessed.tools if tool.name == name]
    expected = KINDS[name]
    assert row.obstacle == (expected.value if expected else None)


@pytest.mark.parametrize("name", KINDS)
def test_arguments_are_advised_only_where_they_can_help(assessed: Report, name: str) -> None:
    screen = as_plain_text(full_text(assessed)).split("Not tested", 1)[1]
    obstacle = KINDS[name]
    can_help = obstacle is not None and obstacle not in OBSTACLE_REMEDIES
    assert (f"[tools.{name}]" in screen) == can_help
    assert (f"{name}:" in screen or f"{name}," in screen) == (obstacle is not None)


def test_no_finding_advises_arguments_that_cannot_help(assessed: Report) -> None:
    advised = {
        one.where.tool for one in assessed.findings if "Add working arguments" in (one.fix or "")
    }
    helped = {name for name, kind in KINDS.items() if kind and kind not in OBSTACLE_REMEDIES}
    assert advised <= helped


def test_the_name_that_is_listed_twice_has_one_row(assessed: Report) -> None:
    screen = as_plain_text(full_text(assessed))
    assert len(assessed.tools) == len(KINDS)
    assert f"of {len(KINDS)} tools called" in screen
    assert f"lists {len(KINDS) + 1} definitions" in screen


def call(arguments: dict[str, Any] | None = None, **more: Any) -> Call:
    """A call of a tool: how it was judged, and what came back."""
    valid = more.pop("valid", True)
    verdict = ScenarioVerdict(
        more.pop("outcome", "unproven"), more.pop("trouble", None), more.pop("succeeded", False)
    )
    return Call(
        number=1,
        scenario=Scenario(
            tool="ask", name="n", category="happy_path", arguments=arguments or {}, valid=valid
        ),
        answer=CallResult(**more),
        result=None,
        verdict=verdict,
    )


def listed(name: str, *values: Any, required: bool = True) -> PlannedPlace:
    return PlannedPlace(pointer=f"/{name}", listed=values, required=required)


def free(name: str, *types: str, required: bool = True) -> PlannedPlace:
    return PlannedPlace(pointer=f"/{name}", types=types, required=required)


def run(*calls: Call, **more: Any) -> ToolRun:
    names: dict[str, Any] = {place.pointer[1:]: {} for place in more.get("places", ())}
    schema = more.pop("schema", {"type": "object", "properties": names})
    return ToolRun(tool={"name": "ask", "inputSchema": schema}, calls=calls, **more)


BROKEN_CALL: dict[str, Any] = {"outcome": "failed", "trouble": "crashed"}
INTERNAL: dict[str, Any] = {"error": {"code": -32603, "message": "x"}, "outcome": "undecided"}
CASES: dict[str, tuple[ToolRun, Obstacle | None]] = {
    "no calls": (run(), None),
    "a success": (run(call(), call(outcome="passed", succeeded=True)), None),
    "a free text": (run(call({"q": "a"}), places=(free("q", "string"),)), Obstacle.REJECTED),
    "a number": (run(call({"q": 1}), places=(free("q", "integer"),)), Obstacle.REJECTED),
    "an argument that was not planned": (
        run(call(), schema={"properties": {"q": {}}}), Obstacle.REJECTED
    ),
    "one of two listed values": (
        run(call({"q": 1}), places=(listed("q", 1, 2),)), Obstacle.REJECTED
    ),
    "both listed values": (
        run(call({"q": 1}), call({"q": 2}), places=(listed("q", 1, 2),)), Obstacle.ALL_TRIED
    ),
    "the same listed value twice": (
        run(call({"q": 1}), call({"q": 1}), places=(listed("q", 1, 2),)), Obstacle.REJECTED
    ),
    "listed values, and not without": (
        run(call({"q": 1}), call({"q": 2}), places=(listed("q", 1, 2, required=False),)),
        Obstacle.REJECTED,
    ),
    "listed values, and without": (
        run(call({"q": 1}), call({}), places=(listed("q", 1, required=False),)),
        Obstacle.ALL_TRIED,
    ),
    "both sides of a switch": (
        run(call({"q": True}), call({"q": False}), places=(free("q", "boolean"),)),
        Obstacle.ALL_TRIED,
    ),
    "one side of a switch": (
        run(call({"q": True}), places=(free("q", "boolean"),)), Obstacle.REJECTED
    ),
    "not all combinations": (
        run(
            *(call({"p": n, "q": n}) for n in (1, 2)),
            places=(listed("p", 1, 2), listed("q", 1, 2)),
        ),
        Obstacle.REJECTED,
    ),
    "all combinations": (
        run(
            *(call({"p": n, "q": m}) for n in (1, 2) for m in (1, 2)),
            places=(listed("p", 1, 2), listed("q", 1, 2)),
        ),
        Obstacle.ALL_TRIED,
    ),
    "no arguments": (run(call()), Obstacle.NO_ARGUMENTS),
    "arguments that no property names": (run(call({"x": 1})), Obstacle.REJECTED),
    "internal errors alone": (
        run(call({"q": "a"}, **INTERNAL), places=(free("q", "string"),)), Obstacle.INTERNAL_ERROR
    ),
    "internal errors that are crashes": (
        run(call(**{**INTERNAL, **BROKEN_CALL})), Obstacle.INTERNAL_ERROR
    ),
    "an internal error among others": (
        run(call({"q": "a"}, **INTERNAL), call({"q": "b"}), places=(free("q", "string"),)),
        Obstacle.REJECTED,
    ),
    "an internal error of wrong arguments": (
        run(call({"q": "a"}), call(valid=False, **INTERNAL), places=(free("q", "string"),)),
        Obstacle.REJECTED,
    ),
    "crashes": (run(call(**BROKEN_CALL)), Obstacle.BROKEN_DOWN),
    "crashes of wrong arguments": (
        run(call({"q": "a"}), call(valid=False, **BROKEN_CALL), places=(free("q", "string"),)),
        Obstacle.REJECTED,
    ),
    "a dependency": (
        run(call(outcome="failed", trouble="environment"), call(**BROKEN_CALL)),
        Obstacle.DEPENDENCY,
    ),
    "results too long": (run(call(outcome="undecided", unread=9)), Obstacle.TOO_LONG),
    "headers too long": (run(call(outcome="undecided", ending="over_limit")), Obstacle.TOO_LONG),
    "the end of the run": (run(call(outcome="undecided", ending="cancelled")), Obstacle.CUT_OFF),
    "the end of the run after a crash": (
        run(call(**BROKEN_CALL), call(outcome="undecided", ending="cancelled")),
        Obstacle.BROKEN_DOWN,
    ),
    "a duplicate": (run(call(), is_duplicate=True), Obstacle.DUPLICATE_NAME),
    "access": (run(call(denied="HTTP status 403")), Obstacle.ACCESS_DENIED),
    "what the client lacks": (
        run(call(), wanted={"sampling": {"text": "x"}}), Obstacle.CLIENT_INPUT
    ),
    "unclear errors": (
        run(call({"q": "a"}, outcome="undecided"), places=(free("q", "string"),)),
        Obstacle.UNCLEAR_ERROR,
    ),
    "a contradiction": (
        run(call(valid=False), gaps=(Gap(GapKind.CONTRADICTION, "x"),)), Obstacle.UNSATISFIABLE
    ),
    "a pattern that nothing matched": (
        run(call(valid=False), gaps=(Gap(GapKind.UNMADE, "x"),)), Obstacle.NOT_GENERATED
    ),
    "a schema that nobody checks": (run(call(valid=None)), Obstacle.NOT_CHECKED),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_kind_follows_from_the_calls(name: str) -> None:
    tried, expected = CASES[name]
    assert obstacle_of(tried) is expected
    if expected is not None:
        advises = "[tools." in help_for(tried, expected)
        assert advises == (expected not in OBSTACLE_REMEDIES)


def string(**more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"q": more}, "required": ["q"]}


CONTRADICTIONS: tuple[dict[str, Any], ...] = (
    string(type="string", enum=[1]),
    string(enum=[]),
    string(allOf=[{"type": "string"}, {"type": "integer"}]),
    {"type": "object", "properties": {"q": False}, "required": ["q"]},
    string(type="integer", minimum=9, maximum=3),
    string(type="integer", minimum=1.2, maximum=1.8),
    string(type="number", exclusiveMinimum=3, maximum=3),
    string(type="string", minLength=5, maxLength=2),
    string(type="array", minItems=3, maxItems=1),
    {"type": "array"},
    {"allOf": [{"type": "object"}, {"type": "string"}]},
)
POSSIBLE: tuple[dict[str, Any], ...] = (
    string(type="string"),
    string(type="string", enum=["a", 1]),
    {"type": "object", "properties": {"q": False}},
    string(anyOf=[{"type": "string", "enum": [1]}, {"type": "integer"}]),
    string(type="string", pattern="^(?=impossible)x"),
    string(type="string", minLength=10**9),
    string(type="number", minimum=3, maximum=3),
    string(type="number", exclusiveMinimum=0, exclusiveMaximum=0.001),
    string(type="number", exclusiveMinimum=0, maximum=1e-300),
    string(type=["string", "integer"], minLength=5, maxLength=2),
    {"type": "object", "properties": {"q": {"type": "integer", "minimum": 9, "maximum": 3}}},
    {},
)


@pytest.mark.parametrize("schema", CONTRADICTIONS, ids=str)
def test_a_schema_that_nothing_fits_is_called_a_contradiction(schema: Any) -> None:
    assert GapKind.CONTRADICTION in gaps_of(schema)


@pytest.mark.parametrize("schema", POSSIBLE, ids=str)
def test_a_schema_that_something_may_fit_is_not(schema: Any) -> None:
    assert GapKind.CONTRADICTION not in gaps_of(schema)


def gaps_of(schema: Any) -> set[GapKind]:
    made = plan(
        {"name": "ask", "inputSchema": schema},
        seed=0, budget=4, values=Values(), schemas=Schemas(), at_random=False,
    )  # fmt: skip
    return {gap.kind for gap in made.gaps}

"""Tools that wait by design get small waits, whatever their arguments are called."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.scenario import Scenario
from mcp_assay.scenario.known_values import Values
from mcp_assay.scenario.plan import Planning
from mcp_assay.scenario.small_waits import LARGE, SmallWaits, waits_by_design
from mcp_assay.schema.checker import Schemas


def tool(name: str, description: str = "", **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "inputSchema": schema}


NUMBER = {"type": "number"}


@pytest.mark.parametrize(
    "made",
    [
        tool("sleep"),
        tool("browser_wait_for"),
        tool("pauseRecording"),
        tool("run_job", "Wait until a job is over, then return its result."),
        tool("trigger", "Demonstrates a long-running operation with progress."),
        tool("run_job", "Runs it.", duration=NUMBER),
        tool("run_job", "Runs it.", delayMs=NUMBER),
        tool("run_job", "Runs it.", wait_seconds=NUMBER),
    ],
)
def test_what_lets_time_pass_says_so(made: dict[str, Any]) -> None:
    assert waits_by_design(made)


@pytest.mark.parametrize(
    "made",
    [
        tool("find_book", "Find a book; the reader does not have to wait."),
        tool("fetch", "Fetch a page.", url={"type": "string"}, timeout=NUMBER),
        tool("list_waiters", "Lists those who serve."),
        {"name": "odd", "inputSchema": {"properties": ["seconds"]}},
    ],
)
def test_what_does_not_is_not_excused(made: dict[str, Any]) -> None:
    assert not waits_by_design(made)


def planned(made: dict[str, Any]) -> list[Scenario]:
    """All that would be sent to a tool."""
    schemas = Schemas()
    plan = Planning(made, seed=0, budget=50, values=Values(), schemas=schemas)
    return list(SmallWaits(made, schemas).of(plan.scenarios))


@pytest.mark.parametrize("name", ["seconds", "durationMs", "delay", "interval_ms", "wait"])
@pytest.mark.parametrize(("least", "most"), [({}, 1), ({"minimum": 3}, 3)])
def test_a_valid_call_waits_as_short_as_it_may(
    name: str, least: dict[str, Any], most: float
) -> None:
    made = tool("run_job", "", **{name: {**NUMBER, **least}, "title": {"type": "string"}})
    scenarios = planned(made)
    valid = [one for one in scenarios if one.valid]
    assert len(valid) >= 5
    assert max(one.arguments[name] for one in valid) == most
    schema = Schemas().prepare(made["inputSchema"])
    assert {schema.check(one.arguments).outcome for one in valid} == {"valid"}
    assert any(one.valid is False for one in scenarios)


def test_of_a_timeout_only_large_values_are_left_out() -> None:
    values = [one.arguments.get("timeout") for one in planned(tool("fetch", timeout=NUMBER))]
    numbers = [one for one in values if isinstance(one, int | float)]
    assert max(numbers) > 1
    assert max(numbers) <= LARGE


def test_what_the_user_gave_is_sent_as_it_is() -> None:
    made = tool("sleep", seconds=NUMBER)
    given = Scenario(
        tool="sleep",
        name="example 1",
        category="happy_path",
        arguments={"seconds": 200_000},
        valid=True,
        is_typed=True,
    )
    assert list(SmallWaits(made, Schemas()).of([given])) == [given]

"""Witnesses accuse only tools that really change something."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess import side_effects
from mcp_assay.assess.side_effects import (
    MOST_CALLS,
    MOST_READERS,
    SideEffectCheck,
    readers_among,
)
from mcp_assay.assess.tool_runner import ToolRunner
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.scenario import AGAIN, Scenario
from mcp_assay.model.verdict import ScenarioVerdict
from mcp_assay.rules.behaviour.rule import judge_tool_run
from mcp_assay.spec.revisions import DEFAULT_REVISION

READS = {"readOnlyHint": True}
REPEATS = {"readOnlyHint": False, "idempotentHint": True}
Behaviour = Callable[["World"], str]


class World:
    """What tools can see and change."""

    def __init__(self) -> None:
        self.notes = 0
        self.calls = 0
        self.seconds = 0.0


class Played(ToolRunner):
    """Calls tools that are played; those with wrong arguments are refused."""

    def __init__(self, tools: dict[str, Behaviour]) -> None:
        self.calls = 0
        self.resets = {}
        self.world = World()
        self._tools = tools

    async def call(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        self.calls += 1
        self.world.calls += tool["name"] != "count_notes"
        text = self._tools[tool["name"]](self.world) if scenario.valid else "Refused."
        seconds = 3.0 if "slowly" in tool["name"] else 0.01
        result = {"content": [{"type": "text", "text": text}], "_meta": {}}
        return Call(
            number=self.calls,
            scenario=scenario,
            answer=CallResult(result=result, seconds=seconds),
            result=None,
            verdict=ScenarioVerdict("passed", succeeded=bool(scenario.valid)),
        )


def add(world: World) -> str:
    world.notes += 1
    return "Added."


def put(world: World) -> str:
    world.notes = 1
    return "Put."


def count(world: World) -> str:
    return f"{world.notes} notes"


def nothing(_: World) -> str:
    return "Nothing."


def reported(
    tools: dict[str, tuple[Behaviour, dict[str, bool]]],
) -> tuple[dict[str, list[str]], SideEffectCheck]:
    """Try tools out, let readers look at them, and give the rules that each one breaks."""
    trier = Played({name: behaviour for name, (behaviour, _) in tools.items()})
    readers = SideEffectCheck(trier, lambda _: None)

    async def run() -> list[ToolRun]:
        tool_runs = [await tried(trier, name, hints) for name, (_, hints) in tools.items()]
        await readers.observe(tool_runs)
        return [with_seen(tool_run, readers) for tool_run in tool_runs]

    found = {
        tool_run.name: [f.rule for f in judge_tool_run(tool_run, DEFAULT_REVISION)]
        for tool_run in asyncio.run(run())
    }
    return {name: [one for one in rules if one in HINTS] for name, rules in found.items()}, readers


HINTS = ("DRIFT-008", "DRIFT-009")


def with_seen(tool_run: ToolRun, readers: SideEffectCheck) -> ToolRun:
    """The calls of a tool with what readers have seen around them."""
    return replace(tool_run, observations=tuple(readers.observations[tool_run.name]))


async def tried(trier: Played, name: str, hints: dict[str, bool]) -> ToolRun:
    tool = {"name": name, "annotations": hints}
    good = Scenario(tool=name, name="happy path", category="happy_path", arguments={}, valid=True)
    wrong = replace(good, name="unknown argument", arguments={"x": 1}, valid=False)
    again = [replace(good, name=AGAIN)] if hints.get("readOnlyHint") else []
    calls = [await trier.call(tool, scenario) for scenario in (good, wrong, *again)]
    return ToolRun(tool=tool, calls=tuple(calls))


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_effects, "WAIT", 0)


def test_a_tool_that_only_claims_to_read_is_found_by_what_another_shows() -> None:
    found, _ = reported(
        {"count_notes": (count, READS), "find": (add, READS), "get": (nothing, READS)}
    )
    assert found == {"count_notes": [], "find": ["DRIFT-008"], "get": []}


def test_an_equal_call_that_changes_more_is_found() -> None:
    found, _ = reported(
        {"count_notes": (count, READS), "add": (add, REPEATS), "put": (put, REPEATS)}
    )
    assert found == {"count_notes": [], "add": ["DRIFT-009"], "put": []}


def test_a_tool_without_hints_may_change_what_it_likes() -> None:
    found, readers = reported({"count_notes": (count, READS), "add": (add, {})})
    assert (found, readers.calls) == ({"count_notes": [], "add": []}, [])


def test_where_nothing_changes_few_calls_are_made() -> None:
    tools = {f"get_{number}": (nothing, READS) for number in range(10)}
    found, readers = reported({"count_notes": (count, READS), **tools})
    assert not any(found.values())
    assert len(readers.calls) == 11 + 2 * MOST_READERS
    assert readers.decided == {"DRIFT-008"}


def test_calls_are_bounded_where_everything_changes() -> None:
    tools = {f"find_{number}": (add, READS) for number in range(40)}
    _, readers = reported({"count_notes": (count, READS), **tools})
    assert len(readers.calls) == MOST_CALLS


def test_a_reader_that_counts_the_calls_of_others_accuses_nobody() -> None:
    found, _ = reported(
        {"count_notes": (lambda world: f"{world.calls}", READS), "find": (nothing, READS)}
    )
    assert found == {"count_notes": [], "find": []}


def test_a_reader_that_reports_the_time_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(world: World) -> str:
        world.seconds += 1
        return "At last."

    async def sleep(_: float) -> None:
        trier.world.seconds += 1

    trier = Played({"count_notes": lambda world: f"{world.seconds}", "find": slow})
    monkeypatch.setattr(asyncio, "sleep", sleep)

    async def run() -> ToolRun:
        tool_runs = [await tried(trier, name, READS) for name in ("count_notes", "find")]
        readers = SideEffectCheck(trier, lambda _: None)
        await readers.observe(tool_runs)
        return with_seen(tool_runs[1], readers)

    tool_run = asyncio.run(run())
    assert [one.asking for one in tool_run.observations] == ["reads", "reads", "refused", "waits"]
    assert not [f for f in judge_tool_run(tool_run, DEFAULT_REVISION) if f.rule in HINTS]


def test_a_call_that_is_lost_ends_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    trier = Played({"count_notes": count, "find": add})

    async def lost(tool: dict[str, Any], scenario: Scenario) -> Call:
        call = await Played.call(trier, tool, scenario)
        return replace(call, answer=CallResult(ending="timed_out"))

    async def run() -> SideEffectCheck:
        tool_runs = [await tried(trier, name, READS) for name in ("count_notes", "find")]
        monkeypatch.setattr(trier, "call", lost)
        readers = SideEffectCheck(trier, lambda _: None)
        await readers.observe(tool_runs)
        return readers

    readers = asyncio.run(run())
    assert (len(readers.calls), readers.decided) == (1, set())


def test_slow_calls_are_not_made_again() -> None:
    found, readers = reported({"count_notes": (count, READS), "find_slowly": (add, READS)})
    assert found == {"count_notes": [], "find_slowly": []}
    assert readers.calls == []


@pytest.mark.parametrize("name", ["get_stats", "recentSearches", "server-status", "what_time"])
def test_tools_that_report_calls_or_time_are_no_readers(name: str) -> None:
    trier = Played({name: nothing, "list": nothing})

    async def run() -> list[ToolRun]:
        return [await tried(trier, one, READS) for one in (name, "list")]

    assert [one.scenario.tool for one in readers_among(asyncio.run(run()))] == ["list"]


def test_a_tool_whose_answers_differ_is_no_reader() -> None:
    trier = Played({"next_note": lambda world: add(world) + count(world), "list": nothing})

    async def run() -> list[ToolRun]:
        return [await tried(trier, one, READS) for one in ("next_note", "list")]

    assert [one.scenario.tool for one in readers_among(asyncio.run(run()))] == ["list"]


def test_a_hint_is_held_only_where_a_reader_looked_and_saw_no_change() -> None:
    _, quiet = reported(
        {"count_notes": (count, READS), "a": (nothing, READS), "b": (nothing, READS)}
    )
    assert quiet.held == {(name, "readOnlyHint") for name in ("count_notes", "a", "b")}
    _, loud = reported(
        {"count_notes": (count, READS), "find": (add, READS), "get": (nothing, READS)}
    )
    assert ("get", "readOnlyHint") in loud.held
    assert ("find", "readOnlyHint") not in loud.held
    _, alone = reported(
        {"count_notes": (count, READS), "add": (add, REPEATS), "put": (put, REPEATS)}
    )
    assert alone.held == {("put", "idempotentHint")}

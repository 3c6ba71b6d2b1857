"""Witnesses accuse only tools that really change something."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess import side_effects
from mcp_assay.assess.observer_tools import MOST_OBSERVERS, observers_among
from mcp_assay.assess.side_effects import MOST_CALLS, SideEffectCheck
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.scenario import Scenario
from mcp_assay.rules.behaviour.rule import judge_tool_run
from mcp_assay.spec.revisions import DEFAULT_REVISION
from tests.assess.played_tools import (
    HINTS,
    READS,
    REPEATS,
    Played,
    World,
    add,
    count,
    nothing,
    put,
    reported,
    tried,
    with_seen,
)


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
    groups = 3  # by who looks at them: the first two tools cannot look at themselves
    assert len(readers.calls) == 11 + groups * 2 * MOST_OBSERVERS


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
    assert (len(readers.calls), readers.held) == (1, set())


def test_slow_calls_are_not_made_again() -> None:
    found, readers = reported({"count_notes": (count, READS), "find_slowly": (add, READS)})
    assert found == {"count_notes": [], "find_slowly": []}
    assert readers.calls == []


def test_a_tool_whose_answers_differ_is_no_reader() -> None:
    trier = Played({"next_note": lambda world: add(world) + count(world), "list": nothing})

    async def run() -> list[ToolRun]:
        return [await tried(trier, one, READS) for one in ("next_note", "list")]

    assert [one.scenario.tool for one in observers_among(asyncio.run(run()))] == ["list"]

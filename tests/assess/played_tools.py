"""Tools that are played in this process, compared as an assessment compares them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from mcp_assay.assess.observer_tools import ObserverTool
from mcp_assay.assess.side_effects import SideEffectCheck
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
        self.last: object = None
        self.log: list[str] = []
        self.given: dict[str, Any] = {}
        """The arguments of the call that is being made."""


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
        self.world.given = scenario.arguments
        if scenario.valid and "log" not in tool["name"]:
            self.world.log.append(tool["name"])
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
    other = replace(good, name="edge", arguments={"which": 2})
    calls = [await trier.call(tool, scenario) for scenario in (good, other, wrong, *again)]
    return ToolRun(tool=tool, calls=tuple(calls))


def observer(name: str) -> ObserverTool:
    """A tool that looks at others."""
    scenario = Scenario(tool=name, name=AGAIN, category="happy_path", arguments={}, valid=True)
    return ObserverTool({"name": name}, scenario)

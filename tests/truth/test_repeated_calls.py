"""Tools with few possible inputs are called more than once, and few calls make no one sure."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.tool_runner import (
    LEAST_VALID,
    REPEAT_SECONDS,
    ToolRunner,
    repeats_of,
)
from mcp_assay.assess.tool_runs import ToolRunBuilder
from mcp_assay.judge.status import judge_tool, judged_call
from mcp_assay.model.call import Call, CallResult, ToolRun
from mcp_assay.model.scenario import AGAIN, Scenario
from mcp_assay.model.verdict import ScenarioVerdict, ValidationContext, ValidationResult
from mcp_assay.responses import ResponseValidator

READS = {"readOnlyHint": True}
PLENTY = 50
DONE = {"content": [{"type": "text", "text": "9 to 17"}]}


def called(number: int, *, valid: bool = True, ok: bool = True, seconds: float = 0.001) -> Call:
    scenario = Scenario(
        tool="hours", name="x", category="happy_path", arguments={"day": number}, valid=valid
    )
    verdict = ScenarioVerdict("passed" if ok else "failed", succeeded=ok and valid)
    answer = CallResult(result=DONE, seconds=seconds)
    return Call(number=number, scenario=scenario, answer=answer, result=None, verdict=verdict)


def run_of(*calls: Call, hints: Any = READS) -> ToolRun:
    return ToolRun(tool={"name": "hours", "annotations": hints}, calls=calls)


@pytest.mark.parametrize(
    ("run", "most", "repeats"),
    [
        (run_of(called(1)), PLENTY, LEAST_VALID - 1),
        (run_of(called(1), called(2)), PLENTY, LEAST_VALID - 2),
        (run_of(called(1), called(2, valid=False)), PLENTY, LEAST_VALID - 1),
        (run_of(called(1), called(2, ok=False)), PLENTY, LEAST_VALID - 2),
        (run_of(called(1)), 3, 3),
        (run_of(called(1)), 0, 1),
        (run_of(called(1)), -5, 1),
        (run_of(*map(called, range(LEAST_VALID))), PLENTY, 1),
        (run_of(called(1, seconds=60.0)), PLENTY, LEAST_VALID - 1),
        (run_of(called(1), hints={"readOnlyHint": False, "idempotentHint": True}), PLENTY, 0),
        (run_of(called(1), hints=None), PLENTY, 0),
        (run_of(called(1), hints={"readOnlyHint": "true"}), PLENTY, 0),
        (run_of(called(1, ok=False)), PLENTY, 0),
        (run_of(called(1, valid=False)), PLENTY, 0),
        (run_of(), PLENTY, 0),
    ],
)
def test_calls_are_repeated_where_there_are_few(run: ToolRun, most: int, repeats: int) -> None:
    found = repeats_of(run, most)
    assert len(found) == repeats
    assert {scenario.name for scenario in found} <= {AGAIN}


def test_different_calls_are_repeated_in_turns_and_the_first_one_last() -> None:
    found = repeats_of(run_of(called(1), called(2)), PLENTY)
    assert [one.arguments["day"] for one in found] == [2, 1, 2, 1, 2, 1]


class Paced:
    """Calls tools whose calls take so long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def __call__(self, tool: dict[str, Any], scenario: Scenario) -> Call:
        return replace(called(0, seconds=self.seconds), scenario=scenario)


def repeated(seconds: float, tools: int = 1) -> tuple[list[int], list[int]]:
    """How often each tool is repeated whose calls take so long, and the limits that cut that."""
    runner = ToolRunner(Any, Any, Any)  # type: ignore[arg-type]
    runner.call = Paced(seconds)  # type: ignore[method-assign]
    numbers = []
    for _ in range(tools):
        run = ToolRunBuilder({"name": "hours", "annotations": READS})
        run.calls.append(called(1, seconds=seconds))
        asyncio.run(runner._repeat(run, PLENTY, lambda call: None))
        numbers.append(len(run.calls) - 1)
    return numbers, [limit.count for limit in runner.limits()]


@pytest.mark.parametrize(
    ("seconds", "number", "limits"),
    [
        (0.0, LEAST_VALID - 1, []),
        (0.15, LEAST_VALID - 1, []),
        (REPEAT_SECONDS / LEAST_VALID, LEAST_VALID - 1, []),
        (0.5, 5, [1]),
        (1.0, 3, [1]),
        (REPEAT_SECONDS * 2, 1, [1]),
        (60.0, 1, [1]),
    ],
)
def test_a_slow_tool_is_repeated_less_often_and_that_is_a_limit(
    seconds: float, number: int, limits: list[int]
) -> None:
    assert repeated(seconds) == ([number], limits)


def test_all_tools_together_take_some_time_and_no_more() -> None:
    numbers, limits = repeated(0.25, tools=20)
    assert numbers[:5] == [LEAST_VALID - 1] * 5
    assert numbers[-5:] == [1] * 5
    assert limits == [sum(number < LEAST_VALID - 1 for number in numbers)]
    assert repeated(0.0, tools=60)[1] == []


def judged(valid: bool) -> ValidationResult:
    response = DONE if valid else {"content": []}
    return ResponseValidator().validate_response(
        ValidationContext(tool={"name": "hours"}, input={}, response=response)
    )


@pytest.mark.parametrize(
    ("passed", "failed", "confidence"),
    [
        (1, 0, 70.0),
        (2, 0, 80.0),
        (3, 0, 90.0),
        (4, 0, 95.0),
        (5, 0, 100.0),
        (40, 0, 100.0),
        (1, 1, 50.0),
        (3, 1, 75.0),
        (9, 1, 90.0),
    ],
)
def test_confidence_knows_the_number_of_calls(passed: int, failed: int, confidence: float) -> None:
    results = [*[judged(True)] * passed, *[judged(False)] * failed]
    calls = [judged_call(True, CallResult(result=DONE), one) for one in results]
    assert judge_tool(calls).confidence == confidence

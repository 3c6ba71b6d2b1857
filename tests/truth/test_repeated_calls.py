"""Tools with few possible inputs are called more than once, and few calls make no one sure."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.assess.tool_runner import LEAST_VALID, QUICK_SECONDS, repeats_of
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


SLOW = 2 * QUICK_SECONDS


@pytest.mark.parametrize(
    ("run", "most", "repeats"),
    [
        (run_of(called(1)), PLENTY, LEAST_VALID - 1),
        (run_of(called(1), called(2)), PLENTY, LEAST_VALID - 2),
        (run_of(called(1), called(2, valid=False)), PLENTY, LEAST_VALID - 1),
        (run_of(called(1), called(2, ok=False)), PLENTY, LEAST_VALID - 2),
        (run_of(called(1), called(2, seconds=SLOW)), PLENTY, LEAST_VALID - 2),
        (run_of(called(1)), 3, 3),
        (run_of(called(1)), 0, 1),
        (run_of(called(1)), -5, 1),
        (run_of(*map(called, range(LEAST_VALID))), PLENTY, 1),
        (run_of(called(1, seconds=SLOW)), PLENTY, 1),
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

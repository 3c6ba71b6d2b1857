"""From calls to scenarios, and from scenarios to the status of a tool."""

from __future__ import annotations

import pytest

from mcp_assay.judge.status import judge_call, judge_tool
from mcp_assay.model.verdict import (
    Classification,
    ErrorKind,
    ErrorVerdict,
    JudgedCall,
    ValidationResult,
)

RULED: dict[ErrorKind, tuple[Classification, float]] = {
    "business": ("fully_working", 100.0),
    "failure": ("error", 0.0),
    "environment": ("connectivity_only", 30.0),
    "unclear": ("error", 50.0),
}


def answer(classification: Classification, confidence: float) -> ValidationResult:
    return ValidationResult(
        is_valid=classification != "broken",
        is_error=False,
        confidence=confidence,
        issues=[],
        evidence=[],
        classification=classification,
    )


def error(kind: ErrorKind) -> ValidationResult:
    classification, confidence = RULED[kind]
    return ValidationResult(
        is_valid=kind in ("business", "unclear"),
        is_error=True,
        confidence=confidence,
        issues=[],
        evidence=[],
        classification=classification,
        error_verdict=ErrorVerdict(kind, 100.0, []),
    )


GOOD = answer("fully_working", 100.0)
FAULTY = answer("partially_working", 70.0)
EMPTY = answer("broken", 0.0)


def valid(result: ValidationResult | None, code: int | None = None) -> JudgedCall:
    return JudgedCall(valid_arguments=True, result=result, error_code=code)


def invalid(result: ValidationResult | None, code: int | None = None) -> JudgedCall:
    return JudgedCall(valid_arguments=False, result=result, error_code=code)


TIMEOUT = JudgedCall(valid_arguments=True, ending="timed_out")
DEATH = JudgedCall(valid_arguments=True, ending="died")


@pytest.mark.parametrize(
    ("call", "outcome", "trouble"),
    [
        (valid(GOOD), "passed", None),
        (valid(FAULTY), "failed", "faulty_answer"),
        (valid(EMPTY), "failed", "no_content"),
        (valid(error("business")), "unproven", None),
        (valid(error("failure")), "failed", "crashed"),
        (valid(error("environment")), "failed", "environment"),
        (valid(error("unclear")), "undecided", None),
        (valid(None, -32602), "unproven", None),
        (valid(None, -32000), "undecided", None),
        (valid(None), "undecided", None),
        (TIMEOUT, "failed", "timed_out"),
        (DEATH, "failed", "died"),
        (invalid(GOOD), "failed", "accepted"),
        (invalid(FAULTY), "failed", "accepted"),
        (invalid(EMPTY), "failed", "no_content"),
        (invalid(error("business")), "passed", None),
        (invalid(error("unclear")), "undecided", None),
        (invalid(error("unclear"), -32602), "passed", None),
        (invalid(None, -32602), "passed", None),
        (invalid(error("failure"), -32602), "failed", "crashed"),
        (invalid(error("failure")), "failed", "crashed"),
        (invalid(error("environment")), "failed", "environment"),
    ],
)
def test_a_scenario_passes_only_if_the_answer_fits_its_arguments(
    call: JudgedCall, outcome: str, trouble: str | None
) -> None:
    verdict = judge_call(call)
    assert (verdict.outcome, verdict.trouble) == (outcome, trouble)


@pytest.mark.parametrize(
    ("calls", "status"),
    [
        ([], "not_called"),
        ([valid(error("failure")), TIMEOUT, DEATH, valid(EMPTY)], "broken"),
        ([valid(error("failure")), valid(error("business"))], "broken"),
        ([valid(error("environment")), valid(error("business"))], "connectivity_only"),
        ([valid(error("environment")), valid(error("unclear"))], "connectivity_only"),
        ([valid(error("business")), invalid(error("business"))], "unproven"),
        ([valid(error("unclear"))], "unproven"),
        ([valid(error("environment")), invalid(error("business"))], "connectivity_only"),
        ([valid(error("business")), invalid(GOOD)], "unproven"),
        ([valid(GOOD)], "fully_working"),
        ([valid(GOOD), valid(error("business")), invalid(error("business"))], "fully_working"),
        ([valid(GOOD), valid(error("unclear"))], "fully_working"),
        ([valid(GOOD), invalid(GOOD)], "partially_working"),
        ([valid(GOOD), valid(error("failure"))], "partially_working"),
        ([valid(FAULTY)], "partially_working"),
        ([valid(error("failure")), invalid(error("business"))], "broken"),
        ([TIMEOUT, valid(error("environment"))], "connectivity_only"),
        ([DEATH, valid(error("environment"))], "broken"),
        ([valid(error("environment")), invalid(error("failure"))], "connectivity_only"),
        ([valid(error("environment")), valid(error("failure"))], "broken"),
        ([valid(error("business")), invalid(error("failure"))], "unproven"),
    ],
)
def test_the_status_of_a_tool_is_the_first_that_holds(calls: list[JudgedCall], status: str) -> None:
    assert judge_tool(calls).status == status


def test_a_tool_that_was_not_called_says_why_and_has_no_confidence() -> None:
    verdict = judge_tool([], "its name says that it deletes")
    assert (verdict.reason, verdict.confidence) == ("its name says that it deletes", None)


def test_a_tool_that_lacks_its_dependencies_says_so() -> None:
    lacking = [valid(error("environment")), invalid(error("business"))]
    assert "a dependency was unavailable" in judge_tool(lacking).reason
    refusing = [valid(error("business")), invalid(error("environment")), lacking[1]]
    assert "what the tool needs" not in judge_tool(refusing).reason


def test_a_tool_that_only_refuses_has_no_confidence() -> None:
    assert judge_tool([valid(error("business"))]).confidence is None


def test_the_numbers_behind_a_status_are_counted() -> None:
    verdict = judge_tool(
        [valid(GOOD), valid(FAULTY), valid(error("business")), invalid(error("business")), DEATH]
    )
    numbers = (verdict.called, verdict.succeeded, verdict.rejected)
    assert numbers == (5, 2, 2)
    assert (verdict.failed, verdict.unproven) == (2, 1)


def test_confidence_is_taken_over_the_decided_calls_and_a_death_counts_nothing() -> None:
    verdict = judge_tool([valid(GOOD), valid(error("unclear")), valid(FAULTY), DEATH])
    assert verdict.confidence == pytest.approx((100 + 49 + 0) / 3)

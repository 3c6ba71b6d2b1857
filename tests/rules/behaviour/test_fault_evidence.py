"""How grave a failure is depends on what shows that the tool, and nobody else, is at fault."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.call import Call, ToolRun
from mcp_assay.model.finding import Finding
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import ErrorVerdict, Factor, ValidationResult
from mcp_assay.rules.behaviour.refusals import may_refuse
from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of

EXCEPTION = Factor("crash signature", "failure", 8.0, "has no attribute", "python")
UNREADABLE = Factor("unreadable text", "failure", 4.0, "Expecting value", "python")
RAISED = Factor("crash signature", "failure", 4.0, "Parse error", "php")
TOOL = {
    "name": "area",
    "inputSchema": {
        "properties": {
            "geojson": {"type": "string"},
            "title": {"type": "string"},
            "scale": {"type": "number"},
        }
    },
}


def crash(arguments: dict[str, Any], name: str = "happy path", **more: Any) -> dict[str, Any]:
    return called(arguments, name=name, trouble="crashed", **more)


def run_of(*calls: dict[str, Any], factors: tuple[Factor, ...] = ()) -> ToolRun:
    tried = tool_run_of({"tool": TOOL, "calls": list(calls)})
    return replace(tried, calls=tuple(_with(call, factors) for call in tried.calls))


def _with(call: Call, factors: tuple[Factor, ...]) -> Call:
    said = ErrorVerdict("failure", 80.0, list(factors)) if factors else None
    result = ValidationResult(
        is_valid=False,
        is_error=True,
        confidence=20.0,
        issues=[],
        evidence=[],
        classification="error",
        error_verdict=said,
    )
    return replace(call, result=result, scenario=_odd(call.scenario))


def _odd(scenario: Scenario) -> Scenario:
    """Scenarios named "edge" are none of a sensible caller."""
    is_edge = scenario.name.startswith("edge")
    return replace(scenario, category="edge_case") if is_edge else scenario


def severity(tried: ToolRun, rule: str = "RESP-004") -> str | None:
    found: list[Finding] = [it for it in judge_tool_run(tried, "2025-11-25") if it.rule == rule]
    return found[0].severity if found else None


def test_an_exception_on_a_sensible_call_is_an_error() -> None:
    assert severity(run_of(crash({"geojson": "{}"}), factors=(EXCEPTION,))) == "error"


@pytest.mark.parametrize("factors", [(UNREADABLE,), (UNREADABLE, RAISED)])
def test_what_cannot_be_read_may_be_what_was_sent(factors: tuple[Factor, ...]) -> None:
    assert severity(run_of(crash({"geojson": "tea"}), factors=factors)) == "info"


def test_what_cannot_be_read_is_the_tools_where_a_number_was_tried() -> None:
    call = crash({"scale": 1.01}, "edge: fraction", pointer="/scale")
    assert severity(run_of(call, factors=(UNREADABLE,))) == "error"


def test_a_choice_of_two_is_no_number_that_was_tried() -> None:
    call = crash({"geojson": "tea", "scale": False}, "edge: other value", pointer="/scale")
    assert severity(run_of(call, factors=(UNREADABLE,))) == "info"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"geojson": "[1, 2]"}, "warning"),
        ({"geojson": ["[1, 2]"]}, "warning"),
        ({"geojson": "  "}, "error"),
        ({"title": "[1, 2]"}, "error"),
        ({"scale": -1}, "error"),
        ({"title": "tea", "scale": [{}]}, "warning"),
    ],
)
def test_an_odd_text_in_place_of_one_of_a_form_is_nothing_that_a_caller_sends(
    arguments: dict[str, Any], expected: str
) -> None:
    assert severity(run_of(crash(arguments, "edge: odd"), factors=(EXCEPTION,))) == expected


def test_a_text_that_a_sensible_call_has_is_not_odd() -> None:
    usual = called({"geojson": "{}", "scale": 1}, result={"content": []})
    odd = crash({"geojson": "{}", "scale": -1}, "edge: negative")
    assert severity(run_of(usual, odd, factors=(EXCEPTION,))) == "error"


def test_a_wrong_call_crashes_only_where_the_tool_is_at_fault() -> None:
    wrong = crash({"scale": "a"}, "wrong type", valid=False)
    assert severity(run_of(wrong, factors=(EXCEPTION,)), "RESP-005") == "warning"
    assert severity(run_of(wrong, factors=(UNREADABLE,)), "RESP-005") is None


LACKS = called({"title": "tea"}, trouble="environment")
ODDLY = called({"title": "\\"}, name="edge: signs", trouble="environment")
WORKS = called({"title": "ale"}, result={"content": [{"type": "text", "text": "ale"}]})


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([LACKS], "warning"),
        ([LACKS, WORKS], "info"),
        ([ODDLY], "info"),
        ([ODDLY, LACKS], "warning"),
    ],
)
def test_a_dependency_is_missing_where_sensible_calls_lack_it(
    calls: list[dict[str, Any]], expected: str
) -> None:
    assert severity(run_of(*calls), "RESP-007") == expected


def test_what_a_client_is_asked_for_is_no_dependency() -> None:
    said = {"content": [{"type": "text", "text": "elicitation is unavailable"}]}
    assert severity(run_of({**LACKS, "result": said}), "RESP-007") == "info"


LATE: dict[str, Any] = {"trouble": "timed_out", "ending": "timed_out"}


def test_a_time_out_is_an_error_where_a_sensible_call_timed_out() -> None:
    assert severity(run_of(called({"scale": 1}, **LATE)), "RESP-009") == "error"
    odd = called({"scale": 2**31}, name="edge: large number", **LATE)
    assert severity(run_of(odd), "RESP-009") == "warning"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"total": 1, "errors": 1, "results": ["x" * 600]}, True),
        ({"message": "x" * 600, "error": "path_parameter_missing"}, True),
        ({"total": 1, "errors": 0, "results": ["x" * 600]}, False),
        ({"message": "done"}, False),
    ],
)
def test_a_member_for_errors_may_be_a_refusal(value: dict[str, Any], expected: bool) -> None:
    assert may_refuse({"content": [], "structuredContent": value}) is expected


def _told(call: dict[str, Any], pointer: str) -> str | None:
    tried = tool_run_of({"tool": TOOL, "calls": [call]})
    (only,) = tried.calls
    assert only.result is not None
    assert only.result.sign is not None
    sign = replace(only.result.sign, pointer=pointer)
    told = replace(only, result=replace(only.result, sign=sign))
    return severity(replace(tried, calls=(told,)), "RESP-003")


def test_an_item_that_failed_is_told_beside_the_others() -> None:
    result = {"content": [], "structuredContent": {"results": [{"of": "a", "error": "no a"}]}}
    batch = called({"items": ["a"]}, sign="unflagged_error", result=result)
    assert _told(batch, "/structuredContent/results") is None
    one = called({"item": "a"}, sign="unflagged_error", result=result)
    assert _told(one, "/structuredContent/results") == "warning"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No matches for 'tea'", None),
        ("No examples found for 'tea'", None),
        ("The folder 'tea' does not exist, nothing to delete", None),
        ("No note found for 'tea'", "warning"),
        ("No results given", "warning"),
    ],
)
def test_to_find_nothing_is_no_error(text: str, expected: str | None) -> None:
    call = called(sign="unflagged_error", result={"content": [{"type": "text", "text": text}]})
    assert _told(call, "/content/0/text") == expected


NOTHING: dict[str, Any] = {"content": [{"type": "text", "text": ""}]}
EMPTY: dict[str, Any] = {"sign": "no_information", "result": NOTHING}


def test_nothing_to_say_of_what_is_empty_is_a_note() -> None:
    assert severity(tool_run_of({"tool": TOOL, "calls": [called({}, **EMPTY)]}), "RESP-001") == (
        "warning"
    )
    told = tool_run_of({"tool": TOOL, "calls": [called({}, **EMPTY), WORKS]})
    assert severity(told, "RESP-001") == "info"


SALES: dict[str, Any] = {
    "name": "sum_up",
    "description": 'Sums up sales.\n    lines: [{"what": ..., "price": ...}], one for each.',
    "inputSchema": {"properties": {"lines": {"type": "array"}, "more": {"type": "object"}}},
}


def grade_of(tool: dict[str, Any], arguments: dict[str, Any], text: str) -> str | None:
    """How grave it is that a valid call fails so."""
    said = {"content": [{"type": "text", "text": text}], "isError": True}
    tried = tool_run_of({"tool": tool, "calls": [crash(arguments, result=said)]})
    (found,) = [it for it in judge_tool_run(tried, "2025-11-25") if it.rule == "RESP-004"]
    return found.severity


def test_what_a_description_writes_out_is_not_contradicted_in_earnest() -> None:
    falls = "'str' object has no attribute 'get'"
    assert grade_of(SALES, {"lines": ["tea"]}, falls) == "warning"
    assert grade_of(SALES, {"lines": [{"what": "tea", "price": 2}]}, falls) == "error"
    untold = {**SALES, "description": "Sums up sales."}
    assert grade_of(untold, {"lines": ["tea"]}, falls) == "error"


def test_a_crash_about_a_member_that_was_made_up_is_no_proof() -> None:
    falls = "more.parts.forEach is not a function"
    assert grade_of(SALES, {"more": {"parts": "a"}}, falls) == "warning"
    assert grade_of(SALES, {"more": {"parts": "a"}}, "db is not defined") == "error"
    named = {**SALES, "description": "Sums up sales. more: has the parts, a text"}
    assert grade_of(named, {"more": {"parts": "a"}}, falls) == "error"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"status": "needs_information", "chosen": None}, True),
        ({"state": "approval required"}, True),
        ({"unresolved": [{"id": 1, "questions": ["is it complete?"]}]}, True),
        ({"questions": []}, False),
        ({"status": "done", "rows": [{"status": "invalid"}]}, False),
        ({"status": "selected"}, False),
    ],
)
def test_a_state_or_a_question_may_say_that_nothing_was_taken(value: Any, expected: bool) -> None:
    assert may_refuse({"content": [], "structuredContent": value}) is expected

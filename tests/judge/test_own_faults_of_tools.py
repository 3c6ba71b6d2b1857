"""A tool is broken by crashes that are its own by their words, as its errors are told by them."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.assess.tool_runs import ToolRunBuilder, as_judged
from mcp_assay.judge.status import judge_call, judge_tool, judged_call
from mcp_assay.model.call import Call, CallResult
from mcp_assay.model.scenario import Scenario
from mcp_assay.model.verdict import ToolStatus, ValidationContext
from mcp_assay.responses import ResponseValidator
from mcp_assay.rules.behaviour.rule import judge_tool_run

CRASH = "RESP-004"
PLACE = {"city": {"type": ["string", "integer"]}}
TOOL: dict[str, Any] = {"name": "draw_chart", "inputSchema": {"properties": PLACE}}
TRACED = (
    'Traceback (most recent call last):\n  File "server.py", line 7, in draw\n'
    "    return table['width']\nKeyError: 'width'"
)
UNREAD = "Expecting value: line 1 column 1 (char 0)"
REFUSED = "city not found"
LOST = "connection refused by the database"
FINE = "The chart of the city is drawn."


def made(text: str, city: str | int) -> Call:
    scenario = Scenario(
        tool="draw_chart",
        name="happy path",
        category="happy_path",
        arguments={"city": city},
        valid=True,
        pointer="/city",
    )
    result = {"content": [{"type": "text", "text": text}], "isError": text != FINE}
    context = ValidationContext(TOOL, scenario.arguments, result, scenario.category)
    judged, answer = ResponseValidator.validate_response(context), CallResult(result=result)
    verdict = judge_call(judged_call(True, answer, judged))
    return Call(number=1, scenario=scenario, answer=answer, result=judged, verdict=verdict)


@pytest.mark.parametrize(
    ("texts", "city", "status"),
    [
        ([TRACED], "Oslo", "broken"),
        ([UNREAD], "Oslo", "unproven"),
        ([UNREAD], 3, "broken"),
        ([UNREAD, TRACED], "Oslo", "broken"),
        ([UNREAD, REFUSED], "Oslo", "unproven"),
        ([UNREAD, LOST], "Oslo", "unproven"),
        ([LOST], "Oslo", "connectivity_only"),
        ([UNREAD, FINE], "Oslo", "partially_working"),
        ([TRACED, FINE], "Oslo", "partially_working"),
    ],
)
def test_a_crash_breaks_a_tool_where_it_is_its_own(
    texts: list[str], city: str | int, status: ToolStatus
) -> None:
    calls = [made(text, city) for text in texts]
    run = ToolRunBuilder(TOOL)
    run.calls.extend(calls)
    found = judge_tool(list(map(as_judged, calls)), verdicts=[one.verdict for one in calls])
    assert found.status == status
    assert (run.breakdown() is not None) is (status == "broken")


@pytest.mark.parametrize(("text", "is_evidence"), [(TRACED, True), (UNREAD, False)])
def test_the_error_and_the_status_ask_for_the_same_evidence(text: str, is_evidence: bool) -> None:
    call = made(text, "Oslo")
    assert call.verdict.trouble == "crashed"
    assert as_judged(call).breaks_its_tool is is_evidence
    run = ToolRunBuilder(TOOL)
    run.calls.append(call)
    (found,) = [one for one in judge_tool_run(run.frozen(), "2025-11-25") if one.rule == CRASH]
    assert (found.severity == "error") is is_evidence

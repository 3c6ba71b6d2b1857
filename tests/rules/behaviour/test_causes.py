"""Findings that share a fix share a cause, and a framework is known by its habits."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules.behaviour.causes import (
    FRAMEWORKS,
    UNCHECKED,
    framework_of,
    with_causes,
)
from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of
from mcp_assay.spec.revisions import DEFAULT_REVISION

DONE = {"content": [{"type": "text", "text": "done"}]}
WRONG_TYPE = called({"id": "1"}, name="wrong type", valid=False, pointer="/id", trouble="accepted",
                    result=DONE)  # fmt: skip
MISSING = called({}, name="required, but missing", valid=False, pointer="/id", trouble="accepted",
                 result=DONE)  # fmt: skip
PYDANTIC = "1 validation error for call[find]\ntitle\n  Input should be a valid string"
SDK = "Error executing tool find: 1 validation error for findArguments\ntitle"


def findings(tool: str, *calls: dict[str, Any]) -> list[Finding]:
    tool_run = tool_run_of({"tool": {"name": tool}, "calls": list(calls)})
    return list(judge_tool_run(tool_run, DEFAULT_REVISION))


def test_a_fault_of_one_tool_stays_as_it_is() -> None:
    found = findings("find", WRONG_TYPE)
    assert list(with_causes(found, None)) == found


def test_faults_that_one_fix_removes_have_one_cause() -> None:
    found = findings("a", MISSING, WRONG_TYPE)
    assert {one.rule for one in found} == {"DRIFT-003", "DRIFT-004", "CALL-007"}
    assert len({one.cause for one in found}) == 1
    other = findings("b", MISSING)
    assert {one.cause for one in other}.isdisjoint(one.cause for one in found)
    assert {one.cause for one in with_causes([*found, *other], None)} == {UNCHECKED}


def test_crashes_of_several_tools_are_several_findings() -> None:
    crash = called({"id": 1}, trouble="crashed")
    found = [*findings("a", crash), *findings("b", crash)]
    assert list(with_causes(found, None)) == found
    assert len({one.cause for one in found}) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [(PYDANTIC, "FastMCP"), (SDK, "the Python SDK"), ("title must be a string", None)],
)
def test_a_framework_is_known_by_its_refusals(text: str, name: str | None) -> None:
    refusal = {"content": [{"type": "text", "text": text}], "isError": True}
    calls = [called({}, result={"content": None}), called({"title": 5}, result=refusal)]
    framework = framework_of([tool_run_of({"tool": {"name": "find"}, "calls": calls})])
    assert (framework.name if framework else None) == name


def test_words_of_a_framework_in_an_ordinary_answer_prove_nothing() -> None:
    answer = {"content": [{"type": "text", "text": PYDANTIC}]}
    tool_run = tool_run_of({"tool": {"name": "find"}, "calls": [called({}, result=answer)]})
    assert framework_of([tool_run]) is None


def test_the_switch_of_the_framework_is_the_fix() -> None:
    found = [one for one in findings("find", WRONG_TYPE) if one.rule == "DRIFT-003"]
    (reported,) = with_causes(found, FRAMEWORKS[0])
    assert reported.fix == "Create the server with FastMCP(name, strict_input_validation=True)."
    assert reported.message.endswith("; FastMCP converts arguments before a tool sees them.")
    assert reported.details is not None
    assert reported.details["framework"] == "FastMCP"
    assert reported.fingerprint == found[0].fingerprint

"""How grave it is, and what helps, where a rule has more than one answer."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.model.scenario import GapKind
from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of


def _found(rule: str, *calls: dict[str, Any], **more: Any) -> Finding:
    tried = tool_run_of({"tool": {"name": "find_note"}, "calls": list(calls), **more})
    (finding,) = [it for it in judge_tool_run(tried, "2025-11-25") if it.rule == rule]
    return finding


EMPTY = called(trouble="no_content", result={"content": []})
MISSING = called({"id": 2}, trouble="no_content", result={})


@pytest.mark.parametrize(
    ("calls", "severity"),
    [([EMPTY], "warning"), ([MISSING], "error"), ([EMPTY, MISSING], "error")],
)
def test_an_empty_content_is_lawful_and_none_is_not(
    calls: list[dict[str, Any]], severity: str
) -> None:
    assert _found("RESP-001", *calls).severity == severity


@pytest.mark.parametrize(
    ("gap", "remedy"),
    [
        (GapKind.UNMADE, "Add values for it to [tools."),
        (GapKind.BUDGET, "Raise --max-calls."),
        (GapKind.UNREAD, "Return less data"),
        (GapKind.GIVEN_UP, "Fix those calls first"),
        (GapKind.REDEFINED, "Rename a tool"),
        (GapKind.WITHDRAWN, "Use --allow"),
    ],
)
def test_what_was_not_tried_says_what_would_help(gap: GapKind, remedy: str) -> None:
    assert (
        _found("SCEN-002", gaps=[[gap.value, "Something was not tried."]]).fix or ""
    ).startswith(remedy)

"""How grave it is, and what helps, where a rule has more than one answer."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.model.effect import ConnectionTry, Effects
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


@pytest.mark.parametrize(
    ("address", "bytes", "severity"),
    [("11.0.0.9", 0, "info"), ("11.0.0.9", 300, "warning"), ("127.0.0.1", 0, "warning")],
)
def test_the_network_that_a_sandbox_does_not_have_is_no_fault(
    address: str, bytes: int, severity: str
) -> None:
    reached = ConnectionTry(
        host="api.example.org", address=address, port=443, protocol="tcp", bytes=bytes
    )
    tried = tool_run_of({"tool": {"name": "find_note"}, "calls": [called(trouble="environment")]})
    watched = replace(tried.calls[0], effects=Effects(connections=[reached]))
    (finding,) = judge_tool_run(replace(tried, calls=(watched,)), "2025-11-25")
    assert (finding.rule, finding.severity) == ("RESP-007", severity)
    assert ("--sandbox-allow api.example.org" in (finding.fix or "")) == (severity == "info")


def test_a_call_that_waits_for_a_network_that_is_not_there_is_a_note() -> None:
    late = called(trouble="timed_out", ending="timed_out")
    tried = tool_run_of({"tool": {"name": "find_note"}, "calls": [late]})
    watched = replace(tried.calls[0], effects=Effects(names=["api.example.org"]))
    (alone,) = judge_tool_run(tried, "2025-11-25")
    (finding,) = judge_tool_run(replace(tried, calls=(watched,)), "2025-11-25")
    assert (alone.severity, finding.severity) == ("error", "info")

"""Tools of one server that refuse wrong arguments in different forms are told, as a note."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.rules.behaviour.error_forms import error_forms, is_decided, mixed_error_forms
from mcp_assay.rules.behaviour.rule import called, tool_run_of
from mcp_assay.rules.engine.findings import to_finding
from mcp_assay.spec.revisions import DEFAULT_REVISION

FLAGGED: Final[dict[str, Any]] = {
    "result": {"content": [{"type": "text", "text": "No id"}], "isError": True}
}
RPC: Final[dict[str, Any]] = {"error": {"code": -32602, "message": "No id"}}
HIDDEN: Final[dict[str, Any]] = {
    "result": {"content": [{"type": "text", "text": "Error: no id"}]},
    "sign": "unflagged_error",
}
FINE: Final[dict[str, Any]] = {"result": {"content": [{"type": "text", "text": "Emma"}]}}


def wrong(ending: dict[str, Any], **more: Any) -> dict[str, Any]:
    return called({}, name="required, but missing", valid=False, **ending, **more)


def told(*tools: list[dict[str, Any]]) -> list[str] | None:
    """The severities of what is told about these tools; None where nothing was decided."""
    runs = [
        tool_run_of({"tool": {"name": f"tool{number}"}, "calls": calls})
        for number, calls in enumerate(tools)
    ]
    forms = error_forms(runs)
    if not is_decided(forms):
        return None
    return [to_finding(one, DEFAULT_REVISION).severity for one in mixed_error_forms(forms)]


@pytest.mark.parametrize(
    "tools",
    [
        [[wrong(FLAGGED)], [wrong(RPC)]],
        [[wrong(RPC)], [wrong(RPC)], [wrong(FLAGGED)]],
        [[wrong(FLAGGED)], [wrong(HIDDEN, trouble="accepted")]],
        [[wrong(RPC)], [wrong(HIDDEN, trouble="accepted")]],
        [[wrong(FLAGGED), wrong(FLAGGED)], [wrong(RPC), called({"id": 1}, **FINE)]],
        [[wrong(FLAGGED)], [wrong(RPC)], [wrong(HIDDEN, trouble="accepted")]],
    ],
)
def test_different_forms_are_told(tools: list[list[dict[str, Any]]]) -> None:
    assert told(*tools) == ["info"]


@pytest.mark.parametrize(
    ("tools", "decided"),
    [
        ([[wrong(FLAGGED)], [wrong(FLAGGED)]], []),
        ([[wrong(RPC)], [wrong(RPC)]], []),
        ([[wrong(FLAGGED)], [wrong(FLAGGED)], [wrong(RPC), wrong(FLAGGED)]], []),
        ([[wrong(FLAGGED)]], None),
        ([[called({"id": 1}, **FINE)], [wrong(RPC)]], None),
        ([[called({"id": 1}, **FLAGGED, outcome="unproven")], [wrong(RPC)]], None),
        ([[wrong(FINE, trouble="accepted")], [wrong(RPC)]], None),
        ([], None),
    ],
)
def test_one_form_is_not_told(tools: list[list[dict[str, Any]]], decided: list[str] | None) -> None:
    assert told(*tools) == decided

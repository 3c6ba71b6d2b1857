"""What a report says of the calls of a tool."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import permit
from mcp_assay.assess.report import report_on
from mcp_assay.assess.state import AssessmentState, Called, Listed, context_of
from mcp_assay.assess.tool_runs import UNDECIDED
from mcp_assay.client.target import Command
from mcp_assay.model.report import Report, Timing
from mcp_assay.rules.behaviour.rule import called, tool_run_of
from mcp_assay.rules.definition.surface import Surface

NOTE = {"name": "note", "annotations": {"readOnlyHint": True}}
FINE = {"content": [{"type": "text", "text": "A note."}]}


def reported(*calls: Any, earlier: tuple[Any, ...] = ()) -> Report:
    """The report on a tool that was called so, by an earlier definition and by its last one."""
    options, listed = AssessOptions(), Listed(surface=Surface(tools=[NOTE]))
    before = {"tool": NOTE, "calls": earlier, "gaps": ["It changed."]}
    called = Called(
        runs=(tool_run_of({"tool": NOTE, "calls": calls}),),
        earlier=(tool_run_of(before),) if earlier else (),
    )
    state = AssessmentState(
        context=context_of(Command(command=("unused",), environment={}), options),
        listed=listed,
        permitted=permit(listed, options, None),
        called=called,
    )
    return report_on(state, Timing(started="", seconds=0))


@pytest.mark.parametrize("valid", [None, False])
def test_a_call_that_cannot_be_decided_is_counted_as_well(valid: bool | None) -> None:
    refused = called(valid=valid, error={"code": -32602})
    (tool,) = reported(refused, refused).tools
    assert (tool.status, tool.called) == ("unproven", 2)
    assert (tool.reason == UNDECIDED) is (valid is None)


def test_calls_by_an_earlier_definition_count_and_its_gaps_are_reported() -> None:
    report = reported(called(result=FINE), earlier=(called(result=FINE), called(result=FINE)))
    (tool,) = report.tools
    assert (tool.called, len(report.calls), len(tool.scenarios)) == (3, 3, 3)
    assert (report.summary.tools_called, report.summary.tools_listed) == (1, 1)
    assert tool.coverage.not_reached == ["It changed."]

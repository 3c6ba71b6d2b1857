"""What a report says of the calls of a tool."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.options import AssessOptions
from mcp_assay.assessing.permitting import permit
from mcp_assay.assessing.reporting import UNDECIDED, report_on
from mcp_assay.drive.target import Command
from mcp_assay.model.report import Report, Timing
from mcp_assay.rules.behaviour.trial import called, trial_of
from mcp_assay.rules.definitions.surface import Surface

NOTE = {"name": "note", "annotations": {"readOnlyHint": True}}
FINE = {"content": [{"type": "text", "text": "A note."}]}


def told(*calls: Any, earlier: tuple[Any, ...] = ()) -> Report:
    """The report on a tool that was called so, by an earlier definition and by its last one."""
    dossier = Dossier(Command(command=("unused",), environment={}), AssessOptions())
    dossier.surface = Surface(tools=[NOTE])
    permit(dossier, None)
    if earlier:
        dossier.earlier.append(trial_of({"tool": NOTE, "calls": earlier, "gaps": ["It changed."]}))
    dossier.trials["note"] = trial_of({"tool": NOTE, "calls": calls})
    return report_on(dossier, Timing(started="", seconds=0))


@pytest.mark.parametrize("valid", [None, False])
def test_a_call_that_cannot_be_decided_is_counted_as_well(valid: bool | None) -> None:
    refused = called(valid=valid, error={"code": -32602})  # type: ignore[arg-type]
    (tool,) = told(refused, refused).tools
    assert (tool["status"], tool["called"]) == ("unproven", 2)
    assert (tool["reason"] == UNDECIDED) is (valid is None)


def test_calls_by_an_earlier_definition_count_and_its_gaps_are_told() -> None:
    report = told(called(result=FINE), earlier=(called(result=FINE), called(result=FINE)))
    (tool,) = report.tools
    assert (tool["called"], len(report.calls), len(tool["scenarios"])) == (3, 3, 3)
    assert (report.summary.tools_called, report.summary.tools_listed) == (1, 1)
    assert tool["coverage"]["not_reached"] == ["It changed."]

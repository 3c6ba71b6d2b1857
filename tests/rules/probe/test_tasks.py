"""A task is held against a server only where it surely was at work, or over."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mcp_assay.model.probe import OpenStep, Reply
from mcp_assay.rules.probe.confirmation import UNSURE
from mcp_assay.rules.probe.rule import findings, replayed
from mcp_assay.rules.probe.tasks import (
    BEGUN,
    CANCELLED,
    DONE,
    ONE,
    OVER,
    OVER_TOO_SOON,
    REFUSED,
    UNKNOWN,
    WORKING,
    calls_with_and_without_a_task,
    cancelled_tasks,
)
from mcp_assay.spec.revisions import R2025_11_25

LOST = Reply(ending="timed_out")
LISTED = Reply(result={})
ANEW = Reply()


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ([BEGUN, CANCELLED, REFUSED, BEGUN, DONE, REFUSED], "kept"),
        ([BEGUN, CANCELLED, REFUSED, BEGUN, LOST, CANCELLED], "kept"),
        ([BEGUN, CANCELLED, REFUSED, UNKNOWN], "kept"),
        ([BEGUN, CANCELLED, REFUSED, BEGUN, DONE, CANCELLED], "failed"),
        ([BEGUN, CANCELLED, CANCELLED], "failed"),
        ([BEGUN, WORKING], "failed"),
        ([BEGUN, OVER], "failed"),
        ([BEGUN, UNKNOWN, WORKING], "failed"),
        ([BEGUN, REFUSED, OVER], OVER_TOO_SOON),
        ([BEGUN, UNKNOWN, OVER], "the task could not be cancelled"),
        ([BEGUN, LOST, LOST, ANEW, LOST], UNSURE),
        ([BEGUN, LOST, LISTED, LOST], "failed"),
        ([DONE], "no task was created"),
    ],
)
def test_what_cancelling_shows(replies: list[Reply], said: str) -> None:
    _, verdicts = replayed(cancelled_tasks, ONE, replies)
    reported = [it.reason if isinstance(it, OpenStep) else "failed" for it in verdicts]
    assert (reported or ["kept"]) == [said]


@pytest.mark.parametrize(("is_error", "severity"), [(True, "warning"), (False, "error")])
def test_a_missing_task_that_is_refused_in_a_result_weighs_less(
    is_error: bool, severity: str
) -> None:
    tool = {**ONE.tools[0], "execution": {"taskSupport": "required"}}
    known = replace(ONE, tools=[tool])
    reply = Reply(result={"content": [], "isError": is_error})
    _, verdicts = replayed(calls_with_and_without_a_task, known, (reply,))
    assert [one.severity for one in findings(verdicts, R2025_11_25)] == [severity]

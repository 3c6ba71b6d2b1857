"""A change without a notification is blamed only where it surely was one."""

from __future__ import annotations

import pytest

from mcp_assay.model.probe import Ask, OpenStep, Reply
from mcp_assay.rules.probe.list_changes import NO_LONGER, NOT_GRANTED, unreported_changes
from mcp_assay.rules.probe.lists import BY_ITSELF, CONNECTED, DONE, NO_OTHER, THREE, TWO
from mcp_assay.rules.probe.rule import Known, replayed
from mcp_assay.spec.methods import ACKNOWLEDGED
from mcp_assay.spec.revisions import R2026_07_28

READ_ONLY = {"readOnlyHint": True}
KNOWN = Known(
    revision=R2026_07_28,
    capabilities={"tools": {"listChanged": True}, "prompts": {}},
    tools=[
        {"name": "look", "inputSchema": {}, "annotations": READ_ONLY},
        {"name": "open", "inputSchema": {}},
    ],
    callable=["look", "open"],
)
GONE = Reply(ending="closed")
REFUSED = Reply(error={"code": -32601, "message": "Unknown"})
REPORTED = Reply(
    result={"content": []}, notifications=[{"method": "notifications/tools/list_changed"}]
)


def granting(**kinds: bool) -> Reply:
    return Reply(notifications=[{"method": ACKNOWLEDGED, "params": {"notifications": kinds}}])


LISTENING = (CONNECTED, granting(toolsListChanged=True))


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ([*LISTENING, TWO, TWO, DONE, DONE, THREE, Reply(), THREE], "failed"),
        ([*LISTENING, TWO, TWO, REPORTED, DONE, THREE, Reply(), THREE], "kept"),
        ([*LISTENING, TWO, TWO, DONE, DONE, THREE, REPORTED, THREE], "kept"),
        ([*LISTENING, TWO, TWO, DONE, DONE, THREE, Reply(), TWO], BY_ITSELF),
        ([*LISTENING, TWO, TWO, DONE, DONE, THREE, GONE], NO_LONGER),
        ([*LISTENING, TWO, THREE], BY_ITSELF),
        ([CONNECTED, granting(promptsListChanged=True)], NOT_GRANTED),
        ([CONNECTED, REFUSED], "the server returns error -32601 for subscriptions/listen"),
        ([Reply(ending="http_status", status=503)], NO_OTHER),
    ],
)
def test_only_a_lasting_change_that_nobody_reported_is_blamed(
    replies: list[Reply], said: str
) -> None:
    _, verdicts = replayed(unreported_changes, KNOWN, replies)
    reported = [it.reason if isinstance(it, OpenStep) else "failed" for it in verdicts]
    assert (reported or ["kept"]) == [said]


def test_tools_that_may_change_something_are_called_first() -> None:
    replies = (*LISTENING, TWO, TWO, DONE, DONE, TWO)
    steps, _ = replayed(unreported_changes, KNOWN, replies)
    called = [step.params for step in steps if isinstance(step, Ask) and step.params]
    assert [params["name"] for params in called] == ["open", "look"]

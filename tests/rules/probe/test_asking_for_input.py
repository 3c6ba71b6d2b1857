"""Whether a tool needs what a client cannot give, only its refusal, or another error, tells."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.probe import Ask, OpenStep, Reply
from mcp_assay.rules.probe.input_required import (
    ASKING,
    DOES_WITHOUT,
    DONE,
    FAILS_WITHOUT,
    NEEDED,
    NOBODY_ASKS,
    REFUSED,
    WANTED,
    asks_for_input,
)
from mcp_assay.rules.probe.rule import ArgumentSample, Known, replayed
from mcp_assay.spec.revisions import R2026_07_28

FAILED = Reply(result={"content": [], "isError": True})
LATER = Reply(result={"resultType": "input_required", "requestState": "c3RlcC0x"})
SILENT = Reply(ending="timed_out")
LISTED = Reply(result={"tools": []})
BEFORE = (WANTED, WANTED, REFUSED, REFUSED)


def reported(*replies: Reply) -> str:
    """What is said of VER-009: "kept", "failed", or why it is open."""
    _, verdicts = replayed(asks_for_input, ASKING, replies)
    said = [it for it in verdicts if it.rule == "VER-009"]
    return "".join(it.reason if isinstance(it, OpenStep) else "failed" for it in said) or "kept"


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ([NEEDED], "kept"),
        ([WANTED], "failed"),
        ([REFUSED], "failed"),
        ([SILENT, LISTED, SILENT], "failed"),
        ([DONE], DOES_WITHOUT),
        ([LATER], DOES_WITHOUT),
        ([FAILED], FAILS_WITHOUT),
    ],
)
def test_what_a_tool_does_for_a_client_that_cannot_be_asked(
    replies: list[Reply], said: str
) -> None:
    assert reported(*BEFORE, *replies) == said


def test_a_tool_that_needs_more_than_we_can_give_keeps_the_rule() -> None:
    assert reported(NEEDED) == "kept"
    assert reported(DONE) == NOBODY_ASKS


def test_tools_are_called_with_arguments_that_suit_them() -> None:
    tools: list[dict[str, Any]] = [
        {"name": "book", "inputSchema": {"type": "object", "required": ["day"]}},
        {"name": "cancel", "inputSchema": {"type": "object"}},
        {"name": "forbidden", "inputSchema": {"type": "object"}},
        {"inputSchema": {"type": "object"}},
    ]
    known = Known(
        revision=R2026_07_28,
        tools=tools,
        callable=["book", "cancel"],
        samples={"book": ArgumentSample(valid={"day": "Monday"})},
    )
    steps, _ = replayed(asks_for_input, known, (DONE, DONE))
    assert [step.params for step in steps if isinstance(step, Ask)] == [
        {"name": "book", "arguments": {"day": "Monday"}},
        {"name": "cancel", "arguments": {}},
    ]

"""Rounds of input: which retry belongs to which question, and what nobody can know."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import c2s, declaring, modern_result, request, s2c
from tests.rules.session.playing import JUNK, left_open, reported

WANTED = {"type": "object", "properties": {"name": {"type": "string"}}}
FORM = {"message": "Your name?", "mode": "form", "requestedSchema": WANTED}
QUESTION = {"method": "elicitation/create", "params": FORM}
ROOTS = {"method": "roots/list"}
ANNA = {"action": "accept", "content": {"name": "Anna"}}
CAN: dict[str, Any] = {"elicitation": {}, "roots": {}}


def call(id: Any, tool: str = "greet", **more: Any) -> Step:
    return c2s(request("tools/call", declaring(CAN, name=tool, **more), id=id))


def asks(id: Any, state: Any = None, **questions: Any) -> Step:
    members: dict[str, Any] = {"inputRequests": questions or {"who": QUESTION}}
    if state is not None:
        members["requestState"] = state
    return s2c(modern_result(members, id=id, result_type="input_required"))


def test_a_round_may_follow_a_round() -> None:
    steps = [
        call(1),
        asks(1, "a"),
        call(2, inputResponses={"who": ANNA}, requestState="a"),
        asks(2, "b"),
        call(3, inputResponses={"who": ANNA}, requestState="b"),
    ]
    assert reported(steps, rules="MRTR") == []


def test_the_state_reports_rounds_of_the_same_tool_apart() -> None:
    steps = [
        call(1),
        call(2),
        asks(1, "a"),
        asks(2, "b", where=ROOTS),
        call(3, inputResponses={"where": {"roots": []}}, requestState="b"),
        call(4, inputResponses={"who": ANNA}, requestState="a"),
    ]
    assert reported(steps, rules="MRTR") == []


def test_a_state_on_another_request_is_noticed() -> None:
    steps = [
        call(1),
        asks(1, "a"),
        call(2, "other", inputResponses={"who": ANNA}, requestState="a"),
    ]
    assert reported(steps, rules="MRTR") == [(2, "MRTR-008")]


def test_a_retry_whose_question_was_not_seen_stays_open() -> None:
    steps = [call(2, inputResponses={"who": ANNA}, requestState="a")]
    assert reported(steps, rules="MRTR") == []
    assert {"MRTR-005", "MRTR-006", "MRTR-007", "MRTR-008"} <= left_open(steps)


def test_the_same_call_without_answers_is_a_new_call() -> None:
    assert reported([call(1), asks(1, "a"), call(2)], rules="MRTR") == []


def test_an_answer_may_be_a_refusal() -> None:
    steps = [call(1), asks(1), call(2, inputResponses={"who": {"action": "decline"}})]
    assert reported(steps, rules="MRTR") == []


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk_is_borne(junk: Any) -> None:
    steps = [
        call(1, arguments=junk),
        s2c(modern_result({"inputRequests": junk}, id=1, result_type="input_required")),
        call(2, inputResponses=junk, requestState=junk),
        call(junk),
        asks(junk, junk, who=junk),
        call(3, inputResponses={"who": junk}, requestState=junk),
    ]
    again = [call(100), asks(100, "z"), call(101, inputResponses={}, requestState="z")]
    assert reported(steps, again, rules="MRTR")[-1] == (len(steps) + 2, "MRTR-007")

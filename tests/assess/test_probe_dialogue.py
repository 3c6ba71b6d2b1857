"""What a probe sent and received is reported in a few short texts, without secrets."""

from __future__ import annotations

import json
from typing import Any

from mcp_assay.assess.probe_runner import MOST_STEPS, TOO_DEEP, Dialogue
from mcp_assay.client.response import LONGEST_MESSAGE_SHOWN
from mcp_assay.model.probe import Ask, Raw, Reply
from mcp_assay.text.redaction import CUT, Redactor
from mcp_assay.text.words import REDACTED

SECRET = 'tea "and" cäke'


def came(*replies: Reply) -> list[str]:
    dialogue = Dialogue()
    for reply in replies:
        dialogue.add(Ask("tools/list"), reply)
    return [step["came"] for step in dialogue.shown(Redactor([SECRET]))]


def test_a_step_is_reported_with_what_came_of_it() -> None:
    dialogue = Dialogue()
    dialogue.add(Raw("{", {"Authorization": "Bearer x"}), Reply(status=400, error={"code": -32700}))
    (step,) = dialogue.shown(Redactor())
    assert json.loads(step["sent"]) == {"step": "raw", "text": "{"}
    assert json.loads(step["came"]) == {"status": 400, "error": {"code": -32700}}
    dialogue.clear()
    assert dialogue.shown(Redactor()) == []


def test_of_a_long_conversation_the_end_is_reported() -> None:
    reported = came(*(Reply(result={"number": number}) for number in range(10)))
    assert [json.loads(one)["result"]["number"] for one in reported] == [6, 7, 8, 9]
    assert len(reported) == MOST_STEPS


def test_secrets_and_headers_are_not_reported() -> None:
    result = {"text": f"I know {SECRET}.", "password": "hunter2-and-more"}
    (reported,) = came(Reply(result=result, headers={"set-cookie": "a=b"}, strays=[{"id": 1}]))
    assert json.loads(reported) == {"result": {"text": REDACTED, "password": REDACTED}}


def test_long_and_deep_answers_are_cut() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    long, nested = came(Reply(result={"text": "x" * 10_000}), Reply(result={"a": deep}))
    assert long.endswith(CUT)
    assert len(long) == LONGEST_MESSAGE_SHOWN + len(CUT)
    assert nested == TOO_DEEP


def test_a_fault_that_is_about_one_of_many_texts_is_reported_with_that_one() -> None:
    dialogue = Dialogue()
    for number in range(8):
        dialogue.add(Raw(f"text {number}"), Reply(result={"number": number}))
    shown = dialogue.shown(Redactor(), "text 1")
    assert [json.loads(step["sent"])["text"] for step in shown] == ["text 0", "text 1", "text 2"]
    assert len(dialogue.shown(Redactor(), "text 9")) == len(dialogue.replies()) == MOST_STEPS

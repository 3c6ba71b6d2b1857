"""The answers of a server stand in the report: as they came, short, and without secrets."""

from __future__ import annotations

import json

from mcp_assay.assess import AssessOptions
from mcp_assay.assess.events import shown_answer
from mcp_assay.client.response import LONGEST_MESSAGE_SHOWN
from mcp_assay.text.redaction import Redactor
from tests.assess.running import run_of

KEY = "AKIA" + "Q3EGRVJ5YTZLBCXD"


def test_each_call_holds_the_message_that_answered_it() -> None:
    calls = run_of("both-eras", AssessOptions(max_calls=3, shrink=False)).calls
    assert calls
    for call in calls:
        assert {"result", "error"} & json.loads(call.answer or "").keys()


def test_a_long_answer_is_cut_and_no_answer_is_none() -> None:
    assert shown_answer(b"", Redactor()) is None
    shown = shown_answer(b"x" * LONGEST_MESSAGE_SHOWN, Redactor())
    assert shown == "x" * LONGEST_MESSAGE_SHOWN + "…"


def test_a_secret_in_an_answer_is_not_shown() -> None:
    whole = json.dumps({"result": {"text": f"key {KEY}"}}).encode()
    for text in (whole, whole[:-1]):
        shown = shown_answer(text, Redactor())
        assert shown is not None
        assert KEY not in shown


def test_bytes_that_are_no_text_are_shown_escaped() -> None:
    assert shown_answer(b'{"a":"\xff"}', Redactor()) == '{"a":"\\xff"}'

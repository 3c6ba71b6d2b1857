"""What one fix removes is reported once, or with one cause."""

from __future__ import annotations

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.model.probe import OpenStep, Reply
from mcp_assay.rules.probe.http_origins import foreign_page
from mcp_assay.rules.probe.jsonrpc import wrong_params
from mcp_assay.rules.probe.malformed import malformed_input
from mcp_assay.rules.probe.rule import Known, StartDialogue, findings, replayed
from mcp_assay.rules.probe.unknown_names import unknown_completion, unknown_level, unknown_prompt

ALL = Known(capabilities={"tools": {}, "prompts": {}, "completions": {}, "logging": {}})
LOCAL = Known(is_http=True, url="http://127.0.0.1:8000/mcp")
LISTED = Reply(result={"tools": []})
COMPLETED = Reply(result={"completion": {"values": ["tea"]}})
EMPTY = Reply(result={"completion": {"values": []}})


def failed(code: int) -> Reply:
    return Reply(error={"code": code, "message": "Something went wrong"})


def reported(conversation: StartDialogue, known: Known, *replies: Reply) -> list[Finding]:
    return findings(replayed(conversation, known, replies)[1], known.revision)


def left_open(conversation: StartDialogue, known: Known, *replies: Reply) -> list[str]:
    return [
        it.reason for it in replayed(conversation, known, replies)[1] if isinstance(it, OpenStep)
    ]


@pytest.mark.parametrize("code", [0, -32603])
def test_a_server_that_reports_all_faults_as_its_own_has_one_cause_for_them(code: int) -> None:
    conversations = (wrong_params, unknown_prompt, unknown_level, unknown_completion)
    found = [
        one for conversation in conversations for one in reported(conversation, ALL, failed(code))
    ]
    assert len({one.rule for one in found}) == len({one.fingerprint for one in found}) == 4
    assert {one.cause for one in found} == {
        f"what is wrong with a request is answered with error {code}"
    }


def test_another_code_is_a_cause_of_its_own() -> None:
    found = [*reported(unknown_prompt, ALL, failed(-1)), *reported(unknown_level, ALL, failed(-1))]
    assert [one.cause for one in found] == ["PROMPT-003", "LOG-005"]


def test_silence_about_what_is_no_message_has_one_cause() -> None:
    found = reported(malformed_input, ALL, *[Reply(), LISTED, LISTED] * 5)
    assert [one.rule for one in found] == ["JSONRPC-031", "JSONRPC-032"]
    assert len({one.cause for one in found}) == 1


def test_a_server_that_serves_any_page_has_one_cause_for_it() -> None:
    found = reported(foreign_page, LOCAL, *[Reply(status=200)] * 3)
    assert [one.rule for one in found] == ["HTTP-039", "HTTP-040"]
    assert len({one.cause for one in found}) == 1


def test_completions_that_are_given_undeclared_are_reported_as_that_alone() -> None:
    assert reported(unknown_completion, Known(), COMPLETED) == []
    assert "CAP-005" in left_open(unknown_completion, Known(), COMPLETED)[0]
    assert [one.rule for one in reported(unknown_completion, Known(), EMPTY)] == ["COMP-003"]


@pytest.mark.parametrize("conversation", [unknown_completion, unknown_level])
def test_a_declared_method_that_is_unknown_is_reported_as_that_alone(
    conversation: StartDialogue,
) -> None:
    assert reported(conversation, ALL, failed(-32601)) == []
    assert "CAP-015" in left_open(conversation, ALL, failed(-32601))[0]

"""The demo server has the faults that are worth seeing, and no others."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from mcp_assay.protocol import Session
from tests.patience import LONGEST

COMMAND = (sys.executable, "-m", "mcp_assay.demo_server")
ERAS = ("2025-11-25", "2026-07-28")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "raw-client", "version": "1"},
}
OFFER = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw-client", "version": "1"},
}
SAMPLES: dict[str, dict[str, Any]] = {
    "list_notes": {"order": "oldest", "limit": 3},
    "get_note": {"id": 1},
    "search_notes": {"query": "lemon"},
    "notes_summary": {},
    "add_note": {"title": "Call the plumber", "text": "After six."},
    "delete_note": {"id": 1},
}


def opening(era: str) -> list[Any]:
    """The messages with which a conversation begins."""
    if era == "2026-07-28":
        return [request(0, "server/discover", {}, era)]
    reported = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    return [request(0, "initialize", OFFER, era), reported, request(-1, "ping", {}, era)]


def request(id: int, method: str, params: Any, era: str) -> dict[str, Any]:
    """A request of an era."""
    stated = {**params, "_meta": META} if era == "2026-07-28" else params
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": stated}


def call(id: int, tool: str, arguments: Any, era: str) -> dict[str, Any]:
    """A call of a tool."""
    return request(id, "tools/call", {"name": tool, "arguments": arguments}, era)


def conversation(messages: list[Any]) -> list[Any]:
    """What the server answers to these messages."""
    lines = "\n".join(json.dumps(message) for message in messages) + "\n"
    done = subprocess.run(
        COMMAND, input=lines, capture_output=True, text=True, timeout=LONGEST, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def outcome(tool: str, arguments: Any, era: str) -> Any:
    """The result of one call."""
    return conversation([*opening(era), call(9, tool, arguments, era)])[-1]["result"]


def text(result: Any) -> str:
    """The text of a result."""
    return str(result["content"][0]["text"])


@pytest.mark.parametrize("era", ERAS)
def test_the_only_fault_in_a_usual_conversation_is_the_planted_one(era: str) -> None:
    calls = [call(id, tool, given, era) for id, (tool, given) in enumerate(SAMPLES.items(), 2)]
    asked = [*opening(era), request(1, "tools/list", {}, era), *calls]
    session, answers = Session(), iter(conversation(asked))
    findings = []
    for message in asked:
        findings += session.feed("c2s", message)
        if "id" in message:
            findings += session.feed("s2c", next(answers))
    findings += session.close()
    assert [(finding.rule, finding.severity) for finding in findings] == [("CALL-003", "error")]


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_is_listed_with_its_hints(era: str) -> None:
    listed = conversation([*opening(era), request(1, "tools/list", {}, era)])[-1]["result"]["tools"]
    hints = {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in listed}
    assert list(hints) == list(SAMPLES)
    assert [name for name, read_only in hints.items() if not read_only] == [
        "add_note",
        "delete_note",
    ]
    assert listed[-1]["annotations"]["destructiveHint"] is True


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("search_notes", {"query": "é"}, "UnicodeEncodeError"),
        ("list_notes", {"order": "title"}, "Use one of: newest, oldest"),
        ("list_notes", {"limit": 51}, "limit has a value above 50"),
        ("list_notes", {"limit": "many"}, "limit is not of type integer"),
        ("get_note", {"id": 99}, "There is no note with id 99"),
        ("get_note", {"id": "1"}, "id is not of type integer"),
        ("get_note", {"id": True}, "id is not of type integer"),
        ("get_note", {"id": 0}, "id has a value below 1"),
        ("get_note", {}, "id is missing"),
        ("notes_summary", {"verbose": True}, "'verbose' is not known"),
        ("search_notes", {"query": ""}, "query has a length below 1"),
        ("search_notes", {"query": "a", "tag": "garden"}, "tag is not one of home, work"),
    ],
)
def test_a_call_fails_in_words(tool: str, arguments: Any, words: str, era: str) -> None:
    result = outcome(tool, arguments, era)
    assert result["isError"] is True
    assert words in text(result)


@pytest.mark.parametrize("era", ERAS)
def test_a_text_is_taken_for_a_number(era: str) -> None:
    result = outcome("list_notes", {"limit": "2"}, era)
    assert "isError" not in result
    assert text(result) == "4: Retrospective\n3: Reading list"


@pytest.mark.parametrize("era", ERAS)
def test_the_total_is_a_text_against_the_output_schema(era: str) -> None:
    structured = outcome("notes_summary", {}, era)["structuredContent"]
    assert structured == {"total": "4", "tags": ["home", "work"]}


def test_notes_come_and_go() -> None:
    era = ERAS[0]
    answers = conversation(
        [
            *opening(era),
            call(1, "add_note", SAMPLES["add_note"], era),
            call(2, "get_note", {"id": 5}, era),
            call(3, "delete_note", {"id": 5}, era),
            call(4, "get_note", {"id": 5}, era),
        ]
    )[-4:]
    assert text(answers[1]["result"]) == "Call the plumber\n\nAfter six."
    assert [answer["result"].get("isError", False) for answer in answers] == [
        False,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (request(9, "x/unknown", {}, ERAS[1]), -32601),
        (request(9, "ping", {}, ERAS[1]), -32601),
        (call(9, "no_tool", {}, ERAS[1]), -32602),
        (request(9, "tools/list", {"cursor": "bogus"}, ERAS[1]), -32602),
        (request(9, "tools/list", {}, ERAS[0]), -32602),
        ({**request(9, "tools/list", {}, ERAS[1]), "jsonrpc": "1.0"}, -32600),
        ({**request(9, "tools/list", {}, ERAS[1]), "id": None}, -32600),
        ({"jsonrpc": "2.0", "id": 9}, -32600),
        ([], -32600),
        (
            request(
                9,
                "tools/list",
                {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}},
                ERAS[0],
            ),
            -32022,
        ),
    ],
)
def test_a_request_is_refused(message: Any, code: int) -> None:
    (answer,) = conversation([message])
    assert answer["error"]["code"] == code


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/x"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 0, "message": "no"}},
    ],
)
def test_what_asks_for_nothing_is_not_answered(message: Any) -> None:
    assert conversation([message]) == []


def test_a_crash_leaves_its_trace_on_standard_error() -> None:
    era = ERAS[1]
    line = json.dumps(call(1, "search_notes", {"query": "é"}, era)) + "\n{broken\n"
    done = subprocess.run(
        COMMAND, input=line, capture_output=True, text=True, timeout=LONGEST, check=True
    )
    assert 'query.lower().encode("ascii")' in done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["error"]["code"] == -32700

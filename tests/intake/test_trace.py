"""Trace lines: who said what, in which session, in the exact bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.intake.trace import Entry, NotUnderstood, read_trace_line

PING = b'{"jsonrpc": "2.0","id":1, "method":"ping"}'


def entry(line: bytes) -> Entry:
    read = read_trace_line(line)
    assert read is not None
    return read


def of(**members: Any) -> Entry:
    return entry(json.dumps({"dir": "c2s", "message": {}, **members}).encode())


@pytest.mark.parametrize(
    ("members", "text"),
    [
        (b'"message":' + PING, PING),
        (b'"message":  ' + PING + b" ", PING),
        (b'"message":{"a":"\\ud800"}', b'{"a":"\\ud800"}'),
        (b'"message":{"a":NaN}', b'{"a":NaN}'),
        (b'"message":{"a":1,"a":2}', b'{"a":1,"a":2}'),
        (b'"message":' + b"[" * 5000 + b"]" * 5000, b"[" * 5000 + b"]" * 5000),
        (b'"message":null', b"null"),
        (b'"raw":"not json \\u00e9"', b"not json \xc3\xa9"),
        (b'"raw64":"/w=="', b"\xff"),
        (b'"http":{"method":"GET"}', None),
        (b'"end":true', None),
    ],
)
def test_the_exact_bytes_of_the_message_come_out(members: bytes, text: bytes | None) -> None:
    assert entry(b'{"dir":"s2c",' + members + b"}").text == text
    assert entry(b"{" + members + b',"dir":"s2c"}').direction == "s2c"


@pytest.mark.parametrize(
    "line",
    [
        PING,
        b'{"jsonrpc":"2.0","method":"x","params":{"dir":"c2s"}}',
        b'{"jsonrpc":"2.0","id":1,"dir":"c2s","method":"ping"}',
        b'[{"dir":"c2s"}]',
        b'{"dir":"c2s","message":{}',
        b'{"dir":"c2s","raw":"\xff"}',
        b'"dir"',
        b"",
    ],
)
def test_what_is_no_trace_line_is_left_to_the_message_rules(line: bytes) -> None:
    assert read_trace_line(line) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"dir":"up","message":{}}', 'dir must be "c2s" or "s2c"'),
        (b'{"dir":null}', 'dir must be "c2s" or "s2c"'),
        (b'{"dir":"c2s","message":{},"raw":""}', "only one of message and raw may be given"),
        (b'{"dir":"c2s","raw":1}', "raw must be a string: the exact text of the message"),
        (b'{"dir":"c2s","raw64":"?"}', "raw64 is not base64"),
        (b'{"dir":"c2s","raw64":"\\u00e9"}', "raw64 must be a string of base64"),
    ],
)
def test_a_line_against_the_format_says_why(line: bytes, why: str) -> None:
    with pytest.raises(NotUnderstood) as problem:
        read_trace_line(line)
    assert str(problem.value) == why


def test_the_session_is_named_by_session_then_header_then_connection() -> None:
    http = {"request_headers": {"MCP-session-id": "secret"}}
    assert of(session="s", http=http, conn=3).session == ("session", "s")
    assert of(conn=3).session == ("conn", "3")
    assert of().session is None
    by_header = of(http=http, conn=3).session
    assert by_header is not None
    assert by_header[1].startswith("http-")
    assert "secret" not in by_header[1]
    assert by_header == of(http={"response_headers": {"Mcp-Session-Id": "secret"}}).session


@pytest.mark.parametrize("odd", [{"session": []}, {"http": 5}, {"http": {"request_headers": 5}}])
def test_members_of_an_odd_type_are_ignored(odd: dict[str, Any]) -> None:
    assert of(**odd).session is None

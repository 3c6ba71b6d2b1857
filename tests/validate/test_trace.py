"""Trace lines: who said what, in which session, in the exact bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.model.entry import NO_DELIVERY, Delivery, Entry
from mcp_assay.validate.trace import NotUnderstood, read_trace_line, route

PING = b'{"jsonrpc": "2.0","id":1, "method":"ping"}'


def entry(line: bytes) -> Entry:
    read = read_trace_line(line)
    assert read is not None
    return read


def circumstances(entry: Entry) -> Delivery:
    return Delivery(**{name: getattr(entry, name) for name in Delivery.__struct_fields__})


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


@pytest.mark.parametrize("name", ["x" * 100_000, 10**3000, -(10**4000)])
def test_a_name_that_is_too_long_is_cut(name: str | int) -> None:
    entry = of(session=name, exchange=name)
    assert entry.session is not None
    assert len(entry.session[1]) < 100
    assert len(str(entry.exchange)) < 100


def test_long_names_that_differ_stay_apart() -> None:
    assert of(session="x" * 999 + "a").session != of(session="x" * 999 + "b").session


def test_the_circumstances_of_a_line_are_reported() -> None:
    http, sse = {"status": 200}, {"id": "1"}
    reported = of(t=1.5, transport="sse", exchange=4, http=http, sse=sse, end=True)
    expected = Delivery(at=1.5, transport="sse", exchange=4, http=http, sse=sse, end=True)
    assert circumstances(reported) == expected
    assert circumstances(entry(b'{"dir":"c2s","raw":"x"}')) == Delivery(exact=True)
    assert circumstances(of(lost=2, unread=7)) == Delivery(lost=2, unread=7)
    assert circumstances(of(lost=-2, unread="7")) == NO_DELIVERY


@pytest.mark.parametrize(
    "member",
    [
        {"t": 1.5},
        {"transport": "stdio"},
        {"exchange": 4},
        {"http": {}},
        {"sse": {}},
        {"end": True},
        {"lost": 1},
        {"unread": 1},
    ],
)
def test_an_entry_is_judged_by_its_circumstances_as_soon_as_one_is_known(
    member: dict[str, Any],
) -> None:
    reported = of(**member)
    assert reported.delivery is reported
    assert of().delivery is NO_DELIVERY
    assert of(transport="pigeon", http=[], sse=1, end="yes", t=[]).delivery is NO_DELIVERY


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        (3, 3.0),
        (2.5, 2.5),
        ("1970-01-01T00:01:00Z", 60.0),
        ("1970-01-01T01:01:00+01:00", 60.0),
        ("1970-01-01T00:01:00.250", 60.25),
        ("yesterday", None),
        (None, None),
    ],
)
def test_time_is_seconds_or_a_date(written: Any, seconds: float | None) -> None:
    assert of(t=written).delivery.at == seconds


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"dir":"c2s","session":"a","message":{}}', ("a", "c2s")),
        (b'{ "t" : 1.5e3 , "session" : "\xc3\xa9" ,"dir": "s2c" , "raw":"x"}', ("\xe9", "s2c")),
        (b'{"dir":"c2s","session":"a","session":"b","message":{}}', ("b", "c2s")),
        (b'{"dir":"c2s","message":{},"session":"a"}', None),
        (b'{"dir":"c2s","session":7,"message":{}}', None),
        (b'{"dir":"c2s","session":"\\u0061","message":{}}', None),
        (b'{"dir":"up","session":"a","message":{}}', None),
        (b'{"session":"a","dir":"c2s","jsonrpc":"2.0","id":1}', None),
        (b'{"jsonrpc":"2.0","dir":"c2s","session":"a"}', None),
        (b'{"session":"a","message":{"dir":"c2s"}}', None),
        (b'["dir"]', None),
        (b"", None),
    ],
)
def test_a_line_that_names_its_session_first_is_routed_unparsed(
    line: bytes, expected: tuple[str, str] | None
) -> None:
    routed = route(line)
    assert (routed and (routed[0][1], routed[1])) == expected


def test_a_long_line_is_passed_over_in_linear_time() -> None:
    assert route(b'{"dir":"c2s",' + b'"a":1,' * 500_000) is None


@pytest.mark.parametrize("odd", [{"session": []}, {"http": 5}, {"http": {"request_headers": 5}}])
def test_members_of_an_odd_type_are_ignored(odd: dict[str, Any]) -> None:
    assert of(**odd).session is None

"""Lines on pipes: noise, line breaks and encodings, and where nothing can be said about them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.model.entry import NO_DELIVERY, Delivery, Direction
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.samples import (
    c2s,
    kept,
    modern_request,
    modern_result,
    request,
    s2c,
)
from mcp_assay.rules.engine.session_rules import SessionLine, line_watchers
from mcp_assay.rules.session.stdio import each_cause_once
from mcp_assay.session.correlation import Pending
from mcp_assay.session.state import RunState, SessionState
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES, UNREAD
from tests.rules.session.playing import decided, left_open, reported
from tests.rules.test_scripts import played, received

RULES = "STDIO"
PIPE = Delivery(transport="stdio", exact=True)
UNNAMED = Delivery(exact=True)
PING = json.dumps(request("ping")).encode()
MODERN_LIST: dict[str, Any] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}


@pytest.mark.parametrize("delivery", [PIPE, UNNAMED])
@pytest.mark.parametrize(
    "text",
    [
        b"Server running on stdio",
        b"[INFO] ready",
        b"",
        b"   ",
        b"7",
        b'"text"',
        b"null",
        b"{",
        b'{"level":"info","msg":"ready"}',
        b"{}",
        b"\x1b[32mready\x1b[0m",
    ],
)
def test_what_is_no_message_is_noise_on_either_pipe(text: bytes, delivery: Delivery) -> None:
    assert reported(s2c(text, delivery), rules=RULES) == [(0, "STDIO-001")]
    assert reported(c2s(text, delivery), rules=RULES) == [(0, "STDIO-004")]


@pytest.mark.parametrize(
    "text",
    [
        PING,
        PING + b"\n",
        b" " + PING + b" ",
        b'{"id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"1.0","id":1,"result":{}}',
        b'[{"jsonrpc":"2.0","method":"notifications/x"}]',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\ud800"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\r\\n"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","x":"für"}'.encode(),
    ],
)
def test_what_is_meant_to_be_a_message_is_no_noise(text: bytes) -> None:
    assert reported(c2s(text, PIPE), rules=RULES) == []
    assert reported(s2c(text, PIPE), rules=RULES) == []


@pytest.mark.parametrize(
    "text",
    [PING + b"\r", PING + b"\r\n", b"{\n" + PING[1:], PING + PING, PING + b"\n\n", PING + b" end"],
)
def test_a_line_holds_one_message_and_no_line_breaks(text: bytes) -> None:
    assert {rule for _, rule in reported(c2s(text, PIPE), rules=RULES)} == {"STDIO-002"}


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + PING,
        b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"\xff"}',
        b"\xff\xfe{\x00}\x00",
        b"caf\xe9",
        b'{"x":"\xed\xa0\x80"}',
    ],
)
def test_a_line_is_utf_8_without_a_mark(text: bytes) -> None:
    assert reported(c2s(text, PIPE), rules=RULES) == [(0, "STDIO-003")]


def test_noise_is_quoted_and_shortened() -> None:
    [finding] = [
        one for _, one in played(kept(s2c(b"ready " * 100, PIPE))) if one.rule == "STDIO-001"
    ]
    assert finding.message.startswith('Non-protocol output on stdout: "ready ready')
    assert len(finding.message) < 100
    assert finding.subject == "server"


def test_secrets_in_noise_are_hidden() -> None:
    token = b"token ghp_0123456789abcdefghijABCDEFGHIJ012345"
    [finding] = [one for _, one in played(kept(s2c(token, PIPE))) if one.rule == "STDIO-001"]
    assert "ghp_" not in finding.message


@pytest.mark.parametrize(
    "delivery",
    [
        NO_DELIVERY,
        Delivery(at=1.0),
        Delivery(transport="stdio"),
        Delivery(transport="http", exact=True),
        Delivery(transport="sse", exact=True),
        Delivery(exact=True, http={"status": 200}),
        Delivery(exact=True, sse={"id": "1"}),
        Delivery(exact=True, exchange=1),
    ],
)
def test_only_exact_lines_of_a_pipe_are_judged(delivery: Delivery) -> None:
    steps = (s2c(b"ready", delivery), c2s(PING + b"\r", delivery))
    assert reported(steps, rules=RULES) == []
    assert not {rule for rule in decided(steps) if rule.startswith(RULES)}


def test_a_line_that_is_too_long_stays_open() -> None:
    long = s2c(b" " * (MAX_MESSAGE_BYTES + 1), PIPE)
    assert reported(long, rules=RULES) == []
    assert "STDIO-001" in left_open(long)


def test_a_server_asks_on_its_pipe_up_to_2025_11_25() -> None:
    assert reported(s2c(request("ping"), PIPE), rules=RULES) == []
    listed = (c2s(modern_request("tools/list"), PIPE), s2c(modern_result(MODERN_LIST), PIPE))
    assert reported(listed, rules=RULES) == []
    assert reported(listed, s2c(request("roots/list"), PIPE), rules=RULES) == [(2, "STDIO-005")]


def test_each_pipe_decides_its_own_rule() -> None:
    assert {"STDIO-004", "STDIO-002", "STDIO-003"} <= decided(c2s(PING, PIPE))
    assert "STDIO-001" not in decided(c2s(PING, PIPE))


def test_the_session_goes_on_behind_noise() -> None:
    checker = SessionChecker(sessions=True)
    assert [one.rule for one in received(checker, s2c(b"ready", PIPE), 0)] == [
        "JSONRPC-001",
        "STDIO-001",
    ]
    assert [
        one.rule for one in received(checker, c2s(PING, PIPE), 1) if one.rule[:5] == RULES
    ] == []


@pytest.mark.parametrize("direction", ["c2s", "s2c"])
@pytest.mark.parametrize("revision", REVISIONS)
def test_who_is_not_shown_plain_lines_has_nothing_to_say_of_them(
    direction: Direction, revision: str
) -> None:
    line = SessionLine(direction, PIPE, 1, b"noise", UNREAD, revision)
    unshown = set(line_watchers(revision, plain=False)) - set(line_watchers(revision, plain=True))
    session = SessionState(RunState(), Pending())
    assert line.is_plain
    assert len(unshown) > 3
    assert [list(watcher(session, line)) for watcher in unshown] == [[] for _ in unshown]
    assert not session.run.session_rules
    assert not session.partial


@pytest.mark.parametrize(
    "delivery",
    [
        Delivery(end=True),
        Delivery(exchange=1),
        Delivery(http={}),
        Delivery(sse={}),
        Delivery(exchange="a"),
    ],
)
def test_lines_with_more_to_report_are_not_plain(delivery: Delivery) -> None:
    assert not SessionLine("s2c", delivery, 1, b"{}", {}).is_plain
    assert not SessionLine("s2c", PIPE, 1, None).is_plain


@pytest.mark.parametrize("is_alone", [False, True])
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (b"Server running on stdio", ["STDIO-001"]),
        (b"42", ["STDIO-001"]),
        (b'{"level": "info"}', ["STDIO-001"]),
        (b"caf\xe9", ["STDIO-003"]),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {"text": "caf\xe9"}}', ["STDIO-003"]),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {"text": "a" "b"}}', ["JSONRPC-001"]),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {}} and so on', ["STDIO-002"]),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {"size": NaN}}', ["JSONRPC-019"]),
        (b'{"jsonrpc": "1.0", "id": 1, "result": {}}', ["JSONRPC-002"]),
    ],
)
def test_a_line_is_reported_once_for_one_cause(
    text: bytes, rules: list[str], is_alone: bool
) -> None:
    checker = SessionChecker(sessions=not is_alone)
    found = checker.check(text, "s2c", 1, PIPE)
    once = each_cause_once(found, text, alone_in=checker.revision if is_alone else None)
    assert [one.rule for one in once if one.rule != "JSONRPC-023"] == rules

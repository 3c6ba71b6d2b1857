"""With --enforce a message that breaks a rule is answered, not forwarded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.client.frames import Refusal
from mcp_assay.model.entry import Direction
from mcp_assay.protocol import validate_jsonrpc
from mcp_assay.proxy.enforcement import Enforcement
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from tests.proxy.stdio import finish, proxied, read_line, run, say, start

Message = dict[str, Any]

HANDSHAKE: list[tuple[Direction, Message]] = [
    (
        "c2s",
        {
            "jsonrpc": "2.0",
            "id": 0,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"roots": {}},
                "clientInfo": {"name": "client", "version": "1.0"},
            },
        },
    ),
    (
        "s2c",
        {
            "jsonrpc": "2.0",
            "id": 0,
            "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "server", "version": "1.0"},
            },
        },
    ),
    ("c2s", {"jsonrpc": "2.0", "method": "notifications/initialized"}),
]
GOOD_CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "save"}}
BAD_CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}
BAD_RESULT = {"jsonrpc": "2.0", "id": 1, "result": {}}


@pytest.fixture
def gate() -> Enforcement:
    """A gate through which a handshake has passed."""
    gate = Enforcement()
    assert [judged(gate, *one) for one in HANDSHAKE] == [None] * len(HANDSHAKE)
    return gate


def judged(gate: Enforcement, direction: Direction, message: Message | bytes) -> Refusal | None:
    text = message if isinstance(message, bytes) else json.dumps(message).encode()
    return gate.check(direction, text, "stdio")


def refused(gate: Enforcement, direction: Direction, message: Message | bytes) -> Refusal:
    refusal = judged(gate, direction, message)
    assert refusal is not None
    return refusal


def answer(text: bytes | None) -> Message:
    assert text is not None
    assert validate_jsonrpc(text)
    message: Message = json.loads(text)
    return message


def test_a_request_that_breaks_a_rule_is_answered_with_its_id_and_the_rules(
    gate: Enforcement,
) -> None:
    refusal = refused(gate, "c2s", BAD_CALL)
    reported = answer(refusal.reply)
    assert (reported["id"], reported["error"]["code"]) == (1, -32602)
    assert reported["error"]["data"]["rules"] == ["SCHEMA-001"]
    assert "/params/name is an integer" in reported["error"]["message"]
    assert refusal.instead is None


@pytest.mark.parametrize(
    ("direction", "message", "id", "code"),
    [
        ("c2s", {**GOOD_CALL, "jsonrpc": "1.0"}, 1, -32600),
        ("c2s", {**GOOD_CALL, "id": None}, None, -32600),
        ("c2s", b"not JSON", None, -32700),
        ("c2s", b"\xff\xfe", None, -32700),
        ("s2c", {"jsonrpc": "2.0", "id": "a", "method": "roots/list", "params": 5}, "a", -32600),
    ],
)
def test_who_asks_wrongly_is_reported(
    gate: Enforcement, direction: Direction, message: Message, id: object, code: int
) -> None:
    reported = answer(refused(gate, direction, message).reply)
    assert (reported.get("id"), reported["error"]["code"]) == (id, code)


@pytest.mark.parametrize(
    ("direction", "message"),
    [
        ("s2c", b"Server started on port 8080"),
        ("c2s", {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}),
        ("s2c", {"jsonrpc": "2.0", "id": 99, "result": "of nothing"}),
        ("s2c", {"jsonrpc": "2.0", "id": None, "result": {}}),
    ],
)
def test_what_nobody_waits_for_is_dropped_without_a_word(
    gate: Enforcement, direction: Direction, message: Message
) -> None:
    assert judged(gate, direction, message) == Refusal()


def test_who_waits_for_an_answer_gets_an_error_in_place_of_a_broken_one(gate: Enforcement) -> None:
    assert judged(gate, "c2s", GOOD_CALL) is None
    refusal = refused(gate, "s2c", BAD_RESULT)
    reported = answer(refusal.instead)
    assert (reported["id"], reported["error"]["code"]) == (1, -32603)
    assert refusal.reply is None


def test_nobody_gets_a_second_answer(gate: Enforcement) -> None:
    assert judged(gate, "c2s", GOOD_CALL) is None
    assert refused(gate, "s2c", BAD_RESULT).instead is not None
    assert refused(gate, "s2c", {**BAD_RESULT, "result": "again"}) == Refusal()


def test_the_session_goes_on_after_a_refusal(gate: Enforcement) -> None:
    refused(gate, "c2s", BAD_CALL)
    assert judged(gate, "c2s", {**GOOD_CALL, "id": 2}) is None
    result = {"content": [{"type": "text", "text": "tea"}]}
    assert judged(gate, "s2c", {"jsonrpc": "2.0", "id": 2, "result": result}) is None


def test_every_request_of_a_batch_is_answered() -> None:
    gate = Enforcement("2025-03-26")
    batch = [BAD_CALL, {**GOOD_CALL, "id": 2}, {"jsonrpc": "2.0", "method": "notifications/x"}]
    reply = refused(gate, "c2s", json.dumps(batch).encode()).reply
    assert reply is not None
    assert [reported["id"] for reported in json.loads(reply)] == [1, 2]


@pytest.mark.parametrize(
    ("head", "id"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"text":"aaaa', 7),
        (b'{"method":"tools/call","params":{"text":"aa' + b'aa"},"jsonrpc":"2.0","id":"b"}', "b"),
        (b'{"method":"tools/call","params":{"id":3,"text":"aa' + b'aa"},"id": 8 }\r', 8),
        (b'{"method":"tools/call","params":{"text":"aa' + b'aa","id":3}}', None),
    ],
)
def test_a_message_too_long_to_be_held_is_refused_by_its_id(
    gate: Enforcement, head: bytes, id: object
) -> None:
    reply = gate.too_long("c2s", head, "stdio").reply
    assert (answer(reply)["id"] if reply else None) == id


def test_our_own_fault_lets_a_message_pass(
    gate: Enforcement, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("mcp_assay.rules.engine.checker.SessionChecker.check", fail)
    assert judged(gate, "c2s", BAD_CALL) is None


def line(message: Message) -> bytes:
    return json.dumps(message).encode() + b"\n"


def test_only_what_is_right_reaches_the_server() -> None:
    process = start(proxied(["cat"], "--enforce"))
    say(process, line(BAD_CALL))
    assert json.loads(read_line(process))["error"]["code"] == -32602
    say(process, b"\n" + line({"jsonrpc": "2.0", "id": 2, "method": "ping"}))
    assert read_line(process) == b"\n"
    assert json.loads(read_line(process)) == {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    ended = finish(process)
    assert (ended.code, ended.out) == (0, b"")
    assert "error SCHEMA-001 client tools/call #1" in ended.err
    assert "repeated" not in ended.err


def test_a_server_that_can_be_sent_nothing_any_more_may_still_speak() -> None:
    bad, good = ({"jsonrpc": "2.0", "id": 1, "method": method} for method in (5, "ping"))
    server = ["sh", "-c", f"cat > /dev/null; echo '{json.dumps(bad)}'; echo '{json.dumps(good)}'"]
    ended = run(proxied(server, "--enforce"))
    assert (ended.code, ended.out) == (0, line(good))


def test_a_message_too_long_to_be_held_is_refused_by_the_proxy() -> None:
    process = start(proxied(["cat"], "--enforce"))
    long = line(GOOD_CALL)[:-2] + b',"x":"' + b"x" * MAX_MESSAGE_BYTES + b'"}\n'
    say(process, long)
    reported = json.loads(read_line(process))
    assert (reported["id"], reported["error"]["data"]) == (1, {"rules": ["LIMIT-002"]})
    assert finish(process).out == b""

"""A conversation fed message by message."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.protocol import Session, validate_jsonrpc

INFO: Final = {"name": "x", "version": "1"}
PING: Final = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ASK: Final = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def initialize(session: Session, version: str) -> None:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": INFO}
    assert (
        session.feed("c2s", {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        == []
    )
    result = {"protocolVersion": version, "capabilities": {}, "serverInfo": INFO}
    assert session.feed("s2c", {"jsonrpc": "2.0", "id": 0, "result": result}) == []
    assert session.feed("c2s", {"jsonrpc": "2.0", "method": "notifications/initialized"}) == []


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_session_finds_out_its_revision(version: str) -> None:
    session = Session()
    initialize(session, version)
    assert session.revision == version
    (one,) = session.feed("c2s", {**PING, "jsonrpc": "1.0"})
    assert one.revision == version


def test_a_session_of_a_given_revision_keeps_it() -> None:
    session = Session("2025-06-18")
    initialize(session, "2024-11-05")
    assert session.revision == "2025-06-18"


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
        bytearray(b'{"jsonrpc":"2.0","id":1,"result":{}}'),
    ],
)
def test_an_answer_in_any_form_is_judged_by_its_request(message: Any) -> None:
    session = Session(partial=True)
    assert session.feed("c2s", ASK) == []
    assert [(one.rule, one.pointer) for one in session.feed("s2c", message)] == [
        ("SCHEMA-002", "/result/tools")
    ]


def test_a_session_says_of_a_message_what_is_said_of_it_alone() -> None:
    faulty = {**ASK, "params": {"_meta": 7, "Cursor": "x"}}
    alone = validate_jsonrpc(faulty, direction="c2s").findings
    assert Session("2025-11-25", partial=True).feed("c2s", faulty) == list(alone) != []


def test_an_exchange_without_a_body_says_nothing_by_itself() -> None:
    session = Session()
    assert session.feed("c2s", http={"method": "GET", "status": 405}) == []
    assert session.feed("s2c", end=True, at=1.5) == []
    assert session.feed("s2c", sse={"event": "ping"}) == []


@pytest.mark.parametrize("partial", [True, False])
def test_a_session_without_messages_ends_in_silence(partial: bool) -> None:
    assert Session(partial=partial).close() == []


def test_two_sessions_do_not_share_what_was_asked() -> None:
    first, second = Session(), Session()
    first.feed("c2s", ASK)
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert "JSONRPC-023" in {one.rule for one in second.feed("s2c", answer)}
    assert "JSONRPC-023" not in {one.rule for one in first.feed("s2c", answer)}

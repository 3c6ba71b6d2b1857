"""How two peers come to terms: which revision they speak, and what each can do."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Kind, Message
from mcp_assay.rules.engine.samples import error, notification, request, result
from mcp_assay.session.handshake import Handshake, negotiated_revision, requested_revision
from mcp_assay.spec.revisions import R2024_11_05, R2025_11_25, R2026_07_28

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ROOTS: dict[str, Any] = {"roots": {}}
TOOLS: dict[str, Any] = {"tools": {}}


def message(value: dict[str, Any], kind: Kind, method: str | None = None, **known: Any) -> Message:
    own = value.get("method")
    return Message(value, kind, own if isinstance(own, str) else method, R2025_11_25, **known)


INITIALIZE = message(request("initialize", {"capabilities": ROOTS}), "request")
INITIALIZED = message(notification("notifications/initialized"), "notification")
WELCOME = message(result({"capabilities": TOOLS}), "result", "initialize")
DISCOVERED = message(result({"capabilities": TOOLS}), "result", "server/discover")


def taken(*messages: Message) -> Handshake:
    handshake = Handshake()
    for one in messages:
        handshake.take(one)
    return handshake


def test_before_anything_was_seen_nothing_is_known() -> None:
    handshake = Handshake()
    assert not handshake.is_over
    assert not handshake.initialized
    assert handshake.request is None
    assert handshake.answer is None
    assert handshake.refusal is None
    assert handshake.server_capabilities is None
    assert handshake.client_capabilities(INITIALIZED) is None


def test_a_handshake_is_over_when_both_sides_have_spoken() -> None:
    assert not taken(INITIALIZE, WELCOME).is_over
    assert not taken(INITIALIZE, INITIALIZED).is_over
    assert taken(INITIALIZE, WELCOME, INITIALIZED).is_over
    assert not taken(INITIALIZE, DISCOVERED, INITIALIZED).is_over


def test_a_handshake_reports_what_each_side_can_do() -> None:
    handshake = taken(INITIALIZE, WELCOME)
    assert handshake.request is INITIALIZE
    assert handshake.answer is WELCOME
    assert handshake.client_capabilities(WELCOME) == ROOTS
    assert handshake.server_capabilities == TOOLS


def test_discovery_reports_what_the_server_can_do_and_answers_no_handshake() -> None:
    handshake = taken(DISCOVERED)
    assert handshake.server_capabilities == TOOLS
    assert handshake.answer is None


@pytest.mark.parametrize(
    "other",
    [
        message(request("tools/list", {"capabilities": ROOTS}), "request"),
        message(result({"capabilities": TOOLS}), "result", "tools/list"),
        message(error(-32603, "Failed"), "error", "initialize"),
        message(notification("notifications/cancelled"), "notification"),
    ],
)
def test_other_messages_are_no_part_of_it(other: Message) -> None:
    handshake = taken(other)
    assert handshake.request is None
    assert handshake.answer is None
    assert handshake.server_capabilities is None
    assert not handshake.initialized
    assert handshake.client_capabilities(INITIALIZED) is None


@pytest.mark.parametrize("odd", [None, [], "tools", 1])
def test_capabilities_that_are_no_object_are_not_known(odd: Any) -> None:
    handshake = taken(
        message(request("initialize", {"capabilities": odd}), "request"),
        message(result({"capabilities": odd}), "result", "initialize"),
    )
    assert handshake.client_capabilities(WELCOME) is None
    assert handshake.server_capabilities is None


def modern(value: dict[str, Any], kind: Kind, answers: Message | None = None) -> Message:
    return Message(value, kind, "tools/call", R2026_07_28, None, 0, answers)


def test_since_2026_07_28_each_request_says_what_the_client_can_do() -> None:
    handshake = taken(INITIALIZE)
    asking = modern(request("tools/call", {"_meta": {CAPABILITIES: {"sampling": {}}}}), "request")
    answer = modern(result({"_meta": {CAPABILITIES: TOOLS}}), "result", asking)
    assert handshake.client_capabilities(asking) == {"sampling": {}}
    assert handshake.client_capabilities(answer) == {"sampling": {}}
    assert handshake.client_capabilities(modern(request("tools/call", {}), "request")) is None


@pytest.mark.parametrize(
    ("method", "params", "revision"),
    [
        ("initialize", {"protocolVersion": R2024_11_05}, R2024_11_05),
        ("initialize", {"protocolVersion": R2025_11_25}, R2025_11_25),
        ("initialize", {"protocolVersion": R2026_07_28}, None),
        ("initialize", {"protocolVersion": "2025-01-01"}, None),
        ("initialize", {"protocolVersion": 2025}, None),
        ("initialize", {}, None),
        ("initialize", {"_meta": {VERSION: R2026_07_28}}, None),
        ("initialize", None, None),
        ("tools/list", {"protocolVersion": R2025_11_25}, None),
        ("tools/list", {"_meta": {VERSION: R2026_07_28}}, R2026_07_28),
        ("tools/list", {"_meta": {VERSION: R2025_11_25}}, None),
        ("tools/list", {"_meta": {VERSION: "2027-01-01"}}, R2026_07_28),
        ("tools/list", {"_meta": {VERSION: [R2026_07_28]}}, R2026_07_28),
        ("tools/list", {"_meta": {}}, None),
        ("tools/list", {"_meta": R2026_07_28}, None),
        ("tools/list", [R2026_07_28], None),
    ],
)
def test_a_request_says_under_which_revision_it_is_sent(
    method: str, params: Any, revision: str | None
) -> None:
    assert requested_revision({"method": method, "params": params}) == revision


@pytest.mark.parametrize(
    ("answer", "revision"),
    [
        ({"protocolVersion": R2024_11_05}, R2024_11_05),
        ({"protocolVersion": R2025_11_25}, R2025_11_25),
        ({"protocolVersion": R2026_07_28}, None),
        ({"protocolVersion": "draft"}, None),
        ({"protocolVersion": None}, None),
        ({}, None),
        (None, None),
        (R2025_11_25, None),
    ],
)
def test_an_answer_to_initialize_settles_on_a_revision(answer: Any, revision: str | None) -> None:
    assert negotiated_revision({"result": answer}) == revision

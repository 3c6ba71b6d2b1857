"""How sessions begin: what counts as out of order, and what only looks so."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import END
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    c2s,
    error,
    initialize,
    initialized,
    modern_request,
    notification,
    opening,
    request,
    result,
    s2c,
)
from mcp_assay.session.handshake import VERSION_KEY
from tests.rules.session.playing import JUNK, decided, left_open, reported

TOOLS: dict[str, Any] = {"tools": {}}
READY = c2s(notification("notifications/initialized"))
LISTING = [c2s(request("tools/list", id=1)), s2c(result({"tools": []}, id=1))]
ROOTS = [s2c(request("roots/list", id=9)), c2s(result({"roots": []}, id=9))]
HTTP = Delivery(transport="http", http={"method": "POST", "request_headers": {}})


def test_a_session_without_initialize_is_reported_once() -> None:
    again = [c2s(request("tools/list", id=2)), s2c(result({"tools": []}, id=2))]
    assert reported(LISTING, again, rules="LIFE-") == [(0, "LIFE-001")]


def test_what_the_server_sends_first_does_not_begin_the_session() -> None:
    log = s2c(notification("notifications/message", {"level": "info", "data": "Starting"}))
    assert reported(log, opening(), rules="LIFE-") == []


def test_a_client_may_ask_for_newer_versions_before_it_initializes() -> None:
    probe = c2s(modern_request("server/discover", id="probe"))
    refused = s2c(error(-32601, "Method not found", id="probe"))
    assert reported(probe, refused, opening(), rules="LIFE-") == []


def test_a_version_that_nobody_knows_yet_is_no_session_without_initialize() -> None:
    meta = {**CLIENT_META, VERSION_KEY: "2099-01-01"}
    assert reported(c2s(request("tools/list", {"_meta": meta})), rules="LIFE-") == []


def test_a_cut_session_may_begin_and_end_anywhere() -> None:
    assert reported(LISTING, ROOTS, rules="LIFE-001 LIFE-004 LIFE-006", partial=True) == []
    cut = [c2s(initialize()), s2c(initialized(TOOLS)), *LISTING]
    assert reported(cut, rules="LIFE-", partial=True) == []
    assert "LIFE-004" in left_open(cut, partial=True)


def test_a_client_may_leave_after_the_answer() -> None:
    begun = [c2s(initialize()), s2c(initialized())]
    assert reported(begun, rules="LIFE-") == []
    assert "LIFE-004" in left_open(begun)


def test_a_request_that_overtakes_the_notification_is_no_fault() -> None:
    begun = [c2s(initialize()), s2c(initialized(TOOLS)), LISTING[0], READY, LISTING[1]]
    assert reported(begun, rules="LIFE-") == []


def test_a_client_that_goes_on_without_the_notification_is_reported_at_the_end() -> None:
    begun = [c2s(initialize()), s2c(initialized(TOOLS)), *LISTING]
    assert reported(begun, rules="LIFE-") == [(END, "LIFE-004")]


def test_a_server_may_ask_a_client_that_went_on_unready() -> None:
    begun = [c2s(initialize({"roots": {}})), s2c(initialized(TOOLS)), *LISTING, *ROOTS]
    assert reported(begun, rules="LIFE-006") == []
    assert "LIFE-006" in left_open(begun)


def test_an_answer_with_another_id_leaves_the_order_open() -> None:
    begun = [c2s(initialize(id=0)), s2c(initialized(TOOLS, id="0")), READY, *LISTING]
    assert reported(begun, rules="LIFE-") == []
    assert {"LIFE-004", "LIFE-005"} <= left_open(begun)


@pytest.mark.parametrize("id", [None, 1.5, True, [], {}])
def test_an_illegible_id_of_initialize_leaves_the_order_open(id: Any) -> None:
    begun = [c2s(initialize(id=id)), s2c(initialized(TOOLS, id=id)), READY, *LISTING]
    assert reported(begun, rules="LIFE-004 LIFE-005 LIFE-006 LIFE-011") == []


def test_initialize_may_be_sent_again_after_an_error() -> None:
    refused = [c2s(initialize(id="a")), s2c(error(-32602, "Unsupported version", id="a"))]
    assert reported(refused, opening(), rules="LIFE-") == []


def test_initialize_is_reported_again_while_the_first_still_waits() -> None:
    begun = [c2s(initialize(id="a")), c2s(initialize(id="b"))]
    assert reported(begun, rules="LIFE-") == [(1, "LIFE-011")]


def test_a_second_initialize_brings_a_second_notification() -> None:
    again = [c2s(initialize(id=1)), s2c(initialized(id=1)), READY]
    assert reported(opening(), again, rules="LIFE-") == [(3, "LIFE-011")]


def test_over_http_a_second_initialize_may_be_another_session() -> None:
    again = [c2s(initialize(id=1), HTTP), s2c(initialized(id=1), HTTP)]
    assert reported(opening(), again, rules="LIFE-011") == []
    assert "LIFE-011" in left_open(opening(), again)


def test_a_server_cannot_open_a_session_in_place_of_the_client() -> None:
    strange = [s2c(initialize(id=5)), s2c(notification("notifications/initialized"))]
    assert reported(strange, opening(), rules="LIFE-") == [(0, "LIFE-006")]


def test_a_whole_opening_decides_the_rules_about_its_order() -> None:
    rules = {"LIFE-001", "LIFE-004", "LIFE-005", "LIFE-006", "LIFE-007", "LIFE-010", "LIFE-011"}
    assert rules <= decided(opening())


@pytest.mark.parametrize("junk", JUNK)
def test_an_opening_of_any_types_is_survived(junk: Any) -> None:
    strange = [
        c2s({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": junk}),
        s2c({"jsonrpc": "2.0", "id": 0, "result": junk}),
        c2s({"jsonrpc": "2.0", "method": "notifications/initialized", "params": junk}),
        *LISTING,
    ]
    assert reported(strange, rules="LIFE-004 LIFE-005 LIFE-011 CAP-") == []

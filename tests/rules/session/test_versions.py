"""Versions: what a session shows about them, and what it leaves open."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    c2s,
    error,
    initialize,
    initialized,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.session.handshake import VERSION_KEY
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from tests.rules.session.playing import JUNK, decided, left_open, reported

READY = c2s(notification("notifications/initialized"))
NEWER = "2027-06-01"
CACHED = {"ttlMs": 0, "cacheScope": "private"}
HTTP = Delivery(transport="http", http={"method": "POST"})


def probe(id: Any = 1, version: str = R2026_07_28, delivery: Delivery | None = None) -> Step:
    meta = {**CLIENT_META, VERSION_KEY: version}
    return c2s(request("server/discover", {"_meta": meta}, id=id), delivery or Delivery())


def refusal(
    supported: Any, id: Any = 1, code: int = -32022, delivery: Delivery | None = None
) -> Step:
    data = {"supported": supported, "requested": R2026_07_28}
    return s2c(error(code, "No", data, id=id), delivery or Delivery())


def begun(answered: Any) -> list[Step]:
    return [c2s(initialize()), s2c(initialized(revision=answered)), READY]


def test_another_version_is_no_fault_where_nothing_shows_that_the_asked_one_is_supported() -> None:
    assert reported(begun(R2025_06_18), rules="LIFE-007 LIFE-010") == []
    assert {"LIFE-007", "LIFE-010"} <= left_open(begun(R2025_06_18))


def test_a_version_that_was_answered_before_is_supported() -> None:
    again = [c2s(initialize(id=1)), s2c(initialized(revision=R2025_06_18, id=1))]
    assert reported(opening(), again, rules="LIFE-007") == [(4, "LIFE-007")]


@pytest.mark.parametrize("code", [-32022, -32000, -32603])
def test_only_invalid_params_refuse_a_version_in_initialize(code: int) -> None:
    refused = refusal([R2025_11_25], id=0, code=code)
    assert reported(c2s(initialize()), refused, rules="LIFE-007") == []


@pytest.mark.parametrize("supported", JUNK)
def test_a_refusal_with_any_list_is_survived(supported: Any) -> None:
    assert reported(c2s(initialize()), refusal(supported, 0, -32602), rules="LIFE-007") == []
    assert reported(probe(1), refusal(supported), probe(2), rules="VER-006") == []
    assert reported(probe("p"), refusal(supported, "p"), opening(), rules="VER-015") == []


@pytest.mark.parametrize(
    "version", [R2025_06_18, "2024-10-07", "DRAFT-2026-v1", "2027-01-01", R2026_07_28]
)
def test_a_version_that_the_client_may_know_is_left_open(version: str) -> None:
    assert reported(begun(version), rules="LIFE-010") == []


@pytest.mark.parametrize("version", ["1.0", "1999-01-01", "2025-11-24", "", 20251125, None, []])
def test_a_client_that_goes_on_in_no_version_at_all_is_reported(version: Any) -> None:
    assert reported(begun(version), rules="LIFE-010") == [(2, "LIFE-010")]


@pytest.mark.parametrize("listed", JUNK)
def test_supported_versions_of_any_type_are_survived(listed: Any) -> None:
    answer = {"supportedVersions": listed, "capabilities": {}, **CACHED}
    lacking = [(1, "VER-003")] if isinstance(listed, list) else []
    assert reported(probe(), s2c(modern_result(answer)), rules="VER-003") == lacking


def test_a_version_outside_the_list_is_reported_though_it_is_a_new_one() -> None:
    steps = [probe(1), refusal([NEWER]), probe(2, "2028-01-01")]
    assert reported(steps, rules="VER-") == [(2, "VER-006")]


def test_only_the_next_request_answers_for_a_refusal() -> None:
    listed = {"supportedVersions": [NEWER], "capabilities": {}, **CACHED}
    accepted = [probe(2, NEWER), s2c(modern_result(listed, id=2))]
    assert reported(probe(1), refusal([NEWER]), accepted, probe(3), rules="VER-006") == []


def test_requests_that_were_on_their_way_are_not_tried_again() -> None:
    steps = [probe(1), probe(2), refusal([NEWER], 1), probe(3)]
    assert reported(steps, rules="VER-006") == []
    assert "VER-006" in left_open(steps)


def test_over_http_the_next_request_may_be_another_clients() -> None:
    steps = [probe(1, delivery=HTTP), refusal([NEWER], delivery=HTTP), probe(2, delivery=HTTP)]
    assert reported(steps, rules="VER-006 VER-015") == []
    assert {"VER-006", "VER-015"} <= left_open(steps)


@pytest.mark.parametrize("code", [-32020, -32021])
def test_falling_back_after_an_error_of_newer_servers_is_reported(code: int) -> None:
    steps = [probe("p"), refusal([], "p", code), *opening()]
    assert reported(steps, rules="VER-015") == [(2, "VER-015")]


@pytest.mark.parametrize("supported", [[R2025_11_25], [NEWER, R2025_06_18], [], None])
def test_falling_back_to_a_version_that_the_server_may_have_is_fine(supported: Any) -> None:
    assert reported(probe("p"), refusal(supported, "p"), opening(), rules="VER-015") == []


def test_a_session_without_newer_traffic_does_not_decide_the_fallback() -> None:
    assert "VER-015" not in decided(opening())


def test_peers_that_have_initialized_may_both_ask_and_answer() -> None:
    mixed = [
        *opening(client={"roots": {}}),
        c2s(modern_request("tools/list", id=1)),
        s2c(modern_request("roots/list", id="s")),
        c2s(modern_result({"roots": []}, id="s")),
    ]
    assert reported(mixed, rules="VER-010 VER-011") == []
    assert {"VER-010", "VER-011"} <= left_open(mixed)


def test_errors_of_the_client_are_responses_too() -> None:
    steps = [probe(1), s2c(modern_request("example/ask", id="s")), c2s(error(-32601, "No", id="s"))]
    assert reported(steps, rules="VER-01") == [(1, "VER-010"), (2, "VER-011")]

"""Sessions and versions over HTTP: ids, headers, and the end of a session."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    error,
    initialize,
    initialized,
    modern_request,
    modern_result,
    request,
    result,
)
from mcp_assay.rules.session.http_samples import (
    HANDSHAKE,
    SESSION,
    VERSION,
    Headers,
    closed,
    get,
    http_opening,
    modern_list,
    modern_post,
    post,
    reply,
    stream,
)
from tests.rules.session.playing import decided, left_open, reported

RULES = "HTTP-021 HTTP-022 HTTP-023 HTTP-024 HTTP-025 HTTP-026"
VERSIONS = "HTTP-027 HTTP-028 HTTP-037 HTTP-038"
TOOLS: dict[str, Any] = {"tools": {}}
LIST: dict[str, Any] = {"tools": []}
GIVEN = "5f1c0a9e"
WITH_ID: Headers = {SESSION: GIVEN}
OPEN = http_opening(server=TOOLS, session=GIVEN)


def listing(id: int, headers: Headers, status: int = 200) -> list[Step]:
    answer = result(LIST, id=id) if status == 200 else error(-32600, "No", id=id)
    return [post(request("tools/list", id=id), id, headers), reply(answer, id, status=status)]


def delete(exchange: int, status: int) -> list[Step]:
    return [get(exchange, WITH_ID, "DELETE"), reply(exchange=exchange, status=status, type=None)]


@pytest.mark.parametrize("given", ["a", "!~", "eyJhbGciOiJI.e30.x-_", "[redacted]"])
def test_visible_characters_make_a_session_id(given: str) -> None:
    assert reported(http_opening(session=given), rules=RULES) == []


@pytest.mark.parametrize("given", ["", "a b", "a\tb", "für", "a\x7f", "\x00"])
def test_other_characters_do_not(given: str) -> None:
    opening = post(initialize(), HANDSHAKE, {VERSION: None})
    answer = reply(initialized(), HANDSHAKE, headers={SESSION: given})
    assert reported([opening, answer], rules=RULES) == [(1, "HTTP-021")]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_every_request_repeats_the_session_id(method: str) -> None:
    assert reported(OPEN, get(1, None, method), rules=RULES) == [(4, "HTTP-022")]
    assert reported(OPEN, get(1, WITH_ID, method), rules=RULES) == []
    assert reported(OPEN, get(1, {"mcp-session-id": GIVEN}, method), rules=RULES) == []


def test_another_session_id_may_come_from_a_session_that_was_not_seen() -> None:
    assert reported(OPEN, listing(1, {SESSION: "another"}), rules=RULES) == []
    assert "HTTP-022" in left_open(OPEN, listing(1, {SESSION: "another"}))


def test_without_a_session_id_nothing_is_missing() -> None:
    opening = http_opening(server=TOOLS)
    assert reported(opening, listing(1, {}), get(2), rules=RULES) == []
    assert "HTTP-022" not in decided(opening, listing(1, {}))


def test_a_request_of_2026_07_28_has_no_session() -> None:
    steps = [*OPEN, modern_post(modern_list(5), 5)]
    assert reported(steps, rules=RULES) == []


@pytest.mark.parametrize(
    ("status", "is_reported"), [(400, False), (404, True), (422, True), (401, False), (500, False)]
)
def test_a_missing_session_id_is_refused_with_400(status: int, is_reported: bool) -> None:
    found = reported(OPEN, listing(1, {}, status), rules="HTTP-023")
    assert found == ([(5, "HTTP-023")] if is_reported else [])


def test_what_was_asked_before_the_end_may_be_answered_after_it() -> None:
    late = [get(1, WITH_ID), *delete(2, 200), stream(1), closed(1)]
    assert reported(OPEN, late, rules="HTTP") == []


def test_what_is_asked_after_the_end_must_not_be_answered() -> None:
    assert reported(OPEN, delete(1, 200), listing(2, WITH_ID), rules=RULES) == [(7, "HTTP-024")]
    assert reported(OPEN, delete(1, 200), listing(2, WITH_ID, 404), rules=RULES) == []
    assert reported(OPEN, delete(1, 405), listing(2, WITH_ID), rules=RULES) == []


def test_a_session_may_begin_again_under_the_same_id() -> None:
    again = [
        post(initialize(id=8), 8, {VERSION: None}),
        reply(initialized(TOOLS, id=8), 8, headers=WITH_ID),
    ]
    assert reported(OPEN, delete(1, 200), again, listing(2, WITH_ID), rules=RULES) == []


def test_one_request_may_be_under_way_when_a_session_is_lost() -> None:
    lost = listing(1, WITH_ID, 404)
    assert reported(OPEN, lost, listing(2, WITH_ID, 404), rules=RULES) == []
    found = reported(OPEN, lost, listing(2, WITH_ID, 404), listing(3, WITH_ID, 404), rules=RULES)
    assert found == [(8, "HTTP-025")]


def at(seconds: float, steps: list[Step]) -> list[Step]:
    return [replace(step, delivery=replace(step.delivery, at=seconds)) for step in steps]


@pytest.mark.parametrize(("seconds", "is_reported"), [(0.1, False), (60.0, True)])
def test_requests_may_cross_the_news_that_a_session_is_lost(
    seconds: float, is_reported: bool
) -> None:
    steps = [*at(1.0, listing(1, WITH_ID, 404)), *at(1.1, listing(2, WITH_ID, 404))]
    found = reported(OPEN, steps, at(1.0 + seconds, listing(3, WITH_ID, 404)), rules="HTTP-025")
    assert found == ([(8, "HTTP-025")] if is_reported else [])


def test_a_new_session_after_404_is_right() -> None:
    again = [post(initialize(id=8), 8, {VERSION: None}), reply(initialized(TOOLS, id=8), 8)]
    steps = (*OPEN, *listing(1, WITH_ID, 404), *again, *listing(2, {}))
    assert reported(steps, rules=RULES) == []
    assert "HTTP-025" in decided(steps)


@pytest.mark.parametrize(
    ("status", "is_reported"),
    [
        (200, False),
        (204, False),
        (405, False),
        (401, False),
        (404, False),
        (400, True),
        (501, True),
    ],
)
def test_a_delete_succeeds_or_is_not_allowed(status: int, is_reported: bool) -> None:
    assert reported(OPEN, delete(1, status), rules=RULES) == (
        [(5, "HTTP-026")] if is_reported else []
    )


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25"])
def test_the_version_that_was_agreed_on_is_named(revision: str) -> None:
    opening = http_opening(server=TOOLS, revision=revision)
    assert reported(opening, listing(1, {VERSION: revision}), rules=VERSIONS) == []
    assert reported(opening, listing(1, {VERSION: None}), rules=VERSIONS) == [(4, "HTTP-027")]
    assert reported(opening, listing(1, {VERSION: "2025-03-26"}), rules=VERSIONS) == [
        (4, "HTTP-027")
    ]


def test_2025_03_26_has_no_such_header() -> None:
    opening = http_opening(server=TOOLS, revision="2025-03-26")
    assert reported(opening, listing(1, {VERSION: None}), rules=VERSIONS) == []


def test_where_the_handshake_was_not_seen_the_version_stays_open() -> None:
    steps = listing(1, {VERSION: None})
    assert reported(steps, rules=VERSIONS, partial=True) == []
    assert "HTTP-027" in left_open(steps, partial=True)


@pytest.mark.parametrize(
    ("version", "is_reported"),
    [
        ("1900-01-01", True),
        ("2025-07-01", True),
        ("latest", True),
        ("DRAFT-2026-v1", False),
        ("2099-01-01", False),
        ("2024-11-05", False),
        ("2024-10-07", False),
    ],
)
def test_a_version_that_cannot_exist_is_refused(version: str, is_reported: bool) -> None:
    opening = http_opening(server=TOOLS)
    found = reported(opening, listing(1, {VERSION: version}), rules="HTTP-028")
    assert found == ([(5, "HTTP-028")] if is_reported else [])
    assert reported(opening, listing(1, {VERSION: version}, 400), rules="HTTP-028") == []


def discovered(*versions: str) -> list[Step]:
    known: dict[str, Any] = {"supportedVersions": [*versions], "capabilities": {}}
    answer = modern_result({**known, "ttlMs": 0, "cacheScope": "private"}, id=9)
    return [modern_post(modern_request("server/discover", id=9), 9), reply(answer, 9)]


def test_a_server_of_both_eras_may_answer_a_get() -> None:
    asked = [get(1, {VERSION: None}), stream()]
    both = discovered("2025-11-25", "2026-07-28")
    assert reported(both, asked, rules=VERSIONS) == []
    assert "HTTP-037" in left_open(both, asked)
    assert reported(discovered("2026-07-28"), asked, rules=VERSIONS) == [(3, "HTTP-037")]


@pytest.mark.parametrize("status", [401, 403, 405, 429, 500])
def test_a_get_may_fail_for_other_reasons(status: int) -> None:
    asked = [get(1, {VERSION: None}), reply(status=status, type=None)]
    assert reported(discovered("2026-07-28"), asked, rules=VERSIONS) == []


def test_a_request_that_was_taken_for_an_older_one_may_get_a_session_id() -> None:
    mistaken = [
        modern_post(modern_list(), MCP_Protocol_Version="2025-11-25"),
        reply(error(-32600, "Missing session ID", id=None), status=400, headers=WITH_ID),
    ]
    assert reported(mistaken, rules="HTTP-038") == []

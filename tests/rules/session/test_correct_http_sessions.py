"""Nothing is said about conversations over HTTP that take an unusual but lawful course."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mcp_assay.protocol import Session
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    error,
    initialize,
    initialized,
    modern_request,
    modern_result,
    notification,
    request,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.http_samples import (
    HANDSHAKE,
    JSON,
    POST_HEADERS,
    SESSION,
    STREAM,
    VERSION,
    Headers,
    accepted,
    closed,
    event,
    get,
    http_opening,
    modern_list,
    modern_post,
    post,
    reply,
    stream,
)
from mcp_assay.spec.revisions import R2025_11_25
from tests.rules.session.playing import reported

SERVER: dict[str, Any] = {"tools": {}, "logging": {}, "resources": {"subscribe": True}}
LIST: dict[str, Any] = {"tools": []}
CACHED: dict[str, Any] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
READY = notification("notifications/initialized")
CHALLENGE: Headers = {"WWW-Authenticate": 'Bearer resource_metadata="https://a.example", scope="n"'}
TOO_SMALL: Headers = {"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="n"'}
BEARER: Headers = {"Authorization": "Bearer [redacted]"}
IN_SESSION: Headers = {SESSION: "s"}
EVERYTHING = "HTTP LIFE JSONRPC CAP AUTH PROG LOG CANC"


def begun(headers: Headers | None = None) -> list[Step]:
    """An initialize with its answer; that the client is ready is still to be said."""
    return [
        post(initialize(), HANDSHAKE, {VERSION: None, **(headers or {})}),
        reply(initialized(SERVER), HANDSHAKE, headers=IN_SESSION),
    ]


@pytest.mark.parametrize("status", [307, 308, 401, 403, 429, 503])
def test_what_http_turned_away_may_be_sent_again(status: int) -> None:
    challenge = TOO_SMALL if status == 403 else CHALLENGE
    turned_away = [
        post(initialize(), 1, {VERSION: None}),
        reply(status=status, type=None, headers=challenge),
        *begun(BEARER),
        post(READY, 2, {**IN_SESSION, **BEARER}),
        reply(exchange=2, status=status, type=None, headers=challenge),
        post(READY, 3, {**IN_SESSION, **BEARER}),
        accepted(3),
        post(request("tools/list"), 4, {**IN_SESSION, **BEARER}),
        reply(exchange=4, status=status, type=None, headers=challenge),
        post(request("tools/list"), 5, {**IN_SESSION, **BEARER}),
        reply(answer(LIST), 5),
    ]
    assert reported(turned_away, rules=EVERYTHING) == []


def test_a_request_whose_connection_was_lost_may_be_sent_again() -> None:
    lost = [post(request("tools/list"), 1), stream(1), closed(1)]
    again = [post(request("tools/list"), 2), reply(answer(LIST), 2)]
    assert reported(http_opening(server=SERVER), lost, again, rules=EVERYTHING) == []


def test_a_token_that_is_shown_no_more_may_be_that_of_another_client() -> None:
    first = [modern_post(modern_list(), 1, Authorization="Bearer [redacted]")]
    second = [modern_post(modern_list(2), 2), reply(modern_result(CACHED, id=2), 2)]
    assert reported(first, reply(modern_result(CACHED)), second, rules=EVERYTHING) == []


def test_names_of_which_a_part_was_redacted_are_not_compared() -> None:
    read = modern_request("resources/read", {"uri": "https://a.example/?key=[redacted]"}, id=1)
    given = {"contents": [], "ttlMs": 0, "cacheScope": "private"}
    steps = [modern_post(read, Mcp_Name="[redacted]"), reply(modern_result(given))]
    assert reported(steps, rules="HTTP") == []
    steps = [modern_post(read, Mcp_Name="https://a.example/?key=1"), reply(modern_result(given))]
    assert reported(steps, rules="HTTP") == []


def head(method: str = "POST", **headers: str) -> Mapping[str, Any]:
    return {"method": method, "path": "/mcp", "request_headers": {**POST_HEADERS, **headers}}


def test_messages_without_a_known_exchange_may_have_overtaken_each_other() -> None:
    named = {VERSION: R2025_11_25}
    done = {"status": 200, "response_headers": {"Content-Type": JSON}}
    uri = {"uri": "file:///a"}
    session = Session()
    lines: list[tuple[str, Any, dict[str, Any]]] = [
        ("c2s", initialize(), {"http": head()}),
        ("s2c", initialized(SERVER), {"http": done}),
        ("c2s", READY, {"http": {**head(**named), "status": 202}}),
        ("c2s", request("logging/setLevel", {"level": "error"}, id=1), {"http": head(**named)}),
        ("s2c", answer({}, id=1), {"http": done}),
        ("s2c", notification("notifications/message", {"level": "info", "data": 1}), {"sse": {}}),
        ("c2s", request("resources/subscribe", uri, id=2), {"http": head(**named)}),
        ("s2c", answer({}, id=2), {"http": done}),
        ("c2s", request("resources/unsubscribe", uri, id=3), {"http": head(**named)}),
        ("s2c", answer({}, id=3), {"http": done}),
        ("s2c", notification("notifications/resources/updated", uri), {"sse": {}}),
    ]
    found = [one for way, message, how in lines for one in session.feed(way, message, **how)]
    assert [*found, *session.close()] == []


def test_a_stateless_client_may_log_and_page_where_nobody_sees_the_beginning() -> None:
    session = Session()
    called = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
    asked = modern_request("tools/list", {"cursor": "page-2"}, id=1)
    log = notification("notifications/message", {"level": "info", "data": 1})
    found = [
        *session.feed("c2s", asked, http=head(**called)),
        *session.feed("s2c", log, sse={}),
        *session.feed("s2c", modern_result(CACHED), sse={}),
    ]
    assert [*found, *session.close()] == []


def test_a_server_without_streams_may_say_so_in_a_message() -> None:
    steps = [get(1, {"Accept": STREAM}), reply(error(-32000, "No streams", id=None), status=405)]
    assert reported(http_opening(server=SERVER), steps, rules="HTTP LIFE CAP") == []


def test_a_session_may_end_while_streams_are_open() -> None:
    steps = [
        *begun(),
        post(READY, 1, IN_SESSION),
        accepted(1),
        post(request("tools/list"), 2, IN_SESSION),
        stream(2),
        event(None, 2, id="a-0"),
        get(3, IN_SESSION, "DELETE"),
        closed(2),
        reply(exchange=3, status=200, type=None),
    ]
    assert reported(steps, rules=EVERYTHING) == []


def test_without_session_ids_another_client_may_speak_in_between() -> None:
    first = http_opening(server=SERVER)
    asked, greeted = begun({SESSION: None})[0], reply(initialized(SERVER, id=7), HANDSHAKE)
    second = post(initialize(id=7), HANDSHAKE, {VERSION: None})
    between = [
        post(request("tools/list", id=1), 1),
        reply(answer(LIST, id=1), 1),
        post(READY, 2),
        accepted(2),
    ]
    assert reported(first, second, between, greeted, rules=EVERYTHING) == []
    alone = [asked, reply(initialized(SERVER), HANDSHAKE), *between[:2]]
    assert reported(alone, rules="LIFE") == []


@pytest.mark.parametrize("named", [{}, IN_SESSION, {VERSION: None, **IN_SESSION}])
def test_a_recording_may_begin_in_the_midst_of_a_session(named: Headers) -> None:
    updated = notification("notifications/resources/updated", {"uri": "file:///a"})
    steps = [
        get(1, named),
        stream(1),
        event(updated, 1),
        event(notification("notifications/progress", {"progressToken": 1, "progress": 1}), 1),
        post(request("tools/list", {"cursor": "page-2"}), 2, named),
        reply(answer(LIST), 2),
    ]
    assert reported(steps, rules="LIFE RES PAGE PROG JSONRPC HTTP") == []
    assert reported(steps[4:], rules="LIFE RES PAGE PROG JSONRPC HTTP") == []


def test_a_client_that_never_initialized_is_reported() -> None:
    steps = [post(request("tools/list"), 1, {VERSION: None}), reply(answer(LIST), 1)]
    assert reported(steps, rules="LIFE") == [(0, "LIFE-001")]

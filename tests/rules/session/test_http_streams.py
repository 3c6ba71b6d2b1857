"""Streams over HTTP: what they carry, how they end, how they are resumed."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import END, Step
from mcp_assay.rules.engine.samples import (
    declaring,
    error,
    initialize,
    initialized,
    modern_request,
    modern_result,
    notification,
    request,
    result,
    s2c,
)
from mcp_assay.rules.session.http_samples import (
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
from tests.rules.session.playing import JUNK, decided, left_open, reported

RULES = "HTTP-008 HTTP-009 HTTP-010 HTTP-011 HTTP-012 HTTP-013 HTTP-016 HTTP-020"
RESUMING = "HTTP-017 HTTP-018 HTTP-019"
TOOLS: dict[str, Any] = {"tools": {"listChanged": True}}
LIST: dict[str, Any] = {"tools": []}
CACHED: dict[str, Any] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
OPEN = http_opening(server=TOOLS)
ASKED = (*OPEN, post(request("tools/list")), stream())
ANSWER = event(result(LIST))
CHANGED = notification("notifications/tools/list_changed")
MODERN = (modern_post(modern_list()), stream())
MODERN_ANSWER = event(modern_result(CACHED))
IN_SESSION: Headers = {"Mcp-Session-Id": "s"}


def resumed(exchange: int, last: str) -> list[Step]:
    return [get(exchange, {"Last-Event-ID": last}), stream(exchange)]


def asked_in_session(id: Any, exchange: int) -> list[Step]:
    return [post(request("tools/list", id=id), exchange, IN_SESSION), stream(exchange)]


def answered_in_session(id: Any, exchange: int) -> list[Step]:
    answered = event(result(LIST, id=id), exchange)
    return [*asked_in_session(id, exchange), answered, closed(exchange)]


GOES_ON = answered_in_session(2, 2)
CUT_OFF = (*http_opening(server=TOOLS, session="s"), *asked_in_session(1, 1))


def test_a_stream_that_ends_without_its_response_is_reported_where_the_client_goes_on() -> None:
    assert reported(CUT_OFF, closed(), GOES_ON, rules=RULES) == [(END, "HTTP-008")]
    assert reported(CUT_OFF, event(error(-32603, "No")), closed(), GOES_ON, rules=RULES) == []


def test_a_stream_that_the_client_may_have_closed_itself_is_left_open() -> None:
    steps = (*CUT_OFF, closed())
    assert reported(steps, rules="HTTP JSONRPC") == []
    assert "HTTP-008" in left_open(steps)
    assert reported(ASKED, closed(), GOES_ON, rules="HTTP-008 JSONRPC") == []


def test_a_client_that_ends_the_session_waits_for_no_response() -> None:
    ended = [get(3, IN_SESSION, "DELETE"), reply(exchange=3, type=None)]
    assert reported(CUT_OFF, ended, closed(), rules="HTTP JSONRPC") == []
    assert reported(CUT_OFF, closed(), ended, rules="HTTP JSONRPC") == []


def test_a_client_may_cancel_after_it_has_closed_the_stream() -> None:
    cancelled = post(notification("notifications/cancelled", {"requestId": 1}), 3, IN_SESSION)
    steps = (*CUT_OFF, closed(), *GOES_ON, cancelled, accepted(3))
    assert reported(steps, rules="HTTP JSONRPC") == []
    assert "HTTP-008" in left_open(steps)


def test_the_id_of_a_lost_request_may_be_as_long_as_it_likes() -> None:
    long = "x" * 10_000
    steps = (*http_opening(server=TOOLS, session="s"), *asked_in_session(long, 1))
    assert reported(steps, closed(), GOES_ON, rules="HTTP-008") == [(END, "HTTP-008")]


def test_a_response_with_an_id_of_another_type_is_not_the_response() -> None:
    answered = event(result(LIST, id="1"))
    assert reported(CUT_OFF, answered, closed(), GOES_ON, rules="HTTP-008") == [(END, "HTTP-008")]


def test_a_stream_may_break_off_where_it_can_be_resumed() -> None:
    steps = (*ASKED, event(id="a-0", retry=10), closed())
    assert reported(steps, rules=RULES) == []
    assert "HTTP-008" in left_open(steps)


def test_a_stream_may_end_without_a_response_that_was_cancelled() -> None:
    cancelled = post(notification("notifications/cancelled", {"requestId": 1}), 2)
    steps = (*ASKED, cancelled, accepted(2), closed())
    assert reported(steps, rules=RULES) == []
    assert "HTTP-008" in left_open(steps)


def test_since_2026_07_28_a_client_cancels_by_closing_the_stream() -> None:
    steps = (*MODERN, closed())
    assert reported(steps, rules=RULES) == []
    assert "HTTP-008" in left_open(steps)


def test_a_stream_may_go_on_after_what_was_seen() -> None:
    assert reported(ASKED, closed(), rules=RULES, partial=True) == []


def test_the_stream_of_a_get_may_end_at_any_time() -> None:
    assert reported(OPEN, get(1), stream(), closed(), rules=RULES) == []


def test_messages_before_the_response_are_fine_and_later_ones_are_not() -> None:
    assert reported(ASKED, event(CHANGED), ANSWER, closed(), rules=RULES) == []
    assert reported(ASKED, ANSWER, event(CHANGED), closed(), rules=RULES) == [(7, "HTTP-009")]


def test_an_event_without_data_may_follow_the_response() -> None:
    assert reported(ASKED, ANSWER, event(retry=10), closed(), rules="HTTP-009 HTTP-010") == []


def test_all_answers_to_a_batch_may_come_on_one_stream() -> None:
    early = http_opening(server=TOOLS, revision="2025-03-26")
    batch = post([request("tools/list", id=1), request("tools/list", id=2)])
    answers = (event(result(LIST, id=2)), event(result(LIST, id=1)), closed())
    assert reported(early, batch, stream(), answers, rules=RULES) == []


@pytest.mark.parametrize("type", [None, "", "message", 7, []])
def test_events_of_messages_may_leave_their_type_out(type: Any) -> None:
    assert reported(ASKED, event(result(LIST), event=type), closed(), rules=RULES) == []


@pytest.mark.parametrize("data", [b"hello", b"7", b'"text"', b"null", b"{"])
def test_data_that_is_no_message_is_reported(data: bytes) -> None:
    assert reported(ASKED, event(data), ANSWER, closed(), rules=RULES) == [(6, "HTTP-010")]


def test_odd_json_is_json_nevertheless() -> None:
    odd = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[],"x":"\\ud800"}}'
    assert reported(ASKED, event(odd), closed(), rules="HTTP-010") == []


def test_requests_come_on_streams_up_to_2025_11_25() -> None:
    ping = event(request("ping", id="s-1"))
    pong = (post(result({}, id="s-1"), 2), accepted(2))
    assert reported(ASKED, ping, pong, ANSWER, closed(), rules="HTTP") == []


def test_progress_on_a_stream_is_that_of_its_request() -> None:
    def steps(token: Any, given: Any) -> list[Step]:
        params = declaring({})
        params["_meta"] = {**params["_meta"], "progressToken": token}
        step = notification("notifications/progress", {"progressToken": given, "progress": 1})
        asked = modern_post(request("tools/list", params))
        return [asked, stream(), event(step), MODERN_ANSWER, closed()]

    assert reported(steps("t", "t"), rules=RULES) == []
    assert reported(steps(1, 1), rules=RULES) == []
    assert reported(steps("t", "u"), rules=RULES) == [(2, "HTTP-012")]
    assert reported(steps(1, "1"), rules=RULES) == [(2, "HTTP-012")]
    assert reported(steps(1, True), rules="HTTP-012") == [(2, "HTTP-012")]
    assert reported(steps("t" * 300, "t" * 300), rules=RULES) == []


def test_changes_come_on_the_stream_of_who_listens() -> None:
    listen = modern_request("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    key = "io.modelcontextprotocol/subscriptionId"
    reported_about = {"_meta": {key: 1}}
    acknowledged = notification(
        "notifications/subscriptions/acknowledged",
        {**reported_about, "notifications": {"toolsListChanged": True}},
    )
    changed = notification("notifications/tools/list_changed", reported_about)
    steps = [modern_post(listen), stream(), event(acknowledged), event(changed), closed()]
    assert reported(steps, rules="HTTP") == []


@pytest.mark.parametrize("value", [None, "yes"])
def test_a_stream_of_2026_07_28_must_not_be_held_back(value: str | None) -> None:
    buffered = stream(headers={"X-Accel-Buffering": value})
    steps = (MODERN[0], buffered, MODERN_ANSWER, closed())
    assert reported(steps, rules=RULES) == [(1, "HTTP-013")]
    assert reported(OPEN, post(request("tools/list")), buffered, ANSWER, rules=RULES) == []


def test_a_response_on_the_stream_of_a_get_is_reported_where_it_resumes_nothing() -> None:
    asked = (*OPEN, post(request("tools/list"), 2))
    answered = event(result(LIST), 1)
    assert reported(asked, get(1), stream(), answered, rules=RULES) == [(7, "HTTP-016")]
    assert reported(asked, resumed(1, "a-0"), answered, rules=RULES) == []


def test_a_get_of_which_too_little_is_known_stays_open() -> None:
    delivery = Delivery(transport="http", exchange=1, http={"method": "GET"})
    steps = (
        *OPEN,
        post(request("tools/list"), 2),
        Step("c2s", None, delivery),
        event(result(LIST), 1),
    )
    assert reported(steps, rules=RULES) == []
    assert "HTTP-016" in left_open(steps)


def test_only_streams_that_can_be_resumed_are_primed() -> None:
    assert reported(ASKED, ANSWER, closed(), rules="HTTP-020") == []
    assert "HTTP-020" not in decided(ASKED, ANSWER, closed())
    primed = (event(id="a-0"), event(result(LIST), id="a-1"), closed())
    assert reported(ASKED, primed, rules="HTTP-020") == []
    late = (event(CHANGED), event(result(LIST), id="a-1"), closed())
    assert reported(ASKED, late, rules="HTTP-020") == [(7, "HTTP-020")]


def test_a_connection_that_closes_early_may_have_been_closed_by_the_client() -> None:
    assert reported(ASKED, event(id="a-0"), closed(), rules="HTTP-020") == []
    assert "HTTP-020" in left_open(ASKED, event(id="a-0"), closed())
    assert "HTTP-020" not in left_open(ASKED, event(id="a-0", retry=5), closed())


def test_a_server_that_answers_with_an_earlier_revision_need_not_prime_its_stream() -> None:
    asked = [post(initialize(), 1, {VERSION: None}), stream()]
    older = event(initialized(revision="2025-06-18"), id="a-1")
    assert reported(asked, older, closed(), rules="HTTP-020") == []
    assert reported(asked, event(initialized(), id="a-1"), rules="HTTP-020") == [(2, "HTTP-020")]


def test_the_refusal_of_a_get_may_have_a_message_as_its_body() -> None:
    refusal = reply(error(-32000, "Method not allowed", id=None), status=405)
    assert reported(OPEN, get(1), refusal, rules="HTTP") == []


def test_events_are_numbered_once_across_streams() -> None:
    second = (post(request("tools/list", id=2), 2), stream(2), event(result(LIST, id=2), 2, id="a"))
    assert reported(ASKED, event(result(LIST), id="a"), second, rules=RESUMING) == [(9, "HTTP-018")]


def test_a_stream_that_is_resumed_may_repeat_its_own_events() -> None:
    broken_off = (*ASKED, event(id="a-0"), event(CHANGED, id="a-1"), closed())
    again = (*resumed(2, "a-0"), event(CHANGED, 2, id="a-1"), event(result(LIST), 2, id="a-2"))
    assert reported(broken_off, again, rules=RESUMING) == []
    twice = (*resumed(3, "a-1"), event(result(LIST), 3, id="a-2"))
    assert reported(broken_off, again, twice, rules=RESUMING) == []


def test_a_stream_that_resumes_an_unknown_one_is_not_judged() -> None:
    first = event(result(LIST), id="a-1")
    assert (
        reported(ASKED, first, resumed(2, "zz"), event(CHANGED, 2, id="a-1"), rules=RESUMING) == []
    )


def test_a_request_that_is_repeated_on_the_same_stream_is_no_broadcast() -> None:
    ping = event(request("ping", id="s-1"))
    assert reported(OPEN, get(1), stream(), ping, ping, rules=RESUMING) == []


def test_alike_notifications_are_no_broadcast() -> None:
    both = (get(1), stream(), get(2), stream(2), event(CHANGED), event(CHANGED, 2))
    assert reported(OPEN, both, rules="HTTP") == []


@pytest.mark.parametrize("junk", JUNK)
def test_events_of_any_form_are_read_without_harm(junk: Any) -> None:
    sse = {"id": junk, "event": junk, "retry": junk}
    odd = s2c(junk, Delivery(transport="http", exchange=1, sse=sse))
    assert set(reported(ASKED, odd, rules="HTTP-008 HTTP-011 HTTP-017 HTTP-018")) <= {
        (6, "HTTP-018"),
    }


def test_a_stream_is_known_by_its_head_alone() -> None:
    head = reply(None, type=STREAM)
    data = s2c(b"hello", Delivery(transport="http", exchange=1))
    asked = (*OPEN, post(request("tools/list")), head)
    assert reported(asked, data, ANSWER, rules="HTTP-010") == [(6, "HTTP-010")]

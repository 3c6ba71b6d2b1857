"""What an HTTP exchange is known by: its heads, what was posted, and what came back."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery, Direction, Message
from mcp_assay.rules.engine.samples import error, notification, request, result
from mcp_assay.session.exchanges import (
    Exchange,
    Exchanges,
    event_id,
    headers,
    is_id,
    media_type,
)
from mcp_assay.spec.revisions import R2025_11_25

PING = Message(request("ping", id=1), "request", "ping", R2025_11_25)
LIST = Message(request("tools/list", id="2"), "request", "tools/list", R2025_11_25)
READY = Message(
    notification("notifications/initialized"),
    "notification",
    "notifications/initialized",
    R2025_11_25,
)
PONG = Message(result({}, id=1), "result", "ping", R2025_11_25)
FAILED = Message(error(-32603, "Failed", id="2"), "error", "tools/list", R2025_11_25)


def exchange(**http: Any) -> Exchange:
    """An exchange that a line with these members of its head was seen of."""
    seen = Exchange("e")
    seen.take(Delivery(transport="http", http=http))
    return seen


def responded(content_type: str | None) -> Exchange:
    given = {} if content_type is None else {"Content-Type": content_type}
    return exchange(response_headers=given)


def test_an_exchange_begins_with_nothing_known() -> None:
    fresh = Exchange(7)
    assert (fresh.key, fresh.events, fresh.posted, fresh.awaited) == (7, 0, (), set())
    assert {
        fresh.was_sent,
        fresh.was_asked,
        fresh.was_answered,
        fresh.is_resumable,
        fresh.was_retried,
        fresh.is_late,
        fresh.lacks_session,
        fresh.lacks_meta,
        fresh.is_stream,
        fresh.succeeded,
        fresh.failed,
        fresh.has_request,
    } == {False}
    assert fresh.may_go_on
    assert fresh.content_type is None
    assert fresh.question is None
    assert fresh.revision == R2025_11_25


@pytest.mark.parametrize(
    ("status", "succeeded", "failed"),
    [
        (100, False, False),
        (199, False, False),
        (200, True, False),
        (202, True, False),
        (299, True, False),
        (300, False, False),
        (399, False, False),
        (400, False, True),
        (404, False, True),
        (599, False, True),
    ],
)
def test_a_status_says_how_it_went(status: int, succeeded: bool, failed: bool) -> None:
    seen = exchange(status=status)
    assert (seen.status, seen.succeeded, seen.failed) == (status, succeeded, failed)


@pytest.mark.parametrize("status", [99, 600, -1, "200", 200.0, None])
def test_what_is_no_status_says_nothing(status: Any) -> None:
    seen = exchange(status=status)
    assert (seen.status, seen.succeeded, seen.failed) == (None, False, False)


@pytest.mark.parametrize(
    ("value", "content_type", "is_stream", "may_go_on"),
    [
        ("text/event-stream", "text/event-stream", True, True),
        ("Text/Event-Stream; charset=utf-8", "text/event-stream", True, True),
        ("application/json", "application/json", False, False),
        (" application/json ;x=1", "application/json", False, False),
        ("", "", False, False),
        (None, "", False, False),
    ],
)
def test_the_content_type_says_whether_more_can_come(
    value: str | None, content_type: str, is_stream: bool, may_go_on: bool
) -> None:
    seen = responded(value)
    assert seen.content_type == content_type
    assert (seen.is_stream, seen.may_go_on) == (is_stream, may_go_on)


@pytest.mark.parametrize(
    ("value", "expected"), [("A/B", "a/b"), (" a/b ; c=d;e", "a/b"), (";", ""), ("", "")]
)
def test_a_media_type_is_bare_and_in_small_letters(value: str, expected: str) -> None:
    assert media_type(value) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/mcp", "/mcp"),
        ("/mcp/", "/mcp"),
        ("/mcp?session=7", "/mcp"),
        ("/mcp/?a=/b/", "/mcp"),
        ("/", "/"),
        ("", "/"),
        ("?a", "/"),
        (None, None),
        (7, None),
    ],
)
def test_a_path_is_kept_without_its_query(path: Any, expected: str | None) -> None:
    assert exchange(path=path).path == expected


@pytest.mark.parametrize(("method", "expected"), [("post", "POST"), ("GET", "GET"), (1, None)])
def test_a_method_is_kept_in_capitals(method: Any, expected: str | None) -> None:
    assert exchange(method=method).method == expected


def test_what_was_reported_first_of_an_exchange_holds() -> None:
    seen = Exchange("e")
    seen.take(Delivery())
    assert (seen.transport, seen.method) == (None, None)
    first: dict[str, Any] = {
        "method": "POST",
        "path": "/a",
        "status": 200,
        "request_headers": {"Accept": "x"},
        "response_headers": {"Content-Type": "a/b"},
    }
    later: dict[str, Any] = {
        "method": "GET",
        "path": "/b",
        "status": 404,
        "request_headers": {"Accept": "y"},
        "response_headers": {"Content-Type": "c/d"},
    }
    seen.take(Delivery(transport="http", http=first))
    seen.take(Delivery(transport="sse", http=later))
    assert (seen.transport, seen.method, seen.path, seen.status) == ("http", "POST", "/a", 200)
    assert seen.request_headers == {"accept": "x"}
    assert seen.response_headers == {"content-type": "a/b"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {
                "Accept": " */*\t",
                "AUTHORIZATION": "Bearer x",
                "Content-Type": "a/b",
                "Last-Event-ID": "7",
                "WWW-Authenticate": "Bearer",
                "X-Accel-Buffering": "no",
                "Mcp-Session-Id": "s",
                "MCP-Protocol-Version": "v",
                "User-Agent": "other",
                "X-Mcp-Thing": "other",
            },
            {
                "accept": "*/*",
                "authorization": "Bearer x",
                "content-type": "a/b",
                "last-event-id": "7",
                "www-authenticate": "Bearer",
                "x-accel-buffering": "no",
                "mcp-session-id": "s",
                "mcp-protocol-version": "v",
            },
        ),
        ({}, {}),
        ({"accept": 7, 7: "accept", "content-type": "a/b"}, {"content-type": "a/b"}),
        ({f"x-{n}": "" for n in range(100)}, {}),
        ({f"x-{n}": "" for n in range(101)}, None),
        ({"accept": "x" * (1 << 14)}, {"accept": "x" * (1 << 14)}),
        ({"accept": "x" * ((1 << 14) + 1), "content-type": "a/b"}, None),
        ({"user-agent": "x" * ((1 << 14) + 1)}, {}),
        (None, None),
        ([("accept", "x")], None),
    ],
)
def test_the_headers_that_rules_ask_for_are_kept(given: Any, expected: Any) -> None:
    assert headers(given) == expected


def test_what_was_posted_is_awaited_until_it_is_answered() -> None:
    seen = Exchange("e")
    seen.post([PING, READY, LIST])
    assert seen.was_sent
    assert seen.posted == (PING, READY, LIST)
    assert seen.awaited == {1, "2"}
    seen.hear([READY, PING], None)
    assert seen.awaited == {1, "2"}
    seen.hear([PONG], None)
    assert seen.awaited == {"2"}
    seen.hear([FAILED], None)
    assert seen.awaited == set()
    assert seen.events == 3


@pytest.mark.parametrize("id", [None, True, 1.5, []])
def test_a_request_without_an_id_is_not_awaited(id: Any) -> None:
    seen = Exchange("e")
    seen.post([Message(request("ping", id=id), "request", "ping", R2025_11_25), LIST])
    assert seen.awaited == {"2"}


def test_a_hundred_requests_of_a_batch_are_awaited() -> None:
    seen = Exchange("e")
    posted = (Message(request("ping", id=n), "request", "ping", R2025_11_25) for n in range(101))
    seen.post([READY, *posted])
    assert seen.awaited == set(range(100))


def test_a_question_is_the_one_request_that_was_posted() -> None:
    for posted, has_request, question in (
        ([PING], True, PING),
        ([READY], False, None),
        ([PONG], False, None),
        ([PING, LIST], True, None),
        ([READY, PING], True, None),
        ([], False, None),
    ):
        seen = Exchange("e")
        seen.post(posted)
        assert (seen.has_request, seen.question) == (has_request, question)


def test_what_was_posted_can_be_kept_in_outline() -> None:
    seen = Exchange("e")
    call = request("tools/call", {"name": "save", "arguments": {"text": "tea"}})
    seen.post([Message(call, "request", "tools/call", R2025_11_25)])
    seen.shorten()
    assert [one.params for one in seen.posted] == [{"name": "save"}]
    assert [one.method for one in seen.posted] == ["tools/call"]


@pytest.mark.parametrize(
    ("sse", "is_resumable", "was_retried"),
    [
        (None, False, False),
        ({}, False, False),
        ({"id": "7"}, True, False),
        ({"id": ""}, False, False),
        ({"id": 7}, False, False),
        ({"retry": 0}, False, True),
        ({"id": "7", "retry": 100}, True, True),
    ],
)
def test_an_event_with_an_id_makes_a_stream_resumable(
    sse: dict[str, Any] | None, is_resumable: bool, was_retried: bool
) -> None:
    seen = Exchange("e")
    seen.hear([], sse)
    assert (seen.is_resumable, seen.was_retried) == (is_resumable, was_retried)
    seen.hear([], {})
    assert (seen.is_resumable, seen.was_retried) == (is_resumable, was_retried)


@pytest.mark.parametrize(
    ("sse", "expected"), [(None, None), ({}, None), ({"id": ""}, None), ({"id": "x"}, "x")]
)
def test_the_id_of_an_event(sse: dict[str, Any] | None, expected: str | None) -> None:
    assert event_id(sse) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, True), ("", True), (True, False), (1.0, False), (None, False), ([], False)],
)
def test_integers_and_strings_are_ids(value: Any, expected: bool) -> None:
    assert is_id(value) is expected


def delivery(key: str | int | None, **known: Any) -> Delivery:
    return Delivery(transport="http", exchange=key, **known)


def test_lines_with_one_key_belong_to_one_exchange() -> None:
    exchanges = Exchanges()
    assert exchanges.known(delivery("a")) is None
    asked = exchanges.of(delivery("a", http={"method": "POST"}), "c2s")
    assert exchanges.known(delivery("a")) is asked
    assert exchanges.of(delivery("a", http={"status": 200}), "s2c") is asked
    assert (asked.key, asked.method, asked.status) == ("a", "POST", 200)
    assert exchanges.of(delivery("b"), "c2s") is not asked
    assert exchanges.of(delivery(None), "c2s") is not exchanges.of(delivery(None), "c2s")
    assert exchanges.known(delivery(None)) is None


@pytest.mark.parametrize(
    ("direction", "was_answered", "is_new"),
    [("c2s", False, False), ("c2s", True, True), ("s2c", True, False), ("s2c", False, False)],
)
def test_a_key_is_used_anew_when_the_client_asks_after_the_answer(
    direction: Direction, was_answered: bool, is_new: bool
) -> None:
    exchanges = Exchanges()
    first = exchanges.of(delivery("a"), "c2s")
    first.was_answered = was_answered
    assert (exchanges.of(delivery("a"), direction) is not first) is is_new


@pytest.mark.parametrize(
    ("seen", "is_old"),
    [
        (Delivery(transport="sse", exchange=1), True),
        (Delivery(transport="http", exchange=1, sse={"event": "endpoint"}), True),
        (Delivery(transport="http", exchange=1, sse={"event": "message"}), False),
        (Delivery(transport="http", exchange=1), False),
    ],
)
def test_the_transport_of_2024_11_05_is_known_by_its_streams(seen: Delivery, is_old: bool) -> None:
    exchanges = Exchanges()
    assert (exchanges.is_old, exchanges.speaks_modern) == (False, False)
    exchanges.of(seen, "s2c")
    exchanges.of(delivery(2), "s2c")
    assert exchanges.is_old is is_old


def test_the_latest_64_exchanges_are_remembered() -> None:
    exchanges = Exchanges()
    for key in range(64):
        exchanges.of(delivery(key), "c2s")
    assert exchanges.known(delivery(0)) is not None
    exchanges.of(delivery(64), "c2s")
    assert exchanges.known(delivery(0)) is None
    assert exchanges.known(delivery(1)) is not None


def test_an_exchange_can_be_forgotten() -> None:
    exchanges = Exchanges()
    asked = exchanges.of(delivery("a"), "c2s")
    exchanges.forget(exchanges.of(delivery(None), "c2s"))
    assert exchanges.known(delivery("a")) is asked
    exchanges.forget(asked)
    exchanges.forget(asked)
    assert exchanges.known(delivery("a")) is None


def test_what_was_given_up_need_not_be_answered() -> None:
    exchanges = Exchanges()
    asked = exchanges.of(delivery("a"), "c2s")
    asked.post([PING, LIST])
    assert not exchanges.has_given_up(1)
    exchanges.give_up(asked)
    assert exchanges.has_given_up(1)
    assert exchanges.has_given_up("2")
    assert not exchanges.has_given_up(2)


def test_a_thousand_requests_can_be_given_up() -> None:
    exchanges, asked = Exchanges(), Exchange("a")
    for id in range(1_001):
        asked.awaited = {id}
        exchanges.give_up(asked)
    assert exchanges.has_given_up(999)
    assert not exchanges.has_given_up(1_000)


def test_an_endpoint_is_where_messages_go() -> None:
    exchanges = Exchanges()
    assert not exchanges.is_endpoint(exchange(path="/mcp"))
    exchanges.takes_messages("/mcp")
    assert exchanges.is_endpoint(exchange(path="/mcp?x"))
    assert exchanges.is_endpoint(exchange())
    assert not exchanges.is_endpoint(exchange(path="/other"))


def test_twenty_endpoints_are_known() -> None:
    exchanges = Exchanges()
    for number in range(21):
        exchanges.takes_messages(f"/{number}")
    known = [number for number in range(21) if exchanges.is_endpoint(exchange(path=f"/{number}"))]
    assert known == [*range(20)]

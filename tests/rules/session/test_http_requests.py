"""How clients ask over HTTP: what is a fault, and what the specification leaves to them."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    modern_request,
    modern_result,
    notification,
    request,
    result,
)
from mcp_assay.rules.session.http_headers import WEATHER
from mcp_assay.rules.session.http_samples import (
    PATH,
    VERSION,
    Headers,
    accepted,
    get,
    http_opening,
    modern_list,
    modern_post,
    post,
    reply,
    stream,
)
from tests.rules.session.playing import decided, left_open, reported

RULES = "HTTP-001 HTTP-002 HTTP-003 HTTP-004 HTTP-014 HTTP-041"
MIRRORED = "HTTP-029 HTTP-030 HTTP-031 HTTP-032"
TOOLS: dict[str, Any] = {"tools": {}}
LIST: dict[str, Any] = {"tools": []}
CACHED = {"ttlMs": 0, "cacheScope": "private"}
OPEN = http_opening(server=TOOLS)


def listing(headers: Headers | None = None) -> list[Step]:
    return [*OPEN, post(request("tools/list"), 1, headers), reply(result(LIST))]


def call(arguments: Any, **headers: str | None) -> list[Step]:
    """A call of a tool whose city is repeated in a header."""
    asked = modern_request("tools/call", {"name": "weather", "arguments": arguments}, id=2)
    return [
        modern_post(modern_list()),
        reply(modern_result({"tools": [WEATHER], **CACHED})),
        modern_post(asked, 2, **headers),
        reply(modern_result({"content": []}, id=2), 2),
    ]


@pytest.mark.parametrize(
    "accept",
    [
        "application/json, text/event-stream",
        "text/event-stream;q=0.5 , APPLICATION/JSON; charset=utf-8",
        "*/*",
        "application/*, text/*",
        "text/html, */*;q=0.1",
    ],
)
def test_a_post_may_accept_both_types_in_many_words(accept: str) -> None:
    assert reported(listing({"Accept": accept}), rules=RULES) == []


@pytest.mark.parametrize(
    "accept",
    [None, "", "application/json", "text/event-stream", "application/json, text/event-stream;q=0"],
)
def test_a_post_that_accepts_less_is_reported(accept: str | None) -> None:
    assert reported(listing({"Accept": accept}), rules=RULES) == [(4, "HTTP-002")]


@pytest.mark.parametrize("type", ["application/json; charset=utf-8", "Application/JSON"])
def test_the_type_of_the_body_may_have_parameters_and_capitals(type: str) -> None:
    assert reported(listing({"Content-Type": type}), rules=RULES) == []


@pytest.mark.parametrize("type", [None, "text/plain", "application/json-rpc"])
def test_another_type_of_the_body_is_reported(type: str | None) -> None:
    assert reported(listing({"Content-Type": type}), rules=RULES) == [(4, "HTTP-004")]


def test_header_names_may_be_written_in_any_case() -> None:
    headers: Headers = {
        "Accept": None,
        "ACCEPT": "application/json, text/event-stream",
        "Content-Type": None,
        "content-type": "application/json",
    }
    assert reported(listing(headers), rules=RULES) == []


def test_without_headers_the_rules_about_them_stay_open() -> None:
    delivery = Delivery(transport="http", exchange=1, http={"method": "POST", "path": PATH})
    steps = (*OPEN[:2], c2s(request("tools/list"), delivery), reply(result(LIST)))
    assert reported(steps, rules=f"{RULES} HTTP-022 HTTP-027") == []
    assert {"HTTP-002", "HTTP-004"} <= set(left_open(steps))


def test_a_line_without_an_exchange_is_judged_by_itself() -> None:
    delivery = Delivery(http={"method": "POST", "request_headers": {"Accept": "application/json"}})
    steps = (*OPEN, c2s(request("tools/list"), delivery))
    assert reported(steps, rules=RULES) == [(4, "HTTP-002"), (4, "HTTP-004")]


def test_request_and_response_may_stand_on_the_answering_line() -> None:
    asked = c2s(request("tools/list"), Delivery(transport="http", exchange=1))
    answered = post(result(LIST), 1, {"Accept": "text/html"}, status=200)
    whole = Step("s2c", answered.message, answered.delivery)
    assert reported([*OPEN, asked, whole], rules=RULES) == [(5, "HTTP-002")]


def test_requests_that_are_not_for_the_endpoint_are_not_judged() -> None:
    elsewhere = {"method": "GET", "path": "/.well-known/oauth-protected-resource", "status": 404}
    form = {"method": "POST", "path": "/token", "request_headers": {"Accept": "*/*"}}
    steps = [
        *OPEN,
        c2s(
            delivery=Delivery(
                transport="http", exchange=1, http={**elsewhere, "request_headers": {}}
            )
        ),
        c2s(delivery=Delivery(transport="http", exchange=2, http=form)),
    ]
    assert reported(steps, rules="HTTP AUTH") == []


def test_an_exchange_number_may_be_used_again_once_it_was_answered() -> None:
    again = [post(request("tools/list", id=2)), reply(result(LIST, id=2))]
    assert reported(listing(), again, rules=RULES) == []
    assert reported(OPEN, post(request("tools/list", id=2), "ready"), rules=RULES) == []


@pytest.mark.parametrize("body", [b"", b"hello", b"[]", b"7", b'"text"'])
def test_a_body_that_is_no_message_is_reported(body: bytes) -> None:
    assert reported(OPEN, post(body), reply(status=400), rules="HTTP-003") == [(4, "HTTP-003")]


def test_a_batch_is_fine_in_2025_03_26_and_only_there() -> None:
    batch = [request("tools/list", id=1), request("tools/list", id=2)]
    answers = reply([result(LIST, id=1), result(LIST, id=2)])
    early = http_opening(server=TOOLS, revision="2025-03-26")
    assert reported(early, post(batch), answers, rules="HTTP") == []
    assert (4, "HTTP-003") in reported(OPEN, post(batch), answers, rules="HTTP")


def test_a_response_is_posted_up_to_2025_11_25_and_not_later() -> None:
    pinged = [get(1), stream(), post(result({}, id="s-1"), 2), accepted(2)]
    assert reported(OPEN, pinged, rules=RULES) == []
    modern = [modern_post(modern_list()), post(result({}), 2, {VERSION: "2026-07-28"})]
    assert reported(modern, rules="HTTP-003") == [(1, "HTTP-003")]


def test_a_cancellation_may_be_posted_up_to_2025_11_25() -> None:
    cancelled = post(notification("notifications/cancelled", {"requestId": 1}), 2)
    assert reported(OPEN, post(request("tools/list")), cancelled, accepted(2), rules=RULES) == []


def test_the_headers_of_notifications_are_not_prescribed() -> None:
    bare: Headers = {VERSION: "2026-07-28", "Accept": None, "Content-Type": None}
    steps = [modern_post(modern_list()), post(notification("notifications/x"), 2, bare)]
    assert reported(steps, rules=f"{RULES} {MIRRORED}") == []


@pytest.mark.parametrize(
    ("name", "header", "rule"),
    [
        ("weather", "weather", None),
        ("weather", "=?base64?d2VhdGhlcg==?=", None),
        ("weather", None, "HTTP-030"),
        ("weather", "Weather", "HTTP-030"),
        ("für", "=?base64?ZsO8cg==?=", None),
        ("für", "für", "HTTP-031"),
        ("für", "fur", "HTTP-031"),
        (" weather ", "weather", "HTTP-031"),
        (" weather ", "=?base64?IHdlYXRoZXIg?=", None),
        ("=?base64?x?=", "=?base64?x?=", "HTTP-031"),
        ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?=", None),
        ("weather", "=?base64?not base64?=", "HTTP-031"),
        ("weather", "=?base64?/w==?=", "HTTP-031"),
        ("weather", "=?base64?dGlkZQ==?=", "HTTP-030"),
        ("a b\tc", "a b\tc", None),
        (7, "8", None),
        ("secret", "[redacted]", None),
    ],
)
def test_the_name_is_repeated_in_a_header(name: Any, header: str | None, rule: str | None) -> None:
    asked = modern_post(modern_request("tools/call", {"name": name}), Mcp_Name=header)
    assert reported([asked], rules="HTTP-030 HTTP-031") == ([(0, rule)] if rule else [])


@pytest.mark.parametrize(
    ("arguments", "header", "rule"),
    [
        ({"city": "Rome"}, "Rome", None),
        ({"city": "Köln"}, "=?base64?S8O2bG4=?=", None),
        ({"city": "Köln"}, "Köln", "HTTP-031"),
        ({"city": "Rome"}, None, "HTTP-032"),
        ({"city": "Rome"}, "Oslo", "HTTP-032"),
        ({"city": None}, None, None),
        ({"city": None}, "Rome", "HTTP-032"),
        ({}, "Rome", "HTTP-032"),
        ({}, None, None),
        (None, None, None),
        ([], None, None),
        ({"city": 42}, "42", None),
        ({"city": -7}, "7", "HTTP-032"),
        ({"city": True}, "true", None),
        ({"city": True}, "True", "HTTP-032"),
        ({"city": 1.5}, "1.5", None),
        ({"city": ["Rome"]}, None, None),
        ({"city": 2**60}, None, None),
    ],
)
def test_arguments_are_repeated_in_headers(arguments: Any, header: str | None, rule: Any) -> None:
    steps = call(arguments, Mcp_Param_City=header)
    assert reported(steps, rules=MIRRORED) == ([(2, rule)] if rule else [])


def test_the_headers_of_a_tool_that_was_not_listed_stay_open() -> None:
    steps = call({"city": "Rome"})[2:]
    assert reported(steps, rules=MIRRORED) == []
    assert "HTTP-032" in left_open(steps)
    assert "HTTP-032" not in decided(steps)


def test_a_get_may_accept_everything() -> None:
    assert reported(OPEN, get(1, {"Accept": "*/*"}), stream(), rules=RULES) == []


@pytest.mark.parametrize("method", [None, 7, [], {}])
def test_a_request_without_a_known_method_of_http_is_not_judged(method: Any) -> None:
    delivery = Delivery(
        transport="http", exchange=1, http={"method": method, "request_headers": {}}
    )
    assert reported(OPEN, c2s(request("tools/list"), delivery), rules="HTTP") == []

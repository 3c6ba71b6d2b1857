"""How servers answer over HTTP: statuses, media types and error bodies."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    error,
    modern_request,
    modern_result,
    notification,
    request,
    result,
    s2c,
)
from mcp_assay.rules.session.http_samples import (
    VERSION,
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

RULES = "HTTP-005 HTTP-006 HTTP-007 HTTP-015 HTTP-043"
ERRORS = "HTTP-033 HTTP-034 HTTP-035 HTTP-036 HTTP-042"
TOOLS: dict[str, Any] = {"tools": {}}
LIST: dict[str, Any] = {"tools": []}
CACHED: dict[str, Any] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
ROOTS = {"roots": {"listChanged": True}}
OPEN = http_opening(client=ROOTS, server=TOOLS)
CHANGED = post(notification("notifications/roots/list_changed"))
ASKED = post(request("tools/list"))
MODERN = (modern_post(modern_list()), reply(modern_result(CACHED)))


@pytest.mark.parametrize("status", [200, 201, 204])
def test_a_notification_is_accepted_with_202_alone(status: int) -> None:
    assert reported(OPEN, CHANGED, reply(status=status), rules=RULES) == [(5, "HTTP-005")]
    assert reported(OPEN, CHANGED, accepted(), rules=RULES) == []


@pytest.mark.parametrize("status", [301, 307, 400, 401, 403, 404, 429, 500, 503])
def test_a_notification_may_be_refused_or_sent_elsewhere(status: int) -> None:
    assert reported(OPEN, CHANGED, reply(status=status), rules=RULES) == []


def test_a_refusal_may_have_an_error_without_an_id() -> None:
    body = {"jsonrpc": "2.0", "error": {"code": -32600, "message": "No"}}
    assert reported(OPEN, CHANGED, reply(body, status=400), rules=RULES) == []
    assert reported(OPEN, CHANGED, reply({**body, "id": None}, status=400), rules=RULES) == []
    found = reported(OPEN, CHANGED, reply({**body, "id": 4}, status=400), rules=RULES)
    assert found == [(5, "HTTP-006")]


def test_a_refusal_needs_a_status_of_its_own() -> None:
    refused = reply(error(-32600, "No", id=None), status=200)
    assert reported(OPEN, CHANGED, refused, rules=RULES) == [(5, "HTTP-006")]


def test_the_status_on_the_line_of_the_request_is_enough() -> None:
    whole = post(notification("notifications/roots/list_changed"), status=200)
    assert reported(OPEN, whole, rules=RULES) == [(4, "HTTP-005")]
    single = Delivery(http={"method": "POST", "status": 200})
    steps = (*OPEN, c2s(notification("notifications/roots/list_changed"), single))
    assert reported(steps, rules=RULES) == [(4, "HTTP-005")]


def test_a_response_of_the_client_is_accepted_like_a_notification() -> None:
    pinged = (get(1), stream(), event(request("ping", id="s-1")), post(result({}, id="s-1"), 2))
    assert reported(OPEN, pinged, accepted(2), rules=RULES) == []
    assert reported(OPEN, pinged, reply(exchange=2), rules=RULES) == [(8, "HTTP-005")]


@pytest.mark.parametrize("type", ["application/json; charset=utf-8", "TEXT/EVENT-STREAM"])
def test_the_type_of_an_answer_may_have_parameters_and_capitals(type: str) -> None:
    assert reported(OPEN, ASKED, reply(result(LIST), type=type), rules=RULES) == []


@pytest.mark.parametrize("type", [None, "text/plain", "application/xml"])
def test_an_answer_of_another_type_is_reported(type: str | None) -> None:
    assert reported(OPEN, ASKED, reply(result(LIST), type=type), rules=RULES) == [(5, "HTTP-007")]


@pytest.mark.parametrize("status", [302, 400, 401, 404, 500])
def test_a_failure_may_be_of_any_type(status: int) -> None:
    assert reported(OPEN, ASKED, reply(status=status, type="text/html"), rules=RULES) == []


def test_a_request_that_is_only_accepted_may_be_one_of_the_older_transport() -> None:
    delivery = Delivery(exchange=1, http={"method": "POST", "status": 202, "response_headers": {}})
    steps = (*OPEN, c2s(request("tools/list"), delivery))
    assert reported(steps, rules=RULES) == []
    assert "HTTP-007" in left_open(steps)
    assert reported(OPEN, ASKED, accepted(), rules=RULES) == [(5, "HTTP-007")]


def test_an_answer_whose_request_was_not_seen_stays_open() -> None:
    steps = (*OPEN, reply(result(LIST), 99, type="text/html"))
    assert reported(steps, rules=RULES) == []
    assert "HTTP-007" in left_open(steps)


def test_an_answer_without_headers_stays_open() -> None:
    bare = s2c(result(LIST), Delivery(transport="http", exchange=1, http={"status": 200}))
    assert reported(OPEN, ASKED, bare, rules=RULES) == []
    assert "HTTP-007" in left_open(OPEN, ASKED, bare)


@pytest.mark.parametrize("status", [400, 401, 403, 405, 406, 409, 429, 500])
def test_a_get_may_be_refused_for_other_reasons(status: int) -> None:
    assert reported(OPEN, get(1), reply(status=status, type="text/html"), rules=RULES) == []


def test_a_get_that_finds_nothing_is_reported_unless_a_session_may_be_over() -> None:
    missing = reply(status=404, type=None)
    assert reported(OPEN, get(1), missing, rules=RULES) == [(5, "HTTP-015")]
    assert reported(OPEN, get(1, {"Mcp-Session-Id": "gone"}), missing, rules=RULES) == []


def test_a_type_that_was_not_asked_for_is_reported() -> None:
    asked = post(request("tools/list"), headers={"Accept": "application/json"})
    streamed = (stream(), event(result(LIST)), closed())
    assert reported(OPEN, asked, streamed, rules=RULES) == [(5, "HTTP-043")]
    refused = reply(error(-32600, "Not acceptable"), status=406)
    assert reported(OPEN, asked, refused, rules=RULES) == []
    nothing = post(request("tools/list"), headers={"Accept": None})
    assert reported(OPEN, nothing, streamed, rules=RULES) == []


def refused(code: int, status: int, method: str = "prompts/list", **body: Any) -> list[Step]:
    asked = modern_post(modern_request(method, id=2), 2)
    return [asked, reply({**error(code, "No", id=2), **body}, 2, status=status)]


@pytest.mark.parametrize(
    ("code", "status", "rule"),
    [
        (-32601, 404, None),
        (-32601, 200, "HTTP-033"),
        (-32601, 400, "HTTP-033"),
        (-32020, 400, None),
        (-32020, 200, "HTTP-034"),
        (-32021, 400, None),
        (-32021, 200, "HTTP-036"),
        (-32022, 200, "HTTP-036"),
        (-32602, 200, None),
        (-32602, 400, None),
        (-32603, 200, None),
        (-32603, 500, None),
    ],
)
def test_some_errors_have_a_status_of_their_own(code: int, status: int, rule: str | None) -> None:
    found = reported(MODERN, refused(code, status), rules=ERRORS)
    assert found == ([(3, rule)] if rule else [])


def test_an_older_server_is_not_held_to_newer_statuses() -> None:
    steps = refused(-32601, 200, "server/discover", id=None)
    assert reported(steps, rules=ERRORS) == []
    assert {"HTTP-033", "HTTP-042"} <= left_open(steps)
    assert not {"HTTP-033", "HTTP-042"} & decided(steps)


def test_missing_meta_is_refused_with_400() -> None:
    bare = request("tools/list", {"_meta": {}}, id=2)
    asked = post(bare, 2, {VERSION: "2026-07-28", "Mcp-Method": "tools/list"})
    no_meta = error(-32602, "_meta lacks the version", id=2)
    assert reported(MODERN, asked, reply(no_meta, 2, status=400), rules=ERRORS) == []
    assert reported(MODERN, asked, reply(no_meta, 2), rules=ERRORS) == [(3, "HTTP-036")]


@pytest.mark.parametrize(
    ("given", "code", "status", "is_reported"),
    [
        ({"id": None}, -32601, 404, True),
        ({"id": 3}, -32601, 404, True),
        ({"id": "2"}, -32601, 404, True),
        ({"id": 2}, -32601, 404, False),
        ({"id": None}, -32700, 400, False),
        ({"id": None}, -32600, 400, False),
        ({"id": None}, -32603, 403, False),
        ({"id": None}, -32603, 429, False),
    ],
)
def test_an_error_repeats_the_id_where_it_could_be_read(
    given: dict[str, Any], code: int, status: int, is_reported: bool
) -> None:
    found = reported(MODERN, refused(code, status, **given), rules="HTTP-042")
    assert found == ([(3, "HTTP-042")] if is_reported else [])


def test_a_fault_in_the_version_header_weighs_less() -> None:
    asked = modern_post(modern_list(), MCP_Protocol_Version=None)
    assert reported([asked, MODERN[1]], rules="HTTP-034") == [(1, "HTTP-034")]


def test_a_header_fault_may_be_refused_in_several_ways() -> None:
    asked = modern_post(modern_list(), Mcp_Method="tools/call")
    for status in (400, 401, 404, 500):
        refusal = reply(error(-32020, "Another method"), status=status)
        found = reported([asked, refusal], rules=ERRORS)
        assert found == ([] if status == 400 else [(1, "HTTP-034")])
    assert reported([asked, reply(status=403)], rules=ERRORS) == []


def test_base64_that_stands_for_another_name_may_be_refused() -> None:
    get_prompt = modern_request("prompts/get", {"name": "für"})
    refusal = reply(error(-32020, "Another name"), status=400)
    right, wrong = "=?base64?ZsO8cg==?=", "=?base64?dGlkZQ==?="
    assert reported([modern_post(get_prompt, Mcp_Name=right), refusal], rules=ERRORS) == [
        (1, "HTTP-035")
    ]
    assert reported([modern_post(get_prompt, Mcp_Name=wrong), refusal], rules=ERRORS) == []


def test_a_call_of_an_unknown_tool_may_lack_other_headers() -> None:
    called = modern_post(
        modern_request("tools/call", {"name": "für"}), Mcp_Name="=?base64?ZsO8cg==?="
    )
    refusal = reply(error(-32020, "No Mcp-Param-City"), status=400)
    assert reported([called, refusal], rules="HTTP-035") == []


@pytest.mark.parametrize("junk", JUNK)
def test_errors_of_any_type_are_read_without_harm(junk: Any) -> None:
    body = {"jsonrpc": "2.0", "id": 2, "error": junk}
    asked = modern_post(modern_request("prompts/list", id=2), 2)
    assert reported(MODERN, asked, reply(body, 2, status=200), rules=ERRORS) == []

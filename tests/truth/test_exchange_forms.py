"""HTTP exchanges in forms that few clients, servers and recorders use, and all of them may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.truth.traces import (
    INITIALIZE,
    INITIALIZED,
    LISTED,
    READY,
    STREAM,
    WHO,
    Case,
    Line,
    ask,
    ask_now,
    c2s,
    judge,
    listed_now,
    opened,
    post,
    post_now,
    refuse,
    reply,
    require,
    s2c,
    stream,
    tell,
    tell_now,
)

CALL = ask_now(2, "tools/call", name="weather", arguments={})
FAR = ask_now(2, "tools/call", name="wétter", arguments={})
UNKNOWN = ask_now(2, "com.example/x")
GIVEN = tell_now(2, {"content": [{"type": "text", "text": "sunny"}]})
CONTENTS = {"uri": "a://b", "text": "x", "mimeType": "text/plain"}
READ = tell_now(2, {"contents": [CONTENTS], "ttlMs": 0, "cacheScope": "private"})
LIST = ask(1, "tools/list")
EMPTY: dict[str, Any] = {"tools": []}
PAGE = tell(1, {"tools": [], "nextCursor": "p2"})
NEXT = ask(2, "tools/list", {"cursor": "p2"})
PAGED = [post(LIST), reply(PAGE), post(NEXT), reply(tell(2, EMPTY))]
PROBE = post_now(ask_now("probe", "server/discover"))


def headed(line: Line, change: Any) -> Line:
    """A line whose headers have other names."""
    http = {
        member: {change(name): it for name, it in value.items()} if "headers" in member else value
        for member, value in line.get("http", {}).items()
    }
    return {**line, "http": http}


def numbered(lines: list[Line]) -> list[Line]:
    """Requests and responses in turns, as exchanges."""
    return [{**line, "exchange": number // 2} for number, line in enumerate(lines)]


def bodiless(method: str, path: str = "/mcp", **headers: str) -> Line:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"dir": "c2s", "http": {"method": method, "path": path, "request_headers": named}}


def capabilities_needed(id: object) -> dict[str, Any]:
    return refuse(id, -32021, {"requiredCapabilities": {"sampling": {}}})


MODERN_FORMS = [
    Case(
        name="header names in small letters",
        lines=[headed(it, str.lower) for it in (post_now(CALL), reply(GIVEN))],
        outcomes={"HTTP-029": "passed", "HTTP-030": "passed", "HTTP-007": "passed"},
    ),
    Case(
        name="header names in large letters, and another tool",
        lines=[headed(it, str.upper) for it in (post_now(CALL, {"Mcp-Name": "x"}), reply(GIVEN))],
        found=[(1, "HTTP-030"), (2, "HTTP-034")],
    ),
    Case(
        name="media types with parameters and large letters",
        lines=[
            post_now(CALL, {"Content-Type": "Application/JSON; charset=UTF-8"}),
            reply(GIVEN, type="APPLICATION/json;charset=utf-8"),
        ],
        outcomes={"HTTP-004": "passed", "HTTP-007": "passed"},
    ),
    Case(name="anything is accepted", lines=[post_now(CALL, {"Accept": "*/*"}), reply(GIVEN)]),
    Case(
        name="ranges are accepted",
        lines=[post_now(CALL, {"Accept": "application/*;q=0.5, Text/*"}), reply(GIVEN)],
    ),
    Case(
        name="a stream is refused by its quality",
        lines=[post_now(CALL, {"Accept": "application/json, text/event-stream;q=0"}), reply(GIVEN)],
        found=[(1, "HTTP-002")],
    ),
    Case(
        name="no header names the method",
        lines=[post_now(CALL, {"Mcp-Method": None}), reply(refuse(2, -32020), 400)],
        found=[(1, "HTTP-030")],
    ),
    Case(
        name="the method in another case",
        lines=[post_now(CALL, {"Mcp-Method": "Tools/Call"}), reply(refuse(2, -32020), 400)],
        found=[(1, "HTTP-030")],
    ),
    Case(
        name="a name between blanks",
        lines=[post_now(CALL, {"Mcp-Name": " weather\t"}), reply(GIVEN)],
        outcomes={"HTTP-030": "passed"},
    ),
    Case(
        name="the address of another resource",
        lines=[
            post_now(ask_now(2, "resources/read", uri="a://b"), {"Mcp-Name": "a://c"}),
            reply(refuse(2, -32020), 400),
        ],
        found=[(1, "HTTP-030")],
    ),
    Case(
        name="the address of the resource",
        lines=[
            post_now(ask_now(2, "resources/read", uri="a://b"), {"Mcp-Name": "a://b"}),
            reply(READ),
        ],
        outcomes={"HTTP-030": "passed"},
    ),
    Case(
        name="a name in base64",
        lines=[post_now(FAR, {"Mcp-Name": "=?base64?d8OpdHRlcg==?="}), reply(GIVEN)],
        outcomes={"HTTP-030": "passed"},
    ),
    Case(
        name="another name in base64",
        lines=[post_now(FAR, {"Mcp-Name": "=?base64?d2V0dGVy?="}), reply(refuse(2, -32020), 400)],
        found=[(1, "HTTP-030")],
    ),
    Case(
        name="the head of a response comes before its body",
        lines=[post_now(CALL, exchange=1), reply(exchange=1), s2c(GIVEN, exchange=1)],
        outcomes={"HTTP-007": "passed", "JSONRPC-026": "passed"},
    ),
    Case(
        name="two connections with one id",
        lines=[
            post_now(CALL, conn=1),
            post_now(ask_now(2, "tools/list"), conn=2),
            reply(tell_now(2, LISTED), conn=2),
            reply(GIVEN, conn=1),
        ],
        outcomes={"JSONRPC-026": "passed"},
    ),
    Case(
        name="a document of another path",
        lines=[
            bodiless("GET", "/.well-known/oauth-protected-resource", Accept="application/json"),
            reply(status=404),
            *listed_now(),
        ],
    ),
]

REFUSED_ON_STREAMS = [
    Case(
        name="an unknown method",
        lines=[*listed_now(), post_now(UNKNOWN), stream(refuse(2, -32601))],
        found=[(4, "HTTP-033")],
    ),
    Case(
        name="an unknown method, after the head",
        lines=[
            *listed_now(exchange=1),
            post_now(UNKNOWN, exchange=2),
            reply(type=STREAM, exchange=2),
            s2c(refuse(2, -32601), exchange=2, sse={}),
        ],
        found=[(4, "HTTP-013"), (5, "HTTP-033")],
    ),
    Case(
        name="headers that are right",
        lines=[*listed_now(), post_now(ask_now(2, "prompts/list")), stream(refuse(2, -32020))],
        found=[(4, "HTTP-034")],
    ),
    Case(
        name="headers that are wrong are told once",
        lines=[
            *listed_now(),
            post_now(ask_now(2, "prompts/list"), {"Mcp-Method": "tools/list"}),
            stream(refuse(2, -32020)),
        ],
        found=[(3, "HTTP-030"), (4, "HTTP-034")],
    ),
    Case(
        name="a name in base64",
        lines=[
            *listed_now(),
            post_now(ask_now(2, "prompts/get", name="é"), {"Mcp-Name": "=?base64?w6k=?="}),
            stream(refuse(2, -32020)),
        ],
        found=[(4, "HTTP-034"), (4, "HTTP-035")],
    ),
    Case(
        name="a capability of the client",
        lines=[
            *listed_now(),
            post_now(ask_now(2, "prompts/list")),
            stream(capabilities_needed(2)),
        ],
        found=[(4, "HTTP-036")],
    ),
    Case(
        name="a capability that is missed only later",
        lines=[
            *listed_now(exchange=1),
            post_now(ask_now(2, "prompts/list", {"progressToken": 7}), exchange=2),
            stream(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/progress",
                    "params": {"progressToken": 7, "progress": 1},
                },
                exchange=2,
            ),
            stream(capabilities_needed(2), exchange=2),
        ],
        outcomes={"HTTP-036": "undecided"},
    ),
    Case(
        name="any other error",
        lines=[*listed_now(), post_now(ask_now(2, "prompts/list")), stream(refuse(2, -32603))],
        outcomes={"HTTP-033": "undecided", "HTTP-036": "undecided"},
    ),
    Case(
        name="a server that may know no such statuses",
        lines=[post_now(UNKNOWN), stream(refuse(2, -32601))],
        outcomes={"HTTP-033": "undecided"},
    ),
]

SESSIONS = [
    Case(
        name="header names in small letters",
        lines=[headed(it, str.lower) for it in (*opened(), *PAGED)],
        outcomes={"PAGE-003": "passed", "HTTP-022": "passed", "JSONRPC-026": "passed"},
    ),
    Case(
        name="a session id between blanks",
        lines=[*opened(), post(LIST, " s-1 "), reply(PAGE), *PAGED[2:]],
        outcomes={"PAGE-003": "passed", "HTTP-022": "passed"},
    ),
    Case(
        name="answers in another order",
        lines=[
            *opened(),
            post(LIST),
            post(ask(2, "ping")),
            post(ask(3, "ping")),
            s2c(tell(3, {})),
            s2c(tell(2, {})),
            s2c(tell(1, EMPTY)),
        ],
        outcomes={"JSONRPC-026": "passed", "JSONRPC-023": "passed"},
    ),
    Case(
        name="only some lines name their exchange",
        lines=[
            *opened(),
            post(LIST, exchange=5),
            reply(PAGE),
            post(NEXT),
            reply(tell(2, EMPTY), exchange=6),
        ],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed"},
    ),
    Case(
        name="the server asks without a key",
        lines=[*opened(), s2c(ask("r", "ping")), post(tell("r", {})), reply(status=202)],
        outcomes={"JSONRPC-026": "passed"},
    ),
    Case(
        name="a document of another path is asked for without the session id",
        lines=[
            *opened(),
            bodiless("GET", "/.well-known/oauth-protected-resource", Accept="application/json"),
            reply(status=404),
            *PAGED,
        ],
        outcomes={"HTTP-022": "passed"},
    ),
    Case(
        name="a client begins anew",
        lines=[
            *opened(),
            post({**INITIALIZE, "id": 50}, None, None),
            reply({**INITIALIZED, "id": 50}, session="s-2"),
            post(READY, "s-2"),
            reply(status=202),
            post(LIST, "s-2"),
            reply(tell(1, EMPTY)),
        ],
    ),
    Case(
        name="an empty session id is none",
        lines=[*opened(), post(LIST, ""), reply(tell(1, EMPTY))],
        found=[(5, "HTTP-022")],
    ),
    Case(
        name="an empty session id was assigned, and nobody can repeat that",
        lines=[
            post(INITIALIZE, None, None),
            reply(INITIALIZED, session=""),
            post(READY, None),
            reply(status=202),
            post(LIST, None),
            reply(tell(1, EMPTY)),
        ],
        found=[(2, "HTTP-021")],
    ),
    Case(
        name="the client answers without the session id",
        lines=[*opened(), s2c(ask("r", "ping")), post(tell("r", {}), None), reply(status=202)],
        found=[(6, "HTTP-022")],
    ),
    Case(
        name="a DELETE lacks the session id",
        lines=[
            *opened(),
            bodiless("DELETE", MCP_Protocol_Version="2025-11-25"),
            reply(status=400),
        ],
        found=[(5, "HTTP-022")],
    ),
    Case(
        name="a request without the session id is refused",
        lines=[*opened(), post(LIST, None), reply(refuse(1, -32000), 400)],
        found=[(5, "HTTP-022")],
    ),
    Case(
        name="the answers of two requests are swapped",
        lines=[
            *opened(),
            post(ask(1, "tools/call", {"name": "x"})),
            post(ask(2, "tools/list")),
            s2c(tell(2, EMPTY)),
            s2c(tell(1, EMPTY)),
        ],
        found=[(8, "CALL-001")],
    ),
]


def refused(*response: Line) -> list[Line]:
    """A server of earlier revisions refuses what a client of both eras tries first."""
    return [PROBE, *response, *opened(), *PAGED]


WHOLE = {"PAGE-003": "passed", "JSONRPC-026": "passed", "HTTP-022": "passed"}
REFUSALS = [
    Case(name="a bare status", lines=refused(reply(status=400)), outcomes=WHOLE),
    Case(name="a path that is not there", lines=refused(reply(status=404)), outcomes=WHOLE),
    Case(
        name="a bare status, on a connection",
        lines=[{**line, "conn": "c"} for line in refused(reply(status=400))],
        outcomes=WHOLE,
    ),
    Case(
        name="a bare status, in an exchange",
        lines=numbered(refused(reply(status=400))),
        outcomes=WHOLE,
    ),
    Case(
        name="an error with its id",
        lines=refused(reply(refuse("probe", -32601), 404)),
        outcomes=WHOLE,
    ),
    Case(
        name="an error with an id that nobody sent",
        lines=refused(reply(refuse("server-error", -32600), 400)),
        found=[(2, "JSONRPC-023")],
        outcomes=WHOLE,
    ),
    Case(
        name="an error with an id that nobody sent, in an exchange",
        lines=numbered(refused(reply(refuse("server-error", -32600), 400))),
        found=[(2, "JSONRPC-023")],
        outcomes=WHOLE,
    ),
    Case(
        name="an error without an id",
        lines=refused(reply(refuse(None, -32600), 400)),
        outcomes=WHOLE,
    ),
    Case(
        name="what follows is judged as a whole",
        lines=[PROBE, reply(status=400), *opened(), post(LIST), *PAGED[2:]],
        found=[(7, "JSONRPC-026")],
    ),
    Case(
        name="a cursor that nobody gave is told",
        lines=[
            PROBE,
            reply(status=400),
            *opened(),
            *PAGED[:2],
            post(ask(2, "tools/list", {"cursor": "p9"})),
            reply(tell(2, EMPTY)),
        ],
        found=[(9, "PAGE-003")],
    ),
    Case(
        name="a request lacks its session id",
        lines=[PROBE, reply(status=400), *opened(), post(LIST, None), reply(tell(1, EMPTY))],
        found=[(7, "HTTP-022")],
    ),
    Case(
        name="another request that was answered is not excused",
        lines=[PROBE, reply(status=400), *opened(), *PAGED, post(ask(3, "ping"))],
        found=[(11, "JSONRPC-026")],
    ),
    Case(
        name="an answer comes twice",
        lines=[PROBE, reply(status=400), *opened(), *PAGED[:2], reply(PAGE)],
        found=[(9, "JSONRPC-024")],
    ),
]


def event(type: str, data: str, exchange: int = 3) -> Line:
    http = {"status": 200, "response_headers": {"Content-Type": STREAM}}
    return {"dir": "s2c", "exchange": exchange, "http": http, "sse": {"event": type}, "raw": data}


def streamed(*events: Line) -> list[Line]:
    return [*opened(), post(LIST, exchange=3), *events, s2c(tell(1, EMPTY), exchange=3, sse={})]


def old_transport(*, endpoint: str, data: str | None = None) -> list[Line]:
    """A session over HTTP+SSE; the stream names where messages go."""
    asked = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": WHO}
    opening = tell(0, {"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": WHO})
    posted = {"method": "POST", "path": "/messages", "request_headers": {}}
    message: Line = {"raw": json.dumps(opening) if data is None else data}
    lines = [
        {**bodiless("GET", "/sse", Accept=STREAM), "exchange": 1},
        event("endpoint", endpoint, 1),
        c2s(ask(0, "initialize", asked), exchange=2, http=posted),
        {"dir": "s2c", "exchange": 2, "http": {"status": 202, "response_headers": {}}},
        {"dir": "s2c", "exchange": 1, "sse": {"event": "message"}, **message},
    ]
    return [{**line, "transport": "sse"} for line in lines]


ANSWERED = json.dumps(tell(1, EMPTY))
EVENTS = [
    Case(name="the endpoint", lines=old_transport(endpoint="/messages?session=1")),
    Case(name="a whole address", lines=old_transport(endpoint="http://h.example/messages")),
    Case(name="the endpoint in quotes", lines=old_transport(endpoint='"/messages"')),
    Case(
        name="the type of messages",
        lines=[
            *streamed(event("message", json.dumps(ask("r", "ping"))))[:-1],
            post(tell("r", {})),
            reply(status=202),
            s2c(tell(1, EMPTY), exchange=3, sse={}),
        ],
    ),
    Case(name="an answer of that type", lines=streamed(event("message", ANSWERED))[:-1]),
    Case(name="an answer of the empty type", lines=streamed(event("", ANSWERED))[:-1]),
    Case(name="words", lines=streamed(event("ping", "alive")), found=[(6, "HTTP-010")]),
    Case(name="JSON", lines=streamed(event("ping", '{"t": 1}')), found=[(6, "HTTP-010")]),
    Case(name="a number", lines=streamed(event("beat", "7")), found=[(6, "HTTP-010")]),
    Case(
        name="a broken message",
        lines=streamed(event("update", '{"jsonrpc": "1.0", "id": 1}')),
        found=[(6, "HTTP-010")],
    ),
    Case(
        name="an answer that no client reads, and one that they do",
        lines=streamed(event("update", ANSWERED)),
        found=[(6, "HTTP-010")],
        outcomes={"JSONRPC-024": "passed", "JSONRPC-026": "passed"},
    ),
    Case(
        name="an answer that no client reads is none",
        lines=streamed(event("update", ANSWERED))[:-1],
        found=[(5, "JSONRPC-026"), (6, "HTTP-010")],
    ),
    Case(
        name="a message is posted elsewhere",
        lines=old_transport(endpoint="/other"),
        found=[(3, "SSE-003")],
    ),
    Case(
        name="words in place of a message, over HTTP+SSE",
        lines=old_transport(endpoint="/messages", data="hello"),
        found=[(5, "JSONRPC-001"), (5, "SSE-002")],
    ),
]


@pytest.mark.parametrize("case", MODERN_FORMS, ids=lambda case: case.name)
def test_an_exchange_is_read_whatever_its_form(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", REFUSED_ON_STREAMS, ids=lambda case: case.name)
def test_a_refusal_on_a_stream_has_its_status_too(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", SESSIONS, ids=lambda case: case.name)
def test_a_session_is_held_together_whatever_its_form(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: case.name)
def test_what_was_refused_before_makes_no_session_a_part(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)
    report = judge(tmp_path, case.lines)
    assert not any(one.partial for one in report.sessions or [])


@pytest.mark.parametrize("case", EVENTS, ids=lambda case: case.name)
def test_only_events_that_clients_read_are_messages(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)

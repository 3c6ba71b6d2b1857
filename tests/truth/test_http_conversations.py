"""HTTP in traces: every exchange is judged, and every answer belongs to the request that waits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.cli.main import main
from tests.truth.traces import (
    INITIALIZE,
    INITIALIZED,
    LISTED,
    READY,
    STREAM,
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
GIVEN = tell_now(2, {"content": [{"type": "text", "text": "sunny"}]})
PAGE = tell(1, {"tools": [], "nextCursor": "p2"})
NEXT = ask(2, "tools/list", {"cursor": "p2"})
LIST = ask(1, "tools/list")
EMPTY: dict[str, Any] = {"tools": []}


def bare(message: dict[str, Any]) -> Line:
    """An answer of which nothing is known but its text."""
    return s2c(message)


WITHOUT_SESSION = [
    Case(
        name="all is well",
        lines=[post_now(CALL), reply(GIVEN)],
        outcomes={
            "HTTP-002": "passed",
            "HTTP-004": "passed",
            "HTTP-007": "passed",
            "HTTP-029": "passed",
            "HTTP-030": "passed",
            "JSONRPC-023": "passed",
        },
    ),
    Case(
        name="the client accepts too little",
        lines=[post_now(ask_now(1, "tools/list"), {"Accept": "text/html"}), *listed_now()[1:]],
        found=[(1, "HTTP-002"), (2, "HTTP-043")],
    ),
    Case(
        name="the body is declared as text",
        lines=[post_now(CALL, {"Content-Type": "text/plain"}), reply(GIVEN)],
        found=[(1, "HTTP-004")],
    ),
    Case(
        name="the answer is a page",
        lines=[post_now(CALL), reply(GIVEN, type="text/html")],
        found=[(2, "HTTP-007")],
    ),
    Case(
        name="the header names another version, and is accepted",
        lines=[post_now(CALL, {"MCP-Protocol-Version": "2025-06-18"}), reply(GIVEN)],
        found=[(1, "HTTP-029"), (2, "HTTP-034")],
    ),
    Case(
        name="the header names another tool, and is refused",
        lines=[post_now(CALL, {"Mcp-Name": "forecast"}), reply(refuse(2, -32020), 400)],
        found=[(1, "HTTP-030")],
    ),
    Case(
        name="a stream may be buffered",
        lines=[
            post_now(ask_now(1, "tools/list")),
            reply(tell_now(1, LISTED), type=STREAM, sse={}),
        ],
        found=[(2, "HTTP-013")],
    ),
    Case(
        name="an unknown method is no success",
        lines=[*listed_now(), post_now(ask_now(2, "com.example/x")), reply(refuse(2, -32601))],
        found=[(4, "HTTP-033")],
    ),
    Case(
        name="an unknown method is not found",
        lines=[*listed_now(), post_now(ask_now(2, "com.example/x")), reply(refuse(2, -32601), 404)],
        outcomes={"HTTP-033": "passed", "HTTP-042": "passed"},
    ),
    Case(
        name="the statuses of two requests that overlap are kept apart",
        lines=[
            *listed_now(),
            post_now(ask_now(2, "com.example/x")),
            post_now(ask_now(3, "tools/list")),
            reply(tell_now(3, LISTED)),
            reply(refuse(2, -32601)),
        ],
        found=[(6, "HTTP-033")],
    ),
    Case(
        name="a cancellation is posted",
        lines=[
            *listed_now(),
            post_now(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": 1},
                }
            ),
            reply(status=202),
        ],
        found=[(3, "HTTP-041")],
    ),
    Case(
        name="the server sends a request on a stream",
        lines=[
            post_now(ask_now(1, "tools/list"), exchange=1),
            stream(ask_now("s-1", "com.example/ask"), exchange=1),
            stream(tell_now(1, LISTED), exchange=1),
        ],
        found=[(2, "HTTP-011"), (2, "VER-010")],
    ),
    Case(
        name="headers were not recorded",
        lines=[
            c2s(ask_now(1, "tools/list"), http={"method": "POST"}),
            s2c(tell_now(1, LISTED), http={"status": 200}),
        ],
        outcomes={"HTTP-002": "undecided", "HTTP-029": "undecided", "HTTP-007": "undecided"},
    ),
    Case(
        name="a result that lacks what its method calls for",
        lines=[post_now(CALL), reply(tell_now(2, {}))],
        found=[(2, "CALL-001")],
    ),
]

TORN = [
    Case(
        name="answers name neither session nor exchange",
        lines=[*opened(), post(LIST), reply(PAGE), post(NEXT), reply(tell(2, EMPTY))],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed", "HTTP-022": "passed"},
    ),
    Case(
        name="answers are bare messages",
        lines=[*opened(), post(LIST), bare(PAGE), post(NEXT), bare(tell(2, EMPTY))],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed"},
    ),
    Case(
        name="answers have the connection alone",
        lines=[
            {**line, "conn": 1}
            for line in (*opened(), post(LIST), bare(PAGE), post(NEXT), bare(tell(2, EMPTY)))
        ],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed", "HTTP-022": "passed"},
    ),
    Case(
        name="only requests name the connection",
        lines=[
            {**line, "conn": 1} if line["dir"] == "c2s" else line
            for line in (*opened(), post(LIST), reply(PAGE), post(NEXT), reply(tell(2, EMPTY)))
        ],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed", "HTTP-022": "passed"},
    ),
    Case(
        name="only answers name the connection",
        lines=[
            {**line, "conn": 1} if line["dir"] == "s2c" else line
            for line in (*opened(), post(LIST), reply(PAGE), post(NEXT), reply(tell(2, EMPTY)))
        ],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed", "HTTP-022": "passed"},
    ),
    Case(
        name="only requests name the session",
        lines=[
            c2s(INITIALIZE, session="a"),
            s2c(INITIALIZED),
            c2s(READY, session="a"),
            c2s(LIST, session="a"),
            s2c(PAGE),
            c2s(NEXT, session="a"),
            s2c(tell(2, EMPTY)),
        ],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed", "LIFE-004": "passed"},
    ),
    Case(
        name="two sessions with other ids",
        lines=[
            *opened("s-1"),
            *opened("s-2"),
            post(LIST, "s-1"),
            post(ask(7, "tools/list"), "s-2"),
            bare(tell(7, EMPTY)),
            bare(PAGE),
            post(NEXT, "s-1"),
            bare(tell(2, EMPTY)),
        ],
        outcomes={"PAGE-003": "passed", "JSONRPC-026": "passed"},
    ),
    Case(
        name="two sessions that wait with one id",
        lines=[
            *opened("s-1"),
            *opened("s-2"),
            post(LIST, "s-1"),
            post(LIST, "s-2"),
            bare(PAGE),
            bare(tell(1, EMPTY)),
            post(NEXT, "s-1"),
            bare(tell(2, EMPTY)),
        ],
        outcomes={"PAGE-003": "undecided", "JSONRPC-026": "undecided"},
    ),
    Case(
        name="an answer is judged by the method of its request",
        lines=[*opened(), post(ask(1, "tools/call", {"name": "x"})), bare(tell(1, {}))],
        found=[(6, "CALL-001")],
    ),
    Case(
        name="a cursor that nobody gave",
        lines=[*opened(), post(LIST), bare(PAGE), post(ask(2, "tools/list", {"cursor": "p9"}))],
        found=[(7, "JSONRPC-026"), (7, "PAGE-003")],
    ),
    Case(
        name="a cursor of a page that was not seen",
        lines=[*opened(), post(LIST), post(NEXT), bare(tell(2, EMPTY))],
        found=[(5, "JSONRPC-026")],
        outcomes={"PAGE-003": "undecided"},
    ),
    Case(
        name="an answer to nothing",
        lines=[*opened(), post(LIST), bare(tell(1, EMPTY)), bare(tell(9, EMPTY))],
        found=[(7, "JSONRPC-023")],
    ),
    Case(
        name="a later request lacks the session id",
        lines=[*opened(), post(LIST, None), reply(tell(1, EMPTY))],
        found=[(5, "HTTP-022")],
    ),
    Case(
        name="a notification lacks the session id",
        lines=[*opened()[:2], post(READY, None), reply(status=202)],
        found=[(3, "HTTP-022")],
    ),
    Case(
        name="a request on the same connection lacks the session id",
        lines=[
            {**line, "conn": "c", "exchange": number // 2}
            for number, line in enumerate((*opened(), post(LIST, None), reply(tell(1, EMPTY))))
        ],
        found=[(5, "HTTP-022")],
    ),
    Case(
        name="a GET lacks the session id",
        lines=[
            *opened(),
            {
                "dir": "c2s",
                "http": {
                    "method": "GET",
                    "path": "/mcp",
                    "request_headers": {"Accept": STREAM, "MCP-Protocol-Version": "2025-11-25"},
                },
            },
            reply(status=405),
        ],
        found=[(5, "HTTP-022")],
    ),
    Case(
        name="whose request lacks the session id cannot be told",
        lines=[*opened("s-1"), *opened("s-2"), post(LIST, "s-1"), reply(PAGE), post(LIST, None)],
        outcomes={"HTTP-022": "undecided"},
    ),
    Case(
        name="no session id was assigned",
        lines=[
            post(INITIALIZE, None, None),
            reply(INITIALIZED),
            post(READY, None),
            reply(status=202),
            post(LIST, None),
            reply(tell(1, EMPTY)),
        ],
        outcomes={"HTTP-022": "undecided"},
    ),
    Case(
        name="a client that speaks both eras, and falls back",
        lines=[
            post_now(ask_now("probe", "server/discover")),
            reply(refuse("probe", -32601), 404),
            *opened(),
            post(LIST),
            bare(tell(1, EMPTY)),
        ],
        outcomes={"HTTP-022": "passed", "JSONRPC-026": "passed"},
    ),
    Case(
        name="the server gives a session id where there are no sessions",
        lines=[post_now(CALL), reply(GIVEN, session="s-9")],
        found=[(2, "HTTP-038")],
    ),
]


@pytest.mark.parametrize("case", WITHOUT_SESSION, ids=lambda case: case.name)
def test_exchanges_without_a_session_are_judged(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", TORN, ids=lambda case: case.name)
def test_no_session_is_torn(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize(
    "case",
    [case for case in WITHOUT_SESSION if not any("exchange" in line for line in case.lines)],
    ids=lambda case: case.name,
)
@pytest.mark.parametrize("members", [{"conn": 1}, {"transport": "http"}], ids=str)
def test_a_connection_or_a_transport_changes_nothing(
    tmp_path: Path, case: Case, members: dict[str, Any]
) -> None:
    require(tmp_path, replace(case, lines=[{**line, **members} for line in case.lines]))


@pytest.mark.parametrize(("case", "code"), [(WITHOUT_SESSION[0], 0), (TORN[12], 1), (TORN[7], 0)])
def test_the_command_line_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Case, code: int
) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in case.lines))
    assert main(["validate", str(path), "--quiet"]) == code
    shown = capsys.readouterr().out
    assert all(rule in shown for _, rule in case.found)


def test_two_clients_without_sessions_in_one_file_are_judged_as_a_part(tmp_path: Path) -> None:
    opening = [post(INITIALIZE, None, None), reply(INITIALIZED)]
    report = judge(tmp_path, [*opening, *opening, post(LIST, None), post(LIST, None)])
    assert [one.rule for one in report.findings] == []
    assert report.sessions is not None
    assert [one.partial for one in report.sessions] == [True]

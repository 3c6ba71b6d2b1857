"""What a rule about HTTP finds in the exchange of a call belongs to the tool that was called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.model.finding import Finding
from tests.truth.traces import (
    STREAM,
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
    s2c,
    stream,
    tell,
    tell_now,
)

FOUND: Final = {"content": [{"type": "text", "text": "Emma"}]}
CALL: Final = ask(5, "tools/call", {"name": "find_book", "arguments": {}})
CALL_NOW: Final = ask_now(5, "tools/call", name="find_book", arguments={})
OTHER: Final = ask(6, "tools/call", {"name": "find_loan", "arguments": {}})
ANSWER: Final = tell(5, FOUND)
PING: Final = ask(5, "ping")
BATCH: Final[Any] = [CALL, OTHER]


def event(message: Any = None, exchange: int = 1, **more: Any) -> Line:
    line: Line = {"dir": "s2c", "exchange": exchange, "transport": "http", **more}
    return line if message is None else {**line, "message": message}


def resumed(last: str, exchange: int) -> list[Line]:
    headers = {
        "Accept": STREAM,
        "Last-Event-ID": last,
        "Mcp-Session-Id": "s-1",
        "MCP-Protocol-Version": "2025-11-25",
    }
    asked = {"method": "GET", "path": "/mcp", "request_headers": headers}
    head = {"status": 200, "response_headers": {"Content-Type": STREAM}}
    return [
        {"dir": "c2s", "exchange": exchange, "http": asked},
        {"dir": "s2c", "exchange": exchange, "http": head},
    ]


def begun(message: Any = CALL, exchange: int = 1) -> list[Line]:
    """A call whose response is a stream that has begun with an empty event."""
    return [
        *opened(),
        post(message, exchange=exchange),
        reply(type=STREAM, exchange=exchange),
        event(exchange=exchange, sse={"id": "a-0"}),
    ]


NAMED: Final[dict[str, tuple[str, Sequence[Line]]]] = {
    "a response of another type": (
        "HTTP-007",
        [*opened(), post(CALL), reply(ANSWER, type="text/css")],
    ),
    "the same where lines name their exchange": (
        "HTTP-007",
        [*opened(), post(CALL, exchange=1), reply(ANSWER, type="text/css", exchange=1)],
    ),
    "an event of another type": (
        "HTTP-010",
        [*begun(), event(ANSWER, sse={"event": "answer", "id": "a-1"})],
    ),
    "an event that is no message": ("HTTP-010", [*begun(), event(7, sse={"id": "a-1"})]),
    "a message after the answer": (
        "HTTP-009",
        [
            *begun(),
            event(ANSWER, sse={"id": "a-1"}),
            event({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, sse={}),
        ],
    ),
    "an id of an event again": ("HTTP-018", [*begun(), event(ANSWER, sse={"id": "a-0"})]),
    "a stream without its first event": (
        "HTTP-020",
        [
            *opened(),
            post(CALL, exchange=1),
            reply(type=STREAM, exchange=1),
            event(ANSWER, sse={"id": "a-0"}),
        ],
    ),
    "a stream without its header": (
        "HTTP-013",
        [post_now(CALL_NOW), {**stream(tell_now(5, FOUND)), "http": reply(type=STREAM)["http"]}],
    ),
    "a refusal with status 200": (
        "HTTP-036",
        [post_now(CALL_NOW), reply(refuse(5, -32022, {"supported": [], "requested": "x"}))],
    ),
    "an error without an id": (
        "HTTP-042",
        [*listed_now(4), post_now(CALL_NOW), reply(refuse(None, -32602), status=400)],
    ),
    "the answer on a stream that resumes another": (
        "HTTP-019",
        [
            *begun(),
            event(end=True),
            *begun(OTHER, 2)[len(opened()) :][:2],
            event(exchange=2, sse={"id": "b-0"}),
            *resumed("a-0", 3),
            event(ANSWER, 3, sse={"id": "b-0"}),
        ],
    ),
    "a stream that ended without the answer": (
        "HTTP-008",
        [
            *opened(),
            post(CALL, exchange=1),
            reply(type=STREAM, exchange=1),
            event(end=True, ended_by="server"),
        ],
    ),
}
"""A rule that a line of a call's exchange breaks, and the trace."""


def found(folder: Path, lines: Sequence[Line], rule: str) -> list[Finding]:
    report = judge(folder, lines, partial=True)
    assert rule in {one.rule for one in report.findings}, [it.rule for it in report.findings]
    return [one for one in report.findings if one.rule == rule]


@pytest.mark.parametrize("name", NAMED)
def test_a_fault_in_the_exchange_of_a_call_names_the_tool(name: str, tmp_path: Path) -> None:
    rule, lines = NAMED[name]
    (finding,) = found(tmp_path, lines, rule)
    assert (finding.where.tool, finding.subject) == ("find_book", "server")


def test_the_same_fault_of_another_tool_has_another_fingerprint(tmp_path: Path) -> None:
    calls = [(CALL, ANSWER), (OTHER, tell(6, FOUND))]
    lines = [line for asked, told in calls for line in (post(asked), reply(told, type="text/css"))]
    both = found(tmp_path, [*opened(), *lines], "HTTP-007")
    assert [it.where.tool for it in both] == ["find_book", "find_loan"]
    assert len({it.fingerprint for it in both}) == len(both)


def without_tool(message: Any, answer: Any, rule: str, **more: Any) -> tuple[str, list[Line]]:
    return rule, [*opened(), post(message), reply(answer, **more)]


UNNAMED: Final[dict[str, tuple[str, Sequence[Line]]]] = {
    "the exchange of a ping": without_tool(PING, tell(5, {}), "HTTP-007", type="text/css"),
    "the exchange of a list": without_tool(
        ask(5, "tools/list"), tell(5, {"tools": []}), "HTTP-007", type="text/css"
    ),
    "a prompt with the name of a tool": without_tool(
        ask(5, "prompts/get", {"name": "find_book"}),
        tell(5, {"messages": []}),
        "HTTP-007",
        type="text/css",
    ),
    "a name that is no text": without_tool(
        ask(5, "tools/call", {"name": 7}), ANSWER, "HTTP-007", type="text/css"
    ),
    "a notification": (
        "HTTP-005",
        [*opened(), post({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}),
         reply(status=200)],
    ),
    "what the client did wrong": (
        "HTTP-002",
        [*opened(), {**post(CALL), "http": {**post(CALL)["http"], "request_headers": {
            "Accept": "text/css", "Content-Type": "application/json",
            "Mcp-Session-Id": "s-1", "MCP-Protocol-Version": "2025-11-25"}}}, reply(ANSWER)],
    ),
    "a stream of the server's own": (
        "HTTP-010",
        [*opened(), *resumed("a-0", 9), event(7, 9, sse={"id": "z-1"})],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNNAMED)
def test_what_is_about_no_call_names_no_tool(name: str, tmp_path: Path) -> None:
    rule, lines = UNNAMED[name]
    assert {it.where.tool for it in found(tmp_path, lines, rule)} == {None}


def test_what_answers_several_calls_names_none_of_them(tmp_path: Path) -> None:
    lines = [*opened(), post(BATCH, exchange=1), reply(type=STREAM, exchange=1), event(7, sse={})]
    assert {it.where.tool for it in found(tmp_path, lines, "HTTP-010")} == {None}


def test_a_line_with_one_answer_of_a_batch_names_its_tool(tmp_path: Path) -> None:
    lines = [
        *opened(),
        post(BATCH, exchange=1),
        reply(type=STREAM, exchange=1),
        event(tell(6, FOUND), sse={"event": "answer"}),
    ]
    assert {it.where.tool for it in found(tmp_path, lines, "HTTP-010")} == {"find_loan"}


def test_the_answer_is_not_about_a_line_of_a_pipe(tmp_path: Path) -> None:
    lines = [c2s(CALL), {"dir": "s2c", "raw": "not a message"}, s2c(ANSWER)]
    assert {it.where.tool for it in found(tmp_path, lines, "STDIO-001")} == {None}

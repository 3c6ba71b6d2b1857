"""What one message leaves open is finished by the session that holds the rest."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.truth.traces import (
    INITIALIZE,
    INITIALIZED,
    LISTED,
    MODERN,
    PIPED,
    PREFIX,
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

TASKS = f"{PREFIX}tasks"
NOTES = "com.example/notes"
CONTENT = {"content": [{"type": "text", "text": "sunny"}]}
LIST = ask(1, "tools/list")
EMPTY: dict[str, Any] = {"tools": []}


def capable(*extensions: str) -> dict[str, Any]:
    """The capabilities of a side that advertises these extensions."""
    return {"extensions": {name: {} for name in extensions}} if extensions else {}


def discovered(*extensions: str) -> list[Line]:
    """A server of 2026-07-28 says what it can do."""
    result = {
        "supportedVersions": [MODERN],
        "capabilities": {"tools": {}, **capable(*extensions)},
        "ttlMs": 0,
        "cacheScope": "private",
    }
    return [c2s(ask_now(0, "server/discover")), s2c(tell_now(0, result))]


def called(type: str, *extensions: str, id: int = 1) -> list[Line]:
    """A call by a client with these extensions, and a result of this type."""
    meta = {f"{PREFIX}clientCapabilities": capable(*extensions)}
    asked = ask_now(id, "tools/call", meta, name="weather", arguments={})
    return [c2s(asked), s2c(tell_now(id, {"taskId": "t-1", **CONTENT}, type))]


EXTENSIONS = [
    Case(name="complete", lines=called("complete"), outcomes={"META-013": "passed"}),
    Case(
        name="of no extension, as nobody has any",
        lines=[*discovered(), *called("partial")],
        found=[(4, "META-013")],
    ),
    Case(name="the client has none", lines=called("partial"), found=[(2, "META-013")]),
    Case(
        name="the server has none",
        lines=[*discovered(), *called("partial", NOTES)],
        found=[(4, "META-013")],
    ),
    Case(
        name="over HTTP, beside one that is complete",
        lines=[
            *listed_now(),
            post_now(ask_now(2, "tools/call", name="weather", arguments={})),
            reply(tell_now(2, CONTENT, "deferred")),
        ],
        found=[(3, "CALL-010"), (4, "META-013")],
    ),
    Case(
        name="both have an extension that may define it",
        lines=[*discovered(NOTES), *called("partial", NOTES)],
        outcomes={"META-013": "undecided"},
    ),
    Case(
        name="what the server has was not seen",
        lines=called("partial", NOTES),
        outcomes={"META-013": "undecided"},
    ),
    Case(
        name="an unknown one is no pass for others that are complete",
        lines=[*called("complete"), *called("partial", NOTES, id=2)],
        outcomes={"META-013": "undecided"},
    ),
    Case(
        name="the request was not seen",
        lines=[*called("complete", id=2), *called("partial")[1:]],
        partial=True,
        outcomes={"META-013": "undecided"},
    ),
    Case(
        name="a task that both can have",
        lines=[*discovered(TASKS), *called("task", TASKS)],
        outcomes={"TASK-010": "passed"},
    ),
    Case(
        name="a task for a client without them",
        lines=[*discovered(TASKS), *called("task")],
        found=[(4, "TASK-010")],
    ),
    Case(name="a task, and nobody has them", lines=called("task"), found=[(2, "TASK-010")]),
    Case(
        name="a task, and the client has something else",
        lines=called("task", NOTES),
        found=[(2, "TASK-010")],
    ),
    Case(
        name="a task of a server without them",
        lines=[*discovered(NOTES), *called("task", TASKS)],
        found=[(4, "TASK-010")],
    ),
    Case(
        name="a task, where the server was not seen",
        lines=called("task", TASKS),
        outcomes={"TASK-010": "undecided"},
    ),
    Case(
        name="a method of tasks for a server without them",
        lines=[
            *discovered(),
            c2s(
                ask_now(
                    1,
                    "tasks/get",
                    {f"{PREFIX}clientCapabilities": capable(TASKS)},
                    taskId="t-1",
                )
            ),
            s2c(refuse(1, -32601)),
        ],
        found=[(3, "TASK-010")],
    ),
]


def in_version(version: str, id: object = 1) -> dict[str, Any]:
    """A request of a client that speaks another version."""
    return ask_now(id, "server/discover", {f"{PREFIX}protocolVersion": version})


def unsupported(requested: object, id: object = 1) -> dict[str, Any]:
    """A refusal of that version."""
    return refuse(id, -32022, {"supported": [MODERN], "requested": requested})


VERSIONS = [
    Case(
        name="a refusal names the version that was sent",
        lines=[c2s(in_version("2027-03-01")), s2c(unsupported("2027-03-01"))],
        outcomes={"VER-005": "passed"},
    ),
    Case(
        name="a refusal names another one",
        lines=[c2s(in_version("2027-03-01")), s2c(unsupported("2027-03-02"))],
        found=[(2, "VER-005")],
    ),
    Case(
        name="a refusal names the one that it supports",
        lines=[c2s(in_version("draft-7")), s2c(unsupported(MODERN))],
        found=[(2, "VER-005")],
    ),
    Case(
        name="over HTTP",
        lines=[
            post_now(in_version("2027-03-01"), {"MCP-Protocol-Version": "2027-03-01"}),
            reply(unsupported("2025-11-25"), 400),
        ],
        found=[(2, "VER-005")],
    ),
    Case(
        name="the request was not seen",
        lines=[s2c(unsupported("2027-03-01")), *called("complete", id=2)],
        partial=True,
        outcomes={"VER-005": "undecided"},
    ),
    Case(
        name="a version to come is judged by the newest that is known",
        lines=[
            c2s(in_version("2029-01-01")),
            s2c(unsupported("2029-01-01")),
            c2s(ask_now(2, "tools/list")),
            s2c(tell_now(2, LISTED)),
        ],
        outcomes={"VER-005": "passed", "VER-006": "passed"},
    ),
    Case(
        name="a tool is called in a version to come",
        lines=[
            c2s(
                ask_now(
                    1,
                    "tools/call",
                    {f"{PREFIX}protocolVersion": "2029-01-01"},
                    name="weather",
                    arguments={},
                )
            ),
            s2c(tell_now(1, CONTENT)),
        ],
    ),
    Case(
        name="the client gives up the new era though the server knows it",
        lines=[
            c2s(in_version("2029-01-01", "probe")),
            s2c(unsupported("2029-01-01", "probe")),
            *PIPED,
        ],
        found=[(3, "VER-015")],
    ),
    Case(
        name="the server knows nothing of the new era",
        lines=[
            c2s(in_version("2029-01-01", "probe")),
            s2c(refuse("probe", -32601)),
            *PIPED,
        ],
    ),
    Case(
        name="the server offers an older revision",
        lines=[
            c2s(in_version("2029-01-01", "probe")),
            s2c(refuse("probe", -32022, {"supported": ["2025-11-25"], "requested": "2029-01-01"})),
            *PIPED,
        ],
    ),
]


def without(message: dict[str, Any], *names: str) -> dict[str, Any]:
    """A request of 2026-07-28 that lacks members of its `_meta`."""
    lacking = {f"{PREFIX}{name}" for name in names}
    meta = {key: it for key, it in message["params"]["_meta"].items() if key not in lacking}
    return {**message, "params": {**message["params"], "_meta": meta}}


NOW = ask_now(1, "tools/list")
BARE = ask(1, "tools/list", {})
NO_META = ["META-007", "META-008", "META-009"]

ERAS = [
    Case(
        name="the first request lacks the version",
        lines=[c2s(without(NOW, "protocolVersion")), s2c(refuse(1, -32602))],
        found=[(1, "META-007")],
    ),
    Case(
        name="a later request lacks the version",
        lines=[
            c2s(NOW),
            s2c(tell_now(1, LISTED)),
            c2s({**without(NOW, "protocolVersion"), "id": 2}),
            s2c(refuse(2, -32602)),
        ],
        found=[(3, "META-007")],
    ),
    Case(
        name="the first request names nothing but its client",
        lines=[
            c2s(without(NOW, "protocolVersion", "clientCapabilities")),
            s2c(refuse(1, -32602)),
        ],
        found=[(1, "META-007"), (1, "META-008")],
    ),
    Case(
        name="server/discover has no _meta",
        lines=[c2s(ask(1, "server/discover", {})), s2c(refuse(1, -32602))],
        found=[(1, rule) for rule in NO_META],
    ),
    Case(
        name="the header alone names the revision",
        lines=[post_now(BARE), reply(refuse(1, -32602), 400)],
        found=[(1, rule) for rule in NO_META],
    ),
    Case(
        name="the header alone names the revision, and the refusal is a success",
        lines=[post_now(ask(1, "tools/list")), reply(refuse(1, -32602))],
        found=[*((1, rule) for rule in NO_META), (2, "HTTP-036")],
    ),
    Case(
        name="nothing names a revision",
        lines=[c2s(BARE), s2c(tell(1, EMPTY))],
        found=[(1, "LIFE-001")],
    ),
    Case(
        name="an earlier revision was agreed on, whatever a header says later",
        lines=[*opened(), post(LIST, version=MODERN), reply(tell(1, EMPTY))],
        found=[(5, "HTTP-027")],
    ),
    Case(
        name="an earlier revision was agreed on, and has no such request",
        lines=[*PIPED, c2s(ask(1, "server/discover", {})), s2c(refuse(1, -32601))],
        found=[(4, "LIFE-013"), (4, "SCHEMA-003")],
    ),
    Case(
        name="an earlier revision was agreed on, and has no such key",
        lines=[
            *PIPED,
            c2s(ask(1, "tools/list", {"_meta": {f"{PREFIX}clientInfo": {"name": "a"}}})),
            s2c(tell(1, EMPTY)),
        ],
        found=[(4, "META-005")],
    ),
    Case(
        name="a client of the new era falls back to the handshake",
        lines=[
            c2s(without(in_version(MODERN, "probe"), "clientInfo")),
            s2c(refuse("probe", -32601)),
            *PIPED,
        ],
        found=[(1, "META-009")],
    ),
    Case(
        name="an initialize with the header of the new era",
        lines=[post(INITIALIZE, None, MODERN), *opened()[1:]],
    ),
]


def result_of(task: str, related: str) -> list[Line]:
    """The client asks for the result of a task, and gets that of one."""
    meta = {f"{PREFIX}related-task": {"taskId": related}}
    return [
        *PIPED,
        c2s(ask(1, "tasks/result", {"taskId": task})),
        s2c(tell(1, {"_meta": meta, **CONTENT})),
    ]


OTHERS = [
    Case(
        name="the result of the task",
        lines=result_of("t-1", "t-1"),
        outcomes={"TASK-007": "passed"},
    ),
    Case(name="the result of another task", lines=result_of("t-1", "t-2"), found=[(5, "TASK-007")]),
    Case(
        name="the result of a task with another case",
        lines=result_of("t", "T"),
        found=[(5, "TASK-007")],
    ),
    Case(
        name="the result of a task, where the request was not seen",
        lines=result_of("t-1", "t-2")[4:],
        partial=True,
    ),
    Case(
        name="a ping is answered",
        lines=[*PIPED, c2s(ask(1, "ping")), s2c(tell(1, {}))],
    ),
    Case(
        name="a ping is refused",
        lines=[*PIPED, c2s(ask(1, "ping")), s2c(refuse(1, -32601))],
        found=[(5, "PING-001")],
    ),
    Case(
        name="the server's ping is refused",
        lines=[*PIPED, s2c(ask(1, "ping")), c2s(refuse(1, -32603))],
        found=[(5, "PING-001")],
    ),
    Case(
        name="a ping over HTTP is refused with success",
        lines=[*opened(), post(ask(1, "ping")), reply(refuse(1, -32603))],
        found=[(6, "PING-001")],
    ),
    Case(
        name="HTTP itself refuses the ping: the session is gone",
        lines=[*opened(), post(ask(1, "ping")), reply(refuse(1, -32001), 404)],
        outcomes={"PING-001": "undecided"},
    ),
    Case(
        name="a ping that is no ping",
        lines=[*PIPED, c2s({**ask(1, "ping"), "params": [1]}), s2c(refuse(1, -32602))],
        found=[(4, "JSONRPC-007")],
    ),
    Case(
        name="an error without an id on the stream of a request",
        lines=[
            *listed_now(exchange=1),
            post_now(ask_now(2, "tools/list"), exchange=2),
            stream(refuse(None, -32603), exchange=2),
        ],
        found=[(3, "JSONRPC-026"), (4, "HTTP-042"), (4, "JSONRPC-013")],
    ),
    Case(
        name="an error with another id on the stream of a request",
        lines=[
            *listed_now(exchange=1),
            post_now(ask_now(2, "tools/list"), exchange=2),
            stream(refuse(9, -32603), exchange=2),
        ],
        found=[(3, "JSONRPC-026"), (4, "HTTP-042"), (4, "JSONRPC-023")],
    ),
    Case(
        name="an error with its id on the stream of a request",
        lines=[
            *listed_now(exchange=1),
            post_now(ask_now(2, "tools/list"), exchange=2),
            stream(refuse(2, -32603), exchange=2),
        ],
        outcomes={"HTTP-042": "passed", "JSONRPC-013": "passed"},
    ),
    Case(
        name="an error without an id as the body, and no exchange is named",
        lines=[*listed_now(), post_now(ask_now(2, "tools/list")), reply(refuse(None, -32603))],
        found=[(3, "JSONRPC-026"), (4, "HTTP-042"), (4, "JSONRPC-013")],
    ),
    Case(
        name="a server that could not read the request",
        lines=[*listed_now(), post_now(ask_now(2, "tools/list")), reply(refuse(None, -32700), 400)],
        outcomes={"HTTP-042": "undecided"},
    ),
    Case(
        name="an error without an id on a stream of the handshake era",
        lines=[
            *opened(),
            post(LIST, exchange=3),
            reply(refuse(None, -32603), type=STREAM, exchange=3, sse={}),
        ],
        found=[(5, "JSONRPC-026"), (6, "JSONRPC-013")],
    ),
]


def once_more(*answers: Line, asked: Iterable[Line] = ()) -> list[Line]:
    """A request in a session over HTTP, and its answers."""
    return [*opened(), *(asked or [post(LIST, exchange=3)]), *answers]


ANSWER = tell(1, EMPTY)
RESUMED = {
    "dir": "c2s",
    "exchange": 4,
    "http": {
        "method": "GET",
        "path": "/mcp",
        "request_headers": {
            "Accept": STREAM,
            "Last-Event-ID": "e-1",
            "Mcp-Session-Id": "s-1",
            "MCP-Protocol-Version": "2025-11-25",
        },
    },
}

ANSWERS = [
    Case(
        name="once", lines=once_more(reply(ANSWER, exchange=3)), outcomes={"JSONRPC-024": "passed"}
    ),
    Case(
        name="twice in one exchange",
        lines=once_more(reply(ANSWER, exchange=3), reply(ANSWER, exchange=3)),
        found=[(7, "JSONRPC-024")],
    ),
    Case(
        name="twice on one stream, in the handshake era",
        lines=once_more(
            reply(ANSWER, type=STREAM, exchange=3, sse={}), s2c(ANSWER, exchange=3, sse={})
        ),
        found=[(7, "HTTP-009"), (7, "JSONRPC-024")],
    ),
    Case(
        name="twice on one stream, without sessions",
        lines=[
            post_now(ask_now(1, "tools/list"), exchange=1),
            stream(tell_now(1, LISTED), exchange=1),
            stream(refuse(1, -32603), exchange=1),
        ],
        found=[(3, "HTTP-009"), (3, "JSONRPC-024")],
    ),
    Case(
        name="twice, and no exchange is named",
        lines=once_more(reply(ANSWER), reply(ANSWER), asked=[post(LIST)]),
        found=[(7, "JSONRPC-024")],
    ),
    Case(
        name="twice, the second time in the exchange of another request",
        lines=once_more(
            reply(ANSWER, exchange=3),
            post(ask(2, "tools/list"), exchange=4),
            stream(ANSWER, exchange=4),
            stream(tell(2, EMPTY), exchange=4),
        ),
        found=[(8, "JSONRPC-024")],
    ),
    Case(
        name="again on a stream that is resumed",
        lines=once_more(
            reply(ANSWER, type=STREAM, exchange=3, sse={"id": "e-1"}),
            RESUMED,
            stream(ANSWER, exchange=4),
        ),
        found=[(6, "HTTP-020")],
        outcomes={"JSONRPC-024": "undecided"},
    ),
    Case(
        name="an id of two requests without sessions",
        lines=[*listed_now(exchange=1), *listed_now(exchange=2)],
        outcomes={"JSONRPC-024": "passed"},
    ),
    Case(
        name="an id of two clients without sessions at once",
        lines=[
            post_now(ask_now(1, "tools/list")),
            post_now(ask_now(1, "tools/list")),
            reply(tell_now(1, LISTED)),
            reply(tell_now(1, LISTED)),
        ],
        outcomes={"JSONRPC-024": "undecided", "JSONRPC-022": "undecided"},
    ),
    Case(
        name="in an exchange whose request was not recorded",
        lines=once_more(reply(ANSWER, exchange=3), reply(ANSWER, exchange=9)),
        outcomes={"JSONRPC-024": "undecided"},
    ),
    Case(
        name="twice on a pipe",
        lines=[*PIPED, c2s(LIST), s2c(ANSWER), s2c(ANSWER)],
        found=[(6, "JSONRPC-024")],
    ),
]


@pytest.mark.parametrize("case", EXTENSIONS, ids=lambda case: case.name)
def test_result_types_need_an_extension(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", VERSIONS, ids=lambda case: case.name)
def test_versions_are_compared_with_the_request(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", ERAS, ids=lambda case: case.name)
def test_the_era_of_a_request_is_known_by_all_that_only_one_has(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_answers_are_compared_with_the_request(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case.name)
def test_a_request_is_answered_once(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


def lost(*times: float | None, first: float | None = 1) -> list[Line]:
    """A session that is gone at its first request, and more requests in it."""

    def at(time: float | None, *lines: Line) -> list[Line]:
        return [line if time is None else {**line, "t": time} for line in lines]

    lines = [*opened(), *at(first, post(LIST), reply(refuse(1, -32001), 404))]
    for id, time in enumerate(times, 2):
        lines += at(time, post(ask(id, "tools/list")), reply(refuse(id, -32001), 404))
    return lines


@pytest.mark.parametrize(
    ("times", "blamed"),
    [
        ((), []),
        ((2, 3, 5.5), []),
        ((6,), []),
        ((7,), [7]),
        ((4, 8, 12, 16), [9, 11, 13]),
        ((2, 2.5, 60), [11]),
        ((None,), []),
        ((None, None), [9]),
        ((None, None, None), [9, 11]),
    ],
    ids=str,
)
def test_only_what_crossed_the_first_404_is_forgiven(
    tmp_path: Path, times: tuple[float | None, ...], blamed: list[int]
) -> None:
    report = judge(tmp_path, lost(*times))
    assert [one.where.line for one in report.findings if one.rule == "HTTP-025"] == blamed


@pytest.mark.parametrize(("requests", "blamed"), [(1, 0), (2, 1), (60, 59)])
def test_without_times_one_request_is_forgiven(tmp_path: Path, requests: int, blamed: int) -> None:
    report = judge(tmp_path, lost(*[None] * requests, first=None))
    assert len([one for one in report.findings if one.rule == "HTTP-025"]) == blamed


def test_a_new_session_is_forgiven_anew(tmp_path: Path) -> None:
    again = [
        post({**INITIALIZE, "id": 90}, None, None),
        reply({**INITIALIZED, "id": 90}, session="s-2"),
    ]
    more = [post(READY, "s-2"), reply(status=202), post(ask(91, "tools/list"), "s-2")]
    lines = [*lost(None, first=None), *again, *more, reply(refuse(91, -32001), 404)]
    late = [post(ask(92, "tools/list"), "s-2"), reply(refuse(92, -32001), 404)]
    report = judge(tmp_path, [*lines, *late])
    assert [one.rule for one in report.findings if one.severity == "error"] == []


def test_a_response_on_a_get_stream_is_named_where_the_path_is_unknown(tmp_path: Path) -> None:
    headers = {"Accept": STREAM, "Mcp-Session-Id": "s-1", "MCP-Protocol-Version": "2025-11-25"}
    for path in ({}, {"path": "/mcp"}, {"path": "/elsewhere"}):
        http = {"method": "GET", "request_headers": headers, **path}
        lines = [
            *opened(),
            {"dir": "c2s", "exchange": 7, "http": http},
            reply(type=STREAM, exchange=7),
            post(LIST, exchange=8),
            s2c(tell(1, EMPTY), exchange=7, sse={}),
        ]
        report = judge(tmp_path, lines)
        assert [(one.where.line, one.rule) for one in report.findings] == [(8, "HTTP-016")]

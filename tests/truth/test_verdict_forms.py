"""Sessions that hold what one message leaves open, in forms that nobody thinks of first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.truth.test_session_verdicts import (
    NOTES,
    TASKS,
    called,
    capable,
    discovered,
    in_version,
    unsupported,
)
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
    opened,
    post,
    refuse,
    reply,
    require,
    s2c,
    tell,
    tell_now,
)

CONTENT = {"content": [{"type": "text", "text": "sunny"}]}
LIST = ask(1, "tools/list")
EMPTY: dict[str, Any] = {"tools": []}
OFFERED = {
    "supportedVersions": [MODERN],
    "capabilities": {"tools": {}},
    "ttlMs": 0,
    "cacheScope": "private",
}
TASK_NOTE = {
    "jsonrpc": "2.0",
    "method": "notifications/tasks",
    "params": {"taskId": "t-1", "status": "working"},
}


def result_type(type: Any, method: str, result: dict[str, Any], **params: Any) -> list[Line]:
    return [c2s(ask_now(1, method, **params)), s2c(tell_now(1, result, type))]


def having(client: Any, type: str = "partial") -> list[Line]:
    """A call by a client with these capabilities, and a result of this type."""
    meta = {f"{PREFIX}clientCapabilities": client}
    asked = ask_now(1, "tools/call", meta, name="weather", arguments={})
    return [c2s(asked), s2c(tell_now(1, CONTENT, type))]


FORM: dict[str, Any] = {
    "message": "Which?",
    "requestedSchema": {"type": "object", "properties": {}},
}
WANTED = {"inputRequests": {"a": {"method": "elicitation/create", "params": FORM}}}

RESULT_TYPES = [
    Case(
        name="of a prompt",
        lines=result_type("draft", "prompts/get", {"messages": []}, name="p"),
        found=[(2, "META-013")],
    ),
    Case(
        name="of a list",
        lines=result_type("partial", "tools/list", LISTED),
        found=[(2, "META-013")],
    ),
    Case(
        name="of what the server says it can do",
        lines=result_type("partial", "server/discover", OFFERED),
        found=[(2, "META-013")],
    ),
    Case(
        name="a number",
        lines=result_type(7, "tools/list", LISTED),
        found=[(2, "META-013")],
    ),
    Case(name="in large letters", lines=called("Complete"), found=[(2, "META-013")]),
    Case(
        name="of extensions that are none",
        lines=having({"extensions": {}}),
        found=[(2, "META-013")],
    ),
    Case(
        name="both sides have one, but not the same",
        lines=[*discovered("com.a/x"), *called("partial", "com.b/y")],
        found=[(4, "META-013")],
    ),
    Case(
        name="an extension that comes with the next request",
        lines=[*called("partial"), *called("complete", NOTES, id=2)],
        found=[(2, "META-013")],
    ),
    Case(
        name="more input is wanted",
        lines=[
            *discovered(),
            *having({"elicitation": {}})[:1],
            s2c(tell_now(1, WANTED, "input_required")),
        ],
        outcomes={"META-013": "passed"},
    ),
    Case(
        name="nobody can read what the client has",
        lines=having(None),
        found=[(1, "META-008")],
        outcomes={"META-013": "undecided"},
    ),
    Case(
        name="what the server has comes later",
        lines=[*called("partial", NOTES), *discovered(NOTES)],
        outcomes={"META-013": "undecided"},
    ),
    Case(
        name="tasks are cancelled that nobody has",
        lines=[c2s(ask_now(1, "tasks/cancel", taskId="t")), s2c(refuse(1, -32601))],
        found=[(1, "TASK-010")],
    ),
    Case(
        name="the server reports on tasks that it does not have",
        lines=[*discovered(NOTES), s2c(TASK_NOTE)],
        found=[(3, "TASK-010")],
    ),
    Case(
        name="the server reports on tasks, and what it has was not seen",
        lines=[*called("complete"), s2c(TASK_NOTE)],
        outcomes={"TASK-010": "undecided"},
    ),
    Case(
        name="the server reports on tasks that it has",
        lines=[*discovered(TASKS), s2c(TASK_NOTE)],
        outcomes={"TASK-010": "undecided"},
    ),
    Case(
        name="tasks of both sides",
        lines=[
            *discovered(TASKS),
            c2s(
                ask_now(1, "tasks/get", {f"{PREFIX}clientCapabilities": capable(TASKS)}, taskId="t")
            ),
            s2c(refuse(1, -32602)),
        ],
        outcomes={"TASK-010": "passed"},
    ),
]


def refused_version(requested: Any, sent: str = "2027-03-01") -> list[Line]:
    return [c2s(in_version(sent)), s2c(unsupported(requested))]


REQUESTED = [
    Case(name="the beginning", lines=refused_version("2027-03"), found=[(2, "VER-005")]),
    Case(name="a number", lines=refused_version(2027), found=[(2, "VER-005")]),
    Case(name="with a blank", lines=refused_version(" 2027-03-01"), found=[(2, "VER-005")]),
    Case(
        name="nothing",
        lines=[c2s(in_version("2027-03-01")), s2c(refuse(1, -32022, {"supported": [MODERN]}))],
        found=[(2, "VER-005")],
    ),
    Case(
        name="those of two requests, swapped",
        lines=[
            c2s(in_version("2027-03-01", 1)),
            c2s(in_version("2028-03-01", 2)),
            s2c(unsupported("2027-03-01", 2)),
            s2c(unsupported("2028-03-01", 1)),
        ],
        found=[(3, "VER-005"), (4, "VER-005")],
    ),
    Case(
        name="the newest one, where an older one was sent",
        lines=refused_version(MODERN, "2025-06-18"),
        found=[(2, "VER-005")],
    ),
    Case(name="an older one that was sent", lines=refused_version("2025-06-18", "2025-06-18")),
    Case(name="a draft", lines=refused_version("DRAFT-2027", "DRAFT-2027")),
    Case(
        name="those of two requests, in another order",
        lines=[
            c2s(in_version("2027-03-01", 1)),
            c2s(in_version("2028-03-01", 2)),
            s2c(unsupported("2028-03-01", 2)),
            s2c(unsupported("2027-03-01", 1)),
        ],
        outcomes={"VER-005": "passed"},
    ),
    Case(
        name="of initialize, which has no such error",
        lines=[c2s(INITIALIZE), s2c(refuse(0, -32602, {"supported": ["2024-11-05"]}))],
    ),
]

FALLEN_BACK = [
    Case(
        name="after a capability that is missing",
        lines=[
            c2s(ask_now("probe", "server/discover")),
            s2c(refuse("probe", -32021, {"requiredCapabilities": {"sampling": {}}})),
            *PIPED,
        ],
        found=[(3, "VER-015")],
    ),
    Case(
        name="after a mismatch of headers",
        lines=[c2s(ask_now("probe", "tools/list")), s2c(refuse("probe", -32020)), *PIPED],
        found=[(3, "VER-015")],
    ),
    Case(
        name="after a version to come, of which two are offered",
        lines=[
            c2s(in_version("2029-01-01", "probe")),
            s2c(
                refuse(
                    "probe",
                    -32022,
                    {"supported": [MODERN, "2027-01-01"], "requested": "2029-01-01"},
                )
            ),
            *PIPED,
        ],
        found=[(3, "VER-015")],
    ),
    Case(
        name="after a call in a version to come",
        lines=[
            c2s(
                ask_now(
                    "a",
                    "tools/call",
                    {f"{PREFIX}protocolVersion": "2030-01-01"},
                    name="x",
                    arguments={},
                )
            ),
            s2c(unsupported("2030-01-01", "a")),
            *PIPED,
        ],
        found=[(3, "VER-015")],
    ),
    Case(
        name="after the second refusal",
        lines=[
            c2s(in_version("2030-01-01", "a")),
            s2c(unsupported("2030-01-01", "a")),
            c2s(ask_now("b", "tools/list")),
            s2c(refuse("b", -32021, {"requiredCapabilities": {"sampling": {}}})),
            *PIPED,
        ],
        found=[(5, "VER-015")],
    ),
    Case(
        name="in a draft",
        lines=[
            c2s(in_version("DRAFT-2031", "probe")),
            s2c(unsupported("DRAFT-2031", "probe")),
            *PIPED,
        ],
        found=[(3, "VER-015")],
    ),
    *(
        Case(
            name=f"after the error {code}",
            lines=[
                c2s(ask_now("probe", "server/discover")),
                s2c(refuse("probe", code)),
                *PIPED,
            ],
        )
        for code in (-32600, -32601, -32602, -32603)
    ),
    Case(
        name="an older one is offered too",
        lines=[
            c2s(in_version("2029-01-01", "probe")),
            s2c(
                refuse(
                    "probe",
                    -32022,
                    {"supported": [MODERN, "2025-11-25"], "requested": "2029-01-01"},
                )
            ),
            *PIPED,
        ],
    ),
    Case(
        name="after a success in between",
        lines=[
            c2s(in_version("2029-01-01", "probe")),
            s2c(unsupported("2029-01-01", "probe")),
            c2s(ask_now("b", "tools/list")),
            s2c(tell_now("b", LISTED)),
            *PIPED,
        ],
    ),
    Case(
        name="a version to come that is served",
        lines=[
            c2s(in_version("2031-12-31")),
            s2c(tell_now(1, {**OFFERED, "supportedVersions": [MODERN, "2031-12-31"]})),
        ],
        outcomes={"VER-003": "passed"},
    ),
]

RELATED = f"{PREFIX}related-task"


def outcome_of(*answers: Any) -> list[Line]:
    """The client asks for the results of tasks, which come so."""
    asked = [
        c2s(ask(id, "tasks/result", {"taskId": f"t-{id}"})) for id in range(1, len(answers) + 1)
    ]
    came = [
        s2c(tell(id, CONTENT if it is None else {"_meta": {RELATED: it}, **CONTENT}))
        for id, it in enumerate(answers, 1)
    ]
    return [*PIPED, *asked, *came]


def answered(line: Line, *more: Line) -> list[Line]:
    """A ping on a pipe, and its answer."""
    return [*PIPED, c2s(ask(1, "ping")), line, *more]


RESULTS = [
    Case(name="no task is named", lines=outcome_of(None), found=[(5, "TASK-007")]),
    Case(name="a number", lines=outcome_of({"taskId": 5}), found=[(5, "TASK-007")]),
    Case(name="no object", lines=outcome_of("t-1"), found=[(5, "TASK-007")]),
    Case(name="with a blank", lines=outcome_of({"taskId": "t-1 "}), found=[(5, "TASK-007")]),
    Case(
        name="two tasks, swapped",
        lines=outcome_of({"taskId": "t-2"}, {"taskId": "t-1"}),
        found=[(6, "TASK-007"), (7, "TASK-007")],
    ),
    Case(
        name="one of three is another",
        lines=outcome_of({"taskId": "t-1"}, {"taskId": "t-3"}, {"taskId": "t-3"}),
        found=[(8, "TASK-007")],
    ),
    Case(
        name="over HTTP",
        lines=[
            *opened(),
            post(ask(1, "tasks/result", {"taskId": "t-1"})),
            reply(tell(1, {"_meta": {RELATED: {"taskId": "t-9"}}, **CONTENT})),
        ],
        found=[(6, "TASK-007")],
    ),
    Case(name="each its own", lines=outcome_of({"taskId": "t-1"}, {"taskId": "t-2"})),
    Case(name="more is said", lines=outcome_of({"taskId": "t-1", "com.example/x": 1})),
    Case(
        name="a refusal names none",
        lines=[*PIPED, c2s(ask(1, "tasks/result", {"taskId": "t"})), s2c(refuse(1, -32602))],
    ),
    Case(
        name="a call names none",
        lines=[*PIPED, c2s(ask(1, "tools/call", {"name": "x"})), s2c(tell(1, CONTENT))],
    ),
    Case(
        name="a task of the client",
        lines=[
            *PIPED,
            s2c(ask(1, "tasks/result", {"taskId": "t-1"})),
            c2s(tell(1, {"_meta": {RELATED: {"taskId": "t-2"}}, **CONTENT})),
        ],
        found=[(4, "CAP-014"), (5, "TASK-007")],
    ),
]

PINGS = [
    Case(name="full", lines=answered(s2c(tell(1, {"ok": True}))), found=[(5, "PING-001")]),
    Case(name="refused", lines=answered(s2c(refuse(1, -32000))), found=[(5, "PING-001")]),
    Case(
        name="refused before anything was agreed on",
        lines=[c2s(ask(9, "ping")), s2c(refuse(9, -32000)), *PIPED],
        found=[(2, "PING-001")],
    ),
    Case(
        name="refused by the client, and by the server",
        lines=answered(s2c(refuse(1, -32601)), s2c(ask("s", "ping")), c2s(refuse("s", -32601))),
        found=[(5, "PING-001"), (7, "PING-001")],
    ),
    Case(
        name="refused with a success",
        lines=[*opened(), post(ask(1, "ping")), reply(refuse(1, -32602))],
        found=[(6, "PING-001")],
    ),
    Case(
        name="one of two",
        lines=answered(s2c(tell(1, {})), c2s(ask(2, "ping")), s2c(refuse(2, -32603))),
        found=[(7, "PING-001")],
    ),
    Case(
        name="with what is not said", lines=answered(s2c(tell(1, {"_meta": {"com.example/x": 1}})))
    ),
    Case(name="early", lines=[c2s(ask(9, "ping")), s2c(tell(9, {})), *PIPED]),
    Case(
        name="given up",
        lines=answered(
            c2s(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": 1},
                }
            )
        ),
    ),
    Case(
        name="where there are none any more",
        lines=[c2s(ask_now(1, "ping")), s2c(refuse(1, -32601))],
        found=[(1, "SCHEMA-003")],
    ),
    *(
        Case(
            name=f"refused by HTTP with {status}",
            lines=[*opened(), post(ask(1, "ping")), reply(refuse(1, -32000), status)],
            outcomes={"PING-001": "undecided"},
        )
        for status in (401, 403, 429, 503)
    ),
]

SAMPLING = {"messages": [], "maxTokens": 5}
LOGGED = {
    "jsonrpc": "2.0",
    "method": "notifications/message",
    "params": {"level": "info", "data": 1},
}
SENDERS = [
    ("s2c", ask("r", "sampling/createMessage", SAMPLING), {"VER-010"}),
    ("s2c", ask_now("r", "elicitation/create", **FORM), {"VER-010"}),
    ("s2c", ask("r", "com.example/ask"), {"VER-010"}),
    ("c2s", tell("r", {"roots": []}), {"VER-011"}),
    ("c2s", refuse("r", -32601), {"VER-011"}),
    ("c2s", LOGGED, {"SCHEMA-004"}),
    ("c2s", {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, {"SCHEMA-004"}),
    ("s2c", tell("r", {}), {"META-012"}),
    ("c2s", ask("r", "tools/list"), {"META-007", "META-008", "META-009"}),
    ("s2c", {"jsonrpc": "2.0", "method": "tools/list"}, {"SCHEMA-003"}),
]


@pytest.mark.parametrize("case", RESULT_TYPES, ids=lambda case: case.name)
def test_result_types_and_tasks_need_an_extension(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", REQUESTED, ids=lambda case: case.name)
def test_the_version_that_was_requested_is_named(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", FALLEN_BACK, ids=lambda case: case.name)
def test_who_falls_back_must_have_a_reason(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", RESULTS, ids=lambda case: case.name)
def test_the_result_of_a_task_names_it(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize("case", PINGS, ids=lambda case: case.name)
def test_a_ping_has_an_empty_result(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize(("direction", "message", "rules"), SENDERS)
def test_the_sender_alone_is_blamed(
    tmp_path: Path, direction: str, message: dict[str, Any], rules: set[str]
) -> None:
    line = {"dir": direction, "message": message}
    report = judge(tmp_path, [*called("complete"), line], partial=True)
    found = [one for one in report.findings if one.where.line == 3]
    assert {one.subject for one in found} == {"client" if direction == "c2s" else "server"}
    assert rules <= {one.rule for one in found}


HEADERS = {"Accept": STREAM, "Mcp-Session-Id": "s-1", "MCP-Protocol-Version": "2025-11-25"}


def get(exchange: int = 7, **headers: str) -> Line:
    """A GET of which the path is not known."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    http = {"method": "GET", "request_headers": {**HEADERS, **named}}
    return {"dir": "c2s", "exchange": exchange, "http": http}


def listening(*lines: Line, asked: Line | None = None) -> list[Line]:
    """A client listens on the stream of a GET."""
    return [*opened(), asked or get(), reply(type=STREAM, exchange=7), *lines]


def on_stream(message: dict[str, Any], **more: Any) -> Line:
    return s2c(message, **{"exchange": 7, "sse": {}, **more})


PENDING = post(LIST, exchange=8)
UNSESSIONED = [
    post(INITIALIZE, None, None),
    reply(INITIALIZED),
    post(READY, None),
    reply(status=202),
]
BARE_GET: Line = {
    "dir": "c2s",
    "exchange": 7,
    "http": {
        "method": "GET",
        "request_headers": {"Accept": STREAM, "MCP-Protocol-Version": "2025-11-25"},
    },
}
LISTENING = [
    Case(
        name="a result",
        lines=listening(PENDING, on_stream(tell(1, EMPTY))),
        found=[(8, "HTTP-016")],
    ),
    Case(
        name="an error",
        lines=listening(PENDING, on_stream(refuse(1, -32603))),
        found=[(8, "HTTP-016")],
    ),
    Case(
        name="a result among requests",
        lines=listening(
            on_stream(ask("r", "ping")),
            post(tell("r", {})),
            reply(status=202),
            PENDING,
            on_stream(tell(1, EMPTY)),
        ),
        found=[(11, "HTTP-016")],
    ),
    Case(
        name="a result with the id of an event",
        lines=listening(PENDING, on_stream(tell(1, EMPTY), sse={"id": "e-7"})),
        found=[(8, "HTTP-016")],
    ),
    Case(
        name="a result of the type of messages",
        lines=listening(PENDING, on_stream(tell(1, EMPTY), sse={"event": "message"})),
        found=[(8, "HTTP-016")],
    ),
    Case(
        name="a result, where there is no session id",
        lines=[
            *UNSESSIONED,
            BARE_GET,
            reply(type=STREAM, exchange=7),
            post(LIST, None, exchange=8),
            on_stream(tell(1, EMPTY)),
        ],
        found=[(8, "HTTP-016")],
    ),
    Case(
        name="a stream that goes on",
        lines=listening(PENDING, on_stream(tell(1, EMPTY)), asked=get(Last_Event_ID="e-1")),
        outcomes={"HTTP-016": "undecided"},
    ),
    Case(
        name="a request",
        lines=listening(on_stream(ask("r", "ping")), post(tell("r", {})), reply(status=202)),
        outcomes={"HTTP-016": "passed"},
    ),
    Case(
        name="a notification",
        lines=listening(
            on_stream(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": "gone"},
                }
            )
        ),
        found=[(7, "CANC-001")],
    ),
    Case(
        name="a result on the stream of its own request",
        lines=listening(PENDING, reply(tell(1, EMPTY), type=STREAM, exchange=8, sse={})),
    ),
    Case(
        name="a stream of something else",
        lines=[
            *UNSESSIONED,
            {**BARE_GET, "http": {**BARE_GET["http"], "path": "/events"}},
            reply(type=STREAM, exchange=7),
            post(LIST, None, exchange=8),
            on_stream(tell(1, EMPTY)),
        ],
        outcomes={"HTTP-016": "undecided"},
    ),
    Case(name="nothing", lines=listening(PENDING, reply(tell(1, EMPTY), exchange=8))),
]


@pytest.mark.parametrize("case", LISTENING, ids=lambda case: case.name)
def test_responses_come_in_the_exchange_of_their_request(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


def at(time: Any, *lines: Line) -> list[Line]:
    return [{**line, "t": time} for line in lines]


def gone(id: int = 1, status: int = 404) -> Line:
    return reply(refuse(id, -32001), status)


def asked_again(id: int = 2, session: str = "s-1") -> list[Line]:
    return [post(ask(id, "tools/list"), session), gone(id)]


LOST = [*opened(), *at(1, post(LIST), gone())]
UNTIMED = [*opened(), post(LIST), gone()]
REAL = "2026-01-01T00:00:{:02}Z"
SERVED = [post(ask(2, "tools/list")), reply(tell(2, EMPTY))]
DELETE = {
    "dir": "c2s",
    "http": {
        "method": "DELETE",
        "path": "/mcp",
        "request_headers": {"Mcp-Session-Id": "s-1", "MCP-Protocol-Version": "2025-11-25"},
    },
}
ENDED: dict[str, tuple[list[Line], list[int]]] = {
    "dates": (
        [*opened(), *at(REAL.format(0), post(LIST), gone()), *at(REAL.format(30), *asked_again())],
        [7],
    ),
    "a bare 404": (
        [*opened(), *at(1, post(LIST), reply(status=404)), *at(50, *asked_again())],
        [7],
    ),
    "it is served again": ([*LOST, *at(50, *SERVED)], [7]),
    "a stream is asked for": (
        [*LOST, *at(50, {**get(), "exchange": 9}, reply(status=404, exchange=9))],
        [7],
    ),
    "a stream is asked for again and again": (
        [*LOST]
        + [
            line
            for number in range(20)
            for line in at(10 + number, get(20 + number), reply(status=404, exchange=20 + number))
        ],
        list(range(7, 47, 2)),
    ),
    "an answer is posted": (
        [
            *opened(),
            s2c(ask("r", "ping")),
            *at(1, post(LIST), gone()),
            *at(50, post(tell("r", {}))),
        ],
        [8],
    ),
    "it is begun with the old id": (
        [*LOST, *at(50, post({**INITIALIZE, "id": 9}, "s-1", None), gone(9))],
        [7],
    ),
    "dates that are close": (
        [*opened(), *at(REAL.format(0), post(LIST), gone()), *at(REAL.format(3), *asked_again())],
        [],
    ),
    "a status that says something else": (
        [*opened(), *at(1, post(LIST), gone(1, 400)), *at(50, *SERVED)],
        [],
    ),
    "another session is lost": (
        [
            *opened("s-1"),
            *opened("s-2"),
            *at(1, post(LIST), gone()),
            *at(50, *asked_again(2, "s-2")),
        ],
        [],
    ),
    "all were under way": (
        [
            *opened(),
            *at(1, *(post(ask(id, "tools/list"), exchange=id) for id in (1, 2, 3))),
            *at(9, *(reply(refuse(id, -32001), 404, exchange=id) for id in (1, 2, 3))),
        ],
        [],
    ),
    "it is ended too": ([*LOST, *at(50, DELETE, reply(status=404))], []),
    "a stream is asked for meanwhile": (
        [*LOST, *at(2, {**get(), "exchange": 9}, reply(status=404, exchange=9))],
        [],
    ),
    "one stream, where times are unknown": (
        [*UNTIMED, get(9), reply(status=404, exchange=9)],
        [],
    ),
    "it is begun anew": (
        [
            *LOST,
            *at(
                50,
                post({**INITIALIZE, "id": 9}, None, None),
                reply({**INITIALIZED, "id": 9}, session="s-2"),
                post(READY, "s-2"),
                reply(status=202),
            ),
        ],
        [],
    ),
}


@pytest.mark.parametrize("name", ENDED)
def test_who_uses_a_session_that_is_over_is_told(tmp_path: Path, name: str) -> None:
    lines, blamed = ENDED[name]
    report = judge(tmp_path, lines)
    assert [one.where.line for one in report.findings if one.rule == "HTTP-025"] == blamed
    errors = [one for one in report.findings if one.severity == "error"]
    assert report.summary.outcome == ("fail" if errors else "pass")
    assert bool(blamed) <= bool(errors)

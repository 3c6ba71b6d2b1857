"""What looks broken and is excused is not passed; nobody is blamed for what others may not do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.lint import lint
from mcp_assay.session.state import DOUBTFUL, STARTED_BEFORE
from tests.truth import recorded
from tests.truth.traces import (
    MODERN,
    PIPED,
    PREFIX,
    Case,
    Line,
    ask,
    ask_now,
    c2s,
    judge,
    opened,
    post,
    post_now,
    reply,
    require,
    s2c,
    stream,
    tell,
    tell_now,
)

CONTENT = {"content": [{"type": "text", "text": "sunny"}]}
CALL = ask_now(1, "tools/call", name="weather", arguments={})
ROOTS = ask(7, "roots/list")
PING = [ask(id, "ping") for id in range(1, 4)]
UNASKED = ("VER-010", "SCHEMA-003")
NOTES = {"uri": "note:1", "name": "first"}


def answered(size: int | None, text: str, *between: Line, blob: bool = False) -> list[Line]:
    """A resource is listed with a size, and read."""
    listed = NOTES if size is None else {**NOTES, "size": size}
    contents = {"contents": [{"uri": "note:1", "blob" if blob else "text": text}]}
    return [
        *recorded.opened(),
        *recorded.page(1, "resources", [listed]),
        *between,
        *recorded.asked(2, "resources/read", {"uri": "note:1"}, contents),
    ]


def read_first(lines: list[Line], *between: Line) -> list[Line]:
    """The same, but that the resource is read before it is listed."""
    return [*lines[:3], *lines[-2:], *between, *lines[3:5]]


def lists(*names: tuple[str, ...], declared: bool = True) -> list[Line]:
    """The tools are listed again and again over pipes."""
    tools = {"listChanged": True} if declared else {}
    pages = [
        recorded.page(number, "tools", [recorded.tool(name) for name in each])
        for number, each in enumerate(names, 1)
    ]
    return [*recorded.opened(tools=tools), *(line for page in pages for line in page)]


def lists_over_http(*names: tuple[str, ...]) -> list[Line]:
    """The same over HTTP, by a client that has no stream for notifications."""
    lines = opened()
    for number, each in enumerate(names, 1):
        result = {"tools": [recorded.tool(name) for name in each]}
        lines += [post(ask(number, "tools/list")), reply(tell(number, result))]
    return lines


@pytest.mark.parametrize(
    "case",
    [
        Case(
            name="over pipes",
            lines=[c2s(CALL), s2c(ROOTS), s2c(tell_now(1, CONTENT))],
            found=[(2, rule) for rule in UNASKED],
        ),
        Case(
            name="on a stream",
            lines=[post_now(CALL), stream(ROOTS), stream(tell_now(1, CONTENT))],
            found=[(2, rule) for rule in (*UNASKED, "HTTP-011")],
        ),
        Case(
            name="with a handshake",
            lines=[
                *PIPED,
                s2c(ask(7, "ping")),
                c2s(ask(1, "ping")),
                s2c(tell(1, {})),
            ],
            found=[(4, "JSONRPC-026")],
        ),
    ],
    ids=lambda case: case.name,
)
def test_no_client_owes_an_answer_to_what_a_server_may_not_ask(tmp_path: Path, case: Case) -> None:
    require(tmp_path, case)


@pytest.mark.parametrize(
    ("client", "server", "found"),
    [
        (["com.example/a"], ["com.example/b"], [(4, "META-013")]),
        (["com.example/a", "com.example/b"], ["com.example/b"], []),
        (["com.example/a"], [], [(4, "META-013")]),
        ([], [], [(4, "META-013")]),
    ],
)
def test_a_result_type_needs_an_extension_of_both_sides(
    tmp_path: Path, client: list[str], server: list[str], found: list[tuple[int, str]]
) -> None:
    capabilities: dict[str, Any] = {
        f"{PREFIX}clientCapabilities": {"extensions": {key: {} for key in client}}
    }
    discovered = {
        "supportedVersions": [MODERN],
        "capabilities": {"tools": {}, "extensions": {key: {} for key in server}},
        "ttlMs": 0,
        "cacheScope": "private",
    }
    call = ask_now(1, "tools/call", capabilities, name="weather", arguments={})
    lines = [
        c2s(ask_now(0, "server/discover")),
        s2c(tell_now(0, discovered)),
        c2s(call),
        s2c(tell_now(1, {"part": 1}, "streamed")),
    ]
    outcome = "failed" if found else "undecided"
    require(tmp_path, Case(name="", lines=lines, found=found, outcomes={"META-013": outcome}))


@pytest.mark.parametrize(
    ("responses", "unanswered"),
    [
        ([reply(status=404), reply(status=404)], []),
        ([reply(tell(2, {})), reply(status=503)], []),
        ([reply(status=503), reply(tell(1, {}))], []),
        ([reply(tell(2, {}))], [5]),
    ],
)
def test_a_refusal_that_names_no_request_may_be_to_each(
    tmp_path: Path, responses: list[Line], unanswered: list[int]
) -> None:
    report = judge(tmp_path, [*opened(), post(PING[0]), post(PING[1]), *responses])
    blamed = [one.where.line for one in report.findings if one.rule == "JSONRPC-026"]
    assert blamed == unanswered


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (answered(None, "sun"), "undecided"),
        (answered(3, "sun"), "passed"),
        (answered(9, "sun"), "warned"),
        (answered(9, "sun")[:5], "undecided"),
        (answered(9, "sun", *recorded.asked(3, "tools/call", {"name": "edit"}, CONTENT)),
         "undecided"),
        (answered(3, "sun", *recorded.asked(3, "tools/call", {"name": "edit"}, CONTENT)),
         "passed"),
        (answered(8, "aGVsbG8=", blob=True), "warned"),
        (answered(5, "aGVsbG8=", blob=True), "passed"),
        (answered(6, "sun"), "passed"),
        (read_first(answered(9, "sun")), "warned"),
        (read_first(answered(3, "sun")), "passed"),
        (read_first(answered(9, "sun"), *recorded.told("resources/updated", uri="note:1")),
         "undecided"),
    ],
)  # fmt: skip
def test_a_size_is_right_where_it_was_compared(
    tmp_path: Path, lines: list[Line], outcome: str
) -> None:
    assert recorded.check(recorded.judged(tmp_path, lines), "RES-005").outcome == outcome


def test_a_size_is_not_right_by_its_definition(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"resources": [{**NOTES, "size": 3}]}))
    report = lint(str(path))
    assert recorded.check(report, "RES-005").outcome == "undecided"


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (lists(("a",), ("a",)), "passed"),
        (lists(("a",), ("a",), ("a", "b")), "warned"),
        (lists_over_http(("a",), ("a",)), "passed"),
        (lists_over_http(("a",), ("a",), ("a", "b")), "undecided"),
    ],
)
def test_a_change_that_is_excused_is_not_passed(
    tmp_path: Path, lines: list[Line], outcome: str
) -> None:
    assert recorded.check(judge(tmp_path, lines), "DRIFT-010").outcome == outcome


@pytest.mark.parametrize("declared", [True, False])
def test_the_fix_of_a_change_fits_what_is_declared(tmp_path: Path, declared: bool) -> None:
    report = judge(tmp_path, lists(("a",), ("a", "b"), declared=declared))
    fix = recorded.the(report, "DRIFT-010").fix or ""
    assert fix.startswith("Send notifications" if declared else "Declare tools.listChanged")


@pytest.mark.parametrize(
    ("goes_on", "outcome"), [(False, "undecided"), (True, "warned")]
)  # fmt: skip
def test_a_stream_that_may_have_been_closed_is_not_passed(
    tmp_path: Path, goes_on: bool, outcome: str
) -> None:
    note: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    lines = [
        *opened(),
        post(PING[0], exchange="a"),
        stream(tell(1, {}), exchange="a", end=True),
        post(PING[1], exchange="b"),
        stream(note, exchange="b", end=True),
        *([post(PING[2], exchange="c"), reply(tell(3, {}), exchange="c")] if goes_on else []),
    ]
    assert recorded.check(judge(tmp_path, lines), "HTTP-008").outcome == outcome


def test_a_long_key_is_named_whole(tmp_path: Path) -> None:
    key = f"{PREFIX}clientCapabilities"
    lines = [*PIPED, c2s(ask(1, "ping", {"_meta": {key: {}}})), s2c(tell(1, {}))]
    assert key in recorded.the(judge(tmp_path, lines), "META-005").message


def test_the_reason_says_that_a_line_may_belong_elsewhere(tmp_path: Path) -> None:
    lines = [
        *opened("s-1"),
        *opened("s-2"),
        post(PING[0], "s-1"),
        post(PING[0], "s-2"),
        reply(tell(1, {})),
    ]
    row = recorded.check(judge(tmp_path, lines), "JSONRPC-026")
    assert (row.outcome, row.reason) == ("undecided", DOUBTFUL)


def test_the_reason_says_that_only_a_part_was_seen(tmp_path: Path) -> None:
    lines = [*PIPED, c2s(PING[0])]
    row = recorded.check(judge(tmp_path, lines, partial=True), "JSONRPC-026")
    assert (row.outcome, row.reason) == ("undecided", STARTED_BEFORE)

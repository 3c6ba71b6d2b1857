"""What a recorded session lists is judged by the rules about definitions, at its line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.protocol import Session
from mcp_assay.rules.definition import linter
from mcp_assay.rules.definition.linter import Linter, lint
from mcp_assay.rules.definition.surface import Surface, surface_of
from mcp_assay.rules.session import definitions
from mcp_assay.validate import Options, validate
from mcp_assay.validate.run import Run
from mcp_assay.validate.shares import Share
from mcp_assay.validate.workers import absorb, part_of
from tests.truth.recorded import (
    META,
    SERVER,
    Line,
    asked,
    c2s,
    check,
    found,
    judged,
    opened,
    page,
    s2c,
    the,
    told,
    tool,
)

NOTE: Final = {"uri": "notes://1", "name": "first"}
STRING: Final = {"type": "string"}


def schema(**members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"city": STRING}, **members}


BROKEN: Final = [
    ("tools", [tool("x" * 129)], "TOOL-002", "/0/name"),
    ("tools", [tool("get note")], "TOOL-003", "/0/name"),
    ("tools", [tool(), tool()], "TOOL-004", "/1/name"),
    ("tools", [tool("getNote"), tool("getnote")], "TOOL-005", "/1/name"),
    ("tools", [tool(), tool("b", inputSchema=None)], "TOOL-006", "/1/inputSchema"),
    (
        "tools",
        [tool(inputSchema=schema(properties={"city": {"type": "strng"}}))],
        "TOOL-008",
        "/0/inputSchema/properties/city/type",
    ),
    (
        "tools",
        [tool(inputSchema=schema(required=["town"]))],
        "TOOL-015",
        "/0/inputSchema/required/0",
    ),
    ("tools", [tool(description=None)], "TOOL-016", "/0/description"),
    (
        "tools",
        [tool(annotations={"readOnlyHint": True, "destructiveHint": True})],
        "TOOL-018",
        "/0/annotations/destructiveHint",
    ),
    ("tools", [tool(inputSchema={"type": "object"})], "TOOL-019", "/0/inputSchema"),
    ("resources", [NOTE, {**NOTE, "name": "again"}], "RES-002", "/1/uri"),
    ("resources", [{**NOTE, "size": -1}], "RES-005", "/0/size"),
    ("resources", [{**NOTE, "uri": "my_notes://1"}], "RES-004", "/0/uri"),
    (
        "resourceTemplates",
        [{"uriTemplate": "notes://{id", "name": "n"}],
        "RES-003",
        "/0/uriTemplate",
    ),
    ("prompts", [{"name": "sum"}, {"name": "sum"}], "PROMPT-001", "/1/name"),
]


@pytest.mark.parametrize(("member", "listed", "rule", "place"), BROKEN)
def test_a_broken_definition_is_named_where_it_is_listed(
    tmp_path: Path, member: str, listed: Any, rule: str, place: str
) -> None:
    report = judged(tmp_path, [*opened(), *page(1, member, listed)])
    assert (rule, 5, f"/result/{member}{place}") in found(report)
    assert check(report, rule).outcome in ("failed", "warned")
    severe = {one.severity for one in report.findings if one.rule == rule}
    assert report.summary.outcome == ("fail" if "error" in severe else report.summary.outcome)


@pytest.mark.parametrize(
    ("member", "listed"),
    [
        ("tools", []),
        ("tools", [tool(), tool("add_note")]),
        ("tools", [tool(f"get_note_{n}") for n in range(40)]),
        ("tools", [tool(annotations={"readOnlyHint": True}, title="Read a note")]),
        ("resources", [NOTE, {**NOTE, "uri": "notes://2", "size": 12}]),
        ("resourceTemplates", [{"uriTemplate": "notes://{id}", "name": "note"}]),
        ("prompts", [{"name": "sum", "arguments": [{"name": "text", "required": True}]}]),
    ],
)
def test_good_definitions_are_silent(tmp_path: Path, member: str, listed: Any) -> None:
    report = judged(tmp_path, [*opened(), *page(1, member, listed)])
    assert found(report) == []
    assert report.summary.outcome == "pass"


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_each_revision_judges_by_its_own_rules(tmp_path: Path, revision: str) -> None:
    report = judged(tmp_path, [*opened(revision), *page(1, "tools", [tool("get note")])])
    assert bool(found(report, "TOOL-003")) == (revision == "2025-11-25")


def test_the_newest_revision_needs_no_handshake(tmp_path: Path) -> None:
    cached = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    meta = {"io.modelcontextprotocol/serverInfo": SERVER}
    answer = {"tools": [tool(), tool()], "_meta": meta, **cached}
    report = judged(tmp_path, asked(1, "tools/list", {"_meta": META}, answer))
    assert found(report) == [("TOOL-004", 2, "/result/tools/1/name")]


def test_a_finding_is_the_one_that_lint_makes(tmp_path: Path) -> None:
    tools = [tool(), tool("add note", description="")]
    report = judged(tmp_path, [*opened(), *page(1, "tools", tools)])
    expected = lint(surface_of({"tools": tools}))
    assert {one.fingerprint for one in report.findings} == {one.fingerprint for one in expected}
    assert {one.where.tool for one in report.findings} == {"add note"}


def test_one_fix_removes_what_shapes_and_definitions_say_of_a_place(tmp_path: Path) -> None:
    report = judged(tmp_path, [*opened(), *page(1, "tools", [tool(inputSchema=None)])])
    assert {one.rule for one in report.findings} == {"SCHEMA-002", "TOOL-006"}
    assert len({one.cause for one in report.findings}) == 1


TWO_PAGES: Final = [
    *opened(),
    *page(1, "tools", [tool("a"), tool("b")], following="2"),
    *page(2, "tools", [tool("c"), tool("a")], cursor="2"),
]


def test_pages_are_one_list(tmp_path: Path) -> None:
    report = judged(tmp_path, TWO_PAGES)
    assert found(report) == [("TOOL-004", 7, "/result/tools/1/name")]
    assert check(report, "TOOL-005").outcome == "passed"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (TWO_PAGES[:5], "the last page of tools/list was not seen"),
        (TWO_PAGES[:6], "the last page of tools/list was not seen"),
        ([*TWO_PAGES[:3], *TWO_PAGES[5:]], "not every page of tools/list was seen"),
        (
            [*TWO_PAGES[:5], *told("tools/list_changed"), *TWO_PAGES[5:]],
            "the list changed while the pages of tools/list were being fetched",
        ),
        (
            [*TWO_PAGES[:5], *page(2, "tools", [tool("a"), tool("b")], cursor="2")],
            "tools/list gave the same page twice",
        ),
        (
            [
                *TWO_PAGES[:5],
                *page(2, "tools", [tool("c")], cursor="2", following="3"),
                *page(3, "tools", [tool("c"), tool("d")], cursor="2"),
            ],
            "not every page of tools/list was seen",
        ),
    ],
)
def test_a_list_that_is_not_whole_leaves_open_what_only_the_whole_shows(
    tmp_path: Path, lines: Sequence[Line], reason: str
) -> None:
    report = judged(tmp_path, lines, partial=True)
    assert found(report, "TOOL-004") == []
    for rule in ("TOOL-004", "TOOL-005", "LINT-102"):
        assert (check(report, rule).outcome, check(report, rule).reason) == ("undecided", reason)
    assert check(report, "TOOL-003").outcome == "passed"


def test_a_new_first_page_begins_anew(tmp_path: Path) -> None:
    pages = [
        *page(1, "tools", [tool("a")], following="2"),
        *page(2, "tools", [tool("a"), tool("b")]),
    ]
    report = judged(tmp_path, [*opened(), *pages])
    assert found(report) == []
    assert check(report, "TOOL-004").outcome == "passed"


def test_the_same_list_is_judged_and_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    surfaces: list[Surface] = []
    judge = Linter.findings_of_each

    def counted(self: Linter, surface: Surface) -> Iterator[Finding]:
        surfaces.append(surface)
        return judge(self, surface)

    monkeypatch.setattr(Linter, "findings_of_each", counted)
    seen_nowhere_else = tool("ring bell")  # what was judged in this process is not judged again
    lists = [line for id in range(1, 9) for line in page(id, "tools", [seen_nowhere_else])]
    first = [{**line, "session": "a"} for line in [*opened(), *lists]]
    second = [{**line, "session": "b"} for line in [*opened(), *lists]]
    report = judged(tmp_path, [*first, *second])
    assert len(surfaces) == 1
    assert found(report) == [
        ("TOOL-003", 5, "/result/tools/0/name"),
        ("TOOL-003", 24, "/result/tools/0/name"),
    ]


def test_definitions_load_only_where_a_list_is_seen(tmp_path: Path) -> None:
    report = judged(tmp_path, [*opened(), *asked(1, "ping")])
    assert check(report, "TOOL-003").outcome == "undecided"
    assert check(report, "TOOL-004").outcome == "undecided"


def test_what_is_remembered_of_endless_pages_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(definitions, "MOST_OF_A_LIST", 500)
    pages = [
        line
        for n in range(1, 60)
        for line in page(
            n, "tools", [tool(f"t{n}")], cursor=str(n) if n > 1 else None, following=str(n + 1)
        )
    ]
    report = judged(tmp_path, [*opened(), *pages])
    assert found(report) == []
    reason = "tools/list has too many pages to remember them all"
    assert check(report, "TOOL-004").reason == reason


def test_a_limit_on_definitions_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linter, "MOST_DEFINITIONS", 3)
    report = judged(tmp_path, [*opened(), *page(1, "tools", [tool(f"t{n}") for n in range(5)])])
    assert [(one.name, one.value, one.count) for one in report.limits] == [("tools", 3, 2)]


@pytest.mark.parametrize(
    "listed",
    [
        [None],
        [7, "tool", []],
        [tool(inputSchema=json.loads('{"properties":{"a":' * 300 + "{}" + "}}" * 300))],
        [tool(name=10**30)],
        [tool(inputSchema={"type": "object", "pattern": "(a+)+$" * 50})],
        [tool(inputSchema={"$ref": "#/nowhere"})],
        [tool(**{"\ud800": 1})],
    ],
)
def test_odd_definitions_end_nothing(tmp_path: Path, listed: Any) -> None:
    report = judged(tmp_path, [*opened(), *page(1, "tools", listed), *page(2, "tools", listed)])
    assert report.summary.outcome != "incomplete"
    assert not [
        one for one in report.findings if one.rule == "LIMIT-004" or "Internal" in one.message
    ]


def test_a_session_of_the_python_api_judges_what_is_listed() -> None:
    session = Session()
    lines = [*opened(), *page(1, "tools", [tool("get note")])]
    fed = [session.feed(line["dir"], line["message"]) for line in lines]
    assert [[one.rule for one in each] for each in fed] == [[], [], [], [], ["TOOL-003"]]
    assert session.close() == []


def test_shares_of_a_run_find_what_one_process_finds(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    lines = [
        {**line, "session": name}
        for name in "abcd"
        for line in [*opened(), *page(1, "tools", [tool("get note"), tool(name)])]
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    runs = [Run(Options(), share=Share(index=index, of=2)) for index in range(2)]
    for run in runs:
        run.judge_all([str(path)])
        run.close()
    absorb(runs[0], part_of(runs[1]))
    alone = validate([str(path)])
    together = runs[0].report()
    assert sorted(found(together)) == sorted(found(alone))
    assert together.checks == alone.checks


def call(id: int, name: str) -> list[Line]:
    answer = {"content": [{"type": "text", "text": "done"}]}
    return asked(id, "tools/call", {"name": name, "arguments": {}}, answer)


def read(id: int, text: str, uri: str = "notes://1") -> list[Line]:
    return asked(id, "resources/read", {"uri": uri}, {"contents": [{"uri": uri, "text": text}]})


SIZED: Final = [*opened(), *page(1, "resources", [{**NOTE, "size": 5}])]


@pytest.mark.parametrize(
    "lines",
    [
        [*SIZED, *read(2, "hello, you")],
        [*SIZED, *read(2, "")],
        [*SIZED, *read(2, "hellö")],
        [*SIZED, *read(2, "hey!"), *read(3, "hey!")],
        [*SIZED, *page(2, "resources", [{**NOTE, "size": 5}]), *read(3, "hey!")],
        [
            *SIZED,
            *asked(
                2,
                "resources/read",
                {"uri": "notes://1"},
                {"contents": [{"uri": "notes://1", "blob": "aGVsbG8gd29ybGQ="}]},
            ),
        ],
        [*SIZED, *page(2, "tools", [tool()]), *call(3, "get_note"), *read(4, "hey!")],
    ],
)
def test_a_size_that_a_read_contradicts_is_named_where_it_is_listed(
    tmp_path: Path, lines: Sequence[Line]
) -> None:
    report = judged(tmp_path, lines)
    assert found(report, "RES-005") == [("RES-005", 5, "/result/resources/0/size")]
    assert check(report, "RES-005").outcome == "warned"


@pytest.mark.parametrize(
    "lines",
    [
        [*SIZED, *read(2, "hello")],
        [*SIZED, *read(2, "a\nbc")],
        [*SIZED, *read(2, "hey!", uri="notes://2")],
        [*SIZED, *told("resources/updated", uri="notes://1"), *read(2, "hey!")],
        [*SIZED, *told("resources/list_changed"), *read(2, "hey!")],
        [*SIZED, *read(2, "hey!"), *read(3, "hi you")],
        [*SIZED, *page(2, "tools", [tool("add_note")]), *call(3, "add_note"), *read(4, "hey!")],
        [*SIZED, *page(2, "resources", [{**NOTE, "size": 4}]), *read(3, "hey!")],
        [
            *SIZED,
            *asked(2, "resources/read", {"uri": "notes://1"}, {"contents": [{}, {"text": "hey!"}]}),
        ],
    ],
)
def test_a_size_that_may_be_right_is_not_blamed(tmp_path: Path, lines: Sequence[Line]) -> None:
    assert found(judged(tmp_path, lines), "RES-005") == []


A: Final = page(1, "tools", [tool("a")])
AB: Final = page(2, "tools", [tool("a"), tool("b")])
DECLARED: Final = opened(tools={"listChanged": True})


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ([*DECLARED, *A, *AB], 7, '"b" is new'),
        ([*opened(), *A, *AB], 7, "does not declare listChanged"),
        ([*DECLARED, *AB, *page(3, "tools", [tool("a")])], 7, '"b" is gone'),
        ([*DECLARED, *told("tools/list_changed"), *A, *AB], 8, '"b" is new'),
        ([*DECLARED, *A, *told("prompts/list_changed"), *AB], 8, '"b" is new'),
        (
            [*DECLARED, *A, *page(2, "tools", [tool("a", inputSchema=schema())])],
            7,
            "has a changed inputSchema",
        ),
        (
            [
                *DECLARED,
                *A,
                *page(2, "tools", [tool("a")], following="2"),
                *page(3, "tools", [tool("c")], cursor="2"),
            ],
            9,
            '"c" is new',
        ),
    ],
)
def test_tools_that_change_in_silence_are_told(
    tmp_path: Path, lines: Sequence[Line], line: int, words: str
) -> None:
    report = judged(tmp_path, lines)
    finding = the(report, "DRIFT-010")
    assert (finding.severity, finding.where.line) == ("warning", line)
    assert "during the session" in finding.message
    assert words in finding.message


def test_other_words_alone_are_a_note(tmp_path: Path) -> None:
    report = judged(tmp_path, [*DECLARED, *A, *page(2, "tools", [tool("a", description="New")])])
    assert the(report, "DRIFT-010").severity == "info"


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        ([*DECLARED, *A, *page(2, "tools", [tool("a")])], "passed"),
        ([*DECLARED, *A, *told("tools/list_changed"), *AB], "passed"),
        ([*DECLARED, *A, *AB, *told("tools/list_changed")], "passed"),
        ([*DECLARED, *AB, *page(3, "tools", [tool("b"), tool("a")])], "passed"),
        ([*DECLARED, *A, *page(2, "tools", [tool("b")], following="2")], "undecided"),
        ([*DECLARED, *A], "undecided"),
    ],
)
def test_tools_that_stay_or_whose_change_is_told_are_not_blamed(
    tmp_path: Path, lines: Sequence[Line], outcome: str
) -> None:
    report = judged(tmp_path, lines)
    assert found(report, "DRIFT-010") == []
    assert check(report, "DRIFT-010").outcome == outcome


def test_over_http_a_client_without_a_stream_cannot_be_told(tmp_path: Path) -> None:
    def over_http(lines: Sequence[Line]) -> list[Line]:
        http = {"method": "POST", "path": "/mcp", "status": 200}
        return [{**line, "session": "s", "transport": "http", "http": http} for line in lines]

    lines = over_http([*DECLARED, *A, *AB])
    report = judged(tmp_path, lines)
    assert found(report, "DRIFT-010") == []
    reason = "the tools changed, but the client had no stream open for notifications"
    assert check(report, "DRIFT-010").reason == reason
    stream = {"method": "GET", "path": "/mcp", "status": 200}
    opening = {"dir": "s2c", "session": "s", "transport": "http", "http": stream}
    report = judged(tmp_path, [*lines[:3], opening, *lines[3:]])
    assert [place for _, place, _ in found(report, "DRIFT-010")] == [8]


def listening(*lines: Line) -> list[Line]:
    asked_for = {"notifications": {"toolsListChanged": True}, "_meta": META}
    granted = {
        "notifications": {"toolsListChanged": True},
        "_meta": {"io.modelcontextprotocol/subscriptionId": 9},
    }
    return [
        c2s({"id": 9, "method": "subscriptions/listen", "params": asked_for}),
        s2c({"method": "notifications/subscriptions/acknowledged", "params": granted}),
        *lines,
    ]


def modern(id: int, *names: str) -> list[Line]:
    answer = {
        "tools": [tool(name) for name in names],
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": SERVER},
    }
    return asked(id, "tools/list", {"_meta": META}, answer)


def test_since_2026_07_28_only_subscribers_are_told(tmp_path: Path) -> None:
    lines = [*modern(1, "a"), *modern(2, "a", "b")]
    report = judged(tmp_path, lines)
    reason = "the tools changed, but the client was not subscribed to list changes"
    assert (found(report), check(report, "DRIFT-010").reason) == ([], reason)
    report = judged(tmp_path, listening(*lines))
    assert found(report, "SUB-009", "DRIFT-010") == [("SUB-009", 6, "")]

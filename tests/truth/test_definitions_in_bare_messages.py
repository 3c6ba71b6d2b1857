"""What a server lists is judged in bare messages too: a request and its answer are enough."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from mcp_assay.model.report import Report
from mcp_assay.validate import Options, validate
from tests.truth.recorded import tool
from tests.truth.traces import ask, refuse, tell

Message: TypeAlias = dict[str, Any]
Write: TypeAlias = Callable[[Sequence[Message], Path], None]

SPACED: Final = tool("get note")
"""A tool whose name is against TOOL-003."""
FIXED: Final = tool("list_notes", inputSchema={"type": "object"})
"""A tool that is against TOOL-019."""
URI: Final = {"uri": "note:///1", "name": "note", "size": -1}
CHANGED: Final = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}


def page(
    id: Any, tools: Any, cursor: str | None = None, following: str | None = None
) -> list[Message]:
    """The request for a page of tools, and the page."""
    asked = ask(id, "tools/list", None if cursor is None else {"cursor": cursor})
    return [
        asked,
        tell(id, {"tools": tools} | ({} if following is None else {"nextCursor": following})),
    ]


def as_array(messages: Sequence[Message], path: Path) -> None:
    path.write_text(json.dumps(list(messages)))


def as_pretty_array(messages: Sequence[Message], path: Path) -> None:
    path.write_text(json.dumps(list(messages), indent=2))


def as_lines(messages: Sequence[Message], path: Path) -> None:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in messages))


def as_packed_lines(messages: Sequence[Message], path: Path) -> None:
    path.write_bytes(gzip.compress("".join(f"{json.dumps(it)}\n" for it in messages).encode()))


WAYS: Final[dict[str, Write]] = {
    "an array": as_array,
    "an array in many lines": as_pretty_array,
    "lines": as_lines,
    "packed lines": as_packed_lines,
}


def judged(folder: Path, messages: Sequence[Message], write: Write, **options: Any) -> Report:
    path = folder / "messages"
    write(messages, path)
    return validate([str(path)], Options(**options))


def found(report: Report) -> set[tuple[str, str]]:
    return {(it.rule, it.pointer) for it in report.findings}


def outcome(report: Report, rule: str) -> str:
    return next(it.outcome for it in report.checks if it.rule == rule)


NAME: Final = "/result/tools/0/name"
BROKEN: Final[dict[str, tuple[list[Message], str, str]]] = {
    "a name": (page(1, [SPACED]), "TOOL-003", NAME),
    "a name, the id a text": (page("a", [SPACED]), "TOOL-003", NAME),
    "an open schema": (page(1, [FIXED]), "TOOL-019", "/result/tools/0/inputSchema"),
    "the second tool": (page(1, [tool(), SPACED]), "TOOL-003", "/result/tools/1/name"),
    "a name twice": (page(1, [tool(), tool()]), "TOOL-004", "/result/tools/1/name"),
    "a name twice, on two pages": (
        [*page(1, [tool()], following="2"), *page(2, [tool("c"), tool()], "2")],
        "TOOL-004",
        "/result/tools/1/name",
    ),
    "the second page": (
        [*page(1, [tool()], following="2"), *page(2, [SPACED], "2")],
        "TOOL-003",
        NAME,
    ),
    "answers that overtake each other": (
        [ask(1, "ping"), *page(2, [SPACED]), tell(1, {})],
        "TOOL-003",
        NAME,
    ),
    "a resource": (
        [ask(1, "resources/list"), tell(1, {"resources": [URI]})],
        "RES-005",
        "/result/resources/0/size",
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_definition_is_named(name: str, way: str, tmp_path: Path) -> None:
    messages, rule, pointer = BROKEN[name]
    report = judged(tmp_path, messages, WAYS[way])
    assert (rule, pointer) in found(report), found(report)
    place = next(it.where for it in report.findings if it.rule == rule)
    last = json.dumps(messages[-1])
    assert place.line is not None
    assert place.column is not None
    if way == "lines" and name == "a name":
        assert (place.line, place.column - 1) == (2, last.index('"get note"'))


def test_the_same_is_said_of_a_session(tmp_path: Path) -> None:
    bare = judged(tmp_path, page(1, [SPACED, FIXED]), as_lines)
    lines = [
        {"dir": way, "session": "s", "message": it}
        for way, it in zip(("c2s", "s2c"), page(1, [SPACED, FIXED]), strict=True)
    ]
    traced = judged(tmp_path, lines, as_lines, partial=True)
    assert {it.fingerprint for it in bare.findings} == {it.fingerprint for it in traced.findings}


SILENT: Final[dict[str, list[Message]]] = {
    "a clean list": page(1, [tool()]),
    "an empty list": page(1, []),
    "an answer to nothing": page(1, [SPACED])[1:],
    "an answer with another id": [page(1, [SPACED])[0], tell(2, {"tools": [SPACED]})],
    "another method": [ask(1, "vendor/tools"), tell(1, {"tools": [SPACED]})],
    "an error": [ask(1, "tools/list"), refuse(1, -32603)],
    "tools in the result of a call": [
        ask(1, "tools/call", {"name": "get_note", "arguments": {}}),
        tell(1, {"content": [], "structuredContent": {"tools": [SPACED]}}),
    ],
    "the same name in two lists": [*page(1, [tool()]), *page(2, [tool()])],
    "pages of lists with a change between them": [
        *page(1, [tool()], following="2"), CHANGED, *page(2, [tool("c"), tool()], "2"),
    ],
    "a page behind another cursor": [
        *page(1, [tool()], following="2"), *page(2, [tool("c"), tool()], "3"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("way", ["an array", "lines"])
@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_said_of_a_definition_that_is_right_or_none(
    name: str, way: str, tmp_path: Path
) -> None:
    report = judged(tmp_path, SILENT[name], WAYS[way])
    assert not [it for it in report.findings if it.rule.startswith(("TOOL", "RES", "LINT-1"))]


@pytest.mark.parametrize(
    ("messages", "rule", "expected"),
    [
        (page(1, [tool()]), "TOOL-003", "passed"),
        (page(1, [tool()]), "TOOL-004", "passed"),
        (page(1, [tool()], following="2"), "TOOL-004", "undecided"),
        (page(1, [tool()]), "PROMPT-001", "undecided"),
        (page(1, [SPACED])[1:], "TOOL-003", "undecided"),
        ([ask(1, "ping"), tell(1, {})], "TOOL-003", "undecided"),
        ([ask(1, "tools/list"), refuse(1, -32603)], "TOOL-004", "undecided"),
    ],
)
def test_what_was_not_listed_is_undecided(
    messages: list[Message], rule: str, expected: str, tmp_path: Path
) -> None:
    assert outcome(judged(tmp_path, messages, as_lines), rule) == expected


def test_rules_about_sessions_stay_undecided(tmp_path: Path) -> None:
    report = judged(tmp_path, page(1, [tool()]), as_array)
    session = [it for it in report.checks if it.rule in ("LIFE-001", "CAP-001", "PAGE-003")]
    assert {it.outcome for it in session} == {"undecided"}
    assert {it.reason for it in session} == {"the messages belong to no session"}

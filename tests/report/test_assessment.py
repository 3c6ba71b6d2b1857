"""The first screen of an assessment, kept as text files, and what it must never do.

MCP_ASSAY_UPDATE_SNAPSHOTS=1 writes the files anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace

from mcp_assay.model.finding import Finding, Where
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import (
    Check,
    Limit,
    Offer,
    Report,
    ReportSubject,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.model.scenario import COMPARED
from mcp_assay.model.surface import SurfaceSize
from mcp_assay.model.tool import UNFLAGGED_ERROR, CallRow, ToolRow
from mcp_assay.report.as_text import full_text
from mcp_assay.report.tool_table import call_numbers
from mcp_assay.report.untested import snippet
from mcp_assay.text.lines import Line, as_plain_text, cut, width

SCREENS = Path(__file__).parent / "screens"
COPIED = ("  repeat ", "  raw ", "  curl ")
"""Lines that are meant to be copied, and so are never broken."""
INFO = {"name": "notes", "version": "2.1.0"}


def tool(name: str, status: str, *numbers: int, reason: str = "", **more: Any) -> ToolRow:
    called, succeeded, rejected, failed = numbers or (0, 0, 0, 0)
    members = {
        "name": name,
        "status": status,
        "reason": reason,
        "called": called,
        "succeeded": succeeded,
        "rejected": rejected,
        "failed": failed,
        **more,
    }
    return convert(members, ToolRow)


def call(tool: str, arguments: dict[str, Any], scenario: str = "happy path") -> CallRow:
    return CallRow(
        number=1, tool=tool, scenario=scenario, arguments=arguments, valid=True, outcome="passed"
    )


def calls_of(row: ToolRow) -> list[CallRow]:
    """The calls that a row counts."""
    one = call(row.name, {})
    rest = row.called - row.succeeded - row.rejected - row.failed
    return [
        *[one] * row.succeeded,
        *[replace(one, valid=False)] * row.rejected,
        *[replace(one, outcome="failed", trouble="crashed")] * row.failed,
        *[replace(one, outcome="undecided")] * rest,
    ]


def finding(severity: str, rule: str, name: str, message: str, **more: Any) -> Finding:
    members: dict[str, Any] = {
        "rule": rule,
        "name": name,
        "severity": severity,
        "subject": "server",
        "message": message,
        "pointer": "",
        "where": Where(tool=more.pop("tool", None), session="assess", line=17),
        "revision": "2026-07-28",
        "statement": "",
        "url": "",
        "reason": None,
        "details": None,
        "evidence": None,
        "fix": None,
        "cause": rule,
        "fingerprint": f"{rule} {message}",
    }
    return Finding(**members | more)


def report(outcome: RunOutcome, *tools: ToolRow, **changes: Any) -> Report:
    findings = changes.get("findings", [])
    counts = [sum(f.severity == s for f in findings) for s in ("error", "warning", "info")]
    errors, warnings, infos = counts
    summary = Summary(
        outcome=outcome,
        errors=errors,
        warnings=warnings,
        infos=infos,
        messages=40,
        sessions=1,
        tools_listed=len(tools),
        tools_called=sum(one.called > 0 for one in tools),
        tools_succeeded=sum(one.succeeded > 0 for one in tools),
        reason=changes.pop("reason", None),
    )
    calls = [made for one in tools for made in calls_of(one)]
    members: dict[str, Any] = {
        "tool": ToolVersion(name="mcp-assay", version="1"),
        "subject": ReportSubject(kind="server", command=["notes"], server_info=INFO),
        "revision": "2026-07-28",
        "revisions_offered": ["2025-11-25", "2026-07-28"],
        "options": {"max_time": 120.0},
        "seed": 0,
        "summary": summary,
        "findings": [],
        "checks": [Check(rule="A-1", outcome="passed"), Check(rule="B-1", outcome="not_declared")],
        "tools": list(tools),
        "surface": SurfaceSize(bytes=900, tokens_estimated=225),
        "calls": calls,
        "limits": [],
        "timing": Timing(started="", seconds=0),
    }
    return Report(**members | changes)


CRASH = finding(
    "error",
    "RESP-004",
    "valid-call-crashes",
    'The tool "search_notes" crashed on valid arguments (5 of 50 calls).',
    tool="search_notes",
    fix="Fix the exception, or return an error that says what the caller should change.",
    details={
        "smallest": {"query": "é"},
        "repeat": 'mcp-assay assess --only search_notes --args \'{"query": "é"}\' -- notes',
        "raw": '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_notes",'
        '"arguments":{"query":"é"}}}',
        "needs": "after initialize and notifications/initialized, on the same pipe",
        "answer": "Error calling tool 'search_notes': 'ascii' codec can't encode character",
        "stderr": "UnicodeEncodeError: 'ascii' codec can't encode (server.py:23 in search_notes)",
        "clients": "The Python SDK passes the text on as a tool error; FastMCP raises.",
    },
)
WARNING = finding(
    "warning", "DRIFT-003", "wrong-type-accepted", "It takes texts for numbers.", tool="get_note"
)
GOOD = tool("get_note", "fully_working", 41, 17, 24, 0)
BROKEN = tool("search_notes", "partially_working", 50, 35, 10, 5)
UNPROVEN = tool("get_invoice", "unproven", 12, 0, 12, 0)
UNCALLED = tool("add_note", "not_called", reason="no readOnlyHint")
DESTRUCTIVE = tool("delete_note", "not_called", reason="destructiveHint: true")
LATE = tool("stats", "not_called", reason="time ran out before it was called")
STOPPED = tool("stats", "not_called", reason="the run was interrupted before it was called")
NOTHING_CALLED = (
    "No tool was called: no readOnlyHint (2). --allow TOOL calls one, --calls all calls every "
    "tool; both may change data."
)
CUT = Limit(name="max-time", value=120, count=1, effect="calls not made")
INVOICE = [call("get_invoice", {"number": "An example", "lines": [1, None], "a b": True})]

REPORTS = {
    "all-good": report("pass", GOOD),
    "some-broken": report(
        "fail", GOOD, BROKEN, UNPROVEN, UNCALLED, DESTRUCTIVE,
        findings=[WARNING, CRASH], calls=INVOICE,
    ),
    "nothing-called": report(
        "incomplete", UNCALLED, tool("put", "not_called", reason="no readOnlyHint"),
        reason=NOTHING_CALLED,
    ),
    "calls-switched-off": report(
        "pass", *(tool(name, "not_called", reason="calls are switched off") for name in "ab"),
        reason="No tool was called: calls are switched off (2).",
    ),
    "unreachable": report(
        "incomplete",
        revision=None,
        revisions_offered=[],
        subject=ReportSubject(kind="server", command=["python", "notes.py"]),
        surface=SurfaceSize(),
        checks=[Check(rule="A-1", outcome="undecided", reason="there was no session")],
        reason="Could not reach the server: the server exited with code 7",
    ),
    "closed": report(
        "incomplete",
        revision=None,
        revisions_offered=[],
        subject=ReportSubject(kind="server", url="https://notes.example/mcp"),
        surface=SurfaceSize(),
        checks=[
            Check(rule="A-1", outcome="undecided", reason="there was no session"),
            Check(rule="AUTH-001", outcome="passed"),
            Check(rule="AUTH-002", outcome="failed"),
        ],
        reason="The server requires authorization: the server answered initialize with HTTP "
        'status 401. No token was sent: add --header "Authorization: Bearer TOKEN"',
    ),
    "cut-by-time": report(
        "incomplete", GOOD, LATE, limits=[CUT],
        reason="Time ran out after 120 s; results so far are shown.",
    ),
    "interrupted": report(
        "incomplete", GOOD, STOPPED,
        reason="The run was interrupted; results so far are shown.",
    ),
    "other-things": report(
        "pass", GOOD,
        resources=[Offer(name=None, uri="notes://all", status="fully_working", reason="read")],
        prompts=[Offer(name="summarise", status="broken", reason="it was refused")],
    ),
}  # fmt: skip


def shown(subject: Report, *, verbose: bool = False) -> str:
    return as_plain_text(full_text(subject, verbose=verbose))


@pytest.mark.parametrize("name", REPORTS)
def test_the_screen_is_as_it_was(name: str) -> None:
    screen, kept = shown(REPORTS[name]), SCREENS / f"{name}.txt"
    if os.environ.get("MCP_ASSAY_UPDATE_SNAPSHOTS"):
        kept.write_text(screen, "utf-8")
    assert screen == kept.read_text("utf-8")


def test_every_kept_screen_is_shown() -> None:
    assert {path.stem for path in SCREENS.iterdir()} == set(REPORTS)


@pytest.mark.parametrize("name", REPORTS)
def test_the_screen_fits_80_columns(name: str) -> None:
    for line in shown(REPORTS[name]).splitlines():
        assert width(line) <= 80 or line.startswith(COPIED)


@pytest.mark.parametrize("name", ["nothing-called", "calls-switched-off", "unreachable"])
def test_nothing_is_green_where_nothing_was_called(name: str) -> None:
    lines: list[Line] = list(full_text(REPORTS[name]))
    assert "pass" not in {style for line in lines for _, style in line}
    assert "PASS" not in shown(REPORTS[name])


def test_errors_come_before_warnings_and_what_was_not_tested_after_both() -> None:
    screen = shown(REPORTS["some-broken"])
    parts = ["error  RESP-004", "warning  DRIFT-003", "Not tested", "Checks:", "Next:"]
    places = [screen.index(part) for part in parts]
    assert places == sorted(places)


def test_a_long_call_stands_whole_only_in_the_command_that_repeats_it() -> None:
    long = "x" * 5000
    repeat = f"mcp-assay assess --args {long}"
    details = {"smallest": {"query": long}, "repeat": repeat}
    error = finding("error", "RESP-009", "call-timed-out", "It hangs.", tool="a", details=details)
    screen = shown(report("fail", tool("a", "broken", 1, 0, 0, 1), findings=[error]))
    assert screen.count("x") < 5000 + 500
    assert repeat in screen


def test_the_raw_line_is_for_those_who_want_everything() -> None:
    assert "  raw " not in shown(REPORTS["some-broken"])
    assert "  raw " in shown(REPORTS["some-broken"], verbose=True)


def test_hostile_and_wide_names_neither_reach_the_terminal_nor_break_the_table() -> None:
    hostile = [
        tool("\x1b[2J\u202egpj", "fully_working", 3, 3, 0, 0),
        tool("漢字" * 30, "broken", 3, 0, 0, 3),
        tool("x" * 200, "not_called", reason="no readOnlyHint"),
        tool("", "unproven", 1, 0, 1, 0),
    ]
    bad = finding("error", "RESP-004", "n", "\x1b]52;c;!\x07 fails", tool="\x1b[31m" * 40)
    screen = shown(report("fail", *hostile, findings=[bad]))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", screen)
    table = screen.split("\n\n")[1].splitlines()
    assert all(width(line) <= 80 for line in table)
    assert len({width(line[: line.index(word)]) for line, word in columns_of(table)}) == 1


def columns_of(table: list[str]) -> list[tuple[str, str]]:
    """The rows of a table, each with the word that stands in its second column."""
    words = ("verdict", "fully", "broken", "not called", "unproven")
    return [(line, word) for line in table for word in words if f"  {word}" in line]


def test_of_very_many_findings_the_first_of_each_rule_is_shown() -> None:
    many = [
        finding("warning", "TOOL-016", "no-description", f"{n} has none.", tool=f"t{n}")
        for n in range(30)
    ]
    screen = shown(report("pass", GOOD, findings=many))
    assert screen.count("TOOL-016 no-description") == 1
    assert "Message" not in screen
    everything = shown(report("pass", GOOD, findings=many), verbose=True)
    assert everything.count("TOOL-016 no-description") == 30


def test_the_rows_add_up_to_the_calls_of_the_first_line() -> None:
    compared = [call("get_note", {}, COMPARED) for _ in range(7)]
    calls = [*compared, *(call("get_note", {}) for _ in range(GOOD.called))]
    head = shown(report("pass", GOOD, calls=calls)).split("\n\n")[0]
    assert f"{GOOD.called} calls, plus 7 repeated for comparison" in head


def test_each_row_adds_up_to_its_calls() -> None:
    one = call("get_note", {})
    made = [
        *[one] * 4,
        replace(one, valid=False),
        replace(one, outcome="unproven"),
        replace(one, outcome="failed", trouble="faulty_answer"),
        replace(one, outcome="failed", trouble="crashed", valid=False),
        replace(one, outcome="passed", valid=False, sign=UNFLAGGED_ERROR),
        replace(one, outcome="undecided"),
    ]
    mixed = report("fail", replace(GOOD, called=10), calls=made)
    assert call_numbers(mixed) == {"get_note": (4, 2, 1, 2, 1)}
    above, head, row = shown(mixed).split("\n\n")[1].splitlines()
    assert above.split() == ["no", "not"]
    assert head.split()[2:8] == ["calls", "passed", "rejected", "isError", "unexpected", "decided"]
    assert row.split()[2:8] == ["10", "4", "2", "1", "2", "1"]


def test_the_numbers_of_a_row_are_taken_where_its_calls_are_not_there() -> None:
    known = replace(GOOD, called=10, succeeded=6, rejected=2, failed=3)
    assert call_numbers(report("fail", known, calls=[])) == {"get_note": (5, 2, 0, 3, 0)}


def test_what_to_write_down_is_toml() -> None:
    import tomllib  # noqa: PLC0415  only here

    made = call("get invoice", {'a "b"\n': "refused", "n": [1.5, None]})
    lines = snippet("get invoice", report("fail", UNPROVEN, calls=[made]))
    assert tomllib.loads("\n".join(lines)) == {
        "tools": {"get invoice": {"valid": [{'a "b"\n': "...", "n": "..."}]}}
    }


@pytest.mark.parametrize(
    ("text", "columns", "kept"),
    [
        ("notes", 5, "notes"),
        ("notes", 4, "no…s"),
        ("two words", 7, "two …"),
        ("node_modules/dist/index.js", 18, "node_mod…/index.js"),
        ("漢字漢字", 5, "漢…字"),
        ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
    ],
)
def test_a_text_is_cut_by_the_columns_that_it_takes(text: str, columns: int, kept: str) -> None:
    assert cut(text, columns) == kept

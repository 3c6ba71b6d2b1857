"""The report for people: verdict first, repeats folded, what to do next last."""

from __future__ import annotations

from typing import Any

from mcp_assay.model.finding import Finding, Severity, Where
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import (
    Check,
    Limit,
    Report,
    ReportSubject,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.report.as_text import full_text, short_text
from mcp_assay.text.lines import as_plain_text


def finding(line: int = 1, severity: Severity = "error", **changes: Any) -> Finding:
    members: dict[str, Any] = {
        "rule": "JSONRPC-005",
        "name": "null-request-id",
        "severity": severity,
        "subject": "client",
        "message": "The request's id is null.",
        "pointer": "/id",
        "where": Where(file="a.jsonl", line=line, column=7),
        "revision": "2025-11-25",
        "statement": "A request's id is never null.",
        "url": "",
        "reason": None,
        "details": None,
        "evidence": None,
        "fix": None,
        "cause": "JSONRPC-005",
        "fingerprint": "0123456789abcdef",
    }
    return Finding(**members | changes)


def report(*findings: Finding, outcome: RunOutcome = "fail", **changes: Any) -> Report:
    counts = [sum(f.severity == s for f in findings) for s in ("error", "warning", "info")]
    members: dict[str, Any] = {
        "tool": ToolVersion(name="mcp-assay", version="1"),
        "subject": ReportSubject(kind="messages"),
        "revision": None,
        "options": {},
        "summary": Summary(
            outcome=outcome,
            errors=counts[0],
            warnings=counts[1],
            infos=counts[2],
            messages=1200,
            sessions=1,
        ),
        "findings": list(findings),
        "checks": [Check(rule="A-1", outcome="passed"), Check(rule="B-1", outcome="failed")],
        "limits": [],
        "timing": Timing(started="", seconds=0),
    }
    return Report(**members | changes)


def shown(subject: Report, *, verbose: bool = False) -> list[str]:
    return as_plain_text(full_text(subject, verbose=verbose)).splitlines()


def test_the_verdict_comes_first_and_the_next_command_last() -> None:
    lines = shown(report(finding(severity="warning", rule="X-1"), finding()))
    assert lines[0] == "FAIL  1 error, 1 warning in 1,200 messages"
    assert lines[-2:] == [
        "Checks: 1 passed, 1 failed (--verbose shows why)",
        "Next: mcp-assay explain JSONRPC-005",
    ]


def test_a_finding_names_place_severity_rule_and_remedy() -> None:
    lines = shown(report(finding(4, evidence="null", fix="Number the request.")))
    assert lines[2:7] == [
        "a.jsonl:4:7 error JSONRPC-005 null-request-id",
        "  The request's id is null.",
        "  at       /id",
        "  seen     null",
        "  fix      Number the request.",
    ]


def test_repeats_are_folded_but_what_differs_is_not() -> None:
    other_words = finding(30, message="Another sentence.")
    lines = shown(report(*(finding(line) for line in range(1, 9)), other_words))
    assert lines[2] == "a.jsonl:1:7 error JSONRPC-005 null-request-id"
    assert lines[5] == "  also     in lines 2, 3, 4, 5, 6 and 2 more"
    assert lines[7] == "a.jsonl:30:7 error JSONRPC-005 null-request-id"


def test_verbose_spells_out_every_repeat_and_every_check() -> None:
    lines = shown(report(finding(1), finding(2)), verbose=True)
    assert [line for line in lines if line.startswith("a.jsonl")] == [
        "a.jsonl:1:7 error JSONRPC-005 null-request-id",
        "a.jsonl:2:7 error JSONRPC-005 null-request-id",
    ]
    assert "  A-1          passed" in lines


def test_quiet_is_one_line_per_finding() -> None:
    assert as_plain_text(short_text(report(finding(1), finding(2)))).splitlines() == [
        "a.jsonl:1:7 error JSONRPC-005 null-request-id  The request's id is null.",
        "a.jsonl:2:7 error JSONRPC-005 null-request-id  The request's id is null.",
    ]
    assert as_plain_text(short_text(report())) == ""


def test_limits_sessions_notes_and_revision_are_reported() -> None:
    limit = Limit(name="max-findings", value=1000, count=7, effect="the rest was counted")
    subject = report(finding(severity="info"), limits=[limit], revision="2025-06-18")
    lines = shown(subject)
    assert lines[0] == "FAIL  0 errors, 0 warnings, 1 note in 1,200 messages · 2025-06-18"
    assert "Limit max-findings (1,000): the rest was counted (7 in all)" in lines


def test_nothing_found_leads_nowhere() -> None:
    assert shown(report(outcome="pass")) == [
        "PASS  0 errors, 0 warnings in 1,200 messages",
        "",
        "Checks: 1 passed, 1 failed (--verbose shows why)",
    ]

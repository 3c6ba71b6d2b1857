"""Many findings or sessions are summed up before they are reported."""

from __future__ import annotations

from typing import Any

from mcp_assay.model.finding import Where
from mcp_assay.model.report import Cause, SessionSummary, Summary
from mcp_assay.report.as_text import closing_text
from mcp_assay.report.causes_summary import MANY_GROUPS, SESSIONS_SHOWN
from mcp_assay.text.lines import as_plain_text
from tests.report.test_as_text import finding, report, shown

CAUSE = Cause(
    severity="error",
    subject="client",
    rule="JSONRPC-005",
    name="null-request-id",
    message="The request's id is null.",
    findings=12_345,
    sessions=2,
    first=Where(file="a.jsonl", line=1, column=7),
)


def session(key: str, errors: int = 1, **changes: Any) -> SessionSummary:
    members: dict[str, Any] = {"file": "a.jsonl", "messages": 9, "warnings": 0, "partial": False}
    given = {**members, "key": key, "errors": errors, "revision": "2025-11-25", **changes}
    return SessionSummary(**given)


def summary(sessions: int) -> Summary:
    return Summary(outcome="fail", errors=1, warnings=0, infos=0, messages=9, sessions=sessions)


def of_sessions(*sessions: SessionSummary, verbose: bool = False) -> list[str]:
    counted = summary(len(sessions))
    reported = report(finding(), summary=counted, causes=[CAUSE], sessions=list(sessions))
    return shown(reported, verbose=verbose)


def test_a_cause_is_a_line_with_its_numbers_and_a_whole_sentence() -> None:
    lines = of_sessions(session("one"), session("two"))
    assert lines[2:5] == [
        "  severity at fault rule        findings sessions first seen",
        "  error    client   JSONRPC-005   12,345        2 a.jsonl:1:7",
        "    The request's id is null.",
    ]


def test_sessions_are_named_with_what_was_counted_in_them() -> None:
    lines = of_sessions(session("one", 2, partial=True), session("three"), session("fine", 0))
    assert lines[6:9] == [
        "Sessions with findings: 2",
        "  one    2 errors, 0 warnings in 9 messages · 2025-11-25 · checked only in part",
        "  three  1 error, 0 warnings in 9 messages · 2025-11-25",
    ]


def test_files_are_named_where_there_are_several() -> None:
    lines = of_sessions(session("one"), session("two", file="b.jsonl"))
    assert lines[8].endswith(" · b.jsonl")


def test_only_the_worst_sessions_are_named_unless_all_are_asked_for() -> None:
    many = [session(f"s{number}") for number in range(SESSIONS_SHOWN + 2)]
    assert f"Sessions with findings: the worst {SESSIONS_SHOWN} of 7" in of_sessions(*many)
    assert "  s6  1 error" in "\n".join(of_sessions(*many, verbose=True))


def test_of_many_findings_the_first_of_each_cause_is_reported() -> None:
    findings = [finding(line, message=f"Sentence {line}.") for line in range(MANY_GROUPS + 1)]
    lines = shown(report(*findings, finding(99, rule="X-1"), causes=[CAUSE]))
    headlines = [line for line in lines if line.startswith("a.jsonl")]
    assert [line.split()[2] for line in headlines] == ["JSONRPC-005", "X-1"]


def test_one_session_with_few_findings_needs_no_summary() -> None:
    assert not any("severity" in line for line in shown(report(finding(), causes=[CAUSE])))


def test_when_all_findings_were_shown_the_rest_follows() -> None:
    lines = as_plain_text(closing_text(report(finding()))).splitlines()
    assert lines[:2] == ["", "FAIL  1 error, 0 warnings in 1,200 messages"]
    assert not any("a.jsonl" in line for line in lines)
    assert as_plain_text(closing_text(report(outcome="pass"))).startswith("PASS")

"""The first words about a run say no more than it showed, and what it did not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace

from mcp_assay.model.report import BaselineOutcome, Limit, Report
from mcp_assay.model.tool import ToolRow
from mcp_assay.report.assessment import assessment_text
from mcp_assay.report.headline import MOST_REASONS, mostly_unproven, not_shown, verdict, why
from tests.report.reports import finding, report

SEEN = {"tools_listed": 2, "tools_called": 2, "tools_succeeded": 2}
CLEAN = {"errors": 0, "warnings": 0, "infos": 0, "outcome": "pass"}


def changed(summary: dict[str, Any], **more: Any) -> Report:
    small = report("x", more.pop("findings", []))
    return replace(small, summary=replace(small.summary, **summary), **more)


@pytest.mark.parametrize(
    ("summary", "word", "tone"),
    [
        ({"outcome": "fail"}, "Not ready", "bad"),
        ({"outcome": "incomplete"}, "Incomplete", "unsure"),
        ({**CLEAN, **SEEN}, "No problems found", "good"),
        ({**CLEAN, **SEEN, "tools_succeeded": 1}, "No problems found in what was tested", "unsure"),
        ({**CLEAN, **SEEN, "tools_called": 0}, "No tool was called", "unsure"),
        ({**CLEAN, **dict.fromkeys(SEEN, 0)}, "No problems found", "unsure"),
        ({**CLEAN, **SEEN, "warnings": 1}, "Passed with 1 warning", "unsure"),
        (
            {**CLEAN, **SEEN, "errors": 2, "warnings": 1},
            "Passed with 2 errors and 1 warning",
            "unsure",
        ),
    ],
)
def test_the_verdict_is_good_only_where_all_was_seen(
    summary: dict[str, Any], word: str, tone: str
) -> None:
    found = verdict(changed(summary))
    assert (found.word, found.tone) == (word, tone)


def test_at_most_three_reasons_are_given_the_gravest_first_and_no_rule_twice() -> None:
    findings = [
        replace(finding("x", "warning", 0), rule="DRIFT-001"),
        replace(finding("x", "error", 1), rule="CALL-003"),
        replace(finding("x", "error", 2), rule="CALL-003"),
        replace(finding("x", "error", 3), rule="RESP-004"),
        replace(finding("x", "warning", 4), rule="DRIFT-003"),
    ]
    title, reasons = why(changed({"outcome": "incomplete"}, findings=findings))
    assert title == "Why this run is incomplete"
    assert [reason.finding for reason in reasons] == [1, 3, 0]
    assert len(reasons) == MOST_REASONS
    title, reasons = why(changed({"outcome": "fail"}, findings=findings))
    assert title == "Why not ready"
    assert [reason.finding for reason in reasons] == [1, 3]
    strict = changed({"outcome": "fail"}, findings=findings, options={"fail_on": "warning"})
    assert [reason.finding for reason in why(strict)[1]] == [1, 3, 0]


def test_a_run_that_broke_off_says_why_before_anything_else() -> None:
    summary = {"outcome": "incomplete", "reason": "Time ran out."}
    _, reasons = why(changed(summary, findings=[finding("x")]))
    assert reasons[0].text == "Time ran out."


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ({**CLEAN, **SEEN}, "Nothing was found. 1 check passed."),
        ({"outcome": "fail", "errors": 3}, "3 errors: counted, but not included in this report."),
    ],
)
def test_where_no_finding_is_kept_the_numbers_speak(summary: dict[str, Any], words: str) -> None:
    assert [reason.text for reason in why(changed(summary))[1]] == [words]


def test_too_few_tools_are_a_reason() -> None:
    summary = {"outcome": "fail", **SEEN, "tools_succeeded": 1}
    _, reasons = why(changed(summary, options={"min_tools": "2"}))
    assert [reason.text for reason in reasons] == ["1 tool succeeded; --min-tools requires 2."]


def tool(name: str, status: str, reason: str = "", **more: Any) -> ToolRow:
    return convert({"name": name, "status": status, "reason": reason, **more}, ToolRow)


def test_what_is_not_shown_names_tools_reasons_and_remedies() -> None:
    tools = [
        tool("add", "not_called", "no readOnlyHint"),
        tool("put", "not_called", "no readOnlyHint"),
        tool("drop", "not_called", "destructiveHint: true"),
        tool("export", "unproven", "no call succeeded"),
        tool("sort", "partially_working", coverage={"not_reached": ["a", "b", "c"]}),
    ]
    accepted = BaselineOutcome(accepted=[finding("x")])
    limits = [Limit(name=f"l{number}", value=1, count=1, effect="cut") for number in range(3)]
    shown = changed({}, tools=tools, limits=limits, baseline=accepted)
    reported = [(gap.text, gap.remedy, gap.link) for gap in not_shown(shown)]
    assert reported == [
        ("add, put: not called: no readOnlyHint", "--allow NAME", ""),
        ("drop: not called: destructiveHint: true", "--allow drop", ""),
        ("export: no call succeeded", "", ""),
        ("sort: a", "", ""),
        ("sort: b", "", ""),
        ("1 more values or arguments were not covered", "", "tools"),
        ("Checks: 1 undecided", "", "checks"),
        ("1 finding accepted by the baseline", "", ""),
        ("Limit l0: cut", "", "limits"),
        ("Limit l1: cut", "", "limits"),
        ("1 more limits were reached", "", "limits"),
    ]


def row(status: str, called: int = 3) -> ToolRow:
    return convert(
        {"name": status, "status": status, "reason": "", "confidence": None, "called": called},
        ToolRow,
    )


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        (["unproven", "unproven", "fully_working"], "2 of 3 called tools unproven"),
        (["connectivity_only"], "1 of 1 called tool unproven"),
        (["unproven", "not_called", "not_called"], "1 of 1 called tool unproven"),
        (["unproven", "fully_working"], ""),
        (["fully_working", "not_called"], ""),
        (["broken", "partially_working"], ""),
        ([], ""),
    ],
)
def test_a_run_that_proved_little_says_so_first(statuses: list[str], words: str) -> None:
    seen = changed({**CLEAN, **SEEN}, tools=[row(status) for status in statuses])
    assert mostly_unproven(seen) == words
    is_said = bool(words) and words in next(assessment_text(seen))[0][0]
    assert is_said is bool(words)

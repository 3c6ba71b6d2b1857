"""Where several tools share a fault, each still has its own reason and its own fix on screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from mcp_assay.model.finding import Finding, Severity, Where
from mcp_assay.model.report import Report, ReportSubject, Summary, Timing, ToolVersion
from mcp_assay.report.as_markdown import to_markdown
from mcp_assay.report.finding_text import MOST_OWN_WORDS, finding_sections, finding_text
from mcp_assay.report.shared_faults import SAID_TOGETHER, folded, for_people
from mcp_assay.rules.behaviour.causes import FRAMEWORKS, with_causes
from mcp_assay.spec.catalogue import CATALOGUE

RULES: Final = tuple(rule for rule in SAID_TOGETHER if rule in CATALOGUE)


def finding(
    tool: str,
    says: str,
    fix: str | None = "Mend it.",
    *,
    rule: str = "CALL-007",
    severity: Severity = "warning",
) -> Finding:
    return Finding(
        rule=rule,
        name="some-fault",
        severity=severity,
        subject="server",
        message=f'Tool "{tool}" {says}.',
        pointer="",
        where=Where(tool=tool),
        revision="2025-11-25",
        statement="It is so.",
        url="",
        reason=None,
        details={},
        evidence=None,
        fix=fix,
        cause=f"{rule} {tool}",
        fingerprint=f"{rule}{tool}"[:16],
    )


def report(findings: Sequence[Finding]) -> Report:
    return Report(
        tool=ToolVersion(name="mcp-assay", version="1"),
        subject=ReportSubject(kind="server"),
        revision="2025-11-25",
        options={},
        summary=Summary(outcome="pass", errors=0, warnings=0, infos=0, messages=1, sessions=1),
        findings=list(findings),
        checks=[],
        causes=[],
        sessions=[],
        limits=[],
        timing=Timing(started="", seconds=0.0),
        seed=0,
    )


def screen(findings: Sequence[Finding]) -> str:
    """What people read, in one line: where lines break does not matter here."""
    shown = for_people(report(findings))
    lines = [line for it in finding_sections(shown) for line in finding_text(it)]
    return " ".join(" ".join(part for part, _ in line).strip() for line in lines)


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("rule", RULES)
def test_each_tool_has_its_own_reason(rule: str) -> None:
    found = [
        finding("a", 'takes "x" for "id"', rule=rule),
        finding("b", "takes nothing", rule=rule),
    ]
    text = flat(screen(found))
    assert SAID_TOGETHER[rule] in text
    assert '- Tool "a" takes "x" for "id".' in text
    assert '- Tool "b" takes nothing.' in text
    assert text.count("Mend it.") == 1


@pytest.mark.parametrize("rule", RULES)
def test_each_tool_has_its_own_fix(rule: str) -> None:
    fixes = {"a": 'Refuse "x".', "b": "Ask for the id."}
    found = [finding(tool, f"is wrong at {tool}", fix, rule=rule) for tool, fix in fixes.items()]
    text = flat(screen(found))
    for tool, fix in fixes.items():
        own = text.index(f"is wrong at {tool}.")
        assert text.index(fix) > own
        assert text.count(fix) == 1
    assert text.index('Refuse "x".') < text.index("is wrong at b.")


@pytest.mark.parametrize("rule", RULES)
def test_the_same_words_are_said_once(rule: str) -> None:
    text = flat(screen([finding(tool, "takes anything", rule=rule) for tool in "abc"]))
    assert "- Tool" not in text
    assert (text.count(SAID_TOGETHER[rule]), text.count("Mend it.")) == (1, 1)


def test_tools_of_which_the_same_is_said_are_named_with_it() -> None:
    found = [finding(tool, "takes anything") for tool in "abc"] + [finding("d", "takes numbers")]
    text = flat(screen(found))
    assert '- Tool "a" takes anything. also b, c - Tool "d" takes numbers.' in text


def test_one_tool_with_two_faults_keeps_its_findings() -> None:
    found = [finding("a", "takes anything"), finding("a", "takes numbers")]
    assert list(folded(found)) == found


def test_what_is_an_error_in_one_and_a_warning_in_another_tool_stays_apart() -> None:
    found = [finding("a", "takes anything", severity="error"), finding("b", "takes numbers")]
    assert list(folded(found)) == found


@pytest.mark.parametrize("severity", ["warning", "info"])
def test_many_tools_are_cut_and_the_rest_is_counted(severity: Severity) -> None:
    number = MOST_OWN_WORDS + 3
    found = [finding(f"t{it}", f"takes {it}", severity=severity) for it in range(number)]
    text = flat(screen(found))
    assert text.count("- Tool") == MOST_OWN_WORDS
    assert "- and 3 more (--verbose lists all)" in text


def test_who_has_an_error_is_never_hidden() -> None:
    found = [finding(f"t{it}", f"takes {it}", severity="error") for it in range(30)]
    assert flat(screen(found)).count("- Tool") == len(found)


def test_a_fault_without_a_fix_needs_none() -> None:
    text = flat(screen([finding("a", "takes x", None), finding("b", "takes y", None)]))
    assert "fix" not in text


def test_a_habit_of_a_framework_is_said_of_all_and_not_of_each() -> None:
    found = [finding(tool, f"converts {tool}", rule="DRIFT-003") for tool in "ab"]
    text = flat(screen(list(with_causes(found, FRAMEWORKS[0]))))
    assert text.count("FastMCP converts") == 1
    assert text.count("strict_input_validation") == 1
    assert '- Tool "a" converts a. - Tool "b" converts b.' in text


def test_markdown_has_them_too() -> None:
    found = [finding("a", "takes x", "Refuse x."), finding("b", "takes y", "Refuse y.")]
    text = to_markdown(report(found))
    assert "takes x. Fix: Refuse x." in text
    assert "takes y. Fix: Refuse y." in text

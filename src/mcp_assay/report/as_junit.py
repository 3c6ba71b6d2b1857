"""Report -> JUnit XML: a suite for each tool and each family of rules, a case for each check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import failing
from mcp_assay.model.report import Check, CheckOutcome, Report
from mcp_assay.model.tool import ToolRow
from mcp_assay.report.footer import CHECK_WORDS, SEVERITY_WORDS, expected
from mcp_assay.report.tool_table import STATUS_WORDS
from mcp_assay.text.safe import plain, shorten

Result: TypeAlias = Literal["passed", "failure", "skipped"]

LONGEST_BODY: Final = 4000
LINE_END: Final = "\n"
WHOLE: Final = ("tests", "failures", "errors")
SUITE: Final = (*WHOLE, "skipped")
"""What is counted where: the schema of Jenkins knows no skipped tests of all suites together."""
TOOLS: Final[Mapping[str, Result]] = {
    "fully_working": "passed",
    "partially_working": "skipped",
    "connectivity_only": "skipped",
    "unproven": "skipped",
    "not_called": "skipped",
    "broken": "failure",
}
"""What the status of a tool is in words that CI systems know; only what was shown passes."""
CHECKS: Final[Mapping[CheckOutcome, Result]] = {"passed": "passed"}
"""A check that neither passed nor was broken was not made."""


class JunitCase(Struct, frozen=True):
    """One line of a suite."""

    name: str
    result: Result
    message: str = ""
    body: str = ""


def to_junit(report: Report) -> str:
    """The report as JUnit XML; findings below --fail-on are cases that were skipped."""
    suites = dict(_suites(report))
    cases = [case for suite in suites.values() for case in suite]
    head = f"<testsuites name={_quoted('mcp-assay')} {_counts(cases, WHOLE)}>"
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', head]
    for name, suite in suites.items():
        parts += _suite(name, suite, report)
    return "\n".join((*parts, "</testsuites>", ""))


def _suites(report: Report) -> Iterator[tuple[str, list[JunitCase]]]:
    of_tools: dict[str, list[Finding]] = {tool.name: [] for tool in report.tools}
    of_rules: dict[str, list[Finding]] = {}
    for finding in report.findings:
        if finding.where.tool is not None:
            of_tools.setdefault(finding.where.tool, []).append(finding)
        else:
            of_rules.setdefault(finding.rule, []).append(finding)
    known = {tool.name: tool for tool in report.tools}
    for name, findings in of_tools.items():
        status = [_status(known[name])] if name in known else []
        yield f"tool {name}", [*status, *(_case(it, report) for it in findings)]
    yield from _families(report, of_rules)


def _families(
    report: Report, found: dict[str, list[Finding]]
) -> Iterator[tuple[str, list[JunitCase]]]:
    families: dict[str, list[JunitCase]] = {}
    for check in report.checks:
        cases = families.setdefault(_family(check.rule), [])
        broken = found.pop(check.rule, [])
        if broken:
            cases.extend(_case(finding, report) for finding in broken)
        elif check.outcome not in ("failed", "warned"):
            cases.append(_check(check))
    for rule, broken in found.items():
        cases = families.setdefault(_family(rule), [])
        cases.extend(_case(finding, report) for finding in broken)
    yield from ((f"rules {name}", cases) for name, cases in families.items())


def _family(rule: str) -> str:
    return rule.rpartition("-")[0]


def _status(tool: ToolRow) -> JunitCase:
    words = STATUS_WORDS[tool.status]
    return JunitCase(f"verdict: {words}", TOOLS[tool.status], tool.reason or words)


def _check(check: Check) -> JunitCase:
    reason = check.reason or CHECK_WORDS[check.outcome]
    return JunitCase(check.rule, CHECKS.get(check.outcome, "skipped"), reason)


def _case(finding: Finding, report: Report) -> JunitCase:
    is_fatal = finding.severity in failing(report.options.get("fail_on"))
    result: Result = "failure" if is_fatal else "skipped"
    message = f"{SEVERITY_WORDS[finding.severity]}: {finding.message}"
    return JunitCase(f"{finding.rule} {finding.name}", result, message, "\n".join(_body(finding)))


def _body(finding: Finding) -> Iterator[str]:
    where = finding.where
    yield f"fingerprint {finding.fingerprint}"
    yield finding.message
    if where.file:
        yield f"at {where.file}:{where.line or 1}"
    if finding.pointer:
        yield f"pointer {finding.pointer}"
    if finding.evidence:
        yield f"seen {finding.evidence}"
    if finding.fix:
        yield f"fix {finding.fix}"
    repeat = (finding.details or {}).get("repeat")
    if isinstance(repeat, str):
        yield f"repeat {repeat}"
    yield f"{expected(finding.statement)} {finding.url}".strip()


def _suite(name: str, cases: list[JunitCase], report: Report) -> Iterator[str]:
    started = report.timing.started.rstrip("Z")
    counts = _counts(cases, SUITE)
    yield f"<testsuite name={_quoted(name)} {counts} timestamp={_quoted(started)}>"
    owner = _quoted(f"mcp-assay.{name}")
    for case in cases:
        head = f'<testcase classname={owner} name={_quoted_name(case.name)} time="0"'
        if case.result == "passed":
            yield f"{head}/>"
        else:
            shown_parts = f"{case.result} message={_quoted(case.message)}"
            body = escape(_safe(case.body), quote=False)
            yield f"{head}><{shown_parts}>{body}</{case.result}></testcase>"
    yield "</testsuite>"


def _counts(cases: list[JunitCase], shown_parts: tuple[str, ...]) -> str:
    results = Counter(case.result for case in cases)
    numbers = {
        "tests": len(cases),
        "failures": results["failure"],
        "errors": 0,
        "skipped": results["skipped"],
    }
    return " ".join(f'{name}="{numbers[name]}"' for name in shown_parts)


def _quoted(text: str) -> str:
    return f'"{escape(_safe(text).replace(LINE_END, " "))}"'


@lru_cache(maxsize=1024)
def _quoted_name(name: str) -> str:
    return _quoted(name)


def _safe(text: str) -> str:
    """The text with nothing in it that XML cannot hold: the characters that plain() shows."""
    shown = shorten(text, LONGEST_BODY)
    if shown.isascii() and shown.replace(LINE_END, "").isprintable():
        return shown
    return LINE_END.join(plain(line) for line in shown.split(LINE_END))

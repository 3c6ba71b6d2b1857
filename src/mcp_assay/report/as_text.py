"""Report -> lines for people: the verdict, the findings, what was not decided, what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_assay.findings.tally import CauseKey, cause_of
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.report.causes_summary import is_large, place, summary
from mcp_assay.report.footer import (
    SEVERITY_WORDS,
    baseline,
    checks,
    limits,
    listed,
    next_step,
    overdue_entries,
    size,
)
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    broken,
    counted,
    indented,
    labelled,
    said,
    sentences,
)

WORDS: dict[str, tuple[str, Style]] = {
    "pass": ("PASS", "pass"),
    "fail": ("FAIL", "fail"),
    "incomplete": ("INCOMPLETE", "warning"),
}
MARGIN = 6
PLACES_SHOWN = 5
"""How many places of a repeated finding are named before the rest is counted."""


def full_text(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """The whole report; `verbose` spells out every repeat, session and check."""
    if report.command == "assess":
        from mcp_assay.report.assessment import (  # noqa: PLC0415  files and traces need none of it
            assessment_text,
        )

        yield from assessment_text(report, verbose=verbose)
        return
    yield from _verdict(report)
    yield BLANK
    groups = [[f] for f in report.findings] if verbose else _folded(report.findings)
    needs_summary = is_large(report, groups)
    if needs_summary:
        yield from summary(report, verbose=verbose)
    for group in _first_of_each_cause(groups) if needs_summary and not verbose else groups:
        yield from _finding(group)
        yield BLANK
    yield from _ending(report, verbose)


def closing_text(report: Report, *, verbose: bool = False) -> Iterator[Line]:
    """What is left to say when every finding has been shown: the verdict and what it rests on."""
    if report.findings:
        yield BLANK
    yield from _verdict(report)
    if is_large(report, _folded(report.findings)):
        yield BLANK
        yield from summary(report, verbose=verbose)
    yield from _ending(report, verbose)


def short_text(report: Report) -> Iterator[Line]:
    """Print only one line per finding."""
    return map(finding_line, report.findings)


def finding_line(finding: Finding) -> Line:
    """A finding on one line: where, what rule, what is wrong."""
    return (*_headline(finding), (f"  {finding.message}", ""))


def _ending(report: Report, verbose: bool) -> Iterator[Line]:
    yield from baseline(report)
    yield from limits(report)
    if not _is_unreached(report):
        yield from size(report.surface, verbose=verbose) if report.surface else ()
        yield from checks(report, verbose=verbose)
    yield from next_step(report.findings)


def _is_unreached(report: Report) -> bool:
    """Whether there was no server whose definitions could be judged."""
    return report.command == "lint" and report.revision is None


def _verdict(report: Report) -> Iterator[Line]:
    """The verdict, what it rests on, and what is lacking."""
    shown_parts = "nothing was checked" if _is_unreached(report) else _numbers(report)
    yield (WORDS[report.summary.outcome], (f"  {shown_parts}", ""))
    for line in broken(report.summary.reason, SCREEN - MARGIN) if report.summary.reason else ():
        yield indented(said(line, "warning"), MARGIN)


def _numbers(report: Report) -> str:
    summary = report.summary
    numbers = [counted(summary.errors, "error"), counted(summary.warnings, "warning")]
    if summary.infos:
        numbers.append(counted(summary.infos, "note"))
    seen = [f"{', '.join(numbers)} in {_judged(report)}"]
    seen += [stale] if (stale := overdue_entries(report)) else []
    if summary.sessions > 1:
        seen.append(counted(summary.sessions, "session"))
    if report.revision:
        seen.append(report.revision)
    return " · ".join(seen)


def _judged(report: Report) -> str:
    """What was judged: messages, or what a server lists."""
    if report.surface is None:
        return counted(report.summary.messages, "message")
    return listed(report.surface)


def _folded(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The findings that say the same of the same file, be it of several tools, together."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        is_of_tool = finding.where.tool is not None
        fault = f"{finding.rule} {finding.severity}" if is_of_tool else finding.fingerprint
        groups.setdefault((fault, finding.message, finding.where.file or ""), []).append(finding)
    return list(groups.values())


def _first_of_each_cause(groups: Iterable[list[Finding]]) -> list[list[Finding]]:
    first: dict[CauseKey, list[Finding]] = {}
    for group in groups:
        first.setdefault(cause_of(group[0]), group)
    return list(first.values())


def _finding(group: list[Finding]) -> Iterator[Line]:
    first = group[0]
    yield _headline(first)
    yield from sentences(first.message)
    if first.pointer not in first.message:
        yield from labelled("at", first.pointer)
    if first.evidence:
        yield from labelled("seen", first.evidence)
    if first.fix:
        yield from labelled("fix", first.fix)
    if len(group) > 1:
        yield from labelled("also", _places(group[1:]))


def _headline(finding: Finding) -> Line:
    where = place(finding.where) or (finding.where.tool or "")
    return (
        (where and where + " ", "strong"),
        (SEVERITY_WORDS[finding.severity], finding.severity),
        (f" {finding.rule} {finding.name}", ""),
    )


def _places(group: list[Finding]) -> str:
    shown = [f"{f.where.line}" if f.where.line else place(f.where) for f in group[:PLACES_SHOWN]]
    rest = len(group) - len(shown)
    places = ", ".join(shown) + (f" and {rest:,} more" if rest else "")
    return f"in {'line' if len(group) == 1 else 'lines'} {places}"

"""The last lines of every report: limits that cut, what became of the rules, what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import MAX_CALLS, CheckOutcome, Report
from mcp_assay.report.lines import Line, counted, indented, said

CHECK_WORDS: Mapping[CheckOutcome, str] = {
    "passed": "passed",
    "failed": "failed",
    "warned": "warned",
    "not_declared": "not declared",
    "not_testable": "not testable",
    "undecided": "undecided",
    "skipped": "skipped",
}
WHY: Mapping[str, str] = {
    "stale": "does not occur any more; take it out, or run --update-baseline",
    "expired": "was accepted until {day}; mend it, or give it another day",
}
"""Why an entry of a baseline fails a run."""
RAISED_BY: Mapping[str, str] = {"max-time": "--max-time", "max-findings": "--max-findings"}
"""The options that raise a limit."""


def limits(report: Report) -> Iterator[Line]:
    """Every limit that cut something, but for what stands among the untested."""
    for limit in report.limits:
        if limit.name == MAX_CALLS:
            continue
        option = RAISED_BY.get(limit.name) if report.seed is not None else None
        raised = f"; {option} raises it" if option else ""
        often = "once" if limit.count == 1 else f"{limit.count:,} times"
        facts = f"{limit.name} {limit.value:,}, {often}{raised}"
        yield said(f"Limit: {limit.effect} ({facts})")


def baseline(report: Report) -> Iterator[Line]:
    """What the baseline took out of the report, and which of its entries have had their day."""
    known = report.baseline
    if known is None:
        return
    for overdue in known.overdue:
        entry = overdue.entry
        about = f"{entry.rule} {entry.tool}" if entry.tool else entry.rule
        why = WHY[overdue.why].format(day=entry.expires)
        yield said(f"Baseline: {about} {why} (fingerprint {entry.fingerprint})", "error")
    if known.accepted:
        yield said(f"Baseline: {counted(len(known.accepted), 'finding')} accepted")


def checks(report: Report, *, verbose: bool) -> Iterator[Line]:
    """How many rules passed, failed and stayed open; `verbose` tells of each, and why."""
    outcomes = Counter(check.outcome for check in report.checks)
    told = [f"{outcomes[key]} {word}" for key, word in CHECK_WORDS.items() if outcomes[key]]
    hint = "" if verbose else " (--verbose says why)"
    yield said(f"Checks: {', '.join(told)}{hint}")
    for check in report.checks if verbose else ():
        reason = f"  {check.reason}" if check.reason else ""
        yield indented(said(f"{check.rule:<12} {CHECK_WORDS[check.outcome]:<10}{reason}"))


def next_step(findings: Iterable[Finding]) -> Iterator[Line]:
    """Where to read on about the gravest finding."""
    for finding in sorted(findings, key=lambda f: f.severity != "error")[:1]:
        yield said(f"Next: mcp-assay explain {finding.rule}")

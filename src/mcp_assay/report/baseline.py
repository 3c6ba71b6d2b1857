"""A report held against what a project accepts: known findings go, what is overdue is reported."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

import msgspec
from msgspec.structs import replace

from mcp_assay.drift.decided import Looked, is_about_definitions
from mcp_assay.model.baseline import Baseline, BaselineEntry, BaselineRun, Overdue
from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.outcome import is_failing
from mcp_assay.model.report import BaselineOutcome, Report, Summary
from mcp_assay.report.as_json import json_text

UNREADABLE: Final = "is not an mcp-assay baseline"


class WrongBaseline(ValueError):
    """A baseline that cannot be used; the text says where and why."""


def read_baseline(text: bytes) -> Baseline:
    """The baseline that a file holds; raises WrongBaseline."""
    try:
        baseline = msgspec.json.decode(text, type=Baseline)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise WrongBaseline(f"{UNREADABLE}: {fault}") from None
    for entry in baseline.entries:
        _last_day(entry)
    return baseline


def write_baseline(report: Report, known: Baseline) -> str:
    """The baseline that accepts every finding of a report; reasons and days of old ones stay."""
    before, run = {entry.fingerprint: entry for entry in known.entries}, _run(report)
    looked = Looked(report)
    undecided = [it for it in known.entries if not _is_decided(it, looked, run)]
    made = {it.fingerprint: it for it in (*undecided, *(_entry(f) for f in _all(report)))}
    kept = [
        replace(entry, reason=old.reason, expires=old.expires)
        if (old := before.get(entry.fingerprint))
        else entry
        for entry in made.values()
    ]
    entries = sorted(kept, key=lambda it: (it.rule, it.tool or "", it.fingerprint))
    baseline = Baseline(run=run, entries=entries)
    return json_text(msgspec.to_builtins(baseline))


def accepted(report: Report, baseline: Baseline, today: date) -> Report:
    """The report without the findings that are accepted today, and with what is overdue."""
    overdue = list(_overdue(report, baseline, today))
    expired = {it.entry.fingerprint for it in overdue if it.why == "expired"}
    valid = {it.fingerprint for it in baseline.entries} - expired
    gone = [finding for finding in report.findings if finding.fingerprint in valid]
    left = [finding for finding in report.findings if finding.fingerprint not in valid]
    summary = _without(report.summary, gone)
    if summary.outcome != "incomplete":
        fails = bool(overdue) or _fails(report, summary)
        summary = replace(summary, outcome="fail" if fails else "pass")
    outcome = BaselineOutcome(accepted=gone, overdue=overdue)
    return replace(report, findings=left, summary=summary, baseline=outcome)


def _overdue(report: Report, baseline: Baseline, today: date) -> Iterator[Overdue]:
    found, looked = {finding.fingerprint for finding in _all(report)}, Looked(report)
    for entry in baseline.entries:
        last = _last_day(entry)
        if last is not None and last < today:
            yield Overdue(entry=entry, why="expired")
        elif entry.fingerprint not in found and _is_decided(entry, looked, baseline.run):
            yield Overdue(entry=entry, why="stale")


def _is_decided(entry: BaselineEntry, looked: Looked, run: BaselineRun) -> bool:
    """Whether this run would have found it again, were it still there."""
    is_incomplete = looked.report.summary.outcome == "incomplete"
    if is_incomplete or looked.why_silent(entry.rule, entry.tool) is not None:
        return False
    rests_on_calls = entry.tool is not None and not is_about_definitions(entry.rule)
    return not rests_on_calls or run == _run(looked.report)


def _run(report: Report) -> BaselineRun:
    return BaselineRun(seed=report.seed, max_calls=report.options.get("max_calls"))


def _entry(finding: Finding) -> BaselineEntry:
    return BaselineEntry(
        fingerprint=finding.fingerprint,
        rule=finding.rule,
        tool=finding.where.tool,
        message=finding.message,
    )


def _all(report: Report) -> list[Finding]:
    hidden = report.baseline.accepted if report.baseline else []
    return [*report.findings, *hidden]


def _without(summary: Summary, gone: list[Finding]) -> Summary:
    counts = {
        kind: sum(it.severity == kind for it in gone) for kind in ("error", "warning", "info")
    }
    return replace(
        summary,
        errors=summary.errors - counts["error"],
        warnings=summary.warnings - counts["warning"],
        infos=summary.infos - counts["info"],
    )


def _fails(report: Report, left: Summary) -> bool:
    """Whether the run fails by what is left, or failed by something that is no finding."""
    fail_on = report.options.get("fail_on")
    if is_failing(_counts(left), fail_on):
        return True
    is_explained = is_failing(_counts(report.summary), fail_on)
    return report.summary.outcome == "fail" and not is_explained


def _counts(summary: Summary) -> dict[Severity, int]:
    return {"error": summary.errors, "warning": summary.warnings, "info": summary.infos}


def _last_day(entry: BaselineEntry) -> date | None:
    if entry.expires is None:
        return None
    try:
        return date.fromisoformat(entry.expires)
    except ValueError:
        words = f"{entry.expires!r} is not a date such as 2026-12-31"
        raise WrongBaseline(f"entry {entry.fingerprint}: {words}") from None

"""Two reports -> Comparison: what is new, fixed, changed, and whether it got worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.drift.advice import as_advised
from mcp_assay.drift.comparison import (
    Change,
    Comparison,
    DiffOutcome,
    DiffSummary,
    FindingChanges,
    Grade,
    ToolChange,
    ToolMove,
    by_gravity,
)
from mcp_assay.drift.definitions import Containment
from mcp_assay.drift.findings import Wanted, finding_changes
from mcp_assay.drift.runs import differences_between, side
from mcp_assay.drift.statuses import NOT_REACHED, is_unreached, tool_changes
from mcp_assay.drift.surfaces import listed, surface_changes
from mcp_assay.model.finding import Severity
from mcp_assay.model.outcome import FATAL, FailOn
from mcp_assay.model.report import Report, ToolVersion

Likeness: TypeAlias = Literal["same", "differs", "not_repeated"]
"""All is as it was; something is not; some of it was not looked at this time."""
MOVED: Final[frozenset[ToolMove]] = frozenset({"worse", "better", "new", "gone", "called_now"})


def likeness(comparison: Comparison) -> Likeness:
    """Whether a run found what the run found that it repeats."""
    found, moves = comparison.findings, {tool.change for tool in comparison.tools}
    if found.new or found.fixed or found.changed or moves & MOVED or not comparison.is_same_surface:
        return "differs"
    return "not_repeated" if found.not_looked_at or moves else "same"


class ComparisonOptions(Struct, frozen=True, kw_only=True):
    """How to compare."""

    version: str
    """Of the mcp-assay that compares."""
    fail_on: FailOn = "error"
    wanted: Wanted
    files: tuple[str | None, str | None] = (None, None)


def compare_reports(
    old: Report, new: Report, options: ComparisonOptions, containment: Containment | None = None
) -> Comparison:
    """Everything in which two reports differ, and whether the new one is worse."""
    findings = finding_changes(old, new, options.wanted)
    tools = tool_changes(old, new)
    found = [*old.findings, *(old.baseline.accepted if old.baseline else ())]
    changes = surface_changes(listed(old), listed(new), containment)
    drift = by_gravity(list(as_advised(changes, found)))
    before, now = side(old, options.files[0]), side(new, options.files[1])
    has_moved = before.surface_sha256 != now.surface_sha256
    regressions = list(_regressions(findings, tools, drift, FATAL[options.fail_on]))
    if is_unreached(new) and not is_unreached(old):
        regressions.append(NOT_REACHED)
    differs = any((findings.new, findings.fixed, findings.changed, findings.not_looked_at,
                   tools, drift, has_moved))  # fmt: skip
    outcome: DiffOutcome = "worse" if regressions else "changed" if differs else "same"
    return Comparison(
        tool=ToolVersion(name="mcp-assay", version=options.version),
        old=before,
        new=now,
        fail_on=options.fail_on,
        summary=_summary(outcome, regressions, findings, tools, drift),
        notes=differences_between(old, new),
        findings=findings,
        tools=tools,
        drift=drift,
    )


def _regressions(
    findings: FindingChanges,
    tools: list[ToolChange],
    drift: list[Change],
    fatal: tuple[Severity, ...],
) -> Iterator[str]:
    """What makes it worse, in a few words each."""
    new = Counter((it.finding.severity, it.not_looked_at is None) for it in findings.new)
    graver = sum(
        it.new.severity in fatal and it.old.severity not in fatal for it in findings.changed
    )
    for severity in fatal:
        if number := new[severity, True]:
            yield _counted(number, f"new {severity}")
        if number := new[severity, False]:
            yield f"{_counted(number, severity)} that OLD did not check"
    if graver:
        yield _counted(graver, "graver finding")
    if number := sum(tool.change == "worse" for tool in tools):
        yield f"{_counted(number, 'tool')} worse"
    if number := _number(drift, "breaking"):
        yield _counted(number, "breaking change")


def _summary(
    outcome: DiffOutcome,
    regressions: list[str],
    findings: FindingChanges,
    tools: list[ToolChange],
    drift: list[Change],
) -> DiffSummary:
    moves = Counter(tool.change for tool in tools)
    return DiffSummary(
        outcome=outcome,
        regressions=regressions,
        new=len(findings.new),
        fixed=len(findings.fixed),
        changed=len(findings.changed),
        not_looked_at=len(findings.not_looked_at),
        tools_worse=moves["worse"],
        tools_better=moves["better"],
        breaking=_number(drift, "breaking"),
        risky=_number(drift, "risky"),
        cosmetic=_number(drift, "cosmetic"),
    )


def _number(drift: list[Change], grade: Grade) -> int:
    return sum(change.grade == grade for change in drift)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

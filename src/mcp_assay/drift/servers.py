"""Two runs on several servers, held against each other: format `mcp-assay/diffs/1`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from mcp_assay.drift.comparison import Comparison, DiffOutcome
from mcp_assay.drift.definitions import Containment
from mcp_assay.drift.reports import ComparisonOptions, compare_reports
from mcp_assay.model.outcome import FailOn
from mcp_assay.model.report import Report, ToolVersion

SCHEMA: Literal["mcp-assay/diffs/1"] = "mcp-assay/diffs/1"
ServerMove: TypeAlias = Literal["compared", "added", "removed"]
LEAST_SHARED: Final = 2
"""What so many servers or more have in common, all of them, is said once."""


class Several(Struct, frozen=True, kw_only=True):
    """What one run found out about several servers."""

    file: str | None = None
    reports: Mapping[str, Report]
    skipped: Mapping[str, str] = {}
    """The servers that were switched off, and why."""


class ServerChange(Struct, frozen=True, kw_only=True):
    """One server: what differs in what is known of it, or that only one of the runs knows it."""

    name: str
    change: ServerMove
    reason: str = ""
    """Why it was switched off, in the run that does not know it."""
    comparison: Comparison | None = None
    """What differs; of a server that was added, all that was found is new."""


class DiffsSummary(Struct, frozen=True, kw_only=True):
    """The verdict on all servers, why, and the numbers behind it."""

    outcome: DiffOutcome
    regressions: list[str]
    """What makes it worse, in words, behind the name of its server; empty where nothing does."""
    servers: int
    """How many both runs know."""
    worse: int
    changed: int
    same: int
    added: int
    removed: int


class Comparisons(Struct, frozen=True, kw_only=True):
    """Everything in which two runs on several servers differ."""

    schema: Literal["mcp-assay/diffs/1"] = SCHEMA
    tool: ToolVersion
    old: str | None
    new: str | None
    """The files that were compared."""
    fail_on: FailOn
    summary: DiffsSummary
    notes: list[str] = field(default_factory=list)
    """How differently the reports on all servers were made."""
    servers: list[ServerChange]
    """In the order of the new run, then those that it does not know."""


def compare_servers(
    old: Several,
    new: Several,
    options: ComparisonOptions,
    containment: Containment | None = None,
) -> Comparisons:
    """Everything in which two runs differ, server by server, and whether anything got worse."""
    options = replace(options, files=(old.file, new.file))
    changes = [*_known_now(old, new, options, containment), *_removed(old, new)]
    notes = _shared_notes(changes)
    return Comparisons(
        tool=ToolVersion(name="mcp-assay", version=options.version),
        old=old.file,
        new=new.file,
        fail_on=options.fail_on,
        summary=_summary(changes),
        notes=notes,
        servers=[_without(notes, change) for change in changes],
    )


def _known_now(
    old: Several,
    new: Several,
    options: ComparisonOptions,
    containment: Containment | None,
) -> Iterator[ServerChange]:
    for name, now in new.reports.items():
        before = old.reports.get(name)
        its = compare_reports(before or _unknown(now), now, options, containment)
        if before is not None:
            yield ServerChange(name=name, change="compared", comparison=its)
        else:
            reason = old.skipped.get(name, "")
            yield ServerChange(name=name, change="added", reason=reason, comparison=its)


def _unknown(report: Report) -> Report:
    """The report as it would be if nothing had been found, and nothing were missing."""
    summary = replace(report.summary, outcome="pass", reason=None)
    return replace(report, findings=[], limits=[], summary=summary)


def _removed(old: Several, new: Several) -> Iterator[ServerChange]:
    for name in old.reports:
        if name not in new.reports:
            reason = new.skipped.get(name, "")
            yield ServerChange(name=name, change="removed", reason=reason)


def _summary(changes: Sequence[ServerChange]) -> DiffsSummary:
    moves = Counter(one.change for one in changes)
    outcomes = Counter(
        one.comparison.summary.outcome
        for one in changes
        if one.comparison and one.change == "compared"
    )
    regressions = list(_regressions(changes))
    has_moved = moves["added"] or moves["removed"] or outcomes["changed"]
    return DiffsSummary(
        outcome="worse" if regressions else "changed" if has_moved else "same",
        regressions=regressions,
        servers=moves["compared"],
        worse=outcomes["worse"],
        changed=outcomes["changed"],
        same=outcomes["same"],
        added=moves["added"],
        removed=moves["removed"],
    )


def _regressions(changes: Sequence[ServerChange]) -> Iterator[str]:
    for one in changes:
        for words in one.comparison.summary.regressions if one.comparison else ():
            yield f"{one.name}: {words}"


def _shared_notes(changes: Sequence[ServerChange]) -> list[str]:
    """What is noted of every server that both runs know."""
    noted = [one.comparison.notes for one in changes if one.comparison and one.change == "compared"]
    if len(noted) < LEAST_SHARED:
        return []
    return [note for note in noted[0] if all(note in others for others in noted)]


def _without(notes: list[str], change: ServerChange) -> ServerChange:
    its = change.comparison
    if its is None:
        return change
    own = [note for note in its.notes if note not in notes]
    return replace(change, comparison=replace(its, notes=own))

"""What differs from the last run of a fleet: server by server, then of all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from mcp_assay.drift.comparison import Comparison
from mcp_assay.drift.definitions import Containment
from mcp_assay.drift.reports import ComparisonOptions, compare_reports
from mcp_assay.drift.statuses import is_unreached
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.report.causes import CauseTable
from mcp_assay.fleet.report.form import (
    FleetChanges,
    FleetVerdict,
    RowChange,
    ServerDrift,
    ServerNames,
    VersionChange,
)
from mcp_assay.fleet.report.rows import LONGEST_NAME, verdict_of, version_of, why_unassessed
from mcp_assay.model.report import Report
from mcp_assay.text.safe import shorten

MOST_NAMED: Final = 100
"""So many servers are named of each kind of change; the row of each says it too."""
MOST_WHYS: Final = 10
FULL: Final = ("fail", "pass")
"""Verdicts that need no reason."""


class ChangeTable:
    """Takes the servers one by one, and holds each against what the last run said of it."""

    def __init__(self, options: ComparisonOptions, containment: Containment | None) -> None:
        self._options: Final = options
        self._containment: Final = containment
        self._moves: Final[dict[ServerDrift, list[str]]] = {}
        self._unknown = 0
        self._versions: Final[list[VersionChange]] = []
        self._found: Final[Counter[str]] = Counter()
        self._new: Final = CauseTable()
        self._fixed: Final = CauseTable()

    def add(self, outcome: ServerOutcome) -> RowChange | None:
        """What differs of one server; None where the last run said nothing of it."""
        change = self._change(outcome)
        name = shorten(outcome.name, LONGEST_NAME)
        if change is None:
            self._unknown += 1
            return None
        self._moves.setdefault(change.move, []).append(name)
        self._found["new"] += change.new_findings
        self._found["fixed"] += change.fixed_findings
        now = version_of(outcome.report, outcome.version)
        if change.version and now:
            self._versions.append(VersionChange(name=name, old=change.version, new=now))
        return change

    def changes(self, gone: Sequence[str]) -> FleetChanges:
        """What differs of all servers together; `gone` are those that the fleet has no more."""
        return FleetChanges(
            new=_names(self._moves.get("new", ())),
            gone=_names([shorten(name, LONGEST_NAME) for name in gone]),
            better=_names(self._moves.get("better", ())),
            worse=_names(self._moves.get("worse", ())),
            changed=_names(self._moves.get("changed", ())),
            same=len(self._moves.get("same", ())),
            unknown=self._unknown,
            versions_changed=len(self._versions),
            versions=sorted(self._versions, key=lambda one: one.name)[:MOST_NAMED],
            new_findings=self._found["new"],
            fixed_findings=self._found["fixed"],
            new_causes=self._new.causes(),
            fixed_causes=self._fixed.causes(),
        )

    def _change(self, outcome: ServerOutcome) -> RowChange | None:
        if outcome.is_new:
            return RowChange(move="new")
        old, new = outcome.previous, outcome.report
        if old is None and outcome.previous_reason is None:
            return None
        before = verdict_of(old, outcome.previous_reason)
        if old is None or new is None or outcome.reason or outcome.previous_reason:
            return _without_comparison(outcome, before)
        compared = compare_reports(old, new, self._options, self._containment)
        return self._compared(outcome.name, compared, _versions(outcome), (old, new))

    def _compared(
        self, server: str, compared: Comparison, version: str | None, runs: tuple[Report, Report]
    ) -> RowChange:
        come = [one.finding for one in compared.findings.new if one.not_looked_at is None]
        self._new.add(server, come)
        self._fixed.add(server, compared.findings.fixed)
        move = _move(compared, *runs)
        regressions = compared.summary.regressions if move == "worse" else []
        whys = [words.replace("OLD", "the last run") for words in regressions]
        if move == "worse" and not whys:
            whys = ["the run is incomplete now"]
        return RowChange(
            move=move,
            verdict=verdict_of(runs[0], None),
            version=version,
            new_findings=len(come),
            fixed_findings=len(compared.findings.fixed),
            why=whys[:MOST_WHYS],
        )


def _move(compared: Comparison, old: Report, new: Report) -> ServerDrift:
    before, now = old.summary.outcome, new.summary.outcome
    its = compared.summary
    if is_unreached(old) and not is_unreached(new):
        return "better"
    if its.outcome == "worse" or (before in FULL and now not in FULL):
        return "worse"
    if (before != "pass" and now == "pass") or its.fixed or its.tools_better:
        return "better"
    return "changed" if its.outcome == "changed" else "same"


def _without_comparison(outcome: ServerOutcome, before: FleetVerdict) -> RowChange:
    """The change of a server of which one of the two runs has no verdict."""
    now = verdict_of(outcome.report, outcome.reason)
    move: ServerDrift = "same"
    if now != before:
        move = "worse" if now == "not_assessed" else "better"
    elif outcome.reason and outcome.previous_reason:
        move = "same" if outcome.reason.kind == outcome.previous_reason.kind else "changed"
    why = why_unassessed(outcome.report, outcome.reason)[1] if move == "worse" else None
    return RowChange(
        move=move, verdict=before, version=_versions(outcome), why=[why] if why else []
    )


def _versions(outcome: ServerOutcome) -> str | None:
    """The version of the last run, where this one has another."""
    before = version_of(outcome.previous, outcome.previous_version)
    now = version_of(outcome.report, outcome.version)
    return before if before and now and before != now else None


def _names(names: Sequence[str]) -> ServerNames:
    return ServerNames(servers=len(names), names=sorted(names)[:MOST_NAMED])

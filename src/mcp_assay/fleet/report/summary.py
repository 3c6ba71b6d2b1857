"""A fleet and what became of its servers -> the report on all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, Final, get_args

from msgspec import Struct, field

from mcp_assay.client.late_worker import LateWorker
from mcp_assay.drift.reports import ComparisonOptions
from mcp_assay.fleet.entry import Fleet
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.report.causes import CauseTable
from mcp_assay.fleet.report.changes import ChangeTable
from mcp_assay.fleet.report.form import (
    VERDICTS,
    FleetReport,
    FleetRow,
    FleetTiming,
    FleetTotals,
    ReasonExample,
    ReasonGroup,
    ServerTiming,
    UnassessedKind,
)
from mcp_assay.fleet.report.rows import fleet_row, rank, server_timing
from mcp_assay.model.outcome import FailOn, RunOutcome
from mcp_assay.model.report import Report, ToolVersion
from mcp_assay.model.verdict import ToolStatus

MOST_EXAMPLES: Final = 5
SUMMED: Final = (
    *("errors", "warnings", "infos"),
    *("tools_listed", "tools_called", "tools_succeeded"),
)
STATUSES: Final[tuple[ToolStatus, ...]] = get_args(ToolStatus)


class FleetRunFacts(Struct, frozen=True, kw_only=True):
    """What is known of a run of a fleet besides its servers."""

    tool: ToolVersion
    options: dict[str, Any]
    """Those that decide what is found: not the engine, nor how many work at a time."""
    started: str
    seconds: float
    fail_on: FailOn = "error"
    engine: str | None = None
    workers: int | None = None
    last_run: str | None = None
    """When the run began that this one is compared with; None where there was none."""
    gone: Sequence[str] = ()
    """Servers that the last run had, and the fleet has no more."""
    files: Mapping[str, str] = {}
    """Where the reports on servers are, from the folder of the report on all."""


def fleet_report(
    fleet: Fleet, outcomes: Iterable[ServerOutcome], run: FleetRunFacts
) -> FleetReport:
    """The report on a fleet. Outcomes are looked at one by one, and none is kept."""
    with closing(LateWorker()) as worker:
        options = ComparisonOptions(version=run.tool.version, fail_on=run.fail_on, wanted=_any)
        changes = ChangeTable(options, worker) if run.last_run is not None else None
        gathered = _Gathered(changes=changes)
        for outcome in outcomes:
            gathered.add(outcome, run.files.get(outcome.name))
    rows = sorted(gathered.rows, key=rank)
    return FleetReport(
        tool=run.tool,
        fleet=fleet.name,
        file=fleet.file,
        options=run.options,
        totals=gathered.totals(fleet.left_out),
        causes=gathered.causes.causes(),
        unassessed=_unassessed(rows),
        changes=changes.changes(run.gone) if changes else None,
        servers=rows,
        timing=_timing(run, gathered.timings),
    )


def _any(rule: str) -> bool:
    return bool(rule)


class _Gathered(Struct, kw_only=True):
    """What was seen of the servers so far."""

    changes: ChangeTable | None
    rows: list[FleetRow] = field(default_factory=list)
    timings: list[ServerTiming] = field(default_factory=list)
    causes: CauseTable = field(default_factory=CauseTable)
    tools: Counter[ToolStatus] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: ServerOutcome, file: str | None) -> None:
        """Take in what became of one server."""
        report = outcome.report
        causes = self.causes.add(outcome.name, report.findings) if report else []
        change = self.changes.add(outcome) if self.changes else None
        self.rows.append(fleet_row(outcome, causes, change, file))
        self.timings.append(server_timing(outcome))
        if report:
            self._measure(report)

    def totals(self, left_out: int) -> FleetTotals:
        """The numbers of all servers together."""
        verdicts = Counter(row.verdict for row in self.rows)
        sums = {name: sum(getattr(row, name) for row in self.rows) for name in SUMMED}
        return FleetTotals(
            outcome=_outcome(verdicts),
            servers=len(self.rows),
            verdicts={verdict: verdicts[verdict] for verdict in VERDICTS},
            left_out=left_out,
            **sums,
            tools={status: self.tools[status] for status in STATUSES},
            calls=self.sizes["calls"],
            surface_bytes=self.sizes["bytes"],
            tokens_estimated=self.sizes["tokens"],
        )

    def _measure(self, report: Report) -> None:
        self.tools.update(tool.status for tool in report.tools)
        self.sizes["calls"] += len(report.calls)
        if report.surface:
            self.sizes["bytes"] += report.surface.bytes
            self.sizes["tokens"] += report.surface.tokens_estimated


def _outcome(verdicts: Mapping[Any, int]) -> RunOutcome:
    if verdicts["not_assessed"] or verdicts["incomplete"]:
        return "incomplete"
    return "fail" if verdicts["fail"] else "pass"


def _unassessed(rows: Sequence[FleetRow]) -> list[ReasonGroup]:
    """The rows without a full verdict by the kinds of their reasons, the most frequent first."""
    groups: dict[UnassessedKind, list[FleetRow]] = {}
    for row in rows:
        if row.reason_kind is not None:
            groups.setdefault(row.reason_kind, []).append(row)
    ranked = sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))
    return [_group(kind, same) for kind, same in ranked]


def _group(kind: UnassessedKind, rows: Sequence[FleetRow]) -> ReasonGroup:
    named = sorted(rows, key=lambda row: row.name)[:MOST_EXAMPLES]
    examples = [ReasonExample(name=row.name, text=row.reason or "") for row in named]
    return ReasonGroup(kind=kind, servers=len(rows), examples=examples)


def _timing(run: FleetRunFacts, timings: Sequence[ServerTiming]) -> FleetTiming:
    return FleetTiming(
        started=run.started,
        seconds=run.seconds,
        engine=run.engine,
        workers=run.workers,
        last_run=run.last_run,
        prepared_seconds=round(sum(one.prepared_seconds for one in timings), 3),
        assessed_seconds=round(sum(one.assessed_seconds for one in timings), 3),
        resumed=sum(one.resumed for one in timings),
        tried_again=sum(bool(one.tries) for one in timings),
        servers=sorted(timings, key=lambda one: one.name),
    )

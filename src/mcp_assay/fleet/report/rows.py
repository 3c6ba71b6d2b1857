"""What became of one server -> its row in the report on the fleet."""

from __future__ import annotations

from typing import Final

from mcp_assay.drift.statuses import is_unreached
from mcp_assay.fleet.entry import EntryKind, FleetEntry, Package, Program
from mcp_assay.fleet.job import Reason
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.report.form import (
    FleetRow,
    FleetVerdict,
    RowChange,
    ServerTiming,
    TryRow,
    UnassessedKind,
)
from mcp_assay.model.report import Report
from mcp_assay.text.safe import shorten

WORST_FIRST: Final[tuple[FleetVerdict, ...]] = ("fail", "incomplete", "not_assessed", "pass")
"""What failed first: of what was not assessed the reasons are counted apart."""
NO_SCORE: Final = 101
LONGEST_NAME: Final = 200
LONGEST_REASON: Final = 2_000


def fleet_row(
    outcome: ServerOutcome, causes: list[str], change: RowChange | None, file: str | None
) -> FleetRow:
    """The row of one server."""
    kind, reason = why_unassessed(outcome.report, outcome.reason)
    numbers = outcome.report.summary if outcome.report else None
    return FleetRow(
        name=shorten(outcome.name, LONGEST_NAME),
        verdict=verdict_of(outcome.report, outcome.reason),
        reason_kind=kind,
        reason=shorten(reason, LONGEST_REASON) if reason else None,
        kind=_kind(outcome.entry),
        package=_package(outcome.entry),
        version=version_of(outcome.report, outcome.version),
        host=outcome.entry.host if outcome.entry else None,
        score=numbers.score if numbers else None,
        errors=numbers.errors if numbers else 0,
        warnings=numbers.warnings if numbers else 0,
        infos=numbers.infos if numbers else 0,
        tools_listed=numbers.tools_listed if numbers else 0,
        tools_called=numbers.tools_called if numbers else 0,
        tools_succeeded=numbers.tools_succeeded if numbers else 0,
        causes=causes,
        change=change,
        file=file,
    )


def rank(row: FleetRow) -> tuple[int, int, int, int, str]:
    """Where a row stands: the worst first."""
    score = NO_SCORE if row.score is None else row.score
    return WORST_FIRST.index(row.verdict), -row.errors, score, -row.warnings, row.name


def verdict_of(report: Report | None, reason: Reason | None) -> FleetVerdict:
    """The verdict on a server; one whose job ended with a reason has none."""
    return "not_assessed" if report is None or reason is not None else report.summary.outcome


def why_unassessed(
    report: Report | None, reason: Reason | None
) -> tuple[UnassessedKind | None, str | None]:
    """Why a server has no verdict, or no full one: its kind, and what is said of it."""
    if reason is not None:
        return reason.kind, reason.text
    if report is None:
        return "failed", "No report was made."
    if report.summary.outcome != "incomplete":
        return None, None
    kind: UnassessedKind = "not_reached" if is_unreached(report) else "run_incomplete"
    return kind, report.summary.reason or ""


def version_of(report: Report | None, version: str | None) -> str | None:
    """The version of a package, else the one that the server calls its own."""
    own = (report.subject.server_info or {}).get("version") if report else None
    known = version or (own if isinstance(own, str) else None)
    return shorten(known, LONGEST_NAME) if known else None


def server_timing(outcome: ServerOutcome) -> ServerTiming:
    """How the work on a server went this time."""
    return ServerTiming(
        name=shorten(outcome.name, LONGEST_NAME),
        run=outcome.run_id,
        resumed=outcome.is_resumed,
        tries=[
            TryRow(kind=one.kind, text=shorten(one.text, LONGEST_REASON)) for one in outcome.tries
        ],
        prepared_seconds=outcome.prepared_seconds,
        assessed_seconds=outcome.assessed_seconds,
    )


def _kind(entry: FleetEntry | None) -> EntryKind | None:
    if entry is None:
        return None
    if isinstance(entry.origin, Package):
        return "package"
    return "command" if isinstance(entry.origin, Program) else "remote"


def _package(entry: FleetEntry | None) -> str | None:
    if entry is None or not isinstance(entry.origin, Package):
        return None
    return shorten(f"{entry.origin.registry} {entry.origin.name}", LONGEST_NAME)

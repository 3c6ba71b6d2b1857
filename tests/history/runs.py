"""Runs to be recorded: small reports, each at its time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from mcp_assay.history.identity import Identity, named
from mcp_assay.history.packed_reports import unpacked_report
from mcp_assay.history.recorder import NewRun, StoredRun, new_run, record
from mcp_assay.history.store import Store
from mcp_assay.history.tables import REPORT, rows
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from tests.drift.small_reports import made

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
NOTES = named("notes")


def at_day(day: float) -> str:
    """A moment so many days after the first."""
    return (FIRST + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")


def a_report(*findings: Finding, day: float = 0, **more: Any) -> Report:
    """A report of a run on a day."""
    its = made(*findings, **more)
    return replace(its, timing=replace(its.timing, started=at_day(day)))


def a_run(report: Report, identity: Identity = NOTES, **more: Any) -> NewRun:
    """A run with this report."""
    return replace(new_run(identity, report), **more)


def remember(
    store: Store, *findings: Finding, day: float = 0, identity: Identity = NOTES, **more: Any
) -> StoredRun:
    """Record a run of a day with these findings."""
    return record(store, a_run(a_report(*findings, day=day, **more), identity))


def stored_reports(store: Store) -> list[Report]:
    """All reports in a store, in the order of their runs."""
    with store.reading() as connection:
        found = rows(connection, REPORT.select().order_by(REPORT.c.run_id))
    return [unpacked_report(row["body"]) for row in found]

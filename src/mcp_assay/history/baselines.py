"""What a run is compared with: the run before it, the approved one, or any other."""

from __future__ import annotations

from contextlib import closing
from typing import Final

from msgspec import Struct

from mcp_assay import __version__
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.drift.comparison import Comparison
from mcp_assay.drift.reports import ComparisonOptions, compare_reports
from mcp_assay.history.definition_texts import TextPair, text_pairs
from mcp_assay.history.names import NotKnown, last_run_of, report_of, run_named, server_with_key
from mcp_assay.history.questions import current_approval
from mcp_assay.history.store import Store
from mcp_assay.model.outcome import FailOn
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import to_json
from mcp_assay.report.report_file import read_report

LAST: Final = "last"
APPROVED: Final = "approved"


class EarlierRun(Struct, frozen=True, kw_only=True):
    """A run that another one is compared with."""

    run_id: int
    report: Report
    shown: str
    """How it is named to people."""


class HistoryComparison(Struct, frozen=True, kw_only=True):
    """In what two runs differ, with the texts of definitions that changed."""

    comparison: Comparison
    texts: list[TextPair]

    @property
    def has_other_definitions(self) -> bool:
        """Whether the server lists something else, as far as both runs have seen it."""
        its = self.comparison
        both = its.old.surface_sha256 and its.new.surface_sha256
        return bool(its.drift or (both and not its.is_same_surface))


def last_run(store: Store, key: str) -> EarlierRun | None:
    """The latest run of a server; None where there is none."""
    with store.reading() as connection:
        server_id = server_with_key(connection, key)
        run_id = None if server_id is None else last_run_of(connection, server_id)
        if run_id is None:
            return None
        return EarlierRun(
            run_id=run_id, report=report_of(connection, run_id), shown=f"run {run_id}"
        )


def approved_run(store: Store, key: str) -> EarlierRun | None:
    """The run that is approved of a server; None where nothing is."""
    with store.reading() as connection:
        server_id = server_with_key(connection, key)
        its = None if server_id is None else current_approval(connection, server_id)
        if its is None:
            return None
        shown = f"run {its.run}, approved by {its.who} at {its.at}"
        return EarlierRun(run_id=its.run, report=report_of(connection, its.run), shown=shown)


def run_by_name(store: Store, name: str) -> EarlierRun:
    """The run that a person names; raises NotKnown."""
    with store.reading() as connection:
        run_id = run_named(connection, name)
        return EarlierRun(
            run_id=run_id, report=report_of(connection, run_id), shown=f"run {run_id}"
        )


def compared(old: EarlierRun, new: EarlierRun, fail_on: FailOn = "error") -> HistoryComparison:
    """In what two runs differ."""
    options = ComparisonOptions(
        version=__version__, fail_on=fail_on, wanted=_every, files=(old.shown, new.shown)
    )
    with closing(LateWorker()) as worker:
        found = compare_reports(old.report, new.report, options, worker)
    return HistoryComparison(
        comparison=found, texts=text_pairs(old.report, new.report, found.drift)
    )


def as_stored(report: Report) -> Report:
    """A report as it would be read again: what was read from a store can be compared with it."""
    return read_report(to_json(report).encode())


def _every(_: str) -> bool:
    return True


__all__ = [
    "APPROVED",
    "LAST",
    "EarlierRun",
    "HistoryComparison",
    "NotKnown",
    "approved_run",
    "as_stored",
    "compared",
    "last_run",
    "run_by_name",
]

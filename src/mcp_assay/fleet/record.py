"""What the history knows of a fleet, and what a run of it adds; nothing is written twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from time import monotonic, sleep
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from mcp_assay.fleet.entry import FleetEntry
from mcp_assay.fleet.job import Reason
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.fleet_runs import (
    FleetRunRow,
    FleetServerRow,
    begin_fleet_run,
    earlier_servers,
    end_fleet_run,
    last_assessed,
    last_fleet_run,
    note_server,
    noted_servers,
)
from mcp_assay.history.identity import identity_of
from mcp_assay.history.names import NotKnown, report_of
from mcp_assay.history.recorder import insert_run, new_run
from mcp_assay.history.store import Store, now
from mcp_assay.model.report import Report

PATIENCE_SECONDS: Final = 60.0
"""So long a store may be away."""
TRY_AGAIN: Final = 0.5
NOT_BEGUN: Final = 1 << 62
"""Stands for a run behind all that there are."""
UNSETTLED: Final = frozenset({"interrupted", "not_recorded", "engine_lost"})
"""Reasons that say nothing of the server: its job is still to be done."""

Answer = TypeVar("Answer")


class FleetRecord:
    """One run of a fleet in the history, begun or resumed."""

    def __init__(
        self, store: Store, fleet: str, *, resume: bool = False, is_trial: bool = False
    ) -> None:
        self._store: Final = store
        self._is_gone = False
        with store.reading() as connection:
            last = last_fleet_run(connection, fleet) if resume else None
        if last is None and is_trial:
            last = FleetRunRow(id=NOT_BEGUN, uid="", fleet=fleet, begun_at=now())
        elif last is None:
            with store.writing() as connection:
                last = begin_fleet_run(connection, fleet, now())
        self.run: Final = last
        with store.reading() as connection:
            self.known: Final = noted_servers(connection, last.id)
            """What earlier commands of this run have done."""
            self.earlier: Final = earlier_servers(connection, fleet, last.id)
            """What became of each server the last time before this run."""
            self.assessed: Final = last_assessed(connection, fleet)
            """The latest report of each server that there is."""
            self.before: Final[FleetRunRow | None] = last_fleet_run(connection, fleet, last.id)
            before = noted_servers(connection, self.before.id) if self.before else {}
        self._before_names: Final = tuple(before)

    def gone(self, names: Iterable[str]) -> tuple[str, ...]:
        """The servers of the last run that are not among these."""
        here = {*names}
        return tuple(name for name in self._before_names if name not in here)

    def record(self, entry: FleetEntry, row: FleetServerRow, report: Report) -> FleetServerRow:
        """Write a run and what it belongs to, both or neither; raises StoreFault."""
        identity = identity_of(report.subject, entry.name)
        run = new_run(identity, report, self._uid(entry))

        def write() -> FleetServerRow:
            with self._store.writing() as connection:
                stored = replace(row, run_id=insert_run(connection, run).run_id)
                note_server(connection, self.run.id, stored)
                return stored

        return self._patiently(write)

    def note(self, row: FleetServerRow) -> None:
        """Write why a server has no run; raises StoreFault."""

        def write() -> None:
            with self._store.writing() as connection:
                note_server(connection, self.run.id, row)

        self._patiently(write)

    def end(self) -> None:
        """Write that nothing is left to be done; raises StoreFault."""

        def write() -> None:
            with self._store.writing() as connection:
                end_fleet_run(connection, self.run.id, now())

        self._patiently(write)

    def report(self, run_id: int) -> Report | None:
        """The report of a run; None where it was removed; raises StoreFault."""

        def read() -> Report | None:
            with self._store.reading() as connection:
                try:
                    return report_of(connection, run_id)
                except NotKnown:
                    return None

        return self._patiently(read)

    def _uid(self, entry: FleetEntry) -> str:
        """By this a run is known, so that it is not written again after its answer was lost."""
        words = msgspec.json.encode([self.run.uid, entry.name, entry.digest])
        return sha256(words).hexdigest()[:32]

    def _patiently(self, work: Callable[[], Answer]) -> Answer:
        """Do it, again and again while the store is away; one that stayed away is asked once."""
        end = monotonic() + (0 if self._is_gone else PATIENCE_SECONDS)
        while True:
            try:
                answer = work()
            except StoreFault:
                if monotonic() > end:
                    self._is_gone = True
                    raise
                sleep(TRY_AGAIN)
            else:
                self._is_gone = False
                return answer


def reason_text(reason: Reason) -> str:
    """A reason as the store keeps it."""
    return msgspec.json.encode(reason).decode()


def reason_of(row: FleetServerRow) -> Reason | None:
    """Why a server has no run."""
    return msgspec.json.decode(row.reason, type=Reason) if row.reason else None


def tries_of(row: FleetServerRow) -> tuple[Reason, ...]:
    """Why its earlier tries gave nothing."""
    return msgspec.json.decode(row.tries, type=tuple[Reason, ...])

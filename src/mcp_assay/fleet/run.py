"""A fleet -> what became of each of its servers, whoever did the work, recorded as it comes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from mcp_assay.engine.tasks import WAIT, LossKind, TaskDone, TaskEngine, TaskLost
from mcp_assay.fleet.entry import Fleet, FleetEntry
from mcp_assay.fleet.job import Job, JobDone, JobEnded, JobOptions, JobResult, Reason, ReasonKind
from mcp_assay.fleet.order import FleetPlan, plan_of
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.progress import FleetListener, FleetSilence
from mcp_assay.fleet.record import UNSETTLED, FleetRecord, reason_of, reason_text, tries_of
from mcp_assay.fleet.schedule import FleetSchedule, Planned
from mcp_assay.fleet.worker import do_job
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.fleet_runs import FleetServerRow
from mcp_assay.history.packed_reports import unpacked_report
from mcp_assay.history.store import now
from mcp_assay.model.report import Report
from mcp_assay.report.report_file import WrongReport

LIVES: Final = 2
"""A job that has killed so many workers is set aside."""
LOSSES: Final[dict[LossKind, ReasonKind]] = {
    "worker_lost": "worker_lost",
    "engine_lost": "engine_lost",
    "other_version": "engine_lost",
    "failed": "failed",
}
INTERRUPTED: Final = Reason(kind="interrupted", text="the run was interrupted before its turn")
HISTORY_GONE: Final = Reason(
    kind="interrupted", text="the run was stopped, because the history could not be written"
)


class FleetRun:
    """One command that works on a run of a fleet: what is left of it is done."""

    def __init__(
        self,
        fleet: Fleet,
        options: JobOptions,
        record: FleetRecord,
        *,
        since: str | None = None,
        listener: FleetListener | None = None,
    ) -> None:
        self.fleet: Final = fleet
        self.plan: Final[FleetPlan] = plan_of(fleet.entries, record.known, record.assessed, since)
        self.is_interrupted = False
        """Whether a signal ended it before its time."""
        self._options: Final = options
        self._record: Final = record
        self.listener: FleetListener = listener or FleetSilence()
        self._entries: Final = {entry.name: entry for entry in fleet.entries}
        self._rows: Final[dict[str, FleetServerRow]] = dict(self.plan.done)
        self._lost: Final[dict[str, Reason]] = {}
        """Why servers that are still to be done were not."""
        jobs = (Planned(entry, entry.host) for entry in self.plan.to_do)
        self._schedule: Final[FleetSchedule[FleetEntry]] = FleetSchedule(jobs)
        self._lock: Final = threading.Lock()
        self._given: Final[list[tuple[int, FleetEntry]]] = []
        """The tries that were given to the engine: the place and the entry of each."""
        self._tries: Final[dict[str, list[Reason]]] = {}
        self._is_waiting = False
        self._is_stopped = False
        self._left: Reason = INTERRUPTED

    def run(self, engine: TaskEngine) -> None:
        """Do what is to be done, until all is or it is stopped."""
        try:
            self._note_what_is_known()
            outcomes = engine.run(do_job, self._jobs(), LIVES, ahead=1)
            while not self._is_stopped:
                outcome = self._next(outcomes)
                if outcome is None:
                    break
                self._take(outcome)
            if not self._still_to_do():
                self._record.end()
        except KeyboardInterrupt:
            self.is_interrupted = True
        except StoreFault as fault:
            self._left = replace(HISTORY_GONE, text=f"{HISTORY_GONE.text}: {fault}")
        finally:
            self._is_stopped = True

    def interrupt(self) -> None:
        """End it soon: at once while it waits or was told so before, else when what has come is
        recorded."""
        if self._is_waiting or self.is_interrupted:
            self.is_interrupted = True
            raise KeyboardInterrupt
        self.is_interrupted = True
        self._is_stopped = True

    def outcomes(self) -> Iterator[ServerOutcome]:
        """What became of each server, in the order of the file; reports are read one by one."""
        for name in [*(one.name for one in self.fleet.wrong), *self._entries]:
            earlier = self._record.earlier.get(name)
            yield replace(
                self._outcome(name, None),
                previous=self._earlier_report(earlier),
                previous_reason=reason_of(earlier) if earlier else None,
                previous_version=earlier.version if earlier else None,
                is_new=earlier is None,
            )

    def _note_what_is_known(self) -> None:
        """Tell what is done already, and what can never be."""
        for name, row in self.plan.done.items():
            if name not in self._record.known:
                self._record.note(row)
            self.listener.end(self._outcome(name, None))
        for wrong in self.fleet.wrong:
            self._settle(wrong.name, "", Reason(kind="wrong_entry", text=wrong.reason))

    def _next(
        self, outcomes: Iterator[TaskDone[JobResult] | TaskLost]
    ) -> TaskDone[JobResult] | TaskLost | None:
        self._is_waiting = True
        try:
            return next(outcomes, None)
        finally:
            self._is_waiting = False

    def _jobs(self) -> Iterator[Any]:
        """The jobs as there is room for them; an engine asks for them in threads of its own."""
        while not self._is_stopped:
            with self._lock:
                if self._schedule.is_over:
                    return
                taken = self._schedule.take()
                if taken is not None:
                    self._given.append(taken)
            if taken is None:
                yield WAIT
                continue
            entry = taken[1]
            self.listener.begin(entry.name, 1 + len(self._tries.get(entry.name, ())))
            yield Job(entry=entry, options=self._options)

    def _take(self, outcome: TaskDone[JobResult] | TaskLost) -> None:
        """Take what an engine says of a try."""
        place, entry = self._given[outcome.index]
        if isinstance(outcome, TaskLost):
            is_passing = outcome.kind == "engine_lost"
            reason = Reason(kind=LOSSES[outcome.kind], text=outcome.reason, is_passing=is_passing)
            self._take_reason(place, entry, reason)
        elif isinstance(outcome.result, JobEnded):
            self._take_reason(place, entry, outcome.result.reason)
        else:
            with self._lock:
                self._schedule.end(place)
            self._take_report(entry, outcome.result)

    def _take_reason(self, place: int, entry: FleetEntry, reason: Reason) -> None:
        with self._lock:
            again = self._schedule.end(place, is_passing=reason.is_passing)
        if again:
            self._tries.setdefault(entry.name, []).append(reason)
            self.listener.retry(entry.name, reason)
        else:
            self._settle(entry.name, entry.digest, reason)

    def _take_report(self, entry: FleetEntry, done: JobDone) -> None:
        try:
            report = unpacked_report(done.report)
        except WrongReport as refusal:
            reason = Reason(kind="failed", text=f"the report that came back {refusal}")
            self._settle(entry.name, entry.digest, reason)
            return
        row = FleetServerRow(
            name=entry.name,
            digest=entry.digest,
            at=now(),
            tries=self._tries_text(entry.name),
            version=done.version,
            prepared_seconds=done.prepared_seconds,
            assessed_seconds=done.assessed_seconds,
        )
        try:
            self._rows[entry.name] = self._record.record(entry, row, report)
        except StoreFault as fault:
            self._lost[entry.name] = Reason(kind="not_recorded", text=str(fault))
            self.listener.end(self._outcome(entry.name, None))
            raise
        self.listener.end(self._outcome(entry.name, report))

    def _settle(self, name: str, digest: str, reason: Reason) -> None:
        """Note that a server has no report, and why; some reasons say nothing of it."""
        if reason.kind in UNSETTLED:
            self._lost[name] = reason
        else:
            tries = self._tries_text(name)
            text = reason_text(reason)
            row = FleetServerRow(name=name, digest=digest, at=now(), reason=text, tries=tries)
            self._rows[name] = row
            self._record.note(row)
        self.listener.end(self._outcome(name, None))

    def _tries_text(self, name: str) -> str:
        return msgspec.json.encode(self._tries.get(name, [])).decode()

    def _still_to_do(self) -> bool:
        return any(entry.name not in self._rows for entry in self.plan.to_do)

    def _outcome(self, name: str, report: Report | None) -> ServerOutcome:
        """What is known of a server now; its report is read unless it is at hand."""
        row = self._rows.get(name)
        reason = self._lost.get(name, self._left) if row is None else reason_of(row)
        if row is not None and row.run_id is not None and report is None:
            report, reason = self._stored(row.run_id)
        return ServerOutcome(
            name=name,
            entry=self._entries.get(name),
            report=report,
            reason=reason,
            tries=tries_of(row) if row else tuple(self._tries.get(name, ())),
            run_id=row.run_id if row else None,
            version=row.version if row else None,
            is_resumed=name in self.plan.done,
            prepared_seconds=(row and row.prepared_seconds) or 0.0,
            assessed_seconds=(row and row.assessed_seconds) or 0.0,
        )

    def _stored(self, run_id: int) -> tuple[Report | None, Reason | None]:
        """The report of a run, or why it cannot be had."""
        try:
            report = self._record.report(run_id)
        except StoreFault as fault:
            return None, Reason(kind="not_recorded", text=f"its run cannot be read: {fault}")
        if report is None:
            return None, Reason(kind="not_recorded", text="its run was removed from the history")
        return report, None

    def _earlier_report(self, earlier: FleetServerRow | None) -> Report | None:
        if earlier is None or earlier.run_id is None:
            return None
        return self._stored(earlier.run_id)[0]

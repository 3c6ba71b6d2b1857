"""Files of an archive -> one Run with all that was found, whoever did the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.archive.batch import BatchPart, BatchTask, judge_batch
from mcp_assay.archive.file_index import FileIndex, IndexTask, index_file
from mcp_assay.archive.files import ArchiveFile, changed_files
from mcp_assay.archive.index_store import IndexStore
from mcp_assay.archive.plan import FIRST_RANK, ArchivePlan, plan_of, plan_of_one
from mcp_assay.engine import TaskDone, TaskEngine, TaskLost
from mcp_assay.findings.collector import OnFinding
from mcp_assay.model.report import Limit
from mcp_assay.validate.options import OUR_FAULT, UNREADABLE, Options
from mcp_assay.validate.run import Run
from mcp_assay.validate.selection import SampledSessions, SessionSample
from mcp_assay.validate.shares import Share
from mcp_assay.validate.sources import shown_name
from mcp_assay.validate.workers import absorb

READ_IN_PART: Final = (
    "is incomplete: it could not be read to its end when its sessions were looked for, so some "
    "are missing; run this again"
)
CHANGED: Final = (
    "or more files were written while they were read; what began there meanwhile is missing or a "
    "part; run this again when they are at rest"
)
Advance: TypeAlias = Callable[[int], object]
"""Is told how many bytes have been worked through."""


class Progress(Struct, frozen=True):
    """Whoever wants to know how far the two passes are."""

    indexed: Advance = bool
    judged: Advance = bool


class ArchiveRun:
    """The two passes over an archive: first which sessions are where, then the verdicts.

    The report follows from the files alone: neither the engine, nor how many workers it has, nor
    the order in which they are done, can be seen in it.
    """

    def __init__(
        self,
        options: Options,
        engine: TaskEngine,
        *,
        sample: SessionSample | None = None,
        on_finding: OnFinding | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.memory = 0
        """The most memory that any worker has had, in bytes."""
        self._options: Final = options
        self._engine: Final = engine
        self._sample: Final = sample
        self._on_finding: Final = on_finding
        self._progress: Final = progress or Progress()
        self._lost: Final[list[tuple[str, TaskLost]]] = []
        self._files: Sequence[ArchiveFile] = ()
        self._not_whole: Final[list[str]] = []
        """Files that could not be read to their ends in the first pass."""
        self._is_interrupted = False

    def plan(self, files: Sequence[ArchiveFile]) -> ArchivePlan:
        """The first pass: look through the files that have changed since they were looked at."""
        self._files = files
        if len(files) == 1:
            return plan_of_one(files[0].name, files[0].size)
        store = IndexStore(self._options.map)
        known = {file.name: index for file in files if (index := store.known(file))}
        left = [file for file in files if file.name not in known]
        self._progress.indexed(sum(file.size for file in files) - sum(one.size for one in left))
        try:
            for file, index in self._looked_through(left):
                known[file.name] = index
                store.keep(file, index)
        except KeyboardInterrupt:
            self._is_interrupted = True
            return plan_of([])
        store.prune()
        indexes = [known[file.name] for file in files if file.name in known]
        self._not_whole.extend(one.name for one in indexes if one.state != "whole")
        return plan_of(indexes)

    def _looked_through(
        self, files: Sequence[ArchiveFile]
    ) -> Iterator[tuple[ArchiveFile, FileIndex]]:
        """The files with what was found out about them; for some nobody could."""
        tasks = [IndexTask(file.name, self._options.map) for file in files]
        for outcome in self._engine.run(index_file, tasks):
            file = files[outcome.index]
            self._progress.indexed(file.size)
            if isinstance(outcome, TaskLost):
                self._lost.append((file.name, outcome))
            else:
                yield file, outcome.result

    def judge(self, plan: ArchivePlan) -> Run:
        """The second pass: all that was found, as one run."""
        files = plan.files
        lost = [name for name, _ in self._lost]
        named = [*files, *lost]
        ranks = {shown_name(name): rank for rank, name in enumerate(named, FIRST_RANK)}
        run = Run(self._options, on_finding=self._on_finding, ranks=ranks)
        run.sampled = None if self._sample is None else SampledSessions(self._sample)
        run.sources += named
        for name in ranks:
            run.reader.begin(name)
        for name, loss in self._lost:
            shown = shown_name(name)
            _note_loss(run, shown, f"{shown} could not be looked through", loss)
        run.interrupted = self._is_interrupted
        try:
            self._absorb_all(run, plan)
        except KeyboardInterrupt:
            run.interrupted = True
        self._note_changes(run)
        run.close()
        return run

    def _note_changes(self, run: Run) -> None:
        """Say which files were not the same in both passes: what began in them was not expected."""
        for name in self._not_whole:
            if name not in run.unreadable and name not in run.broken:
                run.reader.begin(shown_name(name))
                run.reader.report_input(UNREADABLE, f"{shown_name(name)} {READ_IN_PART}.")
        changed = changed_files(self._files)
        if changed:
            effect = f"{shown_name(changed[0])} {CHANGED}"
            value, count = len(self._files), len(changed)
            run.noted.append(Limit(name="changed-files", value=value, count=count, effect=effect))

    def _absorb_all(self, run: Run, plan: ArchivePlan) -> None:
        tasks = list(self._tasks(plan))
        for task, outcome in zip(
            tasks, in_order(self._engine.run(judge_batch, tasks)), strict=True
        ):
            self._progress.judged(task.batch.size // task.share.of)
            if isinstance(outcome, TaskLost):
                name = shown_name(task.batch.groups[0].files[0])
                _note_loss(run, name, f"The sessions that begin in or after {name}", outcome)
            else:
                self._absorb(run, task, outcome.result)

    def _tasks(self, plan: ArchivePlan) -> Iterator[BatchTask]:
        for batch in plan.batches:
            of = plan.shares(batch, self._engine.workers)
            for index in range(of):
                yield BatchTask(batch, self._options, Share(index, of), self._sample)

    def _absorb(self, run: Run, task: BatchTask, part: BatchPart) -> None:
        absorb(run, part.found)
        self.memory = max(self.memory, part.memory)
        run.unreadable |= part.unreadable
        run.broken |= part.broken
        if not task.share.is_first:
            return
        run.sessions.begun += part.begun
        run.sessions.came_back += part.came_back
        if run.sampled is not None:
            run.sampled.left_out += part.left_out


def in_order(outcomes: Iterable[TaskDone[Any] | TaskLost]) -> Iterator[TaskDone[Any] | TaskLost]:
    """The outcomes in the order of their tasks, each as soon as those before it are there."""
    early: dict[int, TaskDone[Any] | TaskLost] = {}
    following = 0
    for outcome in outcomes:
        early[outcome.index] = outcome
        while following in early:
            yield early.pop(following)
            following += 1


def _note_loss(run: Run, name: str, what: str, loss: TaskLost) -> None:
    """Say what was not judged, and why."""
    run.collector.own_faults += 1
    run.reader.begin(name)
    words = f"{what} are missing from this report: {loss.reason}."
    run.reader.report_input(OUR_FAULT, words)

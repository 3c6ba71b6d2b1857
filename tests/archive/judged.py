"""Archives judged in this process, and what one run over all files says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mcp_assay.archive.files import archive_files
from mcp_assay.archive.run import ArchiveRun
from mcp_assay.engine import TaskDone, TaskEngine, TaskLost
from mcp_assay.engine.local_engine import LocalEngine
from mcp_assay.engine.tasks import MOST_RUNS, Result, Task
from mcp_assay.report.as_json import to_json
from mcp_assay.validate import Options, Run
from mcp_assay.validate.selection import SessionSample


class BackwardsEngine:
    """Works in this process, says that it has several workers, and is done with the last first."""

    def __init__(self, workers: int = 1) -> None:
        self.workers = workers
        self.dashboard = None
        self.tasks = 0
        """How many were done."""

    def run(
        self,
        work: Callable[[Task], Result],
        tasks: Iterable[Any],
        runs: int = MOST_RUNS,
        ahead: int = 2,
    ) -> Iterator[TaskDone[Result] | TaskLost]:
        """Do the work on each task."""
        outcomes = list(LocalEngine(1).run(work, tasks, runs, ahead))
        self.tasks += len(outcomes)
        return reversed(outcomes)

    def close(self) -> None:
        """Nothing was started."""


def reported(run: Run) -> dict[str, Any]:
    """The report but for the time that it took."""
    document: dict[str, Any] = json.loads(to_json(run.report()))
    del document["timing"]
    return document


def at_once(files: Sequence[str], options: Options | None = None) -> dict[str, Any]:
    """What one run over all files reports."""
    run = Run(options or Options())
    run.judge_all(files)
    run.close()
    return reported(run)


def in_batches(
    sources: Sequence[str],
    options: Options | None = None,
    engine: TaskEngine | None = None,
    sample: SessionSample | None = None,
) -> dict[str, Any]:
    """What is reported of an archive."""
    archive = ArchiveRun(options or Options(), engine or BackwardsEngine(), sample=sample)
    return reported(archive.judge(archive.plan(archive_files(sources))))


class PlanOf:
    """How an archive would be judged."""

    def __init__(self, sources: Sequence[str]) -> None:
        self.plan = ArchiveRun(Options(), BackwardsEngine()).plan(archive_files(sources))
        self.groups = [group for batch in self.plan.batches for group in batch.groups]

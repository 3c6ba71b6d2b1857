"""`mcp-assay validate` on archives: where the work is done, and what is said of it meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mcp_assay.archive.files import ArchiveFile, archive_files
from mcp_assay.archive.run import ArchiveRun, Progress
from mcp_assay.cli.options import ValidateArguments
from mcp_assay.cli.output import CommandError, UsageError, complain, is_terminal
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.engine import EngineUnavailable, opened_engine
from mcp_assay.engine.address import engine_choice
from mcp_assay.findings.collector import OnFinding
from mcp_assay.model.outcome import INCOMPLETE
from mcp_assay.text.lines import counted
from mcp_assay.validate.options import Options
from mcp_assay.validate.run import Run
from mcp_assay.validate.selection import SessionSample

IN_MEMORY = "memory://"
"""What is in the memory of this process, other processes cannot read."""
MEGABYTE = 1_000_000


class NothingRan(CommandError):
    """An engine that is not there."""

    code = INCOMPLETE


def judged_archive(
    arguments: ValidateArguments, options: Options, on_finding: OnFinding | None
) -> Run:
    """Judge all files that the sources stand for; the run with all that was found."""
    try:
        files = archive_files(arguments.files)
    except ValueError as refusal:
        raise UsageError(f"{refusal}.") from None
    choice = engine_choice(arguments.engine)
    workers = 1 if any(file.name.startswith(IN_MEMORY) for file in files) else arguments.jobs
    sample = None if arguments.sample is None else SessionSample(arguments.sample, arguments.seed)
    try:
        with (
            opened_engine(choice, workers, insecure=arguments.engine_insecure) as engine,
            _shown(files, quiet=arguments.report.quiet) as progress,
        ):
            watch = Stopwatch()
            archive = ArchiveRun(
                options, engine, sample=sample, on_finding=on_finding, progress=progress
            )
            plan = archive.plan(files)
            indexed = watch.timing().seconds
            run = archive.judge(plan)
            _tell(archive, engine.workers, indexed, watch.timing().seconds, arguments)
    except EngineUnavailable as refusal:
        raise NothingRan(f"{refusal}.") from None
    if run.interrupted:
        complain("mcp-assay: interrupted; the report contains the results so far.")
    return run


def _tell(
    archive: ArchiveRun, workers: int, indexed: float, seconds: float, arguments: ValidateArguments
) -> None:
    """Say what it took."""
    if arguments.report.quiet:
        return
    memory = archive.memory // MEGABYTE
    complain(
        f"mcp-assay: {counted(workers, 'worker')}, at most {memory:,} MB of memory in one; "
        f"{seconds:.1f} s, {indexed:.1f} s of it to find the sessions."
    )


@contextmanager
def _shown(files: Sequence[ArchiveFile], *, quiet: bool) -> Iterator[Progress]:
    """Show how far both passes are while the block runs, to a person at a terminal."""
    if quiet or not is_terminal():
        yield Progress()
        return
    from rich import progress as paint
    from rich.console import Console

    total = sum(file.size for file in files)
    columns = (
        paint.TextColumn("{task.description}"),
        paint.BarColumn(),
        paint.DownloadColumn(),
        paint.TimeRemainingColumn(),
    )
    with paint.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        found, judged = bar.add_task("sessions", total=total), bar.add_task("verdicts", total=total)
        yield Progress(
            lambda size: bar.update(found, advance=size),
            lambda size: bar.update(judged, advance=size),
        )

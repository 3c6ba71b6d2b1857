"""`mcp-assay fleet run`: a file that names servers in, a run of each and one report out."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import Any, Final

from mcp_assay import __version__
from mcp_assay.cli.archive import NothingRan
from mcp_assay.cli.fleet_plan import show_plan
from mcp_assay.cli.fleet_progress import fleet_progress
from mcp_assay.cli.history_keeper import opened_store
from mcp_assay.cli.interruption import heeding
from mcp_assay.cli.options import FleetArguments
from mcp_assay.cli.output import CommandError, UsageError, complain, show, write
from mcp_assay.cli.reports import save_text
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.engine import EngineUnavailable, TaskEngine, opened_engine
from mcp_assay.engine.address import engine_choice
from mcp_assay.fleet.entry import Fleet
from mcp_assay.fleet.files.content import WrongFleet
from mcp_assay.fleet.files.filters import FleetFilters
from mcp_assay.fleet.files.fleet_file import read_fleet
from mcp_assay.fleet.job import JobLimits, JobOptions
from mcp_assay.fleet.progress import FleetSize
from mcp_assay.fleet.record import FleetRecord
from mcp_assay.fleet.report.as_text import fleet_text
from mcp_assay.fleet.report.form import FleetReport
from mcp_assay.fleet.report.formats import fleet_written
from mcp_assay.fleet.report.summary import FleetRunFacts, fleet_report
from mcp_assay.fleet.run import FleetRun
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.names import NotKnown, moment
from mcp_assay.history.store import Store
from mcp_assay.model.outcome import CLEAN, INTERRUPTED, USAGE, exit_code, gravest
from mcp_assay.model.report import ToolVersion
from mcp_assay.report.formats import TEXT

MEGABYTE: Final = 1 << 20
INSTALLING: Final = 180.0
"""Seconds that a job has besides those for assessing."""
ASSESSING: Final = ("revision", "seed", "max_calls", "timeout", "max_time")
REPORTING: Final = ("select", "ignore", "max_findings", "fail_on")


def run_fleet(arguments: FleetArguments) -> int:
    """Assess the servers of a file, record each and report on all."""
    since = _moment(arguments.since)
    fleet = _fleet(arguments)
    with closing(opened_store(arguments.history)) as store:
        if arguments.dry_run:
            record = FleetRecord(store, fleet.name, resume=arguments.resume, is_trial=True)
            show_plan(fleet, record, arguments, since)
            return CLEAN
        try:
            choice = engine_choice(arguments.engine)
            insecure = arguments.engine_insecure
            with opened_engine(choice, arguments.jobs, insecure=insecure, is_apart=True) as engine:
                return _run(fleet, store, engine, arguments, since)
        except EngineUnavailable as refusal:
            raise NothingRan(f"{refusal}.") from None
        except StoreFault as refusal:
            raise CommandError(f"--history: {refusal}.") from None


def _run(
    fleet: Fleet, store: Store, engine: TaskEngine, arguments: FleetArguments, since: str | None
) -> int:
    record = FleetRecord(store, fleet.name, resume=arguments.resume)
    watch = Stopwatch()
    run = FleetRun(fleet, job_options(arguments), record, since=since)
    size = FleetSize(
        name=fleet.name,
        servers=len(fleet.entries) + len(fleet.wrong),
        dashboard=engine.dashboard,
    )
    with (
        heeding(lambda *_: run.interrupt()),
        fleet_progress(size, quiet=arguments.report.quiet) as run.listener,
    ):
        run.run(engine)
    engine.close()
    if run.is_interrupted:
        complain("mcp-assay: interrupted; the report contains the results so far. Go on: --resume.")
    timing = watch.timing()
    facts = FleetRunFacts(
        tool=ToolVersion(name="mcp-assay", version=__version__),
        options=shown_options(arguments),
        started=timing.started,
        seconds=timing.seconds,
        fail_on=arguments.report.fail_on,
        engine=arguments.engine,
        workers=engine.workers,
        last_run=record.before.begun_at if record.before else None,
        gone=record.gone(_names(fleet)),
    )
    report = fleet_report(fleet, run.outcomes(), facts)
    codes = [INTERRUPTED] if run.is_interrupted else []
    codes += _publish(report, arguments)
    return gravest([exit_code(report.totals.outcome, arguments.report.fail_on), *codes])


def job_options(arguments: FleetArguments) -> JobOptions:
    """How every server is assessed, and what its job may take."""
    reporting = {name: getattr(arguments.report, name) for name in REPORTING}
    return JobOptions(
        has_sandbox=not arguments.no_sandbox,
        limits=JobLimits(
            seconds=arguments.job_time or arguments.max_time + INSTALLING,
            memory_bytes=arguments.job_memory * MEGABYTE,
            disk_bytes=arguments.job_disk * MEGABYTE,
            processes=arguments.job_processes,
        ),
        named=arguments.env,
        assessing={**{name: getattr(arguments, name) for name in ASSESSING}, **reporting},
    )


def shown_options(arguments: FleetArguments) -> dict[str, Any]:
    """The options that decide what is found, for the report."""
    options = job_options(arguments)
    return {
        **options.assessing,
        "sandbox": options.has_sandbox,
        "include": list(arguments.include),
        "exclude": list(arguments.exclude),
        "kinds": list(arguments.kinds),
        "most": arguments.most,
        "job_time": options.limits.seconds,
        "job_memory": arguments.job_memory,
        "job_disk": arguments.job_disk,
        "job_processes": arguments.job_processes,
    }


def _publish(report: FleetReport, arguments: FleetArguments) -> list[int]:
    """Write the report wherever it is wanted; the codes of what failed."""
    codes = []
    options = arguments.report
    for form, path in options.reports:
        try:
            save_text(fleet_written(report, form), path)
        except CommandError as refusal:
            complain(f"mcp-assay: {refusal}")
            codes.append(USAGE)
    if options.format == TEXT:
        show(fleet_text(report, verbose=options.verbose), color=not options.no_color)
    else:
        write(fleet_written(report, options.format))
    return codes


def _fleet(arguments: FleetArguments) -> Fleet:
    filters = FleetFilters(
        only=arguments.include,
        without=arguments.exclude,
        kinds=arguments.kinds,
        limit=arguments.most,
    )
    try:
        return read_fleet(arguments.fleet, filters)
    except WrongFleet as refusal:
        raise CommandError(str(refusal)) from None


def _names(fleet: Fleet) -> set[str]:
    """Whatever the file names, servers or not."""
    return {entry.name for entry in fleet.entries} | {entry.name for entry in fleet.wrong}


def _moment(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return moment(text, datetime.now(UTC))
    except NotKnown as refusal:
        raise UsageError(f"--since: {refusal}.") from None

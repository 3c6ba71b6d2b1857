"""`mcp-assay validate`: files in, a report out, an exit code that says whether all is well."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from mcp_assay.cli.options import CommandLine, ReportOptions, ValidateArguments
from mcp_assay.cli.output import UsageError, complain, is_terminal, show, write
from mcp_assay.cli.reports import (
    events_for,
    publish_files,
    refuse_contradictions,
    settled,
)
from mcp_assay.findings.collector import OnFinding
from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import INTERRUPTED, OUR_FAULT, USAGE, exit_code
from mcp_assay.model.report import Report
from mcp_assay.report.as_text import closing_text, finding_line, full_text, short_text
from mcp_assay.report.formats import EVENTS, TEXT, written
from mcp_assay.spec.revisions import AUTO
from mcp_assay.text.lines import Line, counted
from mcp_assay.validate.options import require_selectable
from mcp_assay.validate.run import Options, Run, collect_seldom
from mcp_assay.validate.shares import Share, number_of_shares
from mcp_assay.validate.sources import STDIN, is_live, names_several, shown_name, size_of

if TYPE_CHECKING:
    from mcp_assay.cli.remembered_traces import RememberedTraces
    from mcp_assay.validate.event_files import EventFiles
    from mcp_assay.validate.server_lines import LineFilter

ONLY_MCP: Mapping[str, Any] = {
    "revision": AUTO,
    "direction": None,
    "dialect": "mcp",
    "partial": False,
}
"""Options that mean nothing to the envelope's profile, and their defaults.

To type one of them is a mistake; in a configuration they are meant for other runs.
"""

LOCAL = "local"
"""The engine that needs none."""
MOST_NAMED = 10
"""So many files are named in one sentence."""
WORTH_SHOWING = 4_000_000
"""Files of fewer bytes together are judged before anybody could read a bar."""


def validate_all(line: CommandLine, arguments: ValidateArguments) -> int:
    """Judge the files, or standard input; write the report, and say how it went."""
    reporting = arguments.report
    refuse_contradictions(reporting)
    if arguments.profile == "envelope":
        _refuse_typed(line, ONLY_MCP)
        arguments = replace(arguments, **ONLY_MCP)
    _refuse_foreign_rules(arguments)
    sources = arguments.files or _standard_input()
    options = _options(arguments)
    memory = _memory(line, arguments, sources)
    live = reporting.format == TEXT and any(map(is_live, sources))
    events = events_for(reporting)
    shown = partial(_on_finding, color=not reporting.no_color) if live else None
    found = _both(shown, events.find if events else None)
    if _is_archive(arguments):
        from mcp_assay.cli.archive import judged_archive

        run = judged_archive(arguments, options, found)
    else:
        run = _judged(sources, arguments, options, found, memory.lines if memory else None)
    report = settled(run.report(), reporting)
    _publish(report, run, reporting, events, live=live)
    code = _exit_code(report, run)
    return memory.conclude(report, code, run.options) if memory else code


def _memory(
    line: CommandLine, arguments: ValidateArguments, sources: Sequence[str]
) -> RememberedTraces | None:
    """What remembers the run, where it is to be remembered."""
    if not arguments.remembered.is_given:
        return None
    from mcp_assay.cli.history_options import keeper_of_all

    keeper = keeper_of_all(line, arguments.remembered, arguments.report)
    if keeper is None:
        return None
    from mcp_assay.cli.remembered_traces import RememberedTraces

    return RememberedTraces(keeper, sources, arguments)


def _is_archive(arguments: ValidateArguments) -> bool:
    """Whether the files are looked through first, and then judged wherever there is an engine."""
    if arguments.sample is not None or arguments.engine != LOCAL:
        return True
    return any(map(names_several, arguments.files))


def _refuse_typed(line: CommandLine, names: Iterable[str]) -> None:
    """The envelope is a profile of one revision, and of responses alone."""
    for name in names:
        if line.has(name):
            raise UsageError(f"--profile envelope checks only responses; omit --{name}.")


def _refuse_foreign_rules(arguments: ValidateArguments) -> None:
    """A selection that leaves nothing to judge is a mistake, not a pass."""
    try:
        require_selectable(arguments.report.select, arguments.profile)
    except ValueError as refusal:
        raise UsageError(f"{refusal}.") from None


def _options(arguments: ValidateArguments) -> Options:
    reporting = arguments.report
    return Options(
        profile=arguments.profile,
        revision=None if arguments.revision == AUTO else arguments.revision,
        direction=arguments.direction,
        dialect=arguments.dialect,
        duplicates=not arguments.fast,
        partial=arguments.partial,
        map=arguments.map,
        select=reporting.select,
        ignore=reporting.ignore,
        max_findings=reporting.max_findings,
        fail_on=reporting.fail_on,
    )


def _standard_input() -> tuple[str, ...]:
    if sys.stdin.isatty():
        raise UsageError("there is nothing to validate; name a FILE, or pipe messages in.")
    return (STDIN,)


def _judged(
    sources: Sequence[str],
    arguments: ValidateArguments,
    options: Options,
    on_finding: OnFinding | None,
    lines: LineFilter | None,
) -> Run:
    """Judge the sources, in several processes where that pays; report findings as they come."""
    collect_seldom()
    shares = number_of_shares(sources, arguments.jobs)
    quiet = arguments.report.quiet
    run = Run(options, share=Share(index=0, of=shares), on_finding=on_finding, lines=lines)
    if shares == 1:
        _judge(run, sources, quiet=quiet)
        run.close()
        return run
    from mcp_assay.validate.workers import WorkerPool

    with WorkerPool(options, sources, shares) as pool:
        _judge(run, sources, quiet=quiet)
        if run.interrupted:
            pool.interrupt()
        run.close()
        pool.join(run)
    return run


def _judge(run: Run, sources: Sequence[str], *, quiet: bool) -> None:
    with progress(run, sources, quiet=quiet):
        run.judge_all(sources)
    if run.interrupted:
        complain("mcp-assay: interrupted; the report contains the results so far.")


@contextmanager
def progress(run: Run, sources: Sequence[str], *, quiet: bool) -> Iterator[None]:
    """Show the bytes read, their rate, the messages and the time left, while the block runs."""
    total = sum(size_of(source) or 0 for source in sources)
    if quiet or total < WORTH_SHOWING or not is_terminal():
        yield
        return
    from rich import progress as paint
    from rich.console import Console

    columns = (
        paint.BarColumn(),
        paint.DownloadColumn(),
        paint.TransferSpeedColumn(),
        paint.TextColumn("{task.fields[messages]:,} messages"),
        paint.TimeRemainingColumn(),
    )
    with paint.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, messages=0)

        def seen(size: int) -> None:
            bar.update(task, advance=size, messages=run.messages * run.reader.share.of)

        run.seen = seen
        yield


def _on_finding(finding: Finding, *, color: bool) -> None:
    show([finding_line(finding)], color=color)


def _both(one: OnFinding | None, other: OnFinding | None) -> OnFinding | None:
    """What gets the findings at once."""
    if one is None or other is None:
        return one or other
    return lambda finding: (one(finding), other(finding))


def _publish(
    report: Report, run: Run, options: ReportOptions, events: EventFiles | None, *, live: bool
) -> None:
    """Write the report everywhere; text for people only where something could be read."""
    publish_files(report, options, events)
    if options.format == EVENTS:
        return
    if options.format != TEXT:
        write(written(report, options.format))
    elif set(run.sources) != set(run.unreadable):
        show(_lines(report, options, live=live), color=not options.no_color)


def _lines(report: Report, options: ReportOptions, *, live: bool) -> Iterable[Line]:
    """The report for people, without what they have seen already."""
    if options.quiet:
        return () if live else short_text(report)
    text = closing_text if live else full_text
    return text(report, verbose=options.verbose)


def _exit_code(report: Report, run: Run) -> int:
    return exit_code(report.summary.outcome, run.options.fail_on, *_graver(run))


def _graver(run: Run) -> Iterator[int]:
    """What went wrong with the run itself; the gravest of it is reported."""
    if run.interrupted:
        yield INTERRUPTED
    elif run.own_faults:
        times = counted(run.own_faults, "time")
        complain(f"mcp-assay: internal error on some messages, {times} (ENV-003).")
        yield OUR_FAULT
    elif not run.messages:
        complain(f"mcp-assay: {_why_nothing(run)}.")
        yield USAGE


def _why_nothing(run: Run) -> str:
    if set(run.sources) == set(run.unreadable):
        return "; ".join(_first([*run.unreadable.values()]))
    if run.sampled is not None and run.sampled.left_out:
        left_out = counted(run.sampled.left_out, "session")
        return f"the sample left out all of {left_out}; take a larger one, or another --seed"
    sought = "tool response" if run.options.profile == "envelope" else "message"
    return f"no {sought} was found in {', '.join(_first([*map(shown_name, run.sources)]))}"


def _first(words: list[str]) -> list[str]:
    """Some of the words; how many others there are, where that is too many to read."""
    more = len(words) - MOST_NAMED
    return words if more <= 0 else [*words[:MOST_NAMED], f"and {more:,} more"]

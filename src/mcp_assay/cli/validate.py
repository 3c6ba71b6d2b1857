"""`mcp-assay validate`: files in, a report out, an exit code that says whether all is well."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from mcp_assay.cli.application import INTERRUPTED, OUR_FAULT, USAGE
from mcp_assay.cli.baselines import settled
from mcp_assay.cli.events import EventOutput, events_for
from mcp_assay.cli.output import complain, show, write
from mcp_assay.cli.parameters import trace_map
from mcp_assay.cli.progress import progress
from mcp_assay.cli.reporting import publish_files, refuse_contradictions, reporting_options
from mcp_assay.intake.garbage import collect_seldom
from mcp_assay.intake.keeping import Tell
from mcp_assay.intake.options import PROFILES
from mcp_assay.intake.profiles import require_selectable
from mcp_assay.intake.shares import Share, number_of_shares
from mcp_assay.intake.sources import STDIN, is_live, shown_name
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.report.as_text import closing_text, finding_line, full_text, short_text
from mcp_assay.report.formats import EVENTS, TEXT, written
from mcp_assay.report.lines import Line, counted
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.validate import Options, Run

AUTO = "auto"
MOST_JOBS = 256
ONLY_MCP = {"revision": AUTO, "direction": None, "dialect": "mcp", "partial": False}
"""Options that mean nothing to the envelope's profile, and their defaults.

To type one of them is a mistake; in a configuration they are meant for other runs.
"""


@click.command("validate", short_help="Judge messages or traces, from files or standard input.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--profile",
    type=click.Choice(PROFILES),
    default="mcp",
    show_default=True,
    help="envelope judges the responses of tools, bare or in messages, by that profile.",
)
@click.option(
    "--revision",
    type=click.Choice([AUTO, *REVISIONS]),
    default=AUTO,
    show_default=True,
    help="The revision of MCP; auto finds out what was negotiated.",
)
@click.option(
    "--direction",
    type=click.Choice(["c2s", "s2c"]),
    help="Who sent the messages that do not say: client to server, or server to client.",
)
@click.option(
    "--dialect",
    type=click.Choice(["mcp", "erlmcp"]),
    default="mcp",
    show_default=True,
    help="erlmcp accepts the method names, error codes and null ids of that library.",
)
@click.option("--partial", is_flag=True, help="Sessions may begin or end outside the files.")
@click.option(
    "--map",
    "map",
    metavar="FIELD=POINTER",
    callback=trace_map,
    multiple=True,
    help="For traces of another format: where a member of a trace line stands; may be repeated.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=MOST_JOBS),
    metavar="N",
    help="How many processes share the work; by default all cores, where that pays.",
)
@click.option(
    "--fast", is_flag=True, help="Do not look for duplicate members; JSONRPC-018 is then undecided."
)
@reporting_options
def command(files: tuple[str, ...], **given: Any) -> int:
    """Judge every message in the FILEs, or on standard input where FILE is - or left out.

    A FILE holds one JSON value, or lines of bare messages or trace lines.
    """
    refuse_contradictions(given)
    if given["profile"] == "envelope":
        _refuse_typed(ONLY_MCP)
        given |= ONLY_MCP
    _refuse_foreign_rules(given)
    sources = files or _standard_input()
    live = given["format"] == "text" and any(map(is_live, sources))
    events = events_for(given)
    shown = partial(_tell, color=not given["no_color"]) if live else None
    run = _judged(sources, given, _both(shown, events.find if events else None))
    report = settled(run.report(), given)
    _publish(report, run, given, events, live=live)
    return _exit_code(report, run)


def _refuse_typed(names: Iterable[str]) -> None:
    """The envelope is a profile of one revision, and of responses alone."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--profile envelope judges responses alone; omit --{name}.")


def _refuse_foreign_rules(given: dict[str, Any]) -> None:
    """A selection that leaves nothing to judge is a mistake, not a pass."""
    try:
        require_selectable(given["select"], given["profile"])
    except ValueError as refusal:
        raise click.UsageError(f"{refusal}.") from None


def _options(given: dict[str, Any]) -> Options:
    return Options(
        profile=given["profile"],
        revision=None if given["revision"] == AUTO else given["revision"],
        direction=given["direction"],
        dialect=given["dialect"],
        duplicates=not given["fast"],
        partial=given["partial"],
        map=given["map"],
        select=given["select"],
        ignore=given["ignore"],
        max_findings=given["max_findings"],
        fail_on=given["fail_on"],
    )


def _standard_input() -> tuple[str, ...]:
    if sys.stdin.isatty():
        raise click.UsageError("there is nothing to validate; name a FILE, or pipe messages in.")
    return (STDIN,)


def _judged(sources: Sequence[str], given: dict[str, Any], tell: Tell | None) -> Run:
    """Judge the sources, in several processes where that pays; findings are told as they come."""
    collect_seldom()
    options, shares = _options(given), number_of_shares(sources, given["jobs"])
    run = Run(options, share=Share(index=0, of=shares), tell=tell)
    if shares == 1:
        _judge(run, sources, given)
        run.close()
        return run
    from mcp_assay.crew import Crew

    with Crew(options, sources, shares) as crew:
        _judge(run, sources, given)
        if run.interrupted:
            crew.interrupt()
        run.close()
        crew.join(run)
    return run


def _judge(run: Run, sources: Sequence[str], given: dict[str, Any]) -> None:
    with progress(run, sources, quiet=given["quiet"]):
        run.judge_all(sources)
    if run.interrupted:
        complain("mcp-assay: interrupted; the report holds what was judged before.")


def _tell(finding: Finding, *, color: bool) -> None:
    show([finding_line(finding)], color=color)


def _both(one: Tell | None, other: Tell | None) -> Tell | None:
    """Who is told of findings at once."""
    if one is None or other is None:
        return one or other
    return lambda finding: (one(finding), other(finding))


def _publish(
    report: Report, run: Run, given: dict[str, Any], events: EventOutput | None, *, live: bool
) -> None:
    """Write the report everywhere; text for people only where something could be read."""
    publish_files(report, given, events)
    if given["format"] == EVENTS:
        return
    if given["format"] != TEXT:
        write(written(report, given["format"]))
    elif set(run.sources) != set(run.unreadable):
        show(_lines(report, given, live=live), color=not given["no_color"])


def _lines(report: Report, given: dict[str, Any], *, live: bool) -> Iterable[Line]:
    """The report for people, without what they have seen already."""
    if given["quiet"]:
        return () if live else short_text(report)
    text = closing_text if live else full_text
    return text(report, verbose=given["verbose"])


def _exit_code(report: Report, run: Run) -> int:
    if run.interrupted:
        return INTERRUPTED
    if run.own_faults:
        times = counted(run.own_faults, "time")
        complain(f"mcp-assay: not all could be judged, {times} by a fault of ours (ENV-003).")
        return OUR_FAULT
    if not run.messages:
        complain(f"mcp-assay: {_why_nothing(run)}.")
        return USAGE
    return 1 if report.summary.outcome == "fail" and run.options.fail_on != "never" else 0


def _why_nothing(run: Run) -> str:
    if set(run.sources) == set(run.unreadable):
        return "; ".join(run.unreadable.values())
    sought = "response of a tool" if run.options.profile == "envelope" else "message"
    return f"no {sought} was found in {', '.join(shown_name(name) for name in run.sources)}"

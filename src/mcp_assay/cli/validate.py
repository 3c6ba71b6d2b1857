"""`mcp-assay validate`: files in, a report out, an exit code that says whether all is well."""

from __future__ import annotations

import sys
from typing import Any

import click

from mcp_assay.cli.application import INTERRUPTED, OUR_FAULT, USAGE
from mcp_assay.cli.output import complain, show, write
from mcp_assay.cli.parameters import FORMATS, report_files, rule_names
from mcp_assay.intake.sources import STDIN, shown_name
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import to_json
from mcp_assay.report.as_text import full_text, short_text
from mcp_assay.report.lines import as_plain_text
from mcp_assay.report.tally import DEFAULT_MAX_FINDINGS
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.validate import Options, Run

AUTO = "auto"


@click.command("validate", short_help="Judge messages or traces, from files or standard input.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
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
@click.option(
    "--fast", is_flag=True, help="Do not look for duplicate members; JSONRPC-018 is then undecided."
)
@click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="The form of the report on standard output.",
)
@click.option(
    "--report",
    "reports",
    metavar="FORMAT=PATH",
    callback=report_files,
    multiple=True,
    help="Also write the report to a file; may be repeated.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    help="The least severity that makes the exit code 1.",
)
@click.option(
    "--select",
    metavar="RULE[,...]",
    callback=rule_names,
    multiple=True,
    help="Report these rules or families only; may be repeated.",
)
@click.option(
    "--ignore",
    metavar="RULE[,...]",
    callback=rule_names,
    multiple=True,
    help="Do not report these rules or families; may be repeated.",
)
@click.option(
    "--max-findings",
    type=click.IntRange(min=0),
    default=DEFAULT_MAX_FINDINGS,
    show_default=True,
    metavar="N",
    help="How many findings to keep; all are counted.",
)
@click.option("--quiet", is_flag=True, help="One line per finding and nothing else.")
@click.option("--verbose", is_flag=True, help="Spell out every repeat and every check.")
@click.option("--no-color", is_flag=True, help="Plain text, also on a terminal.")
def command(files: tuple[str, ...], **given: Any) -> int:
    """Judge every message in the FILEs, or on standard input where FILE is - or left out.

    A FILE holds one JSON value, or lines of bare messages or trace lines.
    """
    if given["quiet"] and given["verbose"]:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    run = Run(_options(given))
    _judge(run, files or _standard_input())
    report = run.report()
    _publish(report, run, given)
    return _exit_code(report, run)


def _options(given: dict[str, Any]) -> Options:
    return Options(
        revision=None if given["revision"] == AUTO else given["revision"],
        direction=given["direction"],
        dialect=given["dialect"],
        duplicates=not given["fast"],
        select=given["select"],
        ignore=given["ignore"],
        max_findings=given["max_findings"],
        fail_on=given["fail_on"],
    )


def _standard_input() -> tuple[str, ...]:
    if sys.stdin.isatty():
        raise click.UsageError("there is nothing to validate; name a FILE, or pipe messages in.")
    return (STDIN,)


def _judge(run: Run, files: tuple[str, ...]) -> None:
    try:
        for file in files:
            run.judge(file)
    except KeyboardInterrupt:
        run.interrupted = True
        complain("mcp-assay: interrupted; the report holds what was judged before.")


def _publish(report: Report, run: Run, given: dict[str, Any]) -> None:
    """Write the report everywhere; text for people only where something could be read."""
    for format, path in given["reports"]:
        _save(report, format, path)
    if given["format"] == "json":
        write(to_json(report))
    elif set(run.sources) != set(run.unreadable):
        lines = (
            short_text(report) if given["quiet"] else full_text(report, verbose=given["verbose"])
        )
        show(lines, color=not given["no_color"])


def _save(report: Report, format: str, path: str) -> None:
    text = to_json(report) if format == "json" else as_plain_text(full_text(report))
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise click.ClickException(f"{path} could not be written: {fault}") from None


def _exit_code(report: Report, run: Run) -> int:
    if run.interrupted:
        return INTERRUPTED
    if run.own_faults:
        complain(f"mcp-assay: {run.own_faults:,} messages could not be judged by a fault of ours.")
        return OUR_FAULT
    if not run.messages:
        complain(f"mcp-assay: {_why_nothing(run)}.")
        return USAGE
    return 1 if report.summary.outcome == "fail" and run.options.fail_on != "never" else 0


def _why_nothing(run: Run) -> str:
    if set(run.sources) == set(run.unreadable):
        return "; ".join(run.unreadable.values())
    return f"no message was found in {', '.join(shown_name(name) for name in run.sources)}"

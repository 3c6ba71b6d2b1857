"""What every reporting command has: the options about its report, and how the report goes out."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

from mcp_assay.cli.baselines import require_baseline
from mcp_assay.cli.events import EventOutput
from mcp_assay.cli.output import show, write
from mcp_assay.cli.parameters import report_files, rule_names
from mcp_assay.model.report import Report
from mcp_assay.report.as_text import full_text, short_text
from mcp_assay.report.formats import EVENTS, FORMATS, TEXT, written
from mcp_assay.report.lines import as_plain_text
from mcp_assay.report.tally import DEFAULT_MAX_FINDINGS

Command = TypeVar("Command", bound=Callable[..., Any])

OPTIONS = (
    click.option(
        "--format",
        "format",
        type=click.Choice(FORMATS),
        default="text",
        show_default=True,
        help="The form of the report on standard output.",
    ),
    click.option(
        "--report",
        "reports",
        metavar="FORMAT=PATH",
        callback=report_files,
        multiple=True,
        help="Also write the report to a file; may be repeated.",
    ),
    click.option(
        "--fail-on",
        type=click.Choice(["error", "warning", "never"]),
        default="error",
        show_default=True,
        help="The least severity that makes the exit code 1.",
    ),
    click.option(
        "--select",
        metavar="RULE[,...]",
        callback=rule_names,
        multiple=True,
        help="Report these rules or families only; may be repeated.",
    ),
    click.option(
        "--ignore",
        metavar="RULE[,...]",
        callback=rule_names,
        multiple=True,
        help="Do not report these rules or families; may be repeated.",
    ),
    click.option(
        "--max-findings",
        type=click.IntRange(min=0),
        default=DEFAULT_MAX_FINDINGS,
        show_default=True,
        metavar="N",
        help="How many findings to keep; all are counted.",
    ),
    click.option(
        "--baseline",
        metavar="FILE",
        help="Known findings that are accepted; stale and expired entries fail the run.",
    ),
    click.option(
        "--update-baseline",
        is_flag=True,
        help="Write to the baseline all that this run finds.",
    ),
    click.option("--quiet", is_flag=True, help="One line per finding and nothing else."),
    click.option("--verbose", is_flag=True, help="Spell out every repeat and every check."),
    click.option("--no-color", is_flag=True, help="Plain text, also on a terminal."),
)


def reporting_options(command: Command) -> Command:
    """Give a command the options about its report."""
    return reduce(lambda wrapped, option: option(wrapped), reversed(OPTIONS), command)


def refuse_contradictions(given: dict[str, Any]) -> None:
    """Refuse options about the report that make no sense together, or cannot be followed."""
    if given["quiet"] and given["verbose"]:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    require_baseline(given)


def publish(report: Report, given: dict[str, Any], events: EventOutput | None = None) -> None:
    """Write a report everywhere that the options name; where events go, they are concluded."""
    publish_files(report, given, events)
    if given["format"] == EVENTS and events:
        return
    if given["format"] != TEXT:
        write(written(report, given["format"]))
        return
    lines = short_text(report) if given["quiet"] else full_text(report, verbose=given["verbose"])
    show(lines, color=not given["no_color"])


def publish_files(report: Report, given: dict[str, Any], events: EventOutput | None) -> None:
    """Write a report to every file that the options name, and end the events."""
    for format, path in given["reports"]:
        if format != EVENTS or events is None:
            save(report, format, path)
    if events:
        events.conclude(report)


def home_of(path: str) -> str:
    """The folder we are in, as seen from a file: by a way that goes with a project, if it can."""
    here, folder = os.getcwd(), os.path.dirname(os.path.abspath(path))
    is_inside = os.path.commonpath([here, folder]) == here
    return os.path.relpath(here, folder).replace(os.sep, "/") if is_inside else here


def save(report: Report, format: str, path: str) -> None:
    """Write a report to a file."""
    is_text = format == TEXT
    text = as_plain_text(full_text(report)) if is_text else written(report, format, home_of(path))
    save_text(text, path)


def save_text(text: str, path: str) -> None:
    """Write a text to a file."""
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise click.ClickException(f"{path} could not be written: {fault}") from None

"""`mcp-assay diff`: two reports in, what differs out, and whether it got worse."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from mcp_assay.cli.output import show, write
from mcp_assay.cli.parameters import report_file, rule_names
from mcp_assay.compare import Comparison, Unreadable, compare, load_report
from mcp_assay.model.report import Report
from mcp_assay.report.diff_formats import DIFF_FORMATS, DIFF_WRITERS
from mcp_assay.report.diff_text import diff_text, short_diff
from mcp_assay.report.formats import TEXT
from mcp_assay.report.lines import as_plain_text

STANDARD_INPUT = "-"


def _files(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """The format and path of each FORMAT=PATH that was typed.

    Those of a configuration are for reports: a diff must not be written over them.
    """
    if context.get_parameter_source(str(option.name)) is not ParameterSource.COMMANDLINE:
        return ()
    return tuple(report_file(context, option, text, DIFF_FORMATS) for text in given)


@click.command("diff", short_help="Compare two reports: what is new, fixed, changed or worse.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--format",
    "format",
    type=click.Choice(DIFF_FORMATS),
    default=TEXT,
    show_default=True,
    help="The form of the comparison on standard output.",
)
@click.option(
    "--report",
    "reports",
    metavar="FORMAT=PATH",
    callback=_files,
    multiple=True,
    help="Also write the comparison to a file; may be repeated.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    help="The least severity of a new finding that makes the exit code 1; never: nothing does.",
)
@click.option(
    "--select",
    metavar="RULE[,...]",
    callback=rule_names,
    multiple=True,
    help="Compare findings of these rules or families only; may be repeated.",
)
@click.option(
    "--ignore",
    metavar="RULE[,...]",
    callback=rule_names,
    multiple=True,
    help="Leave out findings of these rules or families; may be repeated.",
)
@click.option("--quiet", is_flag=True, help="One line per difference and nothing else.")
@click.option("--verbose", is_flag=True, help="Every difference, however many there are.")
@click.option("--no-color", is_flag=True, help="Plain text, also on a terminal.")
def command(old: str, new: str, **given: Any) -> int:
    """Compare two JSON reports, OLD and NEW, of assess, lint or validate.

    Each is a file, packed or not; one of them may be -, standard input. The exit code is 1 where
    NEW has a finding that OLD has not, a tool that does worse, or a definition that breaks clients.
    """
    if given["quiet"] and given["verbose"]:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    if old == new == STANDARD_INPUT:
        raise click.UsageError("only one of OLD and NEW can be standard input.")
    chosen = {name: given[name] for name in ("fail_on", "select", "ignore")}
    comparison = compare(loaded(old), loaded(new), files=(old, new), **chosen)
    _publish(comparison, given)
    is_worse = comparison.summary.outcome == "worse"
    return int(is_worse and given["fail_on"] != "never")


def loaded(source: str) -> Report:
    """The report in a file; a sentence for the user says what is wrong where there is none."""
    try:
        return load_report(source)
    except Unreadable as refusal:
        raise click.ClickException(f"{refusal}.") from None


def _publish(comparison: Comparison, given: dict[str, Any]) -> None:
    for format, path in given["reports"]:
        _save(comparison, format, path)
    if given["format"] != TEXT:
        write(DIFF_WRITERS[given["format"]](comparison))
        return
    quiet, verbose = given["quiet"], given["verbose"]
    lines = short_diff(comparison) if quiet else diff_text(comparison, verbose=verbose)
    show(lines, color=not given["no_color"])


def _save(comparison: Comparison, format: str, path: str) -> None:
    is_text = format == TEXT
    text = as_plain_text(diff_text(comparison)) if is_text else DIFF_WRITERS[format](comparison)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise click.ClickException(f"{path} could not be written: {fault}") from None

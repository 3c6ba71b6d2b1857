"""`mcp-assay diff`: two reports in, what differs out, and whether it got worse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from mcp_assay.cli.output import show, write
from mcp_assay.cli.parameters import report_file, rule_names
from mcp_assay.compare import (
    Comparison,
    Comparisons,
    Several,
    Unreadable,
    compare,
    compare_all,
    load,
    load_report,
)
from mcp_assay.drift.comparison import DiffOutcome
from mcp_assay.intake.sources import shown_name
from mcp_assay.model.report import Report
from mcp_assay.report.diff_formats import DIFF_FORMATS, DIFF_WRITERS, DIFFS_WRITERS
from mcp_assay.report.diff_text import diff_text, short_diff
from mcp_assay.report.diffs_text import diffs_text, short_diffs
from mcp_assay.report.formats import TEXT
from mcp_assay.report.lines import Line, as_plain_text

STANDARD_INPUT = "-"


class Told(NamedTuple):
    """A comparison, of one server or of several, and how it is written."""

    outcome: DiffOutcome
    long: Callable[[bool], Iterable[Line]]
    """All differences for people; of many only some, unless all are wanted."""
    short: Callable[[], Iterable[Line]]
    written: Callable[[str], str]
    """The form for programs and services."""


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

    Each is a file, packed or not; one of them may be -, standard input. Reports on several servers
    (--all) are compared server by server. The exit code is 1 where
    NEW has a finding that OLD has not, a tool that does worse, or a definition that breaks clients.
    """
    if given["quiet"] and given["verbose"]:
        raise click.UsageError("--quiet and --verbose exclude each other.")
    if old == new == STANDARD_INPUT:
        raise click.UsageError("only one of OLD and NEW can be standard input.")
    told = _compared(old, new, {name: given[name] for name in ("fail_on", "select", "ignore")})
    _publish(told, given)
    return int(told.outcome == "worse" and given["fail_on"] != "never")


def _compared(old: str, new: str, chosen: dict[str, Any]) -> Told:
    """Compare two reports of the same kind."""
    before, now = _loaded(old), _loaded(new)
    if isinstance(before, Report) and isinstance(now, Report):
        return _told_of_one(compare(before, now, files=(old, new), **chosen))
    if isinstance(before, Several) and isinstance(now, Several):
        return _told_of_all(compare_all(before, now, **chosen))
    one, several = (old, new) if isinstance(before, Report) else (new, old)
    words = f"{shown_name(one)} is a report on one server, {shown_name(several)} one on several"
    raise click.ClickException(f"{words}; compare two of the same kind.")


def _told_of_one(found: Comparison) -> Told:
    return Told(
        outcome=found.summary.outcome,
        long=lambda verbose: diff_text(found, verbose=verbose),
        short=lambda: short_diff(found),
        written=lambda format: DIFF_WRITERS[format](found),
    )


def _told_of_all(found: Comparisons) -> Told:
    return Told(
        outcome=found.summary.outcome,
        long=lambda verbose: diffs_text(found, verbose=verbose),
        short=lambda: short_diffs(found),
        written=lambda format: DIFFS_WRITERS[format](found),
    )


def _loaded(source: str) -> Report | Several:
    with _refusing():
        return load(source)


def loaded(source: str) -> Report:
    """The report on one server in a file; a sentence for the user where there is none."""
    with _refusing():
        return load_report(source)


@contextmanager
def _refusing() -> Iterator[None]:
    """What is wrong with a file, as a sentence for the user."""
    try:
        yield
    except Unreadable as refusal:
        raise click.ClickException(f"{refusal}.") from None


def _publish(told: Told, given: dict[str, Any]) -> None:
    for format, path in given["reports"]:
        is_text = format == TEXT
        _save(as_plain_text(told.long(False)) if is_text else told.written(format), path)
    if given["format"] != TEXT:
        write(told.written(given["format"]))
        return
    lines = told.short() if given["quiet"] else told.long(given["verbose"])
    show(lines, color=not given["no_color"])


def _save(text: str, path: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise click.ClickException(f"{path} could not be written: {fault}") from None

"""`mcp-assay diff`: two reports in, what differs out, and whether it got worse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from mcp_assay.cli.options import DiffArguments
from mcp_assay.cli.output import CommandError, UsageError, show, write
from mcp_assay.cli.reports import save_text
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
from mcp_assay.model.outcome import exit_code
from mcp_assay.model.report import Report
from mcp_assay.report.diff_formats import DIFF_WRITERS, DIFFS_WRITERS
from mcp_assay.report.diff_text import diff_text, short_diff
from mcp_assay.report.diffs_text import diffs_text, short_diffs
from mcp_assay.report.formats import TEXT
from mcp_assay.text.lines import Line, as_plain_text
from mcp_assay.validate.sources import shown_name

STANDARD_INPUT = "-"


class WrittenDiff(NamedTuple):
    """A comparison, of one server or of several, and how it is written."""

    outcome: DiffOutcome
    long: Callable[[bool], Iterable[Line]]
    """All differences for people; of many only some, unless all are wanted."""
    short: Callable[[], Iterable[Line]]
    written: Callable[[str], str]
    """The form for programs and services."""


def compare_files(arguments: DiffArguments) -> int:
    """Compare two reports, write what differs, and say whether it got worse."""
    if arguments.quiet and arguments.verbose:
        raise UsageError("--quiet and --verbose exclude each other.")
    if arguments.old == arguments.new == STANDARD_INPUT:
        raise UsageError("only one of OLD and NEW can be stdin.")
    written_diff = _compared(arguments)
    _publish(written_diff, arguments)
    return exit_code("fail" if written_diff.outcome == "worse" else "pass", arguments.fail_on)


def _compared(arguments: DiffArguments) -> WrittenDiff:
    """Compare two reports of the same kind."""
    old, new = arguments.old, arguments.new
    chosen: Any = {name: getattr(arguments, name) for name in ("fail_on", "select", "ignore")}
    before, now = _loaded(old), _loaded(new)
    if isinstance(before, Report) and isinstance(now, Report):
        return _written_one(compare(before, now, files=(old, new), **chosen))
    if isinstance(before, Several) and isinstance(now, Several):
        return _written_all(compare_all(before, now, **chosen))
    one, several = (old, new) if isinstance(before, Report) else (new, old)
    words = f"{shown_name(one)} is a report on one server, {shown_name(several)} one on several"
    raise CommandError(f"{words}; compare two of the same kind.")


def _written_one(found: Comparison) -> WrittenDiff:
    return WrittenDiff(
        outcome=found.summary.outcome,
        long=lambda verbose: diff_text(found, verbose=verbose),
        short=lambda: short_diff(found),
        written=lambda format: DIFF_WRITERS[format](found),
    )


def _written_all(found: Comparisons) -> WrittenDiff:
    return WrittenDiff(
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
        raise CommandError(f"{refusal}.") from None


def _publish(written_diff: WrittenDiff, arguments: DiffArguments) -> None:
    for format, path in arguments.reports:
        is_text = format == TEXT
        save_text(
            as_plain_text(written_diff.long(False)) if is_text else written_diff.written(format),
            path,
        )
    if arguments.format != TEXT:
        write(written_diff.written(arguments.format))
        return
    lines = written_diff.short() if arguments.quiet else written_diff.long(arguments.verbose)
    show(lines, color=not arguments.no_color)

"""Where a report goes: held against its baseline, to standard output, to files and as events."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from mcp_assay.cli.options import ReportOptions
from mcp_assay.cli.output import CommandError, UsageError, complain, require_writable, show, write
from mcp_assay.model.report import Report
from mcp_assay.report.as_text import full_text, short_text
from mcp_assay.report.formats import BADGE, EVENTS, TEXT, written
from mcp_assay.text.lines import as_plain_text

if TYPE_CHECKING:
    from mcp_assay.model.baseline import Baseline
    from mcp_assay.validate.event_files import EventFiles


def refuse_contradictions(options: ReportOptions) -> None:
    """Refuse options about the report that make no sense together, or cannot be followed."""
    if options.quiet and options.verbose:
        raise UsageError("--quiet and --verbose exclude each other.")
    _require_baseline(options)


def publish(report: Report, options: ReportOptions, events: EventFiles | None = None) -> None:
    """Write a report everywhere that the options name; where events go, they are concluded."""
    try:
        publish_files(report, options, events)
    finally:  # a file that cannot be written costs nobody the report
        if options.format != EVENTS or not events:
            with _at_stage(options.format):
                _show(report, options)


def _show(report: Report, options: ReportOptions) -> None:
    if options.format != TEXT:
        write(written(report, options.format))
        return
    lines = short_text(report) if options.quiet else full_text(report, verbose=options.verbose)
    show(lines, color=not options.no_color)


def publish_files(report: Report, options: ReportOptions, events: EventFiles | None) -> None:
    """Write a report to every file that the options name, and end the events."""
    with ExitStack() as files:  # each is written, whatever becomes of the others
        if events:
            files.callback(_conclude, report, events)
        for format, path in reversed(options.reports):
            if format != EVENTS or events is None:
                files.callback(_save, report, format, path)


def _conclude(report: Report, events: EventFiles) -> None:
    events.conclude(report)
    _require_written(events)


def _save(report: Report, format: str, path: str) -> None:
    with _at_stage(format):
        save(report, format, path)


@contextmanager
def _at_stage(format: str) -> Iterator[None]:
    """While inside, a fault of ours says which form of the report it is about."""
    try:
        yield
    except CommandError:
        raise
    except Exception as fault:
        fault.add_note(f"the {format} report")
        raise


def home_of(path: str) -> str:
    """The folder we are in, as seen from a file: by a way that goes with a project, if it can."""
    here, folder = os.getcwd(), os.path.dirname(os.path.abspath(path))
    is_inside = os.path.commonpath([here, folder]) == here
    return os.path.relpath(here, folder).replace(os.sep, "/") if is_inside else here


def save(report: Report, format: str, path: str) -> None:
    """Write a report to a file."""
    if format == TEXT:
        text = as_plain_text(full_text(report))
    elif format == BADGE and path.endswith(".json"):
        from mcp_assay.report.as_badge import to_shield

        text = to_shield(report)
    else:
        text = written(report, format, home_of(path))
    save_text(text, path)


def save_text(text: str, path: str) -> None:
    """Write a text to a file."""
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        raise CommandError(f"{path} could not be written: {fault}") from None


def events_for(options: ReportOptions) -> EventFiles | None:
    """Where the events of this command go, open until it ends; None where nobody wants them."""
    paths = [path for format, path in options.reports if format == EVENTS]
    shown = [write] if options.format == EVENTS else []
    if not paths and not shown:
        return None
    from mcp_assay.validate.event_files import EventFiles

    events = EventFiles(paths, *shown, is_verbose=options.verbose)
    import click  # they are closed when its command ends

    click.get_current_context().with_resource(events)
    _require_written(events)
    return events


def _require_written(events: EventFiles) -> None:
    """Say so where a file for the events could not be written: its option is at fault."""
    if events.faults:
        raise CommandError(f"{'; '.join(events.faults.values())}.")


def settled(report: Report, options: ReportOptions) -> Report:
    """The report without what the baseline accepts; with --update-baseline it accepts all of it."""
    path = options.baseline
    if path is None:
        return report
    from datetime import date

    from mcp_assay.report.baseline import accepted

    known = _read(path, may_be_missing=options.update_baseline)
    if options.update_baseline:
        known = _updated(report, known, path)
    return accepted(report, known, date.today())  # noqa: DTZ011  days end where the user is


def _require_baseline(options: ReportOptions) -> None:
    """Refuse options about a baseline that cannot be used, before anything else is done."""
    path = options.baseline
    if path is None and options.update_baseline:
        raise UsageError("--update-baseline needs --baseline FILE.")
    if path is not None:
        _read(path, may_be_missing=options.update_baseline)
        if options.update_baseline:
            require_writable(path, "--update-baseline")


def _read(path: str, *, may_be_missing: bool) -> Baseline:
    from mcp_assay.model.baseline import Baseline
    from mcp_assay.report.baseline import WrongBaseline, read_baseline

    try:
        with open(path, "rb") as file:
            return read_baseline(file.read())
    except FileNotFoundError:
        if may_be_missing:
            return Baseline()
        words = f"{path} does not exist; --update-baseline writes it."
        raise UsageError(f"--baseline: {words}") from None
    except OSError as fault:
        words = f"{path} cannot be read: {fault.strerror}."
        raise UsageError(f"--baseline: {words}") from None
    except WrongBaseline as refusal:
        raise UsageError(f"--baseline: {path} {refusal}.") from None


def _updated(report: Report, known: Baseline, path: str) -> Baseline:
    """The baseline, written anew where that can be done; the report is never lost for it."""
    from mcp_assay.report.baseline import read_baseline, write_baseline

    if report.summary.outcome == "incomplete":
        complain(f"mcp-assay: the run is incomplete; {path} was not updated.")
        return known
    text = write_baseline(report, known)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as fault:
        complain(f"mcp-assay: {path} could not be written: {fault.strerror}.")
        return known
    return read_baseline(text.encode())

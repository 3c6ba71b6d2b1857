"""Two reports, of files or of this process -> Comparison: what `mcp-assay diff` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Final, TypeVar

from msgspec.structs import replace

from mcp_assay import __version__
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.drift.comparison import Change, Comparison
from mcp_assay.drift.reports import ComparisonOptions, compare_reports
from mcp_assay.drift.servers import Comparisons, Several, compare_servers
from mcp_assay.model.outcome import FailOn
from mcp_assay.model.report import Report
from mcp_assay.model.reports import ServerReport
from mcp_assay.report.report_file import WrongReport, read_any_report, read_report
from mcp_assay.spec.selection import names
from mcp_assay.text.safe import plain
from mcp_assay.validate.lines import Damaged, Unreadable, unpacked
from mcp_assay.validate.sources import bounded, opened, shown_name

__all__ = [
    "Change",
    "Comparison",
    "Comparisons",
    "Several",
    "Unreadable",
    "compare",
    "compare_all",
    "load",
    "load_report",
]

Form = TypeVar("Form")

LARGEST: Final = 128 * 1024 * 1024
"""Bytes of a report, unpacked."""


def load_report(source: str) -> Report:
    """The JSON report in a file, packed or not ("-" is standard input); raises Unreadable."""
    return _loaded(source, read_report)


def load(source: str) -> Report | Several:
    """The JSON report in a file, on one server or on several; raises Unreadable.

    Where it names the files that hold the reports on its servers, they are read too.
    """
    report = _loaded(source, read_any_report)
    if isinstance(report, Report):
        return report
    reports = {one.name: one.report or _named(source, one) for one in report.servers}
    skipped = {one.name: one.reason for one in report.skipped}
    return Several(file=source, reports=reports, skipped=skipped)


def _named(source: str, server: ServerReport) -> Report:
    """The report on one server, in a file beside the one on all; nothing else is opened."""
    folder, file = os.path.dirname(source) or ".", server.file or ""
    path = os.path.join(folder, file)
    is_beside = not os.path.isabs(file) and os.pardir not in file.split("/")
    if not file or not is_beside or not os.path.isfile(path):
        words = f"{file!r}, which is no file there" if file else "no file"
        shown = f"{shown_name(source)} does not hold the report on {server.name!r}"
        raise Unreadable(plain(f"{shown}, and names {words}"))
    return load_report(path)


def _loaded(source: str, read: Callable[[bytes], Form]) -> Form:
    file = shown_name(source)
    otherwise = f"{file} is longer than the {LARGEST:,} bytes that a report may have"
    try:
        with opened(source) as stream:
            return read(bounded(unpacked(stream), LARGEST, otherwise))
    except Damaged as damage:
        raise Unreadable(f"{file} is incomplete: {damage}") from None
    except WrongReport as refusal:
        raise Unreadable(f"{file} {refusal}") from None


def compare(
    old: Report,
    new: Report,
    *,
    fail_on: FailOn = "error",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    files: tuple[str | None, str | None] = (None, None),
) -> Comparison:
    """Everything in which two reports differ; `select` and `ignore` choose the rules."""
    options = _options(fail_on, tuple(select), tuple(ignore))
    with closing(LateWorker()) as worker:
        return compare_reports(old, new, replace(options, files=files), worker)


def compare_all(
    old: Several,
    new: Several,
    *,
    fail_on: FailOn = "error",
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
) -> Comparisons:
    """Everything in which two runs on several servers differ, server by server."""
    options = _options(fail_on, tuple(select), tuple(ignore))
    with closing(LateWorker()) as worker:
        return compare_servers(old, new, options, worker)


def _options(
    fail_on: FailOn, select: tuple[str, ...], ignore: tuple[str, ...]
) -> ComparisonOptions:
    def wanted(rule: str) -> bool:
        is_selected = not select or any(names(text, rule) for text in select)
        return is_selected and not any(names(text, rule) for text in ignore)

    return ComparisonOptions(version=__version__, fail_on=fail_on, wanted=wanted)

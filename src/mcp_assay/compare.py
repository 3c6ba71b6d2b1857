"""Two reports, of files or of this process -> Comparison: what `mcp-assay diff` does."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import Final

from mcp_assay import __version__
from mcp_assay.drift.change import Change
from mcp_assay.drift.comparison import Comparison, FailOn
from mcp_assay.drift.reports import Manner, compare_reports
from mcp_assay.intake.late_worker import LateWorker
from mcp_assay.intake.packed import Damaged, unpacked
from mcp_assay.intake.sources import Unreadable, opened, shown_name
from mcp_assay.model.report import Report
from mcp_assay.report.reading import WrongReport, read_report
from mcp_assay.report.selection import names

__all__ = ["Change", "Comparison", "Unreadable", "compare", "load_report"]

LARGEST: Final = 128 * 1024 * 1024
"""Bytes of a report, unpacked."""


def load_report(source: str) -> Report:
    """The JSON report in a file, packed or not ("-" is standard input); raises Unreadable."""
    file = shown_name(source)
    try:
        with opened(source) as stream:
            return read_report(_bounded(unpacked(stream), file))
    except Damaged as damage:
        raise Unreadable(f"{file} breaks off: {damage}") from None
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
    selected, ignored = tuple(select), tuple(ignore)

    def wanted(rule: str) -> bool:
        is_selected = not selected or any(names(text, rule) for text in selected)
        return is_selected and not any(names(text, rule) for text in ignored)

    manner = Manner(version=__version__, fail_on=fail_on, wanted=wanted, files=files)
    with closing(LateWorker()) as worker:
        return compare_reports(old, new, manner, worker)


def _bounded(blocks: Iterable[bytes], file: str) -> bytes:
    text = bytearray()
    for block in blocks:
        text += block
        if len(text) > LARGEST:
            raise Unreadable(f"{file} is longer than the {LARGEST:,} bytes that a report may have")
    return bytes(text)

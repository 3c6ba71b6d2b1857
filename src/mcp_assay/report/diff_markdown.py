"""Comparison -> Markdown for a step summary or a comment: the verdict first, details folded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_assay.drift.comparison import Comparison
from mcp_assay.report.as_markdown import LARGEST, cell, passage
from mcp_assay.report.diff_sections import (
    VERDICTS,
    Section,
    besides,
    header,
    notes,
    numbers,
    sections,
)

CUT: Final = "\nThe rest is left out: a summary may not be longer."
OPEN: Final = frozenset({"new", "tool", "definition"})
"""The sections that are not folded: what somebody may have to act on."""


def diff_markdown(comparison: Comparison) -> str:
    """The comparison as Markdown."""
    written, size = [], 0
    for line in _lines(comparison):
        size += len(line) + 1
        if size > LARGEST:
            written.append(CUT)
            break
        written.append(line)
    return "\n".join((*written, ""))


def _lines(comparison: Comparison) -> Iterator[str]:
    yield f"## {VERDICTS[comparison.summary.outcome][0]} {passage(numbers(comparison))}"
    yield ""
    if rest := besides(comparison):
        yield f"Besides {passage(rest)}."
        yield ""
    if parts := list(header(comparison)):
        yield " · ".join(map(cell, parts))
        yield ""
    for note in notes(comparison):
        yield f"- {passage(note)}"
    for section in sections(comparison):
        yield ""
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    is_open = " open" if section.kind in OPEN else ""
    yield f"<details{is_open}><summary>{section.title} ({len(section.rows):,})</summary>"
    yield ""
    for row in section.rows:
        more = f": {' '.join(map(passage, row.more))}" if row.more else ""
        yield f"- {row.grade} **{cell(row.about)}**{more}"
    yield ""
    yield "</details>"

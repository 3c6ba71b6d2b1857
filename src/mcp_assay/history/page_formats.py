"""A page of the history as text for a terminal, or as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mcp_assay.history.pages import HistoryPage, PageTable
from mcp_assay.report.as_markdown import cell, passage
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    broken,
    cut,
    indented,
    labelled,
    padded,
    said,
    sentences,
    width,
)

GAP: Final = 2
NARROWEST: Final = 8
"""Columns that a column keeps, however long the others are."""
NUMBERS: Final = frozenset(
    ("id", "errors", "warnings", "runs", "run", "calls", "succeeded", "came", "confidence")
)
"""Columns that end under each other."""
LONG: Final = frozenset(("message", "what else changed in that run", "tools", "effects"))
"""Columns that go to a line of their own where they do not fit."""
STYLES: Final[dict[str, Style]] = {
    "PASS": "pass",
    "FAIL": "fail",
    "INCOMPLETE": "warning",
    "error": "error",
    "warning": "warning",
    "note": "info",
    "working": "pass",
    "broken": "fail",
    "breaking": "fail",
    "risky": "warning",
}
LABEL: Final = 10


def page_text(page: HistoryPage) -> Iterator[Line]:
    """The page in lines that fit a screen."""
    yield said(page.title, "strong")
    for name, value in page.facts:
        yield from labelled(name, value, size=LABEL)
    for table in page.tables:
        if table.title or table.rows or table.otherwise:
            yield BLANK
        yield from _table(table)


def _table(table: PageTable) -> Iterator[Line]:
    if table.title:
        yield said(table.title, "strong")
    if not table.rows:
        yield from sentences(table.otherwise) if table.otherwise else ()
        return
    last = table.columns[-1] in LONG
    columns = table.columns[:-1] if last else table.columns
    rows = [row[: len(columns)] for row in table.rows]
    sizes = _sizes(columns, rows)
    yield _row(columns, columns, sizes, heading=True)
    for row, whole in zip(rows, table.rows, strict=True):
        yield _row(columns, row, sizes)
        if last and whole[-1]:
            for part in broken(whole[-1], SCREEN - 2 * GAP):
                yield indented(said(part, "faint"), 2 * GAP)
    if table.note:
        yield from sentences(table.note, style="faint")


def _sizes(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """How wide each column is: the widest ones give way until all fit the screen."""
    sizes = [max(width(name), *(width(row[at]) for row in rows)) for at, name in enumerate(columns)]
    room = SCREEN - GAP * len(columns)
    while sum(sizes) > room and max(sizes) > NARROWEST:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def _row(
    columns: Sequence[str], row: Sequence[str], sizes: Sequence[int], *, heading: bool = False
) -> Line:
    pieces: list[tuple[str, Style]] = []
    for name, text, size in zip(columns, row, sizes, strict=True):
        shown = cut(text, size)
        shown = " " * (size - width(shown)) + shown if name in NUMBERS else padded(shown, size)
        style: Style = "faint" if heading else STYLES.get(text, "")
        pieces.append((" " * GAP + shown, style))
    return tuple(pieces)


def page_markdown(page: HistoryPage) -> str:
    """The page as Markdown."""
    return "\n".join((*_markdown(page), ""))


def _markdown(page: HistoryPage) -> Iterator[str]:
    yield f"## {passage(page.title)}"
    if page.facts:
        yield ""
        yield from (f"- {name}: {passage(value)}" for name, value in page.facts)
    for table in page.tables:
        if table.title:
            yield from ("", f"### {passage(table.title)}")
        yield ""
        yield from _markdown_table(table)


def _markdown_table(table: PageTable) -> Iterator[str]:
    if not table.rows:
        yield passage(table.otherwise)
        return
    yield f"| {' | '.join(table.columns)} |"
    yield f"|{'---|' * len(table.columns)}"
    for row in table.rows:
        yield f"| {' | '.join(cell(text) for text in row)} |"
    if table.note:
        yield from ("", passage(table.note))

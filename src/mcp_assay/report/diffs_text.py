"""Comparisons of several servers -> text: one table, then each server that differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_assay.drift.servers import Comparisons, ServerChange
from mcp_assay.report.diff_sections import VERDICTS, besides, numbers
from mcp_assay.report.diff_text import LONGEST_MORE, diff_text, short_diff
from mcp_assay.text.lines import (
    BLANK,
    SCREEN,
    Line,
    Style,
    broken,
    counted,
    cut,
    indented,
    padded,
    said,
    sentences,
    width,
)

MARGIN: Final = 2
WIDEST_NAME: Final = 28
NO_SERVER: Final = "no server in either of them"
NAMELESS: Final = "(no name)"


def diffs_text(comparisons: Comparisons, *, verbose: bool = False) -> Iterator[Line]:
    """The verdict, a row per server, and what differs in each; one line where nothing does."""
    word, style = VERDICTS[comparisons.summary.outcome]
    yield ((word, style), (f"  {server_numbers(comparisons)}", ""))
    yield from _noted(comparisons.notes)
    if comparisons.servers and (verbose or comparisons.summary.outcome != "same"):
        yield BLANK
        yield from _table(comparisons)
    for server in differing(comparisons):
        yield BLANK
        yield said(cut(server.name, SCREEN) or NAMELESS, "strong")
        yield from _details(server, verbose)


def _details(server: ServerChange, verbose: bool) -> Iterator[Line]:
    """What differs in a server; of a new one without findings only what is to be noted."""
    its = server.comparison
    if its is None:
        return
    if server.change == "added" and its.summary.outcome == "same":
        yield from _noted(its.notes)
        return
    for line in diff_text(its, verbose=verbose):
        yield indented(line, MARGIN) if line else BLANK


def _noted(notes: list[str]) -> Iterator[Line]:
    for note in notes:
        yield from sentences(f"Note: {cut(note, LONGEST_MORE)}", indent=MARGIN)


def short_diffs(comparisons: Comparisons) -> Iterator[Line]:
    """One line per difference, behind the name of its server, and nothing else."""
    for server in comparisons.servers:
        name: Line = ((f"{cut(server.name, WIDEST_NAME) or NAMELESS}: ", "strong"),)
        if server.change != "compared":
            yield (*name, (row_words(server)[0], ""))
        for line in short_diff(server.comparison) if server.comparison else ():
            yield (*name, *line)


def server_numbers(comparisons: Comparisons) -> str:
    """How many servers there are of each kind."""
    summary = comparisons.summary
    kinds = ((summary.worse, "worse"), (summary.changed, "changed"), (summary.same, "the same"))
    shown_parts = ", ".join(f"{number:,} {words}" for number, words in kinds if number)
    moved = ((summary.added, "added"), (summary.removed, "removed"))
    parts = [
        *([f"{counted(summary.servers, 'server')}: {shown_parts}"] if shown_parts else []),
        *(f"{number:,} {words}" for number, words in moved if number),
    ]
    return "; ".join(parts) or NO_SERVER


def differing(comparisons: Comparisons) -> list[ServerChange]:
    """The servers of which there is more to tell than their row."""
    return [
        one
        for one in comparisons.servers
        if one.comparison and (one.comparison.summary.outcome != "same" or one.comparison.notes)
    ]


def row_words(server: ServerChange) -> tuple[str, Style, str]:
    """The verdict on a server in a word, how that is painted, and why."""
    its = server.comparison
    if server.change == "removed" or its is None:
        return "removed", "warning", server.reason
    word, style = VERDICTS[its.summary.outcome]
    shown_parts = () if its.summary.outcome == "same" else (numbers(its), besides(its))
    more = "; besides ".join(filter(None, shown_parts))
    if server.change == "compared":
        return word.lower(), style, more
    before = f"it was {server.reason}" if server.reason else ""
    return "added", "fail" if its.summary.outcome == "worse" else "", more or before


def _table(comparisons: Comparisons) -> Iterator[Line]:
    rows = [
        (cut(one.name, WIDEST_NAME) or NAMELESS, *row_words(one)) for one in comparisons.servers
    ]
    names, words = (max(width(row[column]) for row in rows) for column in (0, 1))
    margin = 2 * MARGIN + names + 2 + words
    for name, word, style, more in rows:
        first, *rest = [*broken(more, SCREEN - margin)] or [""]
        yield indented(((f"{padded(name, names)}  ", ""), (padded(word, words), style),
                        (f"  {first}", "")), MARGIN)  # fmt: skip
        yield from (indented(said(line), margin) for line in rest)

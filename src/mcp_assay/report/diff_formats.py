"""The forms in which a comparison of two reports is written for programs and services."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec

from mcp_assay.drift.comparison import Comparison
from mcp_assay.drift.servers import Comparisons, ServerChange
from mcp_assay.report.as_json import json_text
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
from mcp_assay.report.diffs_text import NAMELESS, differing, row_words, server_numbers

CUT: Final = "\nThe rest is omitted: the summary has reached its maximum length."
HEAD: Final = ("| server | | why |", "|---|---|---|")
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


def diffs_markdown(comparisons: Comparisons) -> str:
    """The comparisons as Markdown, as many of them whole as a summary may hold."""
    text = "\n".join((*_overview(comparisons), ""))
    for server in differing(comparisons):
        part = "\n".join((*_details(server), ""))
        if len(text) + len(part) > LARGEST:
            return f"{text}{CUT}\n"
        text += part
    return text


def _overview(comparisons: Comparisons) -> Iterator[str]:
    word = VERDICTS[comparisons.summary.outcome][0]
    yield f"## {word} {passage(server_numbers(comparisons))}"
    yield ""
    for note in comparisons.notes:
        yield f"- {passage(note)}"
    if comparisons.servers:
        yield from ("", *HEAD)
    for server in comparisons.servers:
        word, _, more = row_words(server)
        yield f"| {_name(server)} | {word} | {cell(more)} |"


def _details(server: ServerChange) -> Iterator[str]:
    assert server.comparison is not None, "only what was compared differs"
    is_open = " open" if server.comparison.summary.outcome == "worse" else ""
    yield ""
    yield f"<details{is_open}><summary>{_name(server)}</summary>"
    yield ""
    yield f"#{diff_markdown(server.comparison)}"
    yield "</details>"


def _name(server: ServerChange) -> str:
    return cell(server.name) or NAMELESS


def diff_json(comparison: Comparison | Comparisons) -> str:
    """The comparison as indented JSON, ending in a newline."""
    return json_text(msgspec.to_builtins(comparison))


DIFF_WRITERS: Final[Mapping[str, Callable[[Comparison], str]]] = {
    "json": diff_json,
    "markdown": diff_markdown,
}


DIFFS_WRITERS: Final[Mapping[str, Callable[[Comparisons], str]]] = {
    "json": diff_json,
    "markdown": diffs_markdown,
}
"""The same for several servers."""

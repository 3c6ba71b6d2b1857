"""Comparisons of several servers -> Markdown: one table, then each server that differs, folded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mcp_assay.drift.servers import Comparisons, ServerChange
from mcp_assay.report.as_markdown import LARGEST, cell, passage
from mcp_assay.report.diff_markdown import CUT, diff_markdown
from mcp_assay.report.diff_sections import VERDICTS
from mcp_assay.report.diffs_text import NAMELESS, differing, row_words, server_numbers

HEAD: Final = ("| server | | why |", "|---|---|---|")


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

"""A listed server -> the row that shows it."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final, TypeAlias

from markupsafe import Markup
from msgspec import Struct

from mcp_assay.history.server_list import ListedServer
from mcp_assay.report.tool_table import STATUS_WORDS, WORST_FIRST
from mcp_assay.text.lines import counted
from mcp_assay.web.page import environment
from mcp_assay.web.plots.small import Part, bar, trend
from mcp_assay.web.words import TONES, UNSURE, VERDICTS

MOST_KEPT: Final = 2_048
"""Plots and rows: the latest runs of most servers are alike, and a list is looked at often."""
Trend: TypeAlias = tuple[tuple[str, int, int], ...]
"""Outcome, errors and warnings of each run, the newest last."""


class ServerTools(Struct, frozen=True):
    """How many tools there are of each status, the worst first."""

    bar: Markup | str
    words: tuple[tuple[str, str], ...]
    """The number with its status, and the tone of that."""


class ServerRow(Struct, frozen=True, kw_only=True):
    """What the list shows of a server."""

    id: int
    name: str
    about: str
    """By what it is reached."""
    outcome: str
    reason: str | None
    """Why the latest run does not show all that it was to show."""
    tools: ServerTools
    trend: Markup | str
    open_errors: int
    version: str | None
    runs: int
    run: int | None
    at: str


def row_of(server: ListedServer) -> Markup:
    """The row of a server, as it stands in the table."""
    return _written(_row(server))


@lru_cache(MOST_KEPT)
def _written(row: ServerRow) -> Markup:
    return Markup(environment().get_template("server_row.html").render(row=row))


def _row(server: ListedServer) -> ServerRow:
    last, about = server.last, server.about
    return ServerRow(
        id=server.id,
        name=server.name,
        about=about.url or " ".join(about.command or about.files or ()),
        outcome=server.outcome,
        reason=last.reason if last else None,
        tools=_tools(tuple(last.tools.items()) if last else ()),
        trend=_trend(tuple(server.trend)),
        open_errors=server.open_errors,
        version=server.version,
        runs=server.runs,
        run=last.run if last else None,
        at=last.at if last else "",
    )


@lru_cache(MOST_KEPT)
def _tools(tools: tuple[tuple[str, int], ...]) -> ServerTools:
    known = sorted(
        tools, key=lambda one: WORST_FIRST.index(one[0]) if one[0] in STATUS_WORDS else 0
    )
    parts = [
        Part(number, STATUS_WORDS.get(status, status), TONES.get(status, UNSURE))
        for status, number in known
    ]
    words = tuple((f"{part.number:,} {part.name}", part.paint) for part in parts)
    return ServerTools(bar(parts) if parts else "", words)


@lru_cache(MOST_KEPT)
def _trend(runs: Trend) -> Markup | str:
    if not runs:
        return ""
    paints = [TONES.get(outcome, UNSURE) for outcome, *_ in runs]
    numbers = Counter(outcome for outcome, *_ in runs)
    each = ", ".join(f"{number} {VERDICTS[one]}" for one, number in numbers.items())
    label = f"last {counted(len(runs), 'run')}: {each}"
    return trend(paints, [errors for _, errors, _ in runs], label)

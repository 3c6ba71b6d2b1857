"""One tool over time: what it was, when it changed, and what else was new then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from aiohttp import web
from sqlalchemy import Connection

from mcp_assay.history.timelines import ToolTimeline, tool_timeline
from mcp_assay.web.page import render
from mcp_assay.web.plots.heat_map import LEGEND
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.server.addresses import ShownPart, page_links, part_of, range_links, size_links
from mcp_assay.web.server.server_page import APPROVALS
from mcp_assay.web.server.timeline_rows import (
    TimelineRow,
    heading_cells,
    mark_rows,
    tool_plot_rows,
    tool_rows,
    verdict_row,
)
from mcp_assay.web.store_reads import ask, number_in


async def _tool_page(request: web.Request) -> web.Response:
    tool, part = number_in(request, "tool"), part_of(request.query)
    return render(request, "tool.html", **await ask(request, tool_values, tool, part))


def tool_values(connection: Connection, tool_id: int, part: ShownPart) -> Mapping[str, Any]:
    """What the page of a tool shows; raises NotKnown."""
    answer = tool_timeline(connection, tool_id, part.view)
    path, runs = f"/tools/{tool_id}", answer.range.runs
    listed = [run for run in answer.runs if run is not None]
    return {
        "tool": answer.line,
        "server": answer.server,
        "now": listed[-1] if listed and answer.runs[-1] else None,
        "runs": listed[::-1],
        "steps": answer.steps,
        "headings": heading_cells(runs),
        "groups": _groups(answer),
        "columns": len(runs),
        "legend": LEGEND,
        "ranges": range_links(path, part, answer.range),
        "sizes": size_links(path, part),
        "findings": answer.findings,
        "findings_known": answer.findings_known,
        "finding_pages": page_links(path, part, "findings", answer.findings_known),
        "tools": {},
    }


def _groups(answer: ToolTimeline) -> list[tuple[str, Sequence[TimelineRow]]]:
    runs, marks = answer.range.runs, answer.marks
    its = list(tool_rows([answer.line], answer.range.ids))
    plots = list(tool_plot_rows(answer.runs, runs, marks))
    approvals = f"/servers/{answer.server.id}{APPROVALS}"
    return [
        ("tools", [*its, *plots]),
        ("server", [verdict_row(runs), *mark_rows(runs, marks, approvals)]),
    ]


ROUTES: Final = (WebRoute("GET", r"/tools/{tool:\d+}", _tool_page),)

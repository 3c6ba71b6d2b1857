"""One server over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from aiohttp import web
from sqlalchemy import Connection, select

from mcp_assay.history.answers import KnownFinding, KnownServer
from mcp_assay.history.tables import TOOL
from mcp_assay.history.timelines import ServerTimeline, server_timeline
from mcp_assay.web.page import render
from mcp_assay.web.plots.heat_map import LEGEND
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.server.addresses import ShownPart, page_links, part_of, range_links, size_links
from mcp_assay.web.server.timeline_rows import (
    TimelineRow,
    heading_cells,
    mark_rows,
    plot_rows,
    tool_rows,
    verdict_row,
)
from mcp_assay.web.store_reads import ask, number_in

APPROVALS: Final = "#approval"
"""Where on the page it is said what is approved."""


async def _server_page(request: web.Request) -> web.Response:
    server, part = number_in(request, "server"), part_of(request.query)
    return render(request, "server.html", **await ask(request, server_values, server, part))


def server_values(connection: Connection, server_id: int, part: ShownPart) -> Mapping[str, Any]:
    """What the page of a server shows; raises NotKnown."""
    answer = server_timeline(connection, server_id, part.view)
    path = f"/servers/{server_id}"
    runs = answer.range.runs
    return {
        "server": answer.server,
        "facts": server_facts(answer.server),
        "runs": runs[::-1],
        "latest": runs[-1] if runs else None,
        "columns": len(runs),
        "headings": heading_cells(runs),
        "groups": _groups(answer),
        "legend": LEGEND,
        "ranges": range_links(path, part, answer.range),
        "sizes": size_links(path, part),
        "tools_known": answer.tools_known,
        "tool_pages": page_links(path, part, "tools", answer.tools_known),
        "findings": answer.findings,
        "findings_known": answer.findings_known,
        "finding_pages": page_links(path, part, "findings", answer.findings_known),
        "tools": _tools_of(connection, server_id, answer.findings),
        "approval": answer.approval,
        "is_approved": answer.surface_approved,
        "approvable": next((run for run in runs[::-1] if run.surface), None),
    }


def server_facts(server: KnownServer) -> list[tuple[str, str]]:
    """What a server is known by."""
    known = (
        ("command", " ".join(server.command or ())),
        ("address", server.url or ""),
        ("files", ", ".join(server.files or ())),
        ("project", server.root or ""),
    )
    return [(name, value) for name, value in known if value]


def _groups(answer: ServerTimeline) -> list[tuple[str, Sequence[TimelineRow]]]:
    """The rows of the table, those about the whole server first."""
    runs, marks = answer.range.runs, answer.marks
    about = [verdict_row(runs), *mark_rows(runs, marks, APPROVALS), *plot_rows(runs, marks)]
    return [("server", about), ("tools", list(tool_rows(answer.tools, answer.range.ids)))]


def _tools_of(
    connection: Connection, server_id: int, findings: Sequence[KnownFinding]
) -> dict[str, int]:
    """The numbers of the tools that these findings are about, by their names."""
    names = {it.tool for it in findings if it.tool is not None}
    its = select(TOOL.c.name, TOOL.c.id).where(TOOL.c.server_id == server_id)
    return {row.name: row.id for row in connection.execute(its.where(TOOL.c.name.in_(names)))}


ROUTES: Final = (WebRoute("GET", r"/servers/{server:\d+}", _server_page),)

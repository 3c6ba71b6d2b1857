"""One run: its report as the HTML report shows it, between our own navigation."""

from __future__ import annotations

from typing import Any, Final

from aiohttp import web
from markupsafe import Markup
from sqlalchemy import Connection, bindparam, select

from mcp_assay.history.names import NotKnown, report_of
from mcp_assay.history.tables import RUN, SERVER, rows
from mcp_assay.report.as_html import report_parts
from mcp_assay.web.page import render
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.store_reads import ask, number_in


async def _run_page(request: web.Request) -> web.Response:
    values = await ask(request, _run_values, number_in(request, "run"))
    return render(request, "run.html", **values)


def _run_values(connection: Connection, run: int) -> dict[str, Any]:
    found = rows(connection, _RUN, {"run": run})
    if not found:
        raise NotKnown(f"the history has no run {run}")
    # every part was made by the HTML report, which escapes what it puts into them
    parts = {name: Markup(part) for name, part in report_parts(report_of(connection, run)).items()}
    return {"run": run, "parts": parts, **found[0]}


_RUN: Final = (
    select(RUN.c.at, RUN.c.server_id, SERVER.c.name.label("server"))
    .join(SERVER, SERVER.c.id == RUN.c.server_id)
    .where(RUN.c.id == bindparam("run"))
)
ROUTES: Final = (WebRoute("GET", r"/runs/{run:\d+}", _run_page),)

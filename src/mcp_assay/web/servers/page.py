"""All servers, a row each."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from mcp_assay.history.questions import all_servers
from mcp_assay.web.page import render
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.store_reads import ask


async def _servers_page(request: web.Request) -> web.Response:
    answer = await ask(request, all_servers)
    return render(request, "servers.html", servers=answer.servers)


ROUTES: Final = (WebRoute("GET", "/", _servers_page, menu="Servers"),)

"""All servers, a row each: filtered, sorted and searched by the store, a page at a time."""

from __future__ import annotations

from typing import Final

from aiohttp import web
from markupsafe import Markup
from sqlalchemy import Connection

from mcp_assay.history.server_list import ListedServers, ServerFilter, listed_servers
from mcp_assay.web.page import render
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.servers.addresses import OUTCOMES, address_of, wanted_servers
from mcp_assay.web.servers.rows import row_of
from mcp_assay.web.store_reads import ask


async def _servers_page(request: web.Request) -> web.Response:
    wanted = wanted_servers(request.query)
    listed, shown = await ask(request, _listed, wanted)
    return render(
        request,
        "servers.html",
        wanted=wanted,
        listed=listed,
        rows=shown,
        number=sum(listed.by_outcome.values()),
        outcomes=[one for one in OUTCOMES if one in listed.by_outcome],
        address_of=address_of,
    )


def _listed(connection: Connection, wanted: ServerFilter) -> tuple[ListedServers, list[Markup]]:
    listed = listed_servers(connection, wanted)
    return listed, [row_of(server) for server in listed.servers]


ROUTES: Final = (WebRoute("GET", "/", _servers_page, menu="Servers"),)

"""All parts put together: what is served, and what begins and ends with it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

from aiohttp import web

from mcp_assay.web import runs, server, servers, static_files, traffic
from mcp_assay.web.faults import fault_pages
from mcp_assay.web.live import pages as live
from mcp_assay.web.page import NAVIGATION
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.security import add_headers, guard
from mcp_assay.web.settings import SETTINGS, WebSettings

ROUTES: Final[Sequence[WebRoute]] = (
    *servers.ROUTES,
    *server.ROUTES,
    *runs.ROUTES,
    *live.ROUTES,
    *traffic.ROUTES,
    *static_files.ROUTES,
)
"""Everything that is served; the navigation has those that it can name, in this order."""
LIFETIMES: Final[Sequence[Callable[[web.Application], AsyncIterator[None]]]] = (
    live.live_runs,
    traffic.show_traffic,
)
"""What lives as long as the application: each yields once, between its beginning and its end."""
ENDINGS: Final[Sequence[Callable[[web.Application], Awaitable[None]]]] = (
    live.hang_up,
    traffic.hang_up,
)
"""What is done first when the application is to end: long answers come to theirs."""
LARGEST_REQUEST: Final = 64 * 1024
"""Bytes of a form."""


def make_application(settings: WebSettings) -> web.Application:
    """The application that serves the pages."""
    made = web.Application(middlewares=[guard, fault_pages], client_max_size=LARGEST_REQUEST)
    made[SETTINGS] = settings
    made[NAVIGATION] = [(route.path, route.menu) for route in ROUTES if route.menu]
    made.on_response_prepare.append(add_headers)
    made.cleanup_ctx.extend(LIFETIMES)
    made.on_shutdown.extend(ENDINGS)
    for route in ROUTES:
        made.router.add_route(route.method, route.path, route.handler)
    return made

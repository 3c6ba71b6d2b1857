"""What is approved of a server, and taken back, by buttons of its page."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Callable
from typing import Final

from aiohttp import web
from sqlalchemy import Connection

from mcp_assay.history import corrections
from mcp_assay.history.names import LARGEST_ID
from mcp_assay.history.store import now
from mcp_assay.web.changes import done
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.server.server_page import APPROVALS
from mcp_assay.web.settings import SETTINGS
from mcp_assay.web.store_reads import number_in, require_server

NO_REASON: Final = "Say why: the reason is kept in the history."
NO_RUN: Final = "The form must name a run by its number."
NAMELESS: Final = "somebody without a name"


async def _approve(request: web.Request) -> web.Response:
    server, form = number_in(request, "server"), await request.post()
    why, run = _reason(form.get("why")), _run(form.get("run"))

    def approve(connection: Connection) -> None:
        require_server(connection, server)
        who = _user()
        corrections.approve(connection, server, run_id=run, who=who, why=why, now=now())

    return await _changed(request, server, approve)


async def _revoke(request: web.Request) -> web.Response:
    server, form = number_in(request, "server"), await request.post()
    why = _reason(form.get("why"))

    def revoke(connection: Connection) -> None:
        require_server(connection, server)
        corrections.revoke(connection, server, who=_user(), why=why, now=now())

    return await _changed(request, server, revoke)


async def _changed(
    request: web.Request, server: int, change: Callable[[Connection], None]
) -> web.Response:
    """Change the history, and lead back to where it is shown."""

    def changed() -> None:
        with request.app[SETTINGS].store.writing() as connection:
            change(connection)

    await asyncio.to_thread(changed)
    return done(f"/servers/{server}{APPROVALS}")


def _reason(given: object) -> str:
    if not isinstance(given, str) or not given.strip():
        raise web.HTTPBadRequest(text=NO_REASON)
    return given.strip()


def _run(given: object) -> int:
    is_number = isinstance(given, str) and given.isascii() and given.isdigit()
    if not is_number or len(str(given)) > len(str(LARGEST_ID)) or int(str(given)) > LARGEST_ID:
        raise web.HTTPBadRequest(text=NO_RUN)
    return int(str(given))


def _user() -> str:
    """Who uses this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return NAMELESS


ROUTES: Final = (
    WebRoute("POST", r"/servers/{server:\d+}/approve", _approve),
    WebRoute("POST", r"/servers/{server:\d+}/revoke", _revoke),
)

"""Questions to the history, asked beside the loop that serves the pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from aiohttp import web
from sqlalchemy import Connection, select

from mcp_assay.history.names import LARGEST_ID, NotKnown
from mcp_assay.history.tables import RUN, SERVER
from mcp_assay.web.settings import SETTINGS

Answer = TypeVar("Answer")
Given = ParamSpec("Given")


async def ask(
    request: web.Request,
    question: Callable[Concatenate[Connection, Given], Answer],
    *given: Given.args,
    **more: Given.kwargs,
) -> Answer:
    """The answer to a question, which gets a connection that reads and these arguments.

    Whatever takes long on the way from rows to values belongs into the question: it has a thread.
    """

    def asked() -> Answer:
        with request.app[SETTINGS].store.reading() as connection:
            return question(connection, *given, **more)

    return await asyncio.to_thread(asked)


def number_in(request: web.Request, name: str) -> int:
    """The number that stands in an address under this name; raises NotKnown where none can."""
    number = int(request.match_info[name])
    if number > LARGEST_ID:
        raise NotKnown(f"the history has no {name} {number}")
    return number


def require_server(connection: Connection, server: int) -> None:
    """Raise NotKnown unless the history has a server with this number."""
    _require(connection, SERVER, server, "server")


def require_run(connection: Connection, run: int) -> None:
    """Raise NotKnown unless the history has a run with this number."""
    _require(connection, RUN, run, "run")


def _require(connection: Connection, table: Any, id: int, noun: str) -> None:
    if connection.execute(select(table.c.id).where(table.c.id == id)).scalar() is None:
        raise NotKnown(f"the history has no {noun} {id}")

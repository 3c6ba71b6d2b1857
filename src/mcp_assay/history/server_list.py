"""A page of the list of servers, filtered and sorted by an index of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, func, select

from mcp_assay.history.answers import LastRun
from mcp_assay.history.identity import ServerDetails
from mcp_assay.history.tables import SERVER, rows

ServerOrder: TypeAlias = Literal["verdict", "name", "errors", "latest"]
ORDERS: Final[tuple[ServerOrder, ...]] = get_args(ServerOrder)
PAGE: Final = 50
"""So many servers are on a page."""
_NAME: Final = SERVER.c.name
_SORTED: Final[Mapping[ServerOrder, Sequence[ColumnElement[Any]]]] = {
    "verdict": (SERVER.c.outcome, _NAME),  # fail, incomplete, none, pass: the worst is first
    "name": (_NAME,),
    "errors": (SERVER.c.open_errors.desc(), _NAME),
    "latest": (SERVER.c.last_sequence.desc(), _NAME),
}


class ServerFilter(Struct, frozen=True, kw_only=True):
    """Which servers are wanted, and in which order."""

    text: str = ""
    """In their names, in whatever case; who was given none is called by its command or URL."""
    outcome: str = ""
    """Of their latest run; none where they have no run."""
    order: ServerOrder = "verdict"
    page: int = 1


class ListedServer(Struct, frozen=True, kw_only=True):
    """A server with what a list tells of it."""

    id: int
    name: str
    about: ServerDetails
    runs: int
    outcome: str
    open_errors: int
    version: str | None
    last: LastRun | None
    trend: list[tuple[str, int, int]]
    """Outcome, errors and warnings of the latest runs, the newest last."""


class ListedServers(Struct, frozen=True, kw_only=True):
    """A page of servers, and how many there are by the outcome of their latest run."""

    servers: list[ListedServer]
    page: int
    pages: int
    by_outcome: dict[str, int]
    """Of all that have the text, whatever the outcome that is wanted."""


def listed_servers(connection: Connection, wanted: ServerFilter) -> ListedServers:
    """The servers that are wanted; of pages that there are not, the last one."""
    by_outcome = _by_outcome(connection, wanted.text)
    of_outcome = by_outcome.get(wanted.outcome, 0)
    found = of_outcome if wanted.outcome else sum(by_outcome.values())
    pages = max(1, -(-found // PAGE))
    page = min(max(wanted.page, 1), pages)
    its = select(SERVER).where(*_with(wanted.text)).order_by(*_SORTED[wanted.order])
    if wanted.outcome:
        its = its.where(SERVER.c.outcome == wanted.outcome)
    some = rows(connection, its.limit(PAGE).offset((page - 1) * PAGE))
    return ListedServers(
        servers=[_listed(row) for row in some], page=page, pages=pages, by_outcome=by_outcome
    )


def _by_outcome(connection: Connection, text: str) -> dict[str, int]:
    its = select(SERVER.c.outcome, func.count()).where(*_with(text)).group_by(SERVER.c.outcome)
    return {str(outcome): int(number) for outcome, number in connection.execute(its)}


def _with(text: str) -> Sequence[ColumnElement[bool]]:
    return (_NAME.icontains(text, autoescape=True),) if text else ()


def _listed(row: Mapping[str, Any]) -> ListedServer:
    return ListedServer(
        id=row["id"],
        name=row["name"],
        about=msgspec.json.decode(row["about"], type=ServerDetails),
        runs=row["runs"],
        outcome=row["outcome"],
        open_errors=row["open_errors"],
        version=row["version"],
        last=msgspec.json.decode(row["last"], type=LastRun) if row["last"] else None,
        trend=msgspec.json.decode(row["recent"], type=list[tuple[str, int, int]]),
    )

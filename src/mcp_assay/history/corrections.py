"""What people put right: names that were guessed, servers that are one, what is approved."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from mcp_assay.history.identity import named
from mcp_assay.history.names import NotKnown, last_run_of, server_with_key
from mcp_assay.history.questions import current_approval
from mcp_assay.history.recorder import retell
from mcp_assay.history.tables import APPROVAL, IDENTITY, RUN, SERVER, TOOL, TOOL_RUN
from mcp_assay.text.safe import plain, shorten

LONGEST: Final = 500


def rename(connection: Connection, server_id: int, name: str) -> None:
    """Call a server otherwise; it is known by this name now, and by all that it was known by."""
    shown = shorten(plain(name.strip()), LONGEST)
    if not shown:
        raise NotKnown("a server needs a name")
    key = named(shown).key
    _require_free(connection, server_id, shown, key)
    its = update(SERVER).where(SERVER.c.id == server_id)
    connection.execute(its.values(name=shown))
    if server_with_key(connection, key) is None:
        connection.execute(insert(IDENTITY), {"key": key, "server_id": server_id})


def _require_free(connection: Connection, server_id: int, name: str, key: str) -> None:
    """Two servers of one name could not be told apart."""
    its = select(SERVER.c.id).where(SERVER.c.name == name)
    others = {*connection.execute(its).scalars(), server_with_key(connection, key)}
    if others - {server_id, None}:
        raise NotKnown(f"another server is called {name!r}; history merge makes them one")


def merge(connection: Connection, other_id: int, into_id: int) -> None:
    """Make two servers one: runs, tools and what they are known by go to the second."""
    if other_id == into_id:
        raise NotKnown("these are the same server")
    _lock(connection, other_id, into_id)
    _move_runs(connection, other_id, into_id)
    _move_tools(connection, other_id, into_id)
    for table in (IDENTITY, APPROVAL):
        its = update(table).where(table.c.server_id == other_id)
        connection.execute(its.values(server_id=into_id))
    retell(connection, into_id)
    retell(connection, other_id)
    connection.execute(delete(SERVER).where(SERVER.c.id == other_id))


def _lock(connection: Connection, *servers: int) -> None:
    """Let nobody else write about these servers meanwhile."""
    if connection.dialect.name == "postgresql":
        its = select(SERVER.c.id).where(SERVER.c.id.in_(servers)).order_by(SERVER.c.id)
        connection.execute(its.with_for_update())


def _move_runs(connection: Connection, other_id: int, into_id: int) -> None:
    """Give runs to another server, each at its time; of two at the same one follows the other."""
    taken = select(RUN.c.sequence).where(RUN.c.server_id == into_id)
    used = {row.sequence for row in connection.execute(taken)}
    its = select(RUN.c.id, RUN.c.sequence).where(RUN.c.server_id == other_id)
    for run in connection.execute(its.order_by(RUN.c.sequence)).all():
        sequence = run.sequence
        while sequence in used:
            sequence += 1
        used.add(sequence)
        moved = update(RUN).where(RUN.c.id == run.id)
        connection.execute(moved.values(server_id=into_id, sequence=sequence))


def _move_tools(connection: Connection, other_id: int, into_id: int) -> None:
    its = select(TOOL.c.name, TOOL.c.id)
    known = {row.name: row.id for row in connection.execute(its.where(TOOL.c.server_id == into_id))}
    for tool in connection.execute(its.where(TOOL.c.server_id == other_id)).all():
        if tool.name not in known:
            moved = update(TOOL).where(TOOL.c.id == tool.id)
            connection.execute(moved.values(server_id=into_id))
            continue
        rows = update(TOOL_RUN).where(TOOL_RUN.c.tool_id == tool.id)
        connection.execute(rows.values(tool_id=known[tool.name]))
        connection.execute(delete(TOOL).where(TOOL.c.id == tool.id))


def approve(
    connection: Connection, server_id: int, *, run_id: int | None, who: str, why: str, now: str
) -> int:
    """Approve what a server lists, as one of its runs shows it; which run that is."""
    run_id = run_id if run_id is not None else last_run_of(connection, server_id)
    its = select(RUN.c.surface, RUN.c.server_id).where(RUN.c.id == run_id)
    run = connection.execute(its).first()
    if run is None or run.server_id != server_id:
        raise NotKnown(f"run {run_id} is not one of this server" if run else "it has no run")
    if run.surface is None:
        raise NotKnown(f"run {run_id} did not see what the server lists; approve another run")
    row = {
        "server_id": server_id,
        "run_id": run_id,
        "surface": run.surface,
        "at": now,
        "who": shorten(plain(who), LONGEST),
        "why": shorten(plain(why), LONGEST),
    }
    connection.execute(insert(APPROVAL), row)
    assert run_id is not None
    return run_id


def revoke(connection: Connection, server_id: int, *, who: str, why: str, now: str) -> None:
    """Take back what is approved; it stays in the history."""
    if current_approval(connection, server_id) is None:
        raise NotKnown("nothing of it is approved")
    newest = select(APPROVAL.c.id).where(APPROVAL.c.server_id == server_id)
    id = connection.execute(newest.order_by(APPROVAL.c.id.desc()).limit(1)).scalar_one()
    given = {"revoked_at": now, "revoked_by": shorten(plain(who), LONGEST)}
    its = update(APPROVAL).where(APPROVAL.c.id == id)
    connection.execute(its.values(**given, revoked_why=shorten(plain(why), LONGEST)))

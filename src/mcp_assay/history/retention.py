"""What is kept: a copy of the whole store, and runs that are removed when somebody says so."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, delete, select

from mcp_assay.history.faults import StoreFault, told
from mcp_assay.history.location import located
from mcp_assay.history.names import NotKnown
from mcp_assay.history.recorder import sum_up
from mcp_assay.history.store import PRIVATE_FILE, Store
from mcp_assay.history.tables import (
    APPROVAL,
    FINDING,
    FINDING_RUN,
    FLEET_SERVER,
    METADATA,
    REPORT,
    RUN,
    SERVER,
    STORE,
    TOOL_RUN,
)

AT_ONCE: Final = 500
"""So many rows are copied or removed in one go."""
_KEEP: Final = re.compile(r"(\d{1,6})(d?)")


class Keep(Struct, frozen=True):
    """What prune keeps of each server: so many runs, or those since a moment."""

    runs: int | None = None
    since: str | None = None


def keep_of(text: str, now: datetime) -> Keep:
    """What a text such as 50 or 90d means; raises NotKnown."""
    found = _KEEP.fullmatch(text)
    if not found or not int(found[1]):
        raise NotKnown(f"--keep {text!r} is neither a number of runs nor of days such as 90d")
    if not found[2]:
        return Keep(runs=int(found[1]))
    try:
        since = now - timedelta(days=int(found[1]))
    except OverflowError:
        raise NotKnown(f"--keep {text!r} is longer than time has been counted") from None
    return Keep(since=since.strftime("%Y-%m-%dT%H:%M:%SZ"))


def prune(store: Store, keep: Keep, server_id: int | None = None, *, dry_run: bool = False) -> int:
    """Remove runs that are not kept, server by server; how many there are.

    The latest run of a server stays, and every run that is approved or ever was.
    """
    with store.reading() as connection:
        its = (
            select(SERVER.c.id)
            if server_id is None
            else select(SERVER.c.id).where(SERVER.c.id == server_id)
        )
        servers = [int(row.id) for row in connection.execute(its)]
    number = 0
    for one in servers:
        with store.writing() as connection:
            runs = _removable(connection, one, keep)
            number += len(runs)
            if runs and not dry_run:
                _remove(connection, one, runs)
    return number


def _removable(connection: Connection, server_id: int, keep: Keep) -> list[int]:
    approved = select(APPROVAL.c.run_id).where(APPROVAL.c.server_id == server_id)
    protected = {row.run_id for row in connection.execute(approved)}
    its = select(RUN.c.id, RUN.c.at).where(RUN.c.server_id == server_id)
    runs = connection.execute(its.order_by(RUN.c.sequence.desc())).all()
    kept = max(keep.runs, 1) if keep.runs is not None else 1
    old = [run for run in runs[kept:] if keep.since is None or run.at < keep.since]
    return [run.id for run in old if run.id not in protected]


def _remove(connection: Connection, server_id: int, runs: Sequence[int]) -> None:
    for begin in range(0, len(runs), AT_ONCE):
        some = runs[begin : begin + AT_ONCE]
        for table in (REPORT, TOOL_RUN, FINDING_RUN, FLEET_SERVER):
            connection.execute(delete(table).where(table.c.run_id.in_(some)))
        connection.execute(delete(RUN).where(RUN.c.id.in_(some)))
    left = select(FINDING_RUN.c.run_id).where(FINDING_RUN.c.finding_id == FINDING.c.id).exists()
    fixed = FINDING.c.server_id == server_id, FINDING.c.is_open.is_(False), ~left
    connection.execute(delete(FINDING).where(*fixed))  # what is open stays known
    sum_up(connection, server_id)


def back_up(store: Store, path: str) -> None:
    """Copy the whole store to a new SQLite file, as it is at one moment."""
    if os.path.exists(path):
        raise StoreFault(f"{path} is there already; name a new file")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    except OSError as fault:
        raise StoreFault(f"{path} cannot be written: {fault.strerror}") from None
    try:
        _copy(store, path)
    except BaseException:
        os.remove(path)
        raise


def _copy(store: Store, path: str) -> None:
    if store.is_sqlite:
        with told(path), store.reading() as connection, closing(sqlite3.connect(path)) as other:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            source.backup(other)
        return
    other_store = Store(located(f"sqlite:///{os.path.abspath(path)}"))
    try:
        with store.reading() as source, other_store.writing() as target:
            for table in METADATA.sorted_tables:
                if table is not STORE:
                    for rows in source.execute(select(table)).mappings().partitions(AT_ONCE):
                        target.execute(table.insert(), [dict(row) for row in rows])
    finally:
        other_store.close()

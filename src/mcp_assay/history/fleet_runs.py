"""Runs of fleets in the store: which servers are done, as what, and when each was assessed last."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import Connection, and_, delete, func, insert, select, update

from mcp_assay.history.tables import FLEET_RUN, FLEET_SERVER, RUN, rows


class FleetRunRow(Struct, frozen=True, kw_only=True):
    """A run of a fleet."""

    id: int
    uid: str
    fleet: str
    begun_at: str
    ended_at: str | None = None


class FleetServerRow(Struct, frozen=True, kw_only=True):
    """What became of a server: its run in the store, or a reason as JSON."""

    name: str
    digest: str
    at: str
    run_id: int | None = None
    reason: str | None = None
    tries: str = "[]"
    version: str | None = None
    prepared_seconds: float | None = None
    assessed_seconds: float | None = None


_FIELDS: Final = FleetServerRow.__struct_fields__


def begin_fleet_run(connection: Connection, fleet: str, at: str) -> FleetRunRow:
    """Note that a fleet is assessed."""
    row = {"uid": uuid.uuid4().hex, "fleet": fleet, "begun_at": at}
    made = connection.execute(insert(FLEET_RUN).returning(FLEET_RUN.c.id), row).scalar_one()
    return FleetRunRow(id=int(made), **row)


def end_fleet_run(connection: Connection, fleet_run: int, at: str) -> None:
    """Note that nothing of a run is left to be done."""
    its = update(FLEET_RUN).where(FLEET_RUN.c.id == fleet_run)
    connection.execute(its.values(ended_at=at))


def last_fleet_run(
    connection: Connection, fleet: str, before: int | None = None
) -> FleetRunRow | None:
    """The latest run of a fleet, or the one before another; None where there is none."""
    its = select(FLEET_RUN).where(FLEET_RUN.c.fleet == fleet).order_by(FLEET_RUN.c.id.desc())
    its = its if before is None else its.where(FLEET_RUN.c.id < before)
    found = rows(connection, its.limit(1))
    return FleetRunRow(**found[0]) if found else None


def note_server(connection: Connection, fleet_run: int, server: FleetServerRow) -> None:
    """Note what became of a server, in place of what was noted of it in the same run before."""
    its = FLEET_SERVER.c
    known = its.fleet_run_id == fleet_run, its.name == server.name
    connection.execute(delete(FLEET_SERVER).where(*known))
    row = {name: getattr(server, name) for name in _FIELDS}
    connection.execute(insert(FLEET_SERVER), {"fleet_run_id": fleet_run, **row})


def noted_servers(connection: Connection, fleet_run: int) -> dict[str, FleetServerRow]:
    """What became of the servers in a run, by their names."""
    its = select(FLEET_SERVER).where(FLEET_SERVER.c.fleet_run_id == fleet_run)
    return {row["name"]: _server(row) for row in rows(connection, its)}


def earlier_servers(connection: Connection, fleet: str, before: int) -> dict[str, FleetServerRow]:
    """What became of each server the last time that any earlier run of the fleet had it."""
    joined = FLEET_SERVER.join(FLEET_RUN, FLEET_RUN.c.id == FLEET_SERVER.c.fleet_run_id)
    latest = (
        select(FLEET_SERVER.c.name, func.max(FLEET_SERVER.c.fleet_run_id).label("last"))
        .select_from(joined)
        .where(FLEET_RUN.c.fleet == fleet, FLEET_RUN.c.id < before)
        .group_by(FLEET_SERVER.c.name)
        .subquery()
    )
    same = FLEET_SERVER.c.fleet_run_id == latest.c.last, FLEET_SERVER.c.name == latest.c.name
    its = select(FLEET_SERVER).join(latest, and_(*same))
    return {row["name"]: _server(row) for row in rows(connection, its)}


def last_assessed(connection: Connection, fleet: str) -> dict[str, FleetServerRow]:
    """The latest run of each server that any run of the fleet has recorded, by their names."""
    of_fleet = FLEET_RUN.c.fleet == fleet
    joined = FLEET_SERVER.join(FLEET_RUN, FLEET_RUN.c.id == FLEET_SERVER.c.fleet_run_id)
    latest = (
        select(FLEET_SERVER.c.name, func.max(FLEET_SERVER.c.run_id).label("run_id"))
        .select_from(joined.join(RUN, RUN.c.id == FLEET_SERVER.c.run_id))
        .where(of_fleet)
        .group_by(FLEET_SERVER.c.name)
        .subquery()
    )
    same = latest.c.run_id == FLEET_SERVER.c.run_id, latest.c.name == FLEET_SERVER.c.name
    its = (
        select(FLEET_SERVER, RUN.c.at.label("assessed_at"))
        .join(RUN, RUN.c.id == FLEET_SERVER.c.run_id)
        .join(latest, and_(*same))
        .order_by(FLEET_SERVER.c.fleet_run_id)
    )
    found = rows(connection, its)
    return {row["name"]: _server({**row, "at": row["assessed_at"]}) for row in found}


def _server(row: Mapping[str, Any]) -> FleetServerRow:
    return FleetServerRow(**{name: row[name] for name in _FIELDS})

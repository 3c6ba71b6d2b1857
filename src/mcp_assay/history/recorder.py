"""A report -> its rows in the store, all of them or none."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct, field
from sqlalchemy import Connection, bindparam, func, insert, select, text, update

from mcp_assay.history.answers import LastRun
from mcp_assay.history.faults import StoreFault
from mcp_assay.history.finding_states import RunFacts, forget_findings, take_findings
from mcp_assay.history.identity import Identity
from mcp_assay.history.packed_reports import PackedReport, packed, unpacked_report
from mcp_assay.history.run_rows import RunRows, microseconds, rows_of
from mcp_assay.history.store import Store
from mcp_assay.history.tables import FINDING, IDENTITY, REPORT, RUN, SERVER, TOOL, TOOL_RUN, rows
from mcp_assay.model.report import Report

RECENT: Final = 20
"""So many of the latest runs make the trend of a server."""
NO_RUN: Final = "none"
"""The outcome of a server that no run is kept of."""
ATTEMPTS: Final = 2
"""A run is written again where the connection was lost before it was confirmed."""

_SERVER: Final = (
    select(SERVER)
    .join(IDENTITY, IDENTITY.c.server_id == SERVER.c.id)
    .where(IDENTITY.c.key == bindparam("key"))
)
_SERVER_FOR_US: Final = _SERVER.with_for_update(of=SERVER)
_BY_UID: Final = select(RUN.c.id, RUN.c.server_id).where(RUN.c.uid == bindparam("uid"))
_TOOLS: Final = select(TOOL.c.name, TOOL.c.id).where(TOOL.c.server_id == bindparam("server"))
_NEW_SERVER: Final = insert(SERVER).returning(SERVER.c.id)
_NEW_IDENTITY: Final = insert(IDENTITY)
_NEW_RUN: Final = insert(RUN).returning(RUN.c.id)
_NEW_REPORT: Final = insert(REPORT)
_NEW_TOOLS: Final = insert(TOOL)
_NEW_TOOL_RUNS: Final = insert(TOOL_RUN)
_SUMMED_UP: Final = (
    *("runs", "last_run", "last_sequence", "last", "recent"),
    *("outcome", "open_errors", "version"),
)
_SUM_UP: Final = (
    update(SERVER)
    .where(SERVER.c.id == bindparam("its_id"))
    .values({name: bindparam(f"new_{name}") for name in _SUMMED_UP})
)
_DESCRIBE: Final = (
    update(SERVER).where(SERVER.c.id == bindparam("its_id")).values(about=bindparam("new_about"))
)
_OPEN_ERRORS: Final = (
    select(func.count())
    .select_from(FINDING)
    .where(FINDING.c.server_id == bindparam("server"), FINDING.c.is_open)
    .where(FINDING.c.severity == "error")
)
"""Statements are made once: to make one takes longer than to run it."""


class StoredRun(Struct, frozen=True):
    """A run in the store."""

    run_id: int
    server_id: int
    is_new: bool = True
    """Whether it was not there before."""


class NewRun(Struct, frozen=True, kw_only=True):
    """A run to be stored: made before the transaction begins, which others may wait for."""

    identity: Identity
    report: Report
    body: PackedReport
    rows: RunRows
    uid: str = field(default_factory=lambda: uuid.uuid4().hex)
    """By this a run is known wherever it is stored."""
    is_live: bool = True
    """Whether it was made just now; else it has its place among the others by its time."""


def new_run(identity: Identity, report: Report, uid: str | None = None) -> NewRun:
    """A run that was made just now."""
    body, its_rows = packed(report), rows_of(report)
    uid = uid or uuid.uuid4().hex
    return NewRun(identity=identity, report=report, body=body, rows=its_rows, uid=uid)


def record(store: Store, run: NewRun) -> StoredRun:
    """Write a run into the store; raises StoreFault, and then nothing of it is there."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with store.writing() as connection:
                return insert_run(connection, run)
        except StoreFault as fault:
            if not fault.is_lost or attempt == ATTEMPTS:
                raise
    raise AssertionError("the last attempt returns or raises")


def insert_run(connection: Connection, run: NewRun) -> StoredRun:
    """Write a run inside a transaction; one that is known by its uid is there already."""
    server = _server_of(connection, run.identity, run.rows.run["at"])
    known = connection.execute(_BY_UID, {"uid": run.uid}).first()
    if known is not None:
        return StoredRun(known.id, known.server_id, is_new=False)
    sequence = _sequence(connection, server, run)
    given = {
        **run.rows.run,
        "server_id": server["id"],
        "uid": run.uid,
        "digest": run.body.digest,
        "sequence": sequence,
    }
    run_id = int(connection.execute(_NEW_RUN, given).scalar_one())
    body = {"run_id": run_id, "size": run.body.size, "body": run.body.body}
    connection.execute(_NEW_REPORT, body)
    _insert_tools(connection, server["id"], run_id, run.rows.tools)
    if sequence > server["last_sequence"]:
        take_findings(connection, _facts(run_id, given), run.rows.findings, run.report)
        _extend(connection, server, run_id, given)
    else:
        retell(connection, server["id"])
    return StoredRun(run_id, server["id"])


def retell(connection: Connection, server_id: int) -> None:
    """Take in all runs of a server anew, in their order: some are not where they were."""
    its = select(RUN).where(RUN.c.server_id == server_id).order_by(RUN.c.sequence)
    body = select(REPORT.c.body).where(REPORT.c.run_id == bindparam("run"))
    forget_findings(connection, server_id)
    for run in rows(connection, its):
        report = unpacked_report(connection.execute(body, {"run": run["id"]}).scalar_one())
        take_findings(connection, _facts(run["id"], run), rows_of(report).findings, report)
    sum_up(connection, server_id)


def sum_up(connection: Connection, server_id: int) -> None:
    """Count the runs of a server anew, and note the latest ones."""
    of_server = RUN.c.server_id == server_id
    runs = connection.execute(select(func.count()).select_from(RUN).where(of_server)).scalar_one()
    its = select(RUN).where(of_server).order_by(RUN.c.sequence.desc()).limit(RECENT)
    latest = rows(connection, its)
    recent = [[one["outcome"], one["errors"], one["warnings"]] for one in reversed(latest)]
    _update_server(
        connection,
        server_id,
        runs=runs,
        last_run=latest[0]["id"] if latest else None,
        last_sequence=latest[0]["sequence"] if latest else 0,
        last=_last(latest[0]["id"], latest[0]) if latest else None,
        recent=msgspec.json.encode(recent).decode(),
        outcome=latest[0]["outcome"] if latest else NO_RUN,
        version=latest[0]["version"] if latest else None,
    )


def _last(run_id: int, run: Mapping[str, Any]) -> str:
    """What a list of servers tells of a run."""
    names = ("at", "command", "outcome", "reason", "errors", "warnings")
    tools = msgspec.json.decode(run["statuses"])
    its = LastRun(run=run_id, tools=tools, **{name: run[name] for name in names})
    return msgspec.json.encode(its).decode()


def _extend(
    connection: Connection, server: Mapping[str, Any], run_id: int, run: Mapping[str, Any]
) -> None:
    """Note a run that is the latest now."""
    recent = msgspec.json.decode(server["recent"])
    recent = [*recent, [run["outcome"], run["errors"], run["warnings"]]][-RECENT:]
    _update_server(
        connection,
        server["id"],
        runs=server["runs"] + 1,
        last_run=run_id,
        last_sequence=run["sequence"],
        last=_last(run_id, run),
        recent=msgspec.json.encode(recent).decode(),
        outcome=run["outcome"],
        version=run["version"],
    )


def _update_server(connection: Connection, server_id: int, **values: Any) -> None:
    values["open_errors"] = connection.execute(_OPEN_ERRORS, {"server": server_id}).scalar_one()
    given = {f"new_{name}": value for name, value in values.items()}
    connection.execute(_SUM_UP, {"its_id": server_id, **given})


def _sequence(connection: Connection, server: Mapping[str, Any], run: NewRun) -> int:
    """The place of a run: behind all others if it was made just now, whatever clocks say."""
    wanted = microseconds(run.rows.run["at"])
    if run.is_live:
        return max(wanted, int(server["last_sequence"]) + 1)
    taken = select(RUN.c.id).where(RUN.c.server_id == server["id"])
    while connection.execute(taken.where(RUN.c.sequence == wanted)).first() is not None:
        wanted += 1
    return wanted


def _server_of(connection: Connection, identity: Identity, at: str) -> Mapping[str, Any]:
    """The server with this identity, made where there is none; nobody else changes it meanwhile."""
    is_postgres = connection.dialect.name == "postgresql"
    if is_postgres:
        lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")
        connection.execute(lock, {"key": identity.key})
    its = _SERVER_FOR_US if is_postgres else _SERVER
    found = rows(connection, its, {"key": identity.key})
    if not found:
        return _new_server(connection, identity, at)
    row = found[0]
    about = _about(identity)
    if row["about"] != about and about != "{}":
        connection.execute(_DESCRIBE, {"its_id": row["id"], "new_about": about})
    return row


def _new_server(connection: Connection, identity: Identity, at: str) -> Mapping[str, Any]:
    row = {
        "name": identity.name,
        "kind": identity.kind,
        "about": _about(identity),
        "first_at": at,
        "runs": 0,
        "last_run": None,
        "last_sequence": 0,
        "last": None,
        "recent": "[]",
        "outcome": NO_RUN,
        "open_errors": 0,
    }
    made = connection.execute(_NEW_SERVER, row).scalar_one()
    connection.execute(_NEW_IDENTITY, {"key": identity.key, "server_id": made})
    return {**row, "id": int(made)}


def _about(identity: Identity) -> str:
    return msgspec.json.encode(identity.about).decode()


def _insert_tools(
    connection: Connection, server_id: int, run_id: int, tools: Mapping[str, Mapping[str, Any]]
) -> None:
    if not tools:
        return
    known = tool_ids(connection, server_id)
    new = [name for name in tools if name not in known]
    if new:
        made = [{"server_id": server_id, "name": name} for name in new]
        connection.execute(_NEW_TOOLS, made)
        known = tool_ids(connection, server_id)
    made = [{"tool_id": known[name], "run_id": run_id, **row} for name, row in tools.items()]
    connection.execute(_NEW_TOOL_RUNS, made)


def tool_ids(connection: Connection, server_id: int) -> dict[str, int]:
    """The tools of a server that any run has listed, by their names."""
    found = connection.execute(_TOOLS, {"server": server_id})
    return {row.name: row.id for row in found}


def _facts(run_id: int, run: Mapping[str, Any]) -> RunFacts:
    return RunFacts(
        id=run_id,
        server_id=run["server_id"],
        at=run["at"],
        choices=run["choices"],
        tools_called=run["tools_called"],
    )

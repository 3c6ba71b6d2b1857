"""Runs out of a store and into another one: lines of JSON, which are checked when they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, bindparam, insert, select

from mcp_assay.history.identity import Identity, ServerDetails, identity_of
from mcp_assay.history.names import server_with_key
from mcp_assay.history.packed_reports import packed, unpacked_report
from mcp_assay.history.recorder import NewRun, StoredRun, insert_run
from mcp_assay.history.run_rows import largest_number, rows_of
from mcp_assay.history.store import Store
from mcp_assay.history.tables import APPROVAL, IDENTITY, REPORT, RUN, SERVER, rows
from mcp_assay.model.report import Report
from mcp_assay.model.reports import Reports
from mcp_assay.report.as_json import json_line
from mcp_assay.report.report_file import WrongReport, read_any_report, read_report
from mcp_assay.text.safe import plain

SCHEMA: Final = "mcp-assay/history-run/1"
APPROVAL_SCHEMA: Final = "mcp-assay/history-approval/1"
LARGEST_LINE: Final = 64 * 1024 * 1024
"""Bytes of one run in an export; a longer one is not read."""
LONGEST_WORD: Final = 2_500
"""Bytes of any text of an export besides its report: what an index may hold."""
LARGEST_NUMBER: Final = 2**62
_OF_APPROVAL: Final = ("surface", "at", "who", "why", "revoked_at", "revoked_by", "revoked_why")


class ExportedServer(Struct, frozen=True, kw_only=True):
    """Who a run belongs to."""

    keys: list[str]
    """By what it is known; the first is enough to know it again."""
    kind: Literal["name", "url", "command", "files"]
    name: str
    about: ServerDetails = ServerDetails()


class ExportedRun(Struct, frozen=True, kw_only=True):
    """One line of an export: a run with its whole report."""

    schema: Literal["mcp-assay/history-run/1"] = SCHEMA
    server: ExportedServer
    uid: str
    report: msgspec.Raw


class ExportedApproval(Struct, frozen=True, kw_only=True):
    """One line of an export, behind the runs: what was approved, and when that was taken back."""

    schema: Literal["mcp-assay/history-approval/1"] = APPROVAL_SCHEMA
    server: str
    """The key of the server."""
    run: str
    """The uid of the run that shows what was approved."""
    surface: str | None
    at: str
    who: str
    why: str
    revoked_at: str | None = None
    revoked_by: str | None = None
    revoked_why: str | None = None


class _LineHead(Struct, frozen=True):
    schema: Any = None


def exported(store: Store, server_id: int | None = None) -> Iterator[str]:
    """The lines of an export, run by run, and then the approvals."""
    with store.reading() as connection:
        its = select(RUN.c.id, RUN.c.uid, RUN.c.server_id).order_by(RUN.c.server_id, RUN.c.sequence)
        approvals = select(APPROVAL, RUN.c.uid).join(RUN, RUN.c.id == APPROVAL.c.run_id)
        approvals = approvals.order_by(APPROVAL.c.id)
        if server_id is not None:
            its = its.where(RUN.c.server_id == server_id)
            approvals = approvals.where(APPROVAL.c.server_id == server_id)
        body = select(REPORT.c.body).where(REPORT.c.run_id == bindparam("run"))
        servers: dict[int, ExportedServer] = {}
        for run in rows(connection, its):
            server = servers.get(run["server_id"])
            if server is None:
                server = servers[run["server_id"]] = _server(connection, run["server_id"])
            report = unpacked_report(connection.execute(body, {"run": run["id"]}).scalar_one())
            text = msgspec.Raw(json_line(report).strip().encode())
            yield _line(ExportedRun(server=server, uid=run["uid"], report=text))
        for row in rows(connection, approvals):
            key = _server(connection, row["server_id"]).keys[0]
            given = {name: row[name] for name in _OF_APPROVAL}
            yield _line(ExportedApproval(server=key, run=row["uid"], **given))


def _line(value: Struct) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def _server(connection: Connection, server_id: int) -> ExportedServer:
    (row,) = rows(connection, select(SERVER).where(SERVER.c.id == server_id))
    keys = select(IDENTITY.c.key).where(IDENTITY.c.server_id == server_id).order_by(IDENTITY.c.key)
    return ExportedServer(
        keys=[str(one.key) for one in connection.execute(keys)],
        kind=row["kind"],
        name=row["name"],
        about=msgspec.json.decode(row["about"], type=ServerDetails),
    )


def imported(store: Store, text: bytes, server_id: str | None, root: str) -> int:
    """Take in a report, or the reports on several servers; how many runs are new.

    Raises WrongReport where the text is none of these.
    """
    read = read_any_report(text)
    if isinstance(read, Report):
        return _taken(store, [(identity_of(read.subject, server_id, root), read)])
    return _taken(store, list(_each(read, root)))


def imported_line(store: Store, line: bytes) -> int:
    """Take in a line of an export: 1 where it was not there before; raises WrongReport."""
    schema = _schema(line)
    if schema == APPROVAL_SCHEMA:
        return _taken_approval(store, _decoded(line, ExportedApproval))
    its = _decoded(line, ExportedRun)
    if not its.server.keys:
        raise WrongReport("does not say whose run it is")
    _require_own_words(its.uid, its.server.name, *its.server.keys)
    first, *others = its.server.keys
    identity = Identity(
        kind=its.server.kind, key=first, name=its.server.name, about=its.server.about
    )
    report = read_report(bytes(its.report))
    with store.writing() as connection:
        stored = insert_run(connection, _past_run(identity, report, its.uid))
        _add_keys(connection, stored.server_id, others)
    return int(stored.is_new)


def is_export(line: bytes) -> bool:
    """Whether a line is one of an export."""
    return _schema(line) in (SCHEMA, APPROVAL_SCHEMA)


def _schema(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line, type=_LineHead).schema
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _decoded(line: bytes, form: type[Any]) -> Any:
    try:
        return msgspec.json.decode(line, type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise WrongReport(f"is no line of an export ({fault})") from None


def _each(reports: Reports, root: str) -> Iterator[tuple[Identity, Report]]:
    for one in reports.servers:
        if one.report is None:
            raise WrongReport("names reports in other files; import those")
        yield identity_of(one.report.subject, one.name, root), one.report


def _taken(store: Store, reports: Iterable[tuple[Identity, Report]]) -> int:
    """Store reports that are no lines of an export: equal ones are the same run."""
    number = 0
    for identity, report in reports:
        run = _past_run(identity, report)
        with store.writing() as connection:
            known = select(RUN.c.id).where(RUN.c.digest == run.body.digest)
            if connection.execute(known).first() is None:
                number += insert_run(connection, run).is_new
    return number


def _require_own_words(*words: str | None) -> None:
    """Refuse what no export says: texts that a database or its indexes cannot hold."""
    for text in words:
        if text and (len(text.encode()) > LONGEST_WORD or plain(text) != text):
            raise WrongReport("is no line of an export: a name in it is too long, or hides signs")


def _past_run(identity: Identity, report: Report, uid: str | None = None) -> NewRun:
    its = rows_of(report)
    if largest_number(its) > LARGEST_NUMBER:
        raise WrongReport("is no report of ours: a number in it is too large to be true")
    run = NewRun(identity=identity, report=report, body=packed(report), rows=its, is_live=False)
    return msgspec.structs.replace(run, uid=uid) if uid is not None else run


def _add_keys(connection: Connection, server_id: int, keys: Iterable[str]) -> None:
    """Let a server be known by what it was known by elsewhere, unless another one is."""
    for key in keys:
        if server_with_key(connection, key) is None:
            connection.execute(insert(IDENTITY), {"key": key, "server_id": server_id})


def _taken_approval(store: Store, its: ExportedApproval) -> int:
    _require_own_words(its.server, its.run, *(getattr(its, name) for name in _OF_APPROVAL))
    with store.writing() as connection:
        server_id = server_with_key(connection, its.server)
        run = connection.execute(select(RUN.c.id).where(RUN.c.uid == its.run)).scalar()
        if server_id is None or run is None:
            raise WrongReport("approves a run that is not there")
        same = (APPROVAL.c.run_id == run, APPROVAL.c.at == its.at, APPROVAL.c.who == its.who)
        if connection.execute(select(APPROVAL.c.id).where(*same)).first() is not None:
            return 0
        given = {name: getattr(its, name) for name in _OF_APPROVAL}
        connection.execute(insert(APPROVAL), {"server_id": server_id, "run_id": run, **given})
    return 1


__all__ = [
    "LARGEST_LINE",
    "StoredRun",
    "exported",
    "imported",
    "imported_line",
    "is_export",
]

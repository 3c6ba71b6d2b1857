"""The tables of the store as its queries see them; `migrations.py` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Executable,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA: Final = MetaData()
Id = BigInteger().with_variant(Integer, "sqlite")
"""A number that the database gives."""


def _table(name: str, *columns: Column[object]) -> Table:
    return Table(f"assay_{name}", METADATA, *columns)


def _text(name: str, *, is_key: bool = False, may_lack: bool = False) -> Column[object]:
    return Column(name, Text, primary_key=is_key, nullable=may_lack)


def _number(name: str, *, is_key: bool = False, may_lack: bool = False) -> Column[object]:
    return Column(name, Id, primary_key=is_key, autoincrement=False, nullable=may_lack)


def _id() -> Column[object]:
    return Column("id", Id, primary_key=True, autoincrement=True)


def _measure(name: str) -> Column[object]:
    return Column(name, Float(53), nullable=True)


STORE: Final = _table("store", _number("version"), _text("made_at"))
"""One row: the version of these tables."""
SERVER: Final = _table(
    "server",
    _id(),
    _text("name"),
    _text("kind"),
    _text("about"),  # JSON: command, url, files, root
    _text("first_at"),
    _number("runs"),
    _number("last_run", may_lack=True),
    _number("last_sequence"),
    _text("last", may_lack=True),  # JSON: the latest run, so that a list reads this table alone
    _text("recent"),  # JSON: of the latest runs outcome, errors, warnings, the newest last
    _text("outcome"),  # of the latest run; "none" where there is none
    _number("open_errors"),
    _text("version", may_lack=True),  # what it called its version in the latest run
)
IDENTITY: Final = _table("identity", _text("key", is_key=True), _number("server_id"))
"""By what a server is known; several where servers were merged."""
RUN: Final = _table(
    "run",
    _id(),
    _number("server_id"),
    _text("uid"),
    _text("digest"),
    _number("sequence"),  # microseconds since 1970, but never before the run recorded before it
    _text("at"),
    _text("command"),
    _text("outcome"),
    _text("reason", may_lack=True),
    _number("errors"),
    _number("warnings"),
    _number("infos"),
    _number("score", may_lack=True),
    _measure("confidence"),
    _number("tools_listed"),
    _number("tools_called"),
    _number("tools_succeeded"),
    _text("statuses"),  # JSON: how many tools have each status
    _text("version", may_lack=True),  # what the server calls its version
    _text("revision", may_lack=True),
    _text("surface", may_lack=True),
    _measure("seconds"),
    _measure("median_ms"),
    _measure("p95_ms"),
    _text("made_by"),
    _text("choices"),  # what chose the calls: equal for runs that call a tool alike
)
REPORT: Final = _table(
    "report",
    _number("run_id", is_key=True),
    _number("size"),
    Column("body", LargeBinary, nullable=False),
)
"""The whole report, compressed; apart from its run, so that runs are read without it."""
TOOL: Final = _table("tool", _id(), _number("server_id"), _text("name"))
TOOL_RUN: Final = _table(
    "tool_run",
    _number("tool_id", is_key=True),
    _number("run_id", is_key=True),
    _text("status"),
    _measure("confidence"),
    _number("called"),
    _number("succeeded"),
    _text("definition", may_lack=True),
    _measure("median_ms"),
    _measure("p95_ms"),
    _text("effects", may_lack=True),
)
FINDING: Final = _table(
    "finding",
    _id(),
    _number("server_id"),
    _text("fingerprint"),
    _text("rule"),
    _text("name"),
    _text("severity"),
    _text("tool", may_lack=True),
    _text("message"),
    _text("first_at"),
    _number("first_run"),
    _text("last_at"),
    _number("last_run"),
    _text("since_at"),  # since when it is there without a break
    Column("is_open", Boolean, nullable=False),
    _text("fixed_at", may_lack=True),
    _number("fixed_run", may_lack=True),
    _number("runs"),  # in how many it was found
    _number("comings"),  # how often it came, each time after it had gone
    _text("choices"),  # of the last run that had it: what chose its calls
    _number("reach"),  # and how many tools it called
)
FINDING_RUN: Final = _table(
    "finding_run",
    _number("finding_id", is_key=True),
    _number("run_id", is_key=True),
    _text("severity"),
    _number("count"),
)
APPROVAL: Final = _table(
    "approval",
    _id(),
    _number("server_id"),
    _number("run_id"),
    _text("surface", may_lack=True),
    _text("at"),
    _text("who"),
    _text("why"),
    _text("revoked_at", may_lack=True),
    _text("revoked_by", may_lack=True),
    _text("revoked_why", may_lack=True),
)
FLEET_RUN: Final = _table(
    "fleet_run",
    _id(),
    _text("uid"),
    _text("fleet"),
    _text("begun_at"),
    _text("ended_at", may_lack=True),  # none where something was left to be done
)
FLEET_SERVER: Final = _table(
    "fleet_server",
    _number("fleet_run_id", is_key=True),
    _text("name", is_key=True),
    _text("digest"),  # of what the file said of it
    _text("at"),
    _number("run_id", may_lack=True),
    _text("reason", may_lack=True),  # JSON: why there is no run
    _text("tries"),  # JSON: why earlier tries gave nothing
    _text("version", may_lack=True),  # of its package
    _measure("prepared_seconds"),
    _measure("assessed_seconds"),
)
"""What became of each server in a run of a fleet: a run, or a reason why there is none."""


def rows(
    connection: Connection, statement: Executable, given: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """All rows that a statement gives, each by the names of its columns."""
    found = connection.execute(statement, given).mappings()
    return [{str(name): value for name, value in row.items()} for row in found]

"""How servers and runs are named by people -> their rows."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from typing import Final

from sqlalchemy import Connection, select

from mcp_assay.history.packed_reports import unpacked_report
from mcp_assay.history.tables import IDENTITY, REPORT, RUN, SERVER
from mcp_assay.model.report import Report
from mcp_assay.report.report_file import WrongReport
from mcp_assay.text.safe import plain

LARGEST_ID: Final = 2**62
_AGO: Final = re.compile(r"(\d{1,5})([dwh])")
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}
MOMENTS: Final = "a date such as 2026-11-19, or 7d, 2w, 12h for so long ago"


class NotKnown(ValueError):
    """Nothing in the store is called so; the text is a sentence without its full stop."""


def server_named(connection: Connection, name: str) -> int:
    """The server with this name or number; raises NotKnown, with names that are near."""
    wanted = plain(name)
    its = select(SERVER.c.id).where(SERVER.c.name == wanted)
    found = [int(row.id) for row in connection.execute(its)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = " or ".join(map(str, found))
        raise NotKnown(f"{len(found)} servers are called {wanted!r}; name one by its id: {ids}")
    by_id = _number(wanted)
    if by_id is not None:
        known = connection.execute(select(SERVER.c.id).where(SERVER.c.id == by_id)).scalar()
        if known is not None:
            return int(known)
    raise NotKnown(f"the history knows no server {wanted!r}; {_near(connection, wanted)}")


def server_with_key(connection: Connection, key: str) -> int | None:
    """The server with this identity; None where no run of it is known."""
    found = connection.execute(select(IDENTITY.c.server_id).where(IDENTITY.c.key == key)).scalar()
    return None if found is None else int(found)


def run_named(connection: Connection, name: str) -> int:
    """The run with this number, or the latest of SERVER@DATE; raises NotKnown."""
    number = _number(name)
    if number is not None:
        known = connection.execute(select(RUN.c.id).where(RUN.c.id == number)).scalar()
        if known is None:
            raise NotKnown(f"the history has no run {number}; history show SERVER lists its runs")
        return int(known)
    server, sign, day = name.rpartition("@")
    if not sign or not server:
        words = "name a run by its number, or as SERVER@DATE"
        raise NotKnown(f"{plain(name)!r} is no run; {words}")
    server_id, until = server_named(connection, server), _end_of(day)
    of_server = RUN.c.server_id == server_id
    its = select(RUN.c.id).where(of_server, RUN.c.at <= until).order_by(RUN.c.sequence.desc())
    found = connection.execute(its.limit(1)).scalar()
    if found is None:
        raise NotKnown(f"{plain(server)!r} has no run up to {plain(day)}")
    return int(found)


def last_run_of(connection: Connection, server_id: int) -> int | None:
    """The latest run of a server."""
    its = select(SERVER.c.last_run).where(SERVER.c.id == server_id)
    found = connection.execute(its).scalar()
    return None if found is None else int(found)


def report_of(connection: Connection, run_id: int) -> Report:
    """The whole report of a run; raises NotKnown where it cannot be read any more."""
    body = connection.execute(select(REPORT.c.body).where(REPORT.c.run_id == run_id)).scalar()
    try:
        return unpacked_report(body or b"")
    except WrongReport as refusal:
        raise NotKnown(f"the report of run {run_id} {refusal}") from None


def moment(text: str, now: datetime) -> str:
    """The moment that a text means, as reports write it; raises NotKnown."""
    ago = _AGO.fullmatch(text)
    try:
        if ago:
            its = now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
            return its.strftime("%Y-%m-%dT%H:%M:%SZ")
        if len(text) == len("2026-11-19"):
            return f"{date.fromisoformat(text)}T00:00:00Z"
        return _in_utc(text)
    except (ValueError, OverflowError):
        raise NotKnown(f"{plain(text)!r} is no moment; write {MOMENTS}") from None


def _end_of(day: str) -> str:
    """A moment, or the last one of a day."""
    try:
        if len(day) == len("2026-11-19"):
            return f"{date.fromisoformat(day)}T23:59:59.999999Z"
        return _in_utc(day)
    except (ValueError, OverflowError):
        raise NotKnown(f"{plain(day)!r} is no date; write one such as 2026-11-19") from None


def _in_utc(text: str) -> str:
    """A moment of any time zone as reports write it, which compares as a text."""
    its = datetime.fromisoformat(text)
    its = its.astimezone(UTC) if its.tzinfo else its
    return its.strftime("%Y-%m-%dT%H:%M:%SZ")


def _number(text: str) -> int | None:
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(LARGEST_ID)):
        return None
    number = int(digits)
    return number if number <= LARGEST_ID else None


def _near(connection: Connection, name: str) -> str:
    names = [str(row.name) for row in connection.execute(select(SERVER.c.name))]
    near = get_close_matches(name, names, 1)
    return f"did you mean {near[0]!r}?" if near else "mcp-assay history lists all"

"""Servers over time for tests: many tools, many runs, and one that writes markup everywhere."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from sqlalchemy import insert, select

from mcp_assay.history.corrections import approve
from mcp_assay.history.identity import ServerDetails, named
from mcp_assay.history.recorder import StoredRun, new_run, record
from mcp_assay.history.store import Store
from mcp_assay.history.tables import RUN, TOOL, TOOL_RUN, rows
from mcp_assay.model.tool import CallRow
from tests.drift.small_reports import definition, finding, row, surface
from tests.history.runs import a_report, at_day
from tests.web.recorded import MARKUP

STATUSES = (
    *("fully_working", "partially_working", "unproven"),
    *("connectivity_only", "broken", "not_called"),
)


def many(store: Store, name: str, *, tools: int, runs: int) -> int:
    """A server with so many tools in so many runs; its number. The rows alone, without reports."""
    first = record(store, new_run(named(name), a_report()))
    with store.writing() as connection:
        run = rows(connection, select(RUN).where(RUN.c.id == first.run_id))[0]
        del run["id"]
        made = [
            {**run, "uid": f"{name} {at}", "sequence": run["sequence"] + at, "at": at_day(at)}
            for at in range(1, runs)
        ]
        connection.execute(insert(RUN), made)
        its = [{"server_id": first.server_id, "name": f"tool_{at:04}"} for at in range(tools)]
        connection.execute(insert(TOOL), its)
        of_server = first.server_id
        run_ids = connection.execute(select(RUN.c.id).where(RUN.c.server_id == of_server)).scalars()
        tool_ids = connection.execute(select(TOOL.c.id).where(TOOL.c.server_id == of_server))
        listed = list(run_ids)[-100:]
        cells = [
            _tool_run(tool, run, STATUSES[(tool + run // 7) % len(STATUSES)])
            for tool in list(tool_ids.scalars())[1:]  # the first one stands in the report
            for run in listed
        ]
        connection.execute(insert(TOOL_RUN), cells)
    return first.server_id


def _tool_run(tool: int, run: int, status: str) -> dict[str, Any]:
    more = {"confidence": 90.0, "called": 10, "succeeded": 9, "definition": f"{run // 40}"}
    times = {"median_ms": 12.5, "p95_ms": 40.0, "effects": None}
    return {"tool_id": tool, "run_id": run, "status": status, **more, **times}


def hostile(store: Store) -> StoredRun:
    """The second of two runs of a server that writes markup into everything that it has a say in;
    what the first one lists is approved by somebody who does the same."""
    about = ServerDetails(command=["python", MARKUP], url=MARKUP, root=MARKUP)
    for day in range(2):
        text = MARKUP if day else f"\u202e{MARKUP}"
        definitions = surface(definition(MARKUP, description=text, title=text))
        call = CallRow(
            number=1, tool=MARKUP, scenario=MARKUP, arguments={MARKUP: MARKUP}, valid=True,
            outcome="failed", trouble=MARKUP, answer=text, sign=MARKUP,
        )  # fmt: skip
        found = finding(tool=MARKUP, key=day, message=MARKUP)
        its = a_report(found, day=day, tools={}, surface=definitions, calls=[call])
        tools = [replace(row(MARKUP, "broken", MARKUP), would_prove=MARKUP, called=1)]
        subject = replace(its.subject, server_info={"name": MARKUP, "version": text})
        summary = replace(its.summary, outcome="incomplete", reason=MARKUP)
        its = replace(its, tools=tools, subject=subject, summary=summary, revision=MARKUP)
        stored = record(store, new_run(named(f"{MARKUP} over time", about), its))
        if not day:
            with store.writing() as connection:
                approve(connection, stored.server_id, run_id=None, who=MARKUP, why=MARKUP,
                        now=at_day(0.5))  # fmt: skip
    return stored


def tool_of(store: Store, server: int) -> int:
    """The first tool of a server."""
    with store.reading() as connection:
        its = select(TOOL.c.id).where(TOOL.c.server_id == server).order_by(TOOL.c.id)
        return int(connection.execute(its.limit(1)).scalar_one())


def runs_of(store: Store, server: int) -> list[int]:
    """The runs of a server, the oldest first."""
    with store.reading() as connection:
        its = select(RUN.c.id).where(RUN.c.server_id == server).order_by(RUN.c.sequence)
        return [int(id) for id in connection.execute(its).scalars()]

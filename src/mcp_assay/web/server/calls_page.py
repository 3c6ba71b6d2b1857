"""The calls of one tool in one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from aiohttp import web
from msgspec import Struct
from sqlalchemy import Connection, select

from mcp_assay.history.names import NotKnown, report_of
from mcp_assay.history.questions import past_run
from mcp_assay.history.run_rows import stored_name
from mcp_assay.history.tables import RUN, SERVER, rows
from mcp_assay.history.timelines import tool_with_id
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.model.tool import CallRow
from mcp_assay.report.tool_table import note_on
from mcp_assay.text.safe import plain, shorten
from mcp_assay.web.page import render
from mcp_assay.web.routes import WebRoute
from mcp_assay.web.server.addresses import A_PAGE, ShownPart, page_links, part_of
from mcp_assay.web.server.call_words import BAD, PAINTS_OF_CALLS, outcome_of
from mcp_assay.web.store_reads import ask, number_in

LONGEST_SHOWN: Final = 600
"""Characters of arguments and of an answer."""


class ShownCall(Struct, frozen=True, kw_only=True):
    """A call as a row shows it."""

    number: int
    scenario: str
    outcome: str
    paint: str
    validity: str
    arguments: str
    answer: str


async def _calls_page(request: web.Request) -> web.Response:
    tool, run, part = number_in(request, "tool"), number_in(request, "run"), part_of(request.query)
    return render(request, "calls.html", **await ask(request, calls_values, tool, run, part))


def calls_values(
    connection: Connection, tool_id: int, run_id: int, part: ShownPart
) -> Mapping[str, Any]:
    """What the page of these calls shows; raises NotKnown."""
    server_id, name = tool_with_id(connection, tool_id)
    of_run = RUN.c.id == run_id, RUN.c.server_id == server_id
    found = rows(connection, select(RUN).where(*of_run))
    if not found:
        raise NotKnown(f"the history has no run {run_id} of the server with tool {tool_id}")
    report = report_of(connection, run_id)
    row = next((tool for tool in report.tools if stored_name(tool.name) == name), None)
    calls = [call for call in report.calls if stored_name(call.tool) == name]
    some = calls[A_PAGE * (part.calls - 1) :][:A_PAGE]
    findings = _findings_about(report, name)
    server = connection.execute(select(SERVER.c.name).where(SERVER.c.id == server_id)).scalar_one()
    return {
        "tool_id": tool_id,
        "tool_name": name,
        "server_id": server_id,
        "server_name": server,
        "run": past_run(found[0]),
        "row": row,
        "note": note_on(row) if row else "",
        "calls": [_shown(call) for call in some],
        "calls_known": len(calls),
        "call_pages": page_links(f"/calls/{tool_id}/{run_id}", part, "calls", len(calls)),
        "findings": findings[:A_PAGE],
        "findings_known": len(findings),
    }


def _findings_about(report: Report, name: str) -> list[Finding]:
    return [it for it in report.findings if it.where.tool and stored_name(it.where.tool) == name]


def _shown(call: CallRow) -> ShownCall:
    outcome = outcome_of(call)
    arguments = msgspec.json.encode(call.arguments).decode(errors="replace")
    return ShownCall(
        number=call.number,
        scenario=call.scenario,
        outcome=outcome,
        paint=PAINTS_OF_CALLS.get(outcome, BAD),
        validity=VALIDITY[call.valid],
        arguments=shorten(plain(arguments), LONGEST_SHOWN),
        answer=shorten(plain(call.answer or ""), LONGEST_SHOWN),
    )


VALIDITY: Final[Mapping[bool | None, str]] = {
    True: "valid arguments",
    False: "invalid arguments",
    None: "validity unknown",
}

ROUTES: Final = (WebRoute("GET", r"/calls/{tool:\d+}/{run:\d+}", _calls_page),)

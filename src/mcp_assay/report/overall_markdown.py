"""Reports -> Markdown for a step summary: the verdict, a table of servers, causes, then each."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Final

from mcp_assay.model.reports import Reports, ServerReport, SharedCause
from mcp_assay.report.as_markdown import LARGEST, LONGEST_CELL, VERDICTS, cell, to_markdown
from mcp_assay.report.lines import counted
from mcp_assay.report.overall_text import verdict_word
from mcp_assay.report.plain import plain, shorten

MOST_CAUSES: Final = 200
MOST_NAMED: Final = 20


def overall_markdown(reports: Reports) -> str:
    """The report on all servers as Markdown; what a summary cannot hold is named."""
    text = "\n".join((*_overview(reports), ""))
    for server in reports.servers:
        part = "\n".join((*_details(server), ""))
        if len(text) + len(part) > LARGEST:
            part = f"The details of {cell(server.name)} are left out: a summary may not be longer."
            part += "\n\n"
        text += part
    return text


def _overview(reports: Reports) -> Iterator[str]:
    summary = reports.summary
    yield f"## {VERDICTS[summary.outcome]} {counted(summary.servers, 'server')}"
    yield ""
    yield (
        f"{counted(summary.errors, 'error')} · {counted(summary.warnings, 'warning')} · "
        f"{summary.tools_called} of {summary.tools_listed} tools called · "
        f"{summary.tools_succeeded} succeeded"
    )
    yield ""
    yield "| server | verdict | tools | called | ok | errors | warnings | reason |"
    yield "|---|---|---:|---:|---:|---:|---:|---|"
    yield from map(_row, reports.servers)
    yield ""
    for one in reports.skipped:
        yield f"- {cell(one.name)} was skipped: {cell(one.reason)}"
    yield from _causes(reports.causes)


def _row(server: ServerReport) -> str:
    its = server.summary
    numbers = (
        *(its.tools_listed, its.tools_called, its.tools_succeeded),
        *(its.errors, its.warnings),
    )
    cells = [cell(server.name), verdict_word(server)[0], *map(str, numbers), cell(its.reason or "")]
    return f"| {' | '.join(cells)} |"


def _causes(causes: list[SharedCause]) -> Iterator[str]:
    if not causes:
        return
    yield ""
    yield "| severity | rule | findings | servers |"
    yield "|---|---|---:|---|"
    for cause in causes[:MOST_CAUSES]:
        by = f" ({cell(cause.framework)})" if cause.framework else ""
        rule = f"{cause.rule} {cause.name}{by}"
        yield f"| {cause.severity} | {rule} | {cause.findings} | {_servers(cause.servers)} |"
    yield ""
    if (more := len(causes) - MOST_CAUSES) > 0:
        yield f"and {counted(more, 'cause')} more"
        yield ""


def _servers(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    shown = ", ".join(map(cell, names[:MOST_NAMED]))
    return shown + (f" and {more} more" if more > 0 else "")


def _details(server: ServerReport) -> Iterator[str]:
    if server.report is None:
        return
    name = html.escape(shorten(plain(server.name), LONGEST_CELL))
    yield f"<details><summary>{name}</summary>"
    yield ""
    yield to_markdown(server.report)
    yield "</details>"
    yield ""

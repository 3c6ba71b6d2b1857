"""A server and a tool over some of their runs: what a page shows on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, func, select

from mcp_assay.history.answers import Approval, KnownFinding, KnownServer, PastToolRun
from mcp_assay.history.marks import Mark, marks_in
from mcp_assay.history.names import NotKnown
from mcp_assay.history.questions import (
    MOST_RUNS,
    also_changed,
    current_approval,
    known_server,
    open_findings,
    past_tool_run,
)
from mcp_assay.history.run_ranges import RunRange, run_range
from mcp_assay.history.tables import FINDING, RUN, SERVER, TOOL, TOOL_RUN, rows
from mcp_assay.history.tool_lines import ToolLine, tool_lines, tools_in


class TimelineView(Struct, frozen=True, kw_only=True):
    """What part of a history is looked at."""

    runs: int = 40
    until: int | None = None
    """The last run; None for the latest."""
    tools: int = 50
    tools_skipped: int = 0
    findings: int = 50
    findings_skipped: int = 0


class ServerTimeline(Struct, frozen=True, kw_only=True):
    """A server over some of its runs."""

    server: KnownServer
    range: RunRange
    marks: list[Mark]
    approval: Approval | None
    surface_approved: bool | None
    """Whether the latest run listed what is approved; None where nothing is."""
    tools: list[ToolLine]
    """Those that the latest of these runs lists, the worst first, then those that were listed."""
    tools_known: int
    findings: list[KnownFinding]
    findings_known: int


class ToolStep(Struct, frozen=True, kw_only=True):
    """A run in which something about a tool was not as in the run before that listed it."""

    new: PastToolRun
    old: PastToolRun
    also: list[str]
    """What changed besides its status."""


class ToolTimeline(Struct, frozen=True, kw_only=True):
    """A tool over some of the runs of its server."""

    server: KnownServer
    range: RunRange
    marks: list[Mark]
    line: ToolLine
    runs: list[PastToolRun | None]
    """The tool in each run of the range; None where the run did not list it."""
    steps: list[ToolStep]
    """The newest first."""
    findings: list[KnownFinding]
    findings_known: int


def server_timeline(connection: Connection, server_id: int, view: TimelineView) -> ServerTimeline:
    """A server over some of its runs; raises NotKnown."""
    server = _server(connection, server_id)
    within = run_range(connection, server_id, view.runs, view.until)
    names = tools_in(connection, within)
    some = names[view.tools_skipped : view.tools_skipped + view.tools]
    approval = current_approval(connection, server_id)
    its_findings = FINDING.c.server_id == server_id
    return ServerTimeline(
        server=server,
        range=within,
        marks=marks_in(connection, server_id, within),
        approval=approval,
        surface_approved=_is_approved(connection, server_id, approval),
        tools=tool_lines(connection, some, within),
        tools_known=len(names),
        findings=_some_findings(connection, view, its_findings),
        findings_known=_count_open(connection, its_findings),
    )


def tool_timeline(connection: Connection, tool_id: int, view: TimelineView) -> ToolTimeline:
    """A tool over some of the runs of its server; raises NotKnown."""
    server_id, name = tool_with_id(connection, tool_id)
    within = run_range(connection, server_id, view.runs, view.until)
    runs = {run.run: run for run in within.all_runs}
    its = select(TOOL_RUN).where(TOOL_RUN.c.tool_id == tool_id, TOOL_RUN.c.run_id.in_(list(runs)))
    listed = {row["run_id"]: row for row in rows(connection, its)}
    past = {id: past_tool_run(listed[id], run) for id, run in runs.items() if id in listed}
    its_findings = (FINDING.c.server_id == server_id, FINDING.c.tool == name)
    return ToolTimeline(
        server=known_server(connection, server_id),
        range=within,
        marks=marks_in(connection, server_id, within),
        line=tool_lines(connection, [(tool_id, name)], within)[0],
        runs=[past.get(id) for id in within.ids],
        steps=_steps(list(past.values())),
        findings=_some_findings(connection, view, *its_findings),
        findings_known=_count_open(connection, *its_findings),
    )


def tool_with_id(connection: Connection, tool_id: int) -> tuple[int, str]:
    """The server and the name of a tool; raises NotKnown."""
    its = select(TOOL.c.server_id, TOOL.c.name).where(TOOL.c.id == tool_id)
    found = connection.execute(its).first()
    if found is None:
        raise NotKnown(f"the history has no tool {tool_id}")
    return int(found.server_id), str(found.name)


def _steps(past: Sequence[PastToolRun]) -> list[ToolStep]:
    """Where something changed between two runs that follow one another, the newest first."""
    pairs = [(old, new, also_changed(old, new)) for old, new in pairwise(past)]
    return [
        ToolStep(new=new, old=old, also=also)
        for old, new, also in reversed(pairs)
        if also or old.status != new.status
    ]


def _server(connection: Connection, server_id: int) -> KnownServer:
    its = select(SERVER.c.id).where(SERVER.c.id == server_id)
    if connection.execute(its).first() is None:
        raise NotKnown(f"the history has no server {server_id}")
    return known_server(connection, server_id)


def _is_approved(connection: Connection, server_id: int, approval: Approval | None) -> bool | None:
    """Whether the latest run that saw what the server lists saw what is approved."""
    if approval is None:
        return None
    its = select(RUN.c.surface).where(RUN.c.server_id == server_id)
    latest = connection.execute(its.order_by(RUN.c.sequence.desc()).limit(MOST_RUNS))
    return approval.surface == next((row.surface for row in latest if row.surface), None)


def _some_findings(
    connection: Connection, view: TimelineView, *conditions: Any
) -> list[KnownFinding]:
    return open_findings(connection, *conditions, most=view.findings, skipped=view.findings_skipped)


def _count_open(connection: Connection, *conditions: Any) -> int:
    its = select(func.count()).select_from(FINDING).where(FINDING.c.is_open, *conditions)
    return int(connection.execute(its).scalar_one())

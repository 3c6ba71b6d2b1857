"""Questions to the store; each reads what it needs by an index, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Select, case, select

from mcp_assay.history.answers import (
    Approval,
    HistoryFindings,
    HistoryList,
    KnownFinding,
    KnownServer,
    LastRun,
    PastRun,
    PastToolRun,
    RunTrend,
    ServerHistory,
    StatusChange,
    ToolHistory,
    ToolTrend,
)
from mcp_assay.history.identity import ServerDetails
from mcp_assay.history.tables import APPROVAL, FINDING, RUN, SERVER, TOOL, TOOL_RUN, rows

MOST_RUNS: Final = 20
"""So many runs of a server are told, the latest ones, where nobody asks for more."""
OF_RUN: Final = (
    *("at", "command", "outcome", "reason", "errors", "warnings", "infos", "score", "confidence"),
    *("version", "revision", "surface", "seconds", "median_ms", "p95_ms"),
)
OF_TOOL_RUN: Final = (
    *("status", "confidence", "called", "succeeded", "definition", "effects", "median_ms"),
    "p95_ms",
)
OF_FINDING: Final = tuple(
    name for name in KnownFinding.__struct_fields__ if name not in ("server", "server_id")
)
FLAKY: Final = 2
"""What came so often was gone in between."""
GRAVITY: Final = case({"error": 0, "warning": 1}, value=FINDING.c.severity, else_=2)


def all_servers(connection: Connection) -> HistoryList:
    """Every server with its latest run and its trend."""
    found = select(SERVER).order_by(SERVER.c.name, SERVER.c.id)
    return HistoryList(servers=[_known_server(row) for row in rows(connection, found)])


def server_history(connection: Connection, server_id: int, most: int = MOST_RUNS) -> ServerHistory:
    """What is known of a server."""
    runs = latest_runs(connection, server_id, most)
    approvals = latest_approvals(connection, server_id, most)
    approval = current_of(approvals)
    surface = next((run["surface"] for run in runs if run["surface"]), None)
    return ServerHistory(
        server=known_server(connection, server_id),
        approval=approval,
        approvals=approvals,
        surface_approved=None if approval is None else approval.surface == surface,
        runs=[past_run(run) for run in runs],
        tools=_tool_trends(connection, [run["id"] for run in reversed(runs)]),
        findings=open_findings(connection, FINDING.c.server_id == server_id),
    )


def tool_history(
    connection: Connection, server_id: int, tool: str, most: int = MOST_RUNS
) -> ToolHistory | None:
    """What is known of a tool; None where no run has listed it."""
    of_tool = TOOL.c.server_id == server_id, TOOL.c.name == tool
    tool_id = connection.execute(select(TOOL.c.id).where(*of_tool)).scalar()
    if tool_id is None:
        return None
    runs = {run["id"]: past_run(run) for run in latest_runs(connection, server_id, most)}
    its = select(TOOL_RUN).where(TOOL_RUN.c.tool_id == tool_id, TOOL_RUN.c.run_id.in_(list(runs)))
    found = {row["run_id"]: row for row in rows(connection, its)}
    past = [past_tool_run(found[id], run) for id, run in runs.items() if id in found]
    server = known_server(connection, server_id)
    of_findings = FINDING.c.server_id == server_id, FINDING.c.tool == tool
    return ToolHistory(
        server=server.name,
        server_id=server.id,
        tool=tool,
        changes=_changes([it for it in past if _is_judged(it, runs[it.run])]),
        runs=past,
        findings=open_findings(connection, *of_findings),
    )


def findings_since(
    connection: Connection, since: str, server_id: int | None = None, most: int = MOST_RUNS
) -> HistoryFindings:
    """What is new and what is fixed since then, what is oldest, and what comes and goes."""
    its = FINDING.c
    of_server = () if server_id is None else (its.server_id == server_id,)
    wanted: Sequence[Select[Any]] = (
        _findings(its.is_open, its.since_at >= since, *of_server).order_by(
            its.since_at.desc(), its.id
        ),
        _findings(its.fixed_at >= since, *of_server).order_by(its.fixed_at.desc(), its.id),
        _findings(its.is_open, *of_server).order_by(its.first_at, its.id),
        _findings(its.comings >= FLAKY, *of_server).order_by(its.comings.desc(), its.id),
    )
    new, fixed, oldest, flaky = (_read(connection, one.limit(most + 1)) for one in wanted)
    return HistoryFindings(
        since=since,
        new=new[:most],
        fixed=fixed[:most],
        oldest=oldest[:most],
        flaky=flaky[:most],
        limit=most,
        is_cut=any(len(one) > most for one in (new, fixed, oldest, flaky)),
    )


def known_server(connection: Connection, server_id: int) -> KnownServer:
    """A server with its latest run and its trend."""
    found = select(SERVER).where(SERVER.c.id == server_id)
    return _known_server(rows(connection, found)[0])


def latest_runs(connection: Connection, server_id: int, most: int) -> Sequence[Mapping[str, Any]]:
    """The latest runs of a server, the newest first."""
    of_server = RUN.c.server_id == server_id
    its = select(RUN).where(of_server).order_by(RUN.c.sequence.desc()).limit(most)
    return rows(connection, its)


def current_approval(connection: Connection, server_id: int) -> Approval | None:
    """What is approved of a server; None where nothing is, or no longer."""
    return current_of(latest_approvals(connection, server_id, 1))


def current_of(approvals: Sequence[Approval]) -> Approval | None:
    """The latest approval, unless it was taken back."""
    return approvals[0] if approvals and approvals[0].revoked_at is None else None


def latest_approvals(connection: Connection, server_id: int, most: int) -> list[Approval]:
    """What was approved of a server, the newest first, whether it was taken back or not."""
    of_server = APPROVAL.c.server_id == server_id
    its = select(APPROVAL).where(of_server).order_by(APPROVAL.c.id.desc()).limit(most)
    names = [name for name in Approval.__struct_fields__ if name != "run"]
    return [
        Approval(run=row["run_id"], **{name: row[name] for name in names})
        for row in rows(connection, its)
    ]


def _known_server(row: Mapping[str, Any]) -> KnownServer:
    about = msgspec.json.decode(row["about"], type=ServerDetails)
    recent = msgspec.json.decode(row["recent"], type=list[tuple[str, int, int]])
    outcomes, errors, warnings = zip(*recent, strict=True) if recent else ((), (), ())
    return KnownServer(
        id=row["id"],
        name=row["name"],
        command=about.command,
        url=about.url,
        files=about.files,
        root=about.root,
        runs=row["runs"],
        last=msgspec.json.decode(row["last"], type=LastRun) if row["last"] else None,
        trend=RunTrend(outcomes=list(outcomes), errors=list(errors), warnings=list(warnings)),
    )


def past_run(row: Mapping[str, Any]) -> PastRun:
    """A run, as its row tells it."""
    tools = msgspec.json.decode(row["statuses"])
    return PastRun(run=row["id"], tools=tools, **{name: row[name] for name in OF_RUN})


def past_tool_run(row: Mapping[str, Any], run: PastRun) -> PastToolRun:
    """A tool in a run, as its row tells it."""
    return PastToolRun(
        run=run.run,
        at=run.at,
        version=run.version,
        revision=run.revision,
        **{name: row[name] for name in OF_TOOL_RUN},
    )


def _tool_trends(connection: Connection, runs: Sequence[int]) -> list[ToolTrend]:
    """The tools that the latest of these runs has listed, over all of them."""
    its = (
        select(TOOL_RUN, TOOL.c.name)
        .join(TOOL, TOOL.c.id == TOOL_RUN.c.tool_id)
        .where(TOOL_RUN.c.run_id.in_(runs))
    )
    tools: dict[str, dict[int, Mapping[str, Any]]] = {}
    for row in rows(connection, its):
        tools.setdefault(row["name"], {})[row["run_id"]] = row
    with_tools = [run for run in runs if any(run in found for found in tools.values())]
    listed = [name for name, found in tools.items() if with_tools and with_tools[-1] in found]
    return [_tool_trend(name, tools[name], with_tools) for name in sorted(listed)]


def _tool_trend(
    name: str, found: Mapping[int, Mapping[str, Any]], runs: Sequence[int]
) -> ToolTrend:
    def over(column: str) -> list[Any]:
        return [found[run][column] if run in found else None for run in runs]

    return ToolTrend(
        name=name,
        statuses=over("status"),
        confidences=over("confidence"),
        median_ms=over("median_ms"),
        p95_ms=over("p95_ms"),
    )


def _is_judged(tool: PastToolRun, run: PastRun) -> bool:
    """Whether a run was to call the tool: no verdict changes because definitions were read."""
    return tool.status != "not_called" or run.command != "lint"


def _changes(past: Sequence[PastToolRun]) -> list[StatusChange]:
    """Where the status changed between two runs that follow one another, the newest first."""
    return [
        StatusChange(
            run=new.run, at=new.at, before=old.status, now=new.status, also=also_changed(old, new)
        )
        for new, old in pairwise(past)
        if new.status != old.status
    ]


def also_changed(old: PastToolRun, new: PastToolRun) -> list[str]:
    """What else was new in the later of two runs, in words."""
    changed = []
    if old.version != new.version:
        changed.append(f"version {old.version or 'unknown'} → {new.version or 'unknown'}")
    if old.definition != new.definition and None not in (old.definition, new.definition):
        changed.append("its definition")
    if old.revision != new.revision:
        changed.append(f"revision {old.revision or 'unknown'} → {new.revision or 'unknown'}")
    if old.effects != new.effects and old.effects is not None and new.effects is not None:
        changed.append(f"effects: {old.effects} → {new.effects}")
    return changed


def _findings(*conditions: Any) -> Select[Any]:
    server = SERVER.c.id == FINDING.c.server_id
    return select(FINDING, SERVER.c.name.label("server")).join(SERVER, server).where(*conditions)


def open_findings(
    connection: Connection, *conditions: Any, most: int | None = None, skipped: int = 0
) -> list[KnownFinding]:
    """The findings that are there, the gravest and oldest first; all, or so many behind others."""
    its = _findings(FINDING.c.is_open, *conditions).order_by(
        GRAVITY, FINDING.c.first_at, FINDING.c.id
    )
    return _read(connection, its if most is None else its.limit(most).offset(skipped))


def _read(connection: Connection, its: Select[Any]) -> list[KnownFinding]:
    return [
        KnownFinding(
            server=row["server"],
            server_id=row["server_id"],
            **{name: row[name] for name in OF_FINDING},
        )
        for row in rows(connection, its)
    ]

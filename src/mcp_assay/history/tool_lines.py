"""Tools against runs: which tools are shown, and what each was in every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, func, select

from mcp_assay.history.run_ranges import RunRange
from mcp_assay.history.tables import RUN, TOOL, TOOL_RUN
from mcp_assay.report.tool_table import WORST_FIRST

RANKS: Final[Mapping[str, int]] = {status: at for at, status in enumerate(WORST_FIRST)}
UNRANKED: Final = len(RANKS)
Listed: TypeAlias = tuple[str, str | None]
"""The status of a tool in a run, and the hash of its definition."""
UNSEEN: Final = ("", None)


class ToolCell(Struct, frozen=True):
    """A tool in one run."""

    status: str
    is_new_definition: bool
    """Whether its definition is not what it was in the run before that knew it."""


class ToolLine(Struct, frozen=True, kw_only=True):
    """A tool over the runs of a range; None where a run did not list it."""

    id: int
    name: str
    cells: list[ToolCell | None]


def tools_in(connection: Connection, within: RunRange) -> list[tuple[int, str]]:
    """The tools that these runs list: those of the latest that lists any, the worst first."""
    last = func.max(RUN.c.sequence).label("last")
    its = (
        select(TOOL.c.id, TOOL.c.name, last)
        .select_from(TOOL_RUN)
        .join(RUN, RUN.c.id == TOOL_RUN.c.run_id)
        .join(TOOL, TOOL.c.id == TOOL_RUN.c.tool_id)
        .where(TOOL_RUN.c.run_id.in_(within.ids))
        .group_by(TOOL.c.id, TOOL.c.name)
    )
    found = connection.execute(its).all()
    newest = max((tool.last for tool in found), default=0)
    now = (
        select(TOOL_RUN.c.tool_id, TOOL_RUN.c.status)
        .join(RUN, RUN.c.id == TOOL_RUN.c.run_id)
        .where(TOOL_RUN.c.run_id.in_(within.ids), RUN.c.sequence == newest)
    )
    ranks = {row.tool_id: RANKS.get(row.status, 0) for row in connection.execute(now)}
    ordered = sorted(found, key=lambda tool: (ranks.get(tool.id, UNRANKED), tool.name))
    return [(int(tool.id), str(tool.name)) for tool in ordered]


def tool_lines(
    connection: Connection, tools: Sequence[tuple[int, str]], within: RunRange
) -> list[ToolLine]:
    """These tools over the runs."""
    its = select(
        TOOL_RUN.c.tool_id, TOOL_RUN.c.run_id, TOOL_RUN.c.status, TOOL_RUN.c.definition
    ).where(
        TOOL_RUN.c.tool_id.in_([id for id, _ in tools]),
        TOOL_RUN.c.run_id.in_([run.run for run in within.all_runs]),
    )
    listed: dict[int, dict[int, Listed]] = {id: {} for id, _ in tools}
    for tool, run, status, definition in connection.execute(its):
        listed[tool][run] = status, definition
    return [ToolLine(id=id, name=name, cells=_cells(listed[id], within)) for id, name in tools]


def _cells(listed: Mapping[int, Listed], within: RunRange) -> list[ToolCell | None]:
    known = listed.get(within.before.run, UNSEEN)[1] if within.before else None
    cells: list[ToolCell | None] = []
    for run in within.ids:
        if run not in listed:
            cells.append(None)
            continue
        status, definition = listed[run]
        is_new = known is not None and definition is not None and definition != known
        cells.append(ToolCell(status, is_new))
        known = definition or known
    return cells

"""The tools of two reports -> which got better or worse, and which were not called any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from mcp_assay.drift.comparison import ToolChange, ToolMove
from mcp_assay.drift.decided import NO_CALL
from mcp_assay.drift.surfaces import listed
from mcp_assay.model.report import Report
from mcp_assay.model.verdict import ToolStatus

STATUSES: Final[tuple[ToolStatus, ...]] = (
    "broken",
    "connectivity_only",
    "unproven",
    "partially_working",
    "fully_working",
)
"""From the worst on. A tool that was not called stands nowhere: nothing is known of it."""
MOVES: Final[tuple[ToolMove, ...]] = (
    *("worse", "gone", "not_called_any_more"),
    *("new", "called_now", "better"),
)
"""From the worst on."""
LOST: Final = "the server was gone before"
"""Why a tool was not called that no option kept from being called."""
NOT_REACHED: Final = "the server was not reached"


class ToolRow(Struct, frozen=True):
    """What a report says of a tool."""

    name: str
    status: ToolStatus
    reason: str = ""


def rows(report: Report) -> dict[str, ToolRow]:
    """What a report says of each tool; raises msgspec.ValidationError where it is no report."""
    return {row.name: row for row in msgspec.convert(report.tools, list[ToolRow])}


def tool_changes(old: Report, new: Report) -> list[ToolChange]:
    """The tools that are not what they were, the worst first."""
    if is_unreached(new) and not is_unreached(old):
        return [
            ToolChange(name=row.name, change="worse", old=row.status, reason=NOT_REACHED)
            for row in rows(old).values()
            if row.status != NO_CALL
        ]
    if is_unreached(old):
        return []
    found = (*_listed_or_not(old, new), *_changes(rows(old), rows(new)))
    return sorted(found, key=lambda one: (MOVES.index(one.change), one.name))


def is_unreached(report: Report) -> bool:
    """Whether the report is on a server that nobody could talk to."""
    return report.subject.kind == "server" and report.revision is None


def _listed_or_not(old: Report, new: Report) -> Iterator[ToolChange]:
    before, now = listed(old), listed(new)
    if before is None or now is None:
        return
    for name in before.names.keys() - now.names.keys():
        row = rows(old).get(name)
        yield ToolChange(name=name, change="gone", old=row.status if row else None)
    for name in now.names.keys() - before.names.keys():
        row = rows(new).get(name)
        reason = row.reason if row and row.status == NO_CALL else ""
        status = row.status if row else None
        yield ToolChange(name=name, change="new", new=status, reason=reason)


def _changes(old: dict[str, ToolRow], new: dict[str, ToolRow]) -> Iterator[ToolChange]:
    for name in old.keys() & new.keys():
        before, now = old[name], new[name]
        if before.status != now.status:
            move = _move(before, now)
            reason = now.reason if now.status == NO_CALL else ""
            change = ToolChange(name=name, change=move, old=before.status, new=now.status)
            yield msgspec.structs.replace(change, reason=reason)


def _move(old: ToolRow, new: ToolRow) -> ToolMove:
    if new.status == NO_CALL:
        return "worse" if new.reason == LOST else "not_called_any_more"
    if old.status == NO_CALL:
        return "called_now"
    return "worse" if STATUSES.index(new.status) < STATUSES.index(old.status) else "better"

"""The tools of two reports -> which got better or worse, and which were not called any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from mcp_assay.drift.comparison import ToolChange, ToolMove
from mcp_assay.drift.decided import NO_CALL
from mcp_assay.drift.surfaces import listed
from mcp_assay.model.report import Report
from mcp_assay.model.tool import NotCalled, ToolRow
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
NOT_REACHED: Final = "the server was not reached"


Rows: TypeAlias = dict[str, ToolRow]


def _rows(report: Report) -> Rows:
    return {row.name: row for row in report.tools}


def tool_changes(old: Report, new: Report) -> list[ToolChange]:
    """The tools that are not what they were, the worst first."""
    if is_unreached(new) and not is_unreached(old):
        return [
            ToolChange(name=row.name, change="worse", old=row.status, reason=NOT_REACHED)
            for row in _rows(old).values()
            if row.status != NO_CALL
        ]
    if is_unreached(old):
        return []
    before, now = _rows(old), _rows(new)
    found = (*_listed_or_not(old, new, before, now), *_changes(before, now))
    return sorted(found, key=lambda one: (MOVES.index(one.change), one.name))


def is_unreached(report: Report) -> bool:
    """Whether the report is on a server that nobody could talk to."""
    return report.subject.kind == "server" and report.revision is None


def _listed_or_not(old: Report, new: Report, before: Rows, now: Rows) -> Iterator[ToolChange]:
    then, today = listed(old), listed(new)
    if then is None or today is None:
        return
    for name in then.hashes.keys() - today.hashes.keys():
        yield _change(name, "gone", before.get(name), None)
    for name in today.hashes.keys() - then.hashes.keys():
        yield _change(name, "new", None, now.get(name))


def _changes(before: Rows, now: Rows) -> Iterator[ToolChange]:
    for name in before.keys() & now.keys():
        if before[name].status != now[name].status:
            yield _change(name, _move(before[name], now[name]), before[name], now[name])


def _change(name: str, move: ToolMove, old: ToolRow | None, new: ToolRow | None) -> ToolChange:
    return ToolChange(
        name=name,
        change=move,
        old=old.status if old else None,
        new=new.status if new else None,
        reason=new.reason if new and new.status == NO_CALL else "",
    )


def _move(old: ToolRow, new: ToolRow) -> ToolMove:
    if new.status == NO_CALL:
        is_lost = NotCalled.read(new.reason) == NotCalled.SERVER_LOST
        return "worse" if is_lost else "not_called_any_more"
    if old.status == NO_CALL:
        return "called_now"
    return "worse" if STATUSES.index(new.status) < STATUSES.index(old.status) else "better"

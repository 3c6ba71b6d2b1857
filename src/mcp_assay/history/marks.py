"""What happened in some runs besides their verdicts: other versions, definitions and approvals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, select

from mcp_assay.history.answers import PastRun
from mcp_assay.history.run_ranges import RunRange
from mcp_assay.history.run_rows import microseconds
from mcp_assay.history.tables import APPROVAL, rows

MarkKind: TypeAlias = Literal["version", "definitions", "approved", "revoked"]
MOST_APPROVALS: Final = 200
"""So many approvals of a server are looked at, the latest ones."""


class Mark(Struct, frozen=True, kw_only=True):
    """Something that happened in a run, or to it."""

    kind: MarkKind
    run: int
    text: str
    against: int | None = None
    """The run that it is seen against."""


def marks_in(connection: Connection, server_id: int, within: RunRange) -> list[Mark]:
    """What happened in these runs, kind by kind."""
    its = select(APPROVAL).where(APPROVAL.c.server_id == server_id)
    approvals = rows(connection, its.order_by(APPROVAL.c.id.desc()).limit(MOST_APPROVALS))[::-1]
    return [
        *_versions(within.all_runs),
        *_definitions(within.all_runs),
        *_approved(approvals, within),
        *_revoked(approvals, within),
    ]


def _versions(runs: Sequence[PastRun]) -> Iterator[Mark]:
    """Where a server calls its version otherwise than in the run before that knew it."""
    known: str | None = None
    for run in runs:
        if run.version is None:
            continue
        if known is not None and run.version != known:
            yield Mark(kind="version", run=run.run, text=f"{known} → {run.version}")
        known = run.version


def _definitions(runs: Sequence[PastRun]) -> Iterator[Mark]:
    """Where a server lists something else than in the run before that saw it."""
    seen: PastRun | None = None
    for run in runs:
        if run.surface is None:
            continue
        if seen is not None and run.surface != seen.surface:
            text = f"the definitions are not those of run {seen.run}"
            yield Mark(kind="definitions", run=run.run, text=text, against=seen.run)
        seen = run


def _approved(approvals: Sequence[Mapping[str, Any]], within: RunRange) -> Iterator[Mark]:
    """At the runs that were approved."""
    ids = set(within.ids)
    for row in approvals:
        if row["run_id"] in ids:
            text = _words("approved", row["who"], row["at"], row["why"])
            yield Mark(kind="approved", run=row["run_id"], text=text)


def _revoked(approvals: Sequence[Mapping[str, Any]], within: RunRange) -> Iterator[Mark]:
    """At the latest run that there was when an approval was taken back."""
    end = microseconds(within.next_at) if within.next_at else None
    for row in approvals:
        moment = microseconds(row["revoked_at"] or "")
        there = [run.run for run in within.runs if microseconds(run.at) <= moment]
        if row["revoked_at"] and there and (end is None or moment < end):
            text = _words("revoked", row["revoked_by"], row["revoked_at"], row["revoked_why"])
            yield Mark(kind="revoked", run=there[-1], text=text)


def _words(deed: str, who: str, at: str, why: str) -> str:
    return f"{deed} by {who} at {at}{f': {why}' if why else ''}"

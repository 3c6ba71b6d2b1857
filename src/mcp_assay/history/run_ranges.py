"""Some runs of a server that follow one another, and the way to those before and after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection, select

from mcp_assay.history.answers import PastRun
from mcp_assay.history.names import NotKnown
from mcp_assay.history.questions import past_run
from mcp_assay.history.tables import RUN, rows

Rows: TypeAlias = Sequence[Mapping[str, Any]]


class RunRange(Struct, frozen=True, kw_only=True):
    """So many runs of a server, the newest last."""

    runs: list[PastRun]
    before: PastRun | None = None
    """The run before them: what is new in the first of them is seen by it."""
    newer: int | None = None
    """The run with which the range after this one ends; None where these are the latest runs."""
    next_at: str | None = None
    """When the first run after them was made."""

    @property
    def older(self) -> int | None:
        """The run with which the range before this one ends."""
        return self.before.run if self.before else None

    @property
    def ids(self) -> list[int]:
        """The numbers of the runs."""
        return [run.run for run in self.runs]

    @property
    def all_runs(self) -> list[PastRun]:
        """The runs, and the one before them."""
        return [self.before, *self.runs] if self.before else self.runs


def run_range(
    connection: Connection, server_id: int, most: int, until: int | None = None
) -> RunRange:
    """The latest runs of a server, or those up to one of them; raises NotKnown."""
    of_server = RUN.c.server_id == server_id
    newest_first = select(RUN).where(of_server).order_by(RUN.c.sequence.desc()).limit(most + 1)
    if until is None:
        return _range(rows(connection, newest_first), most)
    its = select(RUN.c.sequence).where(RUN.c.id == until, of_server)
    last = connection.execute(its).scalar()
    if last is None:
        raise NotKnown(f"the history has no run {until} of this server")
    later = select(RUN.c.id, RUN.c.at).where(of_server, RUN.c.sequence > last)
    after = rows(connection, later.order_by(RUN.c.sequence).limit(most))
    found = rows(connection, newest_first.where(RUN.c.sequence <= last))
    return _range(found, most, after)


def _range(newest_first: Rows, most: int, after: Rows = ()) -> RunRange:
    runs = [past_run(row) for row in newest_first]
    return RunRange(
        runs=runs[:most][::-1],
        before=runs[most] if len(runs) > most else None,
        newer=after[-1]["id"] if after else None,
        next_at=after[0]["at"] if after else None,
    )

"""Which servers of a fleet are to be assessed, in which order, and how long that may take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Final

from msgspec import Struct

from mcp_assay.fleet.entry import FleetEntry
from mcp_assay.fleet.record import reason_of
from mcp_assay.history.fleet_runs import FleetServerRow
from mcp_assay.history.run_rows import microseconds

UNKNOWN_SECONDS: Final = 30.0
"""For a server of a fleet that nothing is known of."""


class FleetPlan(Struct, frozen=True, kw_only=True):
    """What is to be done, the most urgent first, and what is done already."""

    to_do: tuple[FleetEntry, ...]
    done: Mapping[str, FleetServerRow]


class FleetEstimate(Struct, frozen=True, kw_only=True):
    """How long a plan may take."""

    servers: int
    seconds: float
    """With all workers."""
    worker_seconds: float
    """Of all workers together: what it costs."""
    unknown: int
    """Servers that were never assessed, and are taken to be like the others."""


def plan_of(
    entries: Iterable[FleetEntry],
    known: Mapping[str, FleetServerRow],
    assessed: Mapping[str, FleetServerRow],
    since: str | None = None,
) -> FleetPlan:
    """What is to be done of a run, of which `known` is done, and what since then was not."""
    done: dict[str, FleetServerRow] = {}
    to_do: list[FleetEntry] = []
    for entry in entries:
        row = known.get(entry.name)
        last = assessed.get(entry.name)
        if row is not None and is_settled(row, entry):
            done[entry.name] = row
        elif last is not None and since is not None and _is_recent(last, entry, since):
            done[entry.name] = last
        else:
            to_do.append(entry)
    to_do.sort(key=lambda entry: urgency(entry, assessed.get(entry.name)))
    return FleetPlan(to_do=tuple(to_do), done=done)


def is_settled(row: FleetServerRow, entry: FleetEntry) -> bool:
    """Whether another try would not be about something else, and could give nothing else."""
    reason = reason_of(row)
    return row.digest == entry.digest and not (reason and reason.is_passing)


def urgency(entry: FleetEntry, last: FleetServerRow | None) -> tuple[int, int]:
    """Never assessed goes before changed, changed before the rest, and there the oldest first."""
    if last is None:
        return 0, 0
    return (1 if last.digest != entry.digest else 2), microseconds(last.at)


def estimate(
    entries: Sequence[FleetEntry], assessed: Mapping[str, FleetServerRow], workers: int
) -> FleetEstimate:
    """How long it may take, from how long it took."""
    times = {name: seconds_of(row) for name, row in assessed.items()}
    usual = median(times.values()) if times else UNKNOWN_SECONDS
    each = [times.get(entry.name, usual) for entry in entries]
    total = sum(each)
    return FleetEstimate(
        servers=len(entries),
        seconds=max([total / max(1, workers), *each]) if each else 0.0,
        worker_seconds=total,
        unknown=sum(entry.name not in times for entry in entries),
    )


def seconds_of(row: FleetServerRow) -> float:
    """What it took to assess a server the last time."""
    return (row.prepared_seconds or 0.0) + (row.assessed_seconds or 0.0)


def _is_recent(last: FleetServerRow, entry: FleetEntry, since: str) -> bool:
    """Whether a server was assessed since then, as it is now."""
    return last.digest == entry.digest and microseconds(last.at) >= microseconds(since)

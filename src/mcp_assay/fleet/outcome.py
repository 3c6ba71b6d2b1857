"""What became of one server of a fleet, as the client knows it at the end."""

from __future__ import annotations

from msgspec import Struct

from mcp_assay.fleet.entry import FleetEntry
from mcp_assay.fleet.job import Reason
from mcp_assay.model.report import Report


class ServerOutcome(Struct, frozen=True, kw_only=True):
    """One server: its report or the reason why there is none, its tries, and the run before."""

    name: str
    entry: FleetEntry | None = None
    """None for an entry that was wrong."""
    report: Report | None = None
    reason: Reason | None = None
    tries: tuple[Reason, ...] = ()
    """Why earlier tries gave nothing, in their order."""
    run_id: int | None = None
    """Its number in the history."""
    version: str | None = None
    """Of the package."""
    is_resumed: bool = False
    """Whether an earlier command of the same run of the fleet had done it."""
    previous: Report | None = None
    """What the last run of the fleet reported of it."""
    previous_version: str | None = None
    """Of the package, then."""
    previous_reason: Reason | None = None
    """Why it had no verdict then."""
    is_new: bool = False
    """Whether no run of the fleet before had it."""
    prepared_seconds: float = 0.0
    assessed_seconds: float = 0.0

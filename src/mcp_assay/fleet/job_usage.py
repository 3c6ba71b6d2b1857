"""What a job takes of its machine, held against what it may take."""

from __future__ import annotations

import os
from time import monotonic
from typing import Final

from mcp_assay.client.guardian import descendants
from mcp_assay.client.sandbox.bounds import memory
from mcp_assay.client.sandbox.disk_watch import counted
from mcp_assay.fleet.job import JobLimits, Reason, ReasonKind
from mcp_assay.model.report import Report

MEGABYTE: Final = 1 << 20
OF_WORLDS: Final[dict[str, ReasonKind]] = {
    "sandbox-memory-bytes": "over_memory",
    "sandbox-processes": "over_processes",
    "sandbox-disk-bytes": "over_disk",
}
"""The bounds of a world, as reports call them, that are those of the job."""
HAS_PROC: Final = os.path.isdir("/proc/self/task")
"""Whether the system lists its processes; where not, only the time of a job is bounded."""


class JobUsage:
    """One job under way, looked at from outside."""

    def __init__(self, folder: str, limits: JobLimits) -> None:
        self._folder: Final = folder
        self._limits: Final = limits
        self._end: Final = monotonic() + limits.seconds

    def excess(self, guardian: int) -> Reason | None:
        """What it has taken too much of, if anything; all its processes are below its guardian."""
        if monotonic() > self._end:
            return over("over_time", self._limits)
        if counted(self._folder, self._limits.disk_bytes)[0] > self._limits.disk_bytes:
            return over("over_disk", self._limits)
        if not HAS_PROC or not guardian:
            return None
        processes = [str(one) for one in descendants(guardian)]
        if len(processes) > self._limits.processes:
            return over("over_processes", self._limits)
        if memory(processes, self._limits.memory_bytes) > self._limits.memory_bytes:
            return over("over_memory", self._limits)
        return None


def excess_in_world(report: Report, limits: JobLimits) -> Reason | None:
    """What a server has taken too much of in its world, if anything."""
    kinds = (OF_WORLDS.get(limit.name) for limit in report.limits)
    return next((over(kind, limits) for kind in kinds if kind), None)


def over(kind: ReasonKind, limits: JobLimits) -> Reason:
    """A limit that was reached, in words."""
    words: dict[ReasonKind, str] = {
        "over_time": f"it took more than {limits.seconds:g} s in all",
        "over_memory": f"it took more than {limits.memory_bytes // MEGABYTE:,} MB of memory",
        "over_disk": f"it wrote more than {limits.disk_bytes // MEGABYTE:,} MB",
        "over_processes": f"it had more than {limits.processes} processes at a time",
    }
    return Reason(kind=kind, text=words[kind])

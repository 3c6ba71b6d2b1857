"""A unit of work that any worker can do: one server in, its report or a stated reason out."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.fleet.entry import FleetEntry

ReasonKind: TypeAlias = Literal[
    "wrong_entry",
    "not_prepared",
    "needs_build",
    "needs_image",
    "no_sandbox",
    "no_value",
    "refused_address",
    "over_time",
    "over_memory",
    "over_disk",
    "over_processes",
    "worker_lost",
    "engine_lost",
    "failed",
    "not_recorded",
    "interrupted",
]
"""Why a server has no verdict."""


class JobLimits(Struct, frozen=True, kw_only=True):
    """What one job may take."""

    seconds: float = 300.0
    """For all of it: preparing and assessing."""
    memory_bytes: int = 2 << 30
    disk_bytes: int = 1 << 30
    processes: int = 256


class JobOptions(Struct, frozen=True, kw_only=True):
    """How every server of a run is assessed."""

    has_sandbox: bool = True
    """Whether servers run in disposable worlds; a job whose worker cannot make one ends."""
    cache: str | None = None
    """Where packages are installed on the worker; where None, in the usual cache of the user."""
    limits: JobLimits = JobLimits()
    named: tuple[str, ...] = ()
    """Variables of workers that an entry which a stranger wrote may have too."""
    assessing: dict[str, Any] = {}
    """The options of the assessment that were chosen, such as seed, max_calls and max_time."""


class Job(Struct, frozen=True, kw_only=True):
    """One server to be assessed."""

    entry: FleetEntry
    options: JobOptions


class Reason(Struct, frozen=True, kw_only=True):
    """Why a server has no verdict, or why a try had none."""

    kind: ReasonKind
    text: str
    is_passing: bool = False
    """Whether another try may help: a registry that was away, a worker that was lost."""


class JobDone(Struct, frozen=True, kw_only=True, tag="done"):
    """A server that was assessed."""

    report: bytes
    """The report as JSON, packed with zstd."""
    prepared_seconds: float = 0.0
    assessed_seconds: float = 0.0
    version: str | None = None
    """The version of the package that was installed."""


class JobEnded(Struct, frozen=True, kw_only=True, tag="ended"):
    """A server that was not assessed."""

    reason: Reason
    seconds: float = 0.0


JobResult: TypeAlias = JobDone | JobEnded

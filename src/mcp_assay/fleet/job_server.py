"""A job -> the server that it is about, ready to be assessed, or the reason why it cannot be."""

from __future__ import annotations

import os
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.client.sandbox.admission import NotForWorld, put_into_world
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command, Endpoint, Target, allowed, secrets_in
from mcp_assay.fleet.entry import Package, Remote
from mcp_assay.fleet.job import Job, JobLimits, Reason
from mcp_assay.fleet.values import Values, values_of

TEMPORARY: Final = "/tmp"
"""A world has one of its own under this name: the folder of a job is not shown in it."""


class JobRefused(Exception):
    """A server that is not assessed, and why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.reason: Final = reason


class JobServer(Struct, frozen=True, kw_only=True):
    """A server that can be assessed."""

    target: Target
    secrets: tuple[str, ...] = ()
    """What must appear nowhere."""
    version: str | None = None
    """Of its package."""


def server_of(job: Job) -> JobServer:
    """The server with all that it is given on this machine; raises JobRefused."""
    values = values_of(job.entry, job.options.named)
    if values.missing:
        names = ", ".join(values.missing)
        raise JobRefused(Reason(kind="no_value", text=f"the worker has no value of {names}"))
    given = (*values.environment.values(), *values.headers.values(), *values.filled)
    secrets = secrets_in(given)
    if isinstance(job.entry.origin, Remote):
        return JobServer(target=_endpoint(values), secrets=secrets)
    assert not isinstance(job.entry.origin, Package)
    return JobServer(target=_command(job, values, values.words), secrets=secrets)


def _endpoint(values: Values) -> Endpoint:
    assert values.url is not None
    return Endpoint(url=values.url, headers=values.headers)


def _command(job: Job, values: Values, command: tuple[str, ...]) -> Command:
    plain = Command(command=command, environment=allowed(os.environ, values.environment))
    if not job.options.has_sandbox:
        return plain
    inside = replace(plain, environment={**plain.environment, "TMPDIR": TEMPORARY})
    try:
        return put_into_world(inside, SandboxOptions(limits=_limits(job.options.limits)))
    except NotForWorld as refusal:
        raise JobRefused(Reason(kind="no_sandbox", text=str(refusal).rstrip("."))) from None


def _limits(limits: JobLimits) -> dict[str, int]:
    names = ("memory_bytes", "disk_bytes", "processes")
    return {name: getattr(limits, name) for name in names}

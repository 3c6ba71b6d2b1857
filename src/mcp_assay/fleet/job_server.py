"""A job -> the server that it is about, ready to be assessed, or the reason why it cannot be."""

from __future__ import annotations

import os
import tempfile
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.client.deadline import Deadline
from mcp_assay.client.sandbox.admission import NotForWorld, put_into_world
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command, Endpoint, Target, allowed, secrets_in
from mcp_assay.fleet.addresses import checked_address
from mcp_assay.fleet.entry import Package, Remote
from mcp_assay.fleet.job import Job, JobLimits, Reason
from mcp_assay.fleet.packages.preparation import PreparedPackage, prepare
from mcp_assay.fleet.values import ServerValues, values_of

TEMPORARY: Final = "/tmp"
"""A world has one of its own under this name: the folder of a job is not shown in it."""

WORK: Final = "work"
"""The working folder of a package's server in a world, beside the files of the package."""


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


async def server_of(job: Job) -> JobServer:
    """The server with all that it is given on this machine; raises JobRefused."""
    entry, options = job.entry, job.options
    _require(await checked_address(entry))
    values = values_of(entry, options.named)
    if values.missing:
        names = ", ".join(values.missing)
        _require(Reason(kind="no_value", text=f"the worker has no value of {names}"))
    secrets = secrets_in((*values.environment.values(), *values.headers.values(), *values.filled))
    if isinstance(entry.origin, Remote):
        is_public = entry.origin.is_public
        return JobServer(target=_endpoint(values, is_public=is_public), secrets=secrets)
    if not isinstance(entry.origin, Package):
        return JobServer(target=_command(job, values, values.words), secrets=secrets)
    found = await prepare(entry, options, Deadline(options.limits.seconds))
    if isinstance(found, Reason):
        raise JobRefused(found)
    _work_in(WORK if options.has_sandbox else None, found)
    target = _command(job, values, (*found.program, *values.words))
    return JobServer(target=target, secrets=secrets, version=found.version)


def _work_in(name: str | None, found: PreparedPackage) -> None:
    """Let the server of a package start in a folder that nobody else has; in a world it is empty,
    and called alike in each run."""
    folder = tempfile.gettempdir()
    if name is not None:
        folder = os.path.join(os.path.dirname(found.folder), name)
        os.makedirs(folder, exist_ok=True)
    os.chdir(folder)


def _require(reason: Reason | None) -> None:
    """Go on where there is no reason not to."""
    if reason is not None:
        raise JobRefused(reason)


def _endpoint(values: ServerValues, *, is_public: bool) -> Endpoint:
    assert values.url is not None
    return Endpoint(url=values.url, headers=values.headers, is_public=is_public)


def _command(job: Job, values: ServerValues, command: tuple[str, ...]) -> Command:
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

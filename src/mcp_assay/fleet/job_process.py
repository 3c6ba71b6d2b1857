"""The process that does a job: its values are looked up, it is prepared, assessed and judged."""

from __future__ import annotations

import asyncio
import os
import sys
from time import monotonic
from typing import Any, Final

import msgspec

from mcp_assay.assess.assessment import Assessment
from mcp_assay.assess.options import AssessOptions
from mcp_assay.client.links import NotReached
from mcp_assay.client.sandbox.admission import NotForWorld, put_into_world
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.client.target import Command, Endpoint, Target, allowed, secrets_in
from mcp_assay.fleet.entry import FleetEntry, Program, Remote
from mcp_assay.fleet.job import Job, JobDone, JobEnded, JobLimits, JobResult, Reason
from mcp_assay.fleet.job_folder import JobFolder
from mcp_assay.fleet.job_usage import excess_in_world
from mcp_assay.history.packed_reports import packed
from mcp_assay.model.own_fault import own_fault

TEMPORARY: Final = "/tmp"
"""A world has one of its own under this name: the folder of a job is not shown in it."""


class JobRefused(Exception):
    """A server that is not assessed, and why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.reason: Final = reason


def result_of(job: Job) -> JobResult:
    """Do a job from its beginning to its end; whatever happens, there is a result."""
    began = monotonic()
    try:
        return _result_of(job)
    except JobRefused as refusal:
        return JobEnded(reason=refusal.reason, seconds=monotonic() - began)
    except Exception as fault:  # noqa: BLE001  the other servers are not to suffer for it
        words = str(own_fault("the job", fault))
        return JobEnded(reason=Reason(kind="failed", text=words), seconds=monotonic() - began)


def _result_of(job: Job) -> JobResult:
    values: dict[str, str] = {}
    target = _target(job, values)
    began = monotonic()
    run = Assessment(target, _options(job, target, tuple(values.values())))
    try:
        asyncio.run(run.run())
    except NoSandbox as refusal:
        raise JobRefused(Reason(kind="no_sandbox", text=str(refusal))) from None
    except NotReached:
        pass  # the report says why
    report = run.report()
    if excess := excess_in_world(report, job.options.limits):
        raise JobRefused(excess)
    return JobDone(report=packed(report).body, assessed_seconds=monotonic() - began)


def _target(job: Job, values: dict[str, str]) -> Target:
    entry = job.entry
    if isinstance(entry.origin, Remote):
        return Endpoint(url=entry.origin.url)
    assert isinstance(entry.origin, Program)
    plain = Command(command=entry.origin.command, environment=allowed(os.environ, values))
    return _in_world(plain, job) if job.options.has_sandbox else plain


def _in_world(server: Command, job: Job) -> Command:
    environment = {**server.environment, "TMPDIR": TEMPORARY}
    inside = msgspec.structs.replace(server, environment=environment)
    try:
        return put_into_world(inside, SandboxOptions(limits=_limits(job.options.limits)))
    except NotForWorld as refusal:
        raise JobRefused(Reason(kind="no_sandbox", text=str(refusal).rstrip("."))) from None


def _limits(limits: JobLimits) -> dict[str, int]:
    names = ("memory_bytes", "disk_bytes", "processes")
    return {name: getattr(limits, name) for name in names}


def _options(job: Job, target: Target, values: tuple[str, ...]) -> AssessOptions:
    in_world = isinstance(target, Command) and target.sandbox is not None
    calls = job.entry.calls or job.options.assessing.get("calls") or ("all" if in_world else "safe")
    given: dict[str, Any] = {**job.options.assessing, "calls": calls}
    return msgspec.convert({**given, "secrets": secrets_in(values)}, AssessOptions)


def main(path: str) -> None:
    """Do the job that lies in a folder."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    folder = JobFolder(path)
    folder.finish(result_of(folder.given()))


if __name__ == "__main__":
    main(sys.argv[1])

"""The process that does a job: what it needs is looked up, then the server is assessed."""

from __future__ import annotations

import asyncio
from time import monotonic

import msgspec

from mcp_assay.assess.assessment import Assessment
from mcp_assay.assess.options import AssessOptions
from mcp_assay.client.links import NotReached
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.client.target import Command
from mcp_assay.fleet.job import Job, JobDone, JobEnded, JobResult, Reason
from mcp_assay.fleet.job_folder import JobFolder
from mcp_assay.fleet.job_server import JobRefused, JobServer, server_of
from mcp_assay.fleet.job_usage import excess_in_world
from mcp_assay.history.packed_reports import packed
from mcp_assay.model.own_fault import own_fault


def result_of(job: Job) -> JobResult:
    """Do a job from its beginning to its end; whatever happens, there is a result."""
    try:
        return _result_of(job)
    except JobRefused as refusal:
        return JobEnded(reason=refusal.reason)
    except NoSandbox as refusal:
        return JobEnded(reason=Reason(kind="no_sandbox", text=str(refusal)))
    except Exception as fault:  # noqa: BLE001  the other servers are not to suffer for it
        return JobEnded(reason=Reason(kind="failed", text=str(own_fault("the job", fault))))


def _result_of(job: Job) -> JobResult:
    began = monotonic()
    server = asyncio.run(server_of(job))
    prepared = monotonic()
    run = Assessment(server.target, _options(job, server))
    try:
        asyncio.run(run.run())
    except NotReached as refusal:  # the report says why, unless nobody has tried
        if isinstance(refusal, NoSandbox):
            raise
    report = run.report()
    if excess := excess_in_world(report, job.options.limits):
        raise JobRefused(excess)
    return JobDone(
        report=packed(report).body,
        prepared_seconds=prepared - began,
        assessed_seconds=monotonic() - prepared,
        version=server.version,
    )


def _options(job: Job, server: JobServer) -> AssessOptions:
    """How it is assessed: in a world nothing lasts, so there all tools may be called."""
    target = server.target
    usual = "all" if isinstance(target, Command) and target.sandbox is not None else "safe"
    calls = job.entry.calls or usual
    given = {**job.options.assessing, "calls": calls, "secrets": server.secrets}
    return msgspec.convert(given, AssessOptions)


def do_job_in(folder: JobFolder) -> None:
    """Do the job that lies in a folder, and leave its result there."""
    folder.finish(result_of(folder.given()))

"""What a worker does with a job: it has it done in a process of its own, and watches that."""

from __future__ import annotations

from time import monotonic
from typing import Final

from msgspec.structs import replace

from mcp_assay.fleet.entry import Remote
from mcp_assay.fleet.forked_job import ForkedJob
from mcp_assay.fleet.job import Job, JobEnded, JobResult, Reason
from mcp_assay.fleet.job_folder import JobFolder, job_folder
from mcp_assay.fleet.job_usage import JobUsage

LOOK_SECONDS: Final = 0.5
"""So often a job is looked at."""


def do_job(job: Job) -> JobResult:
    """Assess a server; whatever it does, it ends, and so does all that it started."""
    began = monotonic()
    with job_folder() as folder:
        result = _done(job, folder)
    if isinstance(result, JobEnded):
        return replace(result, seconds=monotonic() - began)
    return result


def _done(job: Job, folder: JobFolder) -> JobResult:
    folder.give(job)
    in_world = job.options.has_sandbox and not isinstance(job.entry.origin, Remote)
    process = ForkedJob(folder, in_world=in_world)
    try:
        excess = _watched(process, folder, job)
    finally:
        process.end()
    if excess is not None:
        return JobEnded(reason=excess)
    return folder.result() or JobEnded(reason=_broken(process.code))


def _watched(process: ForkedJob, folder: JobFolder, job: Job) -> Reason | None:
    """Wait for the end of the process; what it took too much of, where it did."""
    usage = JobUsage(folder.path, job.options.limits)
    while not process.wait(LOOK_SECONDS):
        if excess := usage.excess(process.guardian):
            return excess
    return None


def _broken(code: int | None) -> Reason:
    how = f"was killed by signal {-code}" if code is not None and code < 0 else "ended too early"
    return Reason(kind="failed", text=f"the process of the job {how}")

"""What a worker does with a job: it has it done in a process of its own, and watches that."""

from __future__ import annotations

import asyncio
import os
import sys
from time import monotonic
from typing import Final

from msgspec.structs import replace

from mcp_assay.client.guarded import Guarded
from mcp_assay.engine.tasks import worker_environment
from mcp_assay.fleet.job import Job, JobEnded, JobResult, Reason
from mcp_assay.fleet.job_folder import JobFolder, job_folder
from mcp_assay.fleet.job_usage import JobUsage

COMMAND: Final = (sys.executable, "-P", "-m", "mcp_assay.fleet.job_process")
"""How the process of a job is started; what lies in the working directory is not imported."""
LOOK_SECONDS: Final = 0.5
"""So often a job is looked at."""


def do_job(job: Job) -> JobResult:
    """Assess a server; whatever it does, it ends, and so does all that it started."""
    began = monotonic()
    with job_folder() as folder:
        result = asyncio.run(_done(job, folder))
    if isinstance(result, JobEnded):
        return replace(result, seconds=monotonic() - began)
    return result


async def _done(job: Job, folder: JobFolder) -> JobResult:
    folder.give(job)
    environment = {**worker_environment(), "TMPDIR": folder.temporary}
    process = Guarded((*COMMAND, folder.path), environment)
    for descriptor in (process.stdin, process.stdout, process.stderr):
        os.close(descriptor)  # a job is told by its folder, and says nothing else
    try:
        await process.started
        excess = await _watched(process, folder, job)
    finally:
        await process.end()
    if excess is not None:
        return JobEnded(reason=excess)
    return folder.result() or JobEnded(reason=_broken(process.exited.result()))


async def _watched(process: Guarded, folder: JobFolder, job: Job) -> Reason | None:
    """Wait for the end of the process; what it took too much of, where it did."""
    usage = JobUsage(process.guardian, folder.path, job.options.limits)
    while True:
        await asyncio.wait([process.exited], timeout=LOOK_SECONDS)
        if process.exited.done():
            return None
        if excess := usage.excess():
            return excess


def _broken(code: int) -> Reason:
    how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
    return Reason(kind="failed", text=f"the process of the job {how}")

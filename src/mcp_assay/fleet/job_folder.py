"""The folder of one job: what it is told, what it says, and all that it writes besides."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from msgspec import Struct

from mcp_assay.client.sandbox.backing_folder import BackingFolder
from mcp_assay.fleet.job import Job, JobResult

LARGEST: Final = 256 << 20
"""Bytes of a result; what is longer is none."""
JOB: Final = "job"
RESULT: Final = "result"
UNFINISHED: Final = "unfinished"
TEMPORARY: Final = "tmp"


class JobFolder(Struct, frozen=True):
    """A folder that a worker shares with the process that does the job."""

    path: str

    @property
    def temporary(self) -> str:
        """Where the job, and a server without a world, may write."""
        return os.path.join(self.path, TEMPORARY)

    def give(self, job: Job) -> None:
        """Write down what is to be done."""
        os.mkdir(self.temporary)
        self._write(JOB, msgspec.json.encode(job))

    def given(self) -> Job:
        """What is to be done."""
        with open(os.path.join(self.path, JOB), "rb") as file:
            return msgspec.json.decode(file.read(), type=Job)

    def finish(self, result: JobResult) -> None:
        """Write down what came of it, as a whole or not at all."""
        self._write(UNFINISHED, msgspec.msgpack.encode(result))
        os.rename(os.path.join(self.path, UNFINISHED), os.path.join(self.path, RESULT))

    def result(self) -> JobResult | None:
        """What came of it; None where the process ended without a result."""
        try:
            with open(os.path.join(self.path, RESULT), "rb") as file:
                written = file.read(LARGEST + 1)
        except FileNotFoundError:
            return None
        if len(written) > LARGEST:
            return None
        result: JobResult = msgspec.msgpack.decode(written, type=JobResult)
        return result

    def _write(self, name: str, content: bytes) -> None:
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(content)


@contextmanager
def job_folder() -> Iterator[JobFolder]:
    """A new folder, gone at the end; what a worker that was killed left is removed by the next."""
    folder = BackingFolder()
    try:
        yield JobFolder(folder.path)
    finally:
        folder.remove()

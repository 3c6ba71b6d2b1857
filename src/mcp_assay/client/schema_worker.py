"""A child process that checks values against wild schemas, and is killed when it takes too long.

A request is a line with what to do and the lengths of two JSON texts, then the texts; an answer is
a line of JSON.
Of a value that does not fit, the child first says so and then why: where the second takes too long,
the first still counts.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from math import ceil
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from subprocess import DEVNULL, PIPE, Popen
from time import monotonic, process_time
from typing import IO, Final, Self

from msgspec import Struct, json

import mcp_assay
from mcp_assay.client.deadline import Deadline
from mcp_assay.client.guardian import PR_SET_PDEATHSIG, prctl
from mcp_assay.schema.isolated import IsolatedAnswer, answers, containment
from mcp_assay.schema.messages import SchemaVerdict, undecided

CHECK: Final = b"check"
COVERS: Final = b"covers"
JOBS: Final = {CHECK: answers, COVERS: containment}
GIVEN_UP: Final = "Earlier checks against this schema took too long; no more were tried."
WORN_OUT: Final = "Too many checks took too long; no more were tried."
TIME_IS_UP: Final = "The time for the whole run was over; no more checks were tried."
NOT_STARTED: Final = "The process that checks such schemas could not be started."


class Budget(Struct, frozen=True, kw_only=True):
    """What checks in the worker may cost."""

    seconds: float = 1.0
    """For one check."""
    start_seconds: float = 20.0
    """For the child to be ready, on a busy machine too."""
    memory: int = 1024 * 1024 * 1024
    """Bytes of address space, where the platform can limit it."""
    stops_of_a_schema: int = 2
    stops: int = 20
    """Checks that may have to be stopped, of one schema and of all; then no more are tried."""


DEFAULT_BUDGET: Final = Budget()


class SchemaWorker:
    """Checks values against wild schemas, one at a time; its child starts with the first check."""

    def __init__(self, budget: Budget = DEFAULT_BUDGET, deadline: Deadline | None = None) -> None:
        self.budget: Final = budget
        self._deadline: Final = deadline or Deadline()
        self._child: _Child | None = None
        self._stops: Counter[bytes] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child, if there is one; the next check would start another."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def check(self, schema: bytes, value: bytes) -> SchemaVerdict:
        """Check a value against a schema, both as JSON texts, within the budget; never raises."""
        return self._do(CHECK, schema, value)

    def covers(self, larger: bytes, smaller: bytes) -> SchemaVerdict:
        """Whether a schema admits all that another admits, within the budget; never raises."""
        return self._do(COVERS, larger, smaller)

    def _do(self, job: bytes, schema: bytes, value: bytes) -> SchemaVerdict:
        digest = blake2b(schema, digest_size=16).digest()
        if self._stops[digest] >= self.budget.stops_of_a_schema:
            return undecided(GIVEN_UP)
        if self._stops.total() >= self.budget.stops:
            return undecided(WORN_OUT)
        if self._deadline.is_over:
            return undecided(TIME_IS_UP)
        try:
            child = self._started()
        except OSError:
            self._stops[digest] += 1
            return undecided(NOT_STARTED)
        return self._asked(child, _request(job, schema, value), digest)

    @property
    def pid(self) -> int | None:
        """The process id of the child, None where there is none."""
        return self._child.pid if self._child else None

    def _started(self) -> _Child:
        if self._child is not None and self._child.has_ended():
            self.close()
        if self._child is None:
            self._child = _Child(self.budget, self._deadline)
        return self._child

    def _asked(self, child: _Child, request: bytes, digest: bytes) -> SchemaVerdict:
        """The last answer that came in time; a child that did not come to its end is not kept."""
        answer = IsolatedAnswer(undecided(self._stopped()), final=False)
        try:
            for answer in child.answers(request):  # noqa: B007  the last one counts
                pass
        finally:
            if not answer.final:
                self._stops[digest] += 1
                self.close()
        return answer.verdict

    def _stopped(self) -> str:
        return (
            f"The check was stopped: it took more than {self.budget.seconds:g} seconds, "
            "or too much memory."
        )


def _request(job: bytes, schema: bytes, value: bytes) -> bytes:
    return b"%b %d %d\n%b%b" % (job, len(schema), len(value), schema, value)


class _Child:
    """The running process; raises OSError where it cannot be started."""

    def __init__(self, budget: Budget, deadline: Deadline) -> None:
        self._seconds: Final = budget.seconds
        self._deadline: Final = deadline
        self._process = Popen(
            [sys.executable, "-P", "-m", __spec__.name, str(budget.memory), str(budget.seconds)],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=_environment(),
            start_new_session=True,
        )
        self._read = b""
        self._selector = DefaultSelector()
        self._selector.register(self._output, EVENT_READ)
        if self._line(self._until(budget.start_seconds)) is None:
            self.end()
            raise TimeoutError

    @property
    def _output(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    @property
    def pid(self) -> int:
        return self._process.pid

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def answers(self, request: bytes) -> Iterator[IsolatedAnswer]:
        """Ask, and give the answers that come in time."""
        until = self._until(self._seconds)
        self._send(request)
        final = False
        while not final and (line := self._line(until)) is not None:
            answer = json.decode(line, type=IsolatedAnswer)
            final = answer.final
            yield answer

    def _until(self, seconds: float) -> float:
        """When it must be done: in so many seconds, or as soon as nobody can wait any longer."""
        return min(monotonic() + seconds, self._deadline.end)

    def end(self) -> None:
        """Kill the process and leave nothing of it behind."""
        self._selector.close()
        self._process.kill()
        with suppress(BrokenPipeError):
            self._process.communicate()

    def _send(self, text: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(text)
            self._process.stdin.flush()

    def _line(self, until: float) -> bytes | None:
        """The next line of the process; None where it ended or is too late."""
        while b"\n" not in self._read:
            in_time = self._selector.select(max(0, until - monotonic()))
            chunk = os.read(self._output, 65536) if in_time else b""
            if not chunk:
                return None
            self._read += chunk
        line, self._read = self._read.split(b"\n", 1)
        return line


def _environment() -> dict[str, str]:
    """The environment of the child: it finds this package where this process found it."""
    home = str(Path(mcp_assay.__file__).parents[1])
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def serve(requests: IO[bytes], replies: IO[bytes], seconds: float) -> None:
    """Be the child: answer every request until there are no more."""
    replies.write(b"\n")
    replies.flush()
    for line in requests:
        job, *lengths = line.split()
        texts = [requests.read(int(length)) for length in lengths]
        _limit_time(seconds)
        for answer in JOBS[job](*texts):
            replies.write(json.encode(answer) + b"\n")
            replies.flush()


def _limit_memory(size: int) -> None:
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  not on every platform

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (size, size))


def _limit_time(seconds: float) -> None:
    """End this process after some more seconds of work, also if nobody is left to kill it."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  not on every platform

        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = ceil(process_time() + seconds) + 1
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


if __name__ == "__main__":
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _limit_memory(int(sys.argv[1]))
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer, float(sys.argv[2]))

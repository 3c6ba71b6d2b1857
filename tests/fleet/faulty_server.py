"""Servers whose faults are no answers: they take too much, never answer, or kill who runs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PIECE = 8 << 20
LONG = 600
JOB = b"mcp_assay.fleet.fork_server"
ENOUGH = 2000


def hang(_: list[str]) -> None:
    """Say nothing."""
    time.sleep(LONG)


def eat(_: list[str]) -> None:
    """Take more and more memory, slowly enough to be seen."""
    kept = []
    for _number in range(ENOUGH):
        kept.append(os.urandom(PIECE))
        time.sleep(0.02)


def write(_: list[str]) -> None:
    """Fill the disk, as far as it lets itself be filled."""
    with tempfile.NamedTemporaryFile() as file:
        for _number in range(ENOUGH):
            file.write(bytes(PIECE))
            file.flush()
            time.sleep(0.02)
    time.sleep(LONG)


def fork(_: list[str]) -> None:
    """Have more and more children, each in a session of its own."""
    for _number in range(ENOUGH):
        if os.fork() == 0:
            os.setsid()
            time.sleep(LONG)
        time.sleep(0.005)
    time.sleep(LONG)


def kill(words: list[str]) -> None:
    """Kill the worker that had the job done, each time or once; then be the server NAME."""
    mark, *server = words
    if not mark or not Path(mark).exists():
        if mark:
            Path(mark).touch()
        os.kill(_worker(), signal.SIGKILL)
        time.sleep(LONG)
    sys.exit(subprocess.call([sys.executable, *server]))


def _worker() -> int:
    """The process above the guardian of the job: the first upwards that has nothing of it."""
    process, was_in_job = os.getppid(), False
    while True:
        is_in_job = JOB in Path(f"/proc/{process}/cmdline").read_bytes()
        if was_in_job and not is_in_job:
            return process
        was_in_job = was_in_job or is_in_job
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


FAULTS: dict[str, Callable[[list[str]], None]] = {
    "hang": hang,
    "eat": eat,
    "write": write,
    "fork": fork,
    "kill": kill,
    "kill-once": kill,
}

if __name__ == "__main__":
    FAULTS[sys.argv[1]](sys.argv[3:])

"""Work in a copy of this process: what it imports, breaks or never ends stays there."""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_MEMORY: Final = 4 << 30
"""Bytes of address space that limited work may take."""
CLOCK_PER_CPU: Final = 20
"""How much longer than its CPU time limited work may take by the clock."""


def fork(work: Callable[[], int], output: Path, cpu_seconds: int | None = None) -> int:
    """Start the work in a child and return its process id; what it prints goes to a file."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        _settle(output, cpu_seconds)
        os._exit(_done(work))
    return process


def _done(work: Callable[[], int]) -> int:
    """Do the work; nothing of it may reach what the parent was about to do next."""
    code = 1
    try:
        code = work()
    except BaseException:  # noqa: BLE001 - whatever happens, the child ends here
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return code


def wait(process: int = -1) -> tuple[int, int]:
    """Wait for a child, or for any; its id and what its work returned, or minus a signal."""
    ended, status = os.waitpid(process, 0)
    with suppress(ProcessLookupError):
        os.killpg(ended, signal.SIGKILL)
    return ended, os.waitstatus_to_exitcode(status)


def _settle(output: Path, cpu_seconds: int | None) -> None:
    """Give the child a group, a place for its output and limits of its own."""
    os.setpgid(0, 0)
    with output.open("wb") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    if cpu_seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        signal.alarm(CLOCK_PER_CPU * cpu_seconds)

"""The processes of a world, seen from outside: which there are, and whether any is at work."""

from __future__ import annotations

import os
from collections import Counter
from typing import NamedTuple

MOST_PROCESSES = 500
"""So many processes are looked at; more than that are never quiet."""
MOST_THREADS = 5000
LONGEST_COMMAND = 4096
AT_WORK = frozenset("RD")
"""The states of a thread that runs, wants to run, or waits for a disk."""
GONE = frozenset("ZX")
"""The states of what has ended and was not waited for."""

Process = tuple[int, str]
"""Its number and when it began, so that a number that is given again is another process."""


class Sample(NamedTuple):
    """What all threads of a world have done up to now."""

    processes: frozenset[Process]
    work: tuple[str, ...]
    """What each thread has had of the processor, and how often."""
    is_busy: bool
    """Whether one of them is at work."""


def sample(root: int, cuts: Counter[str]) -> Sample:
    """Look at a process and all that descend from it."""
    processes: set[Process] = set()
    work: list[str] = []
    is_busy, pending = False, [root]
    while pending:
        pid = pending.pop()
        for thread in _threads(pid):
            place = f"/proc/{pid}/task/{thread}"
            status = _read(f"{place}/stat").rpartition(")")[2].split()
            if len(status) < 20:
                continue
            is_busy |= status[0] in AT_WORK
            work.append(f"{thread} {_read(f'{place}/schedstat') or status[11:13]}")
            if thread == str(pid) and status[0] not in GONE:
                processes.add((pid, status[19]))
            pending += map(int, _read(f"{place}/children").split())
        if len(processes) > MOST_PROCESSES or len(work) > MOST_THREADS:
            cuts["processes"] += 1
            return Sample(frozenset(processes), tuple(work), True)
    return Sample(frozenset(processes), tuple(sorted(work)), is_busy)


def command_of_process(pid: int) -> list[str]:
    """The words that a process was started with, or what it has made of them."""
    raw = _read(f"/proc/{pid}/cmdline", LONGEST_COMMAND).rstrip("\x00")
    return raw.split("\x00") if raw else []


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def _read(path: str, most: int = 1 << 16) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.fsdecode(os.read(descriptor, most))
    except OSError:
        return ""
    finally:
        os.close(descriptor)

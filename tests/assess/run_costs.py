"""What an assessment costs by itself: how long after its limit it ends, and how much memory it has.

All processes of mcp-assay count together, those of the server do not.
"""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from os import SEEK_END
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Thread
from time import monotonic
from typing import IO, NamedTuple, Self

from tests.assess.weighed import ROOT, address_of
from tests.patience import LONGEST
from tests.servers.planting import Planted

EVERY = 0.02
"""Seconds between two looks at the memory of all processes."""
GUARDIAN = b"guardian.py"
"""What the command of a process has in it whose children are the server's."""
KCMP = {"x86_64": 312, "aarch64": 272}.get(platform.machine())
"""The number of the system call that compares what two processes have."""
KCMP_VM = 1
TOLD = 2000
"""So many characters of the end of standard error are kept."""


class RunCost(NamedTuple):
    """How one assessment ended: its exit code, last words, seconds, and megabytes at most."""

    name: str
    code: int
    told: str
    seconds: float
    megabytes: float


def cost_of(planted: Planted, max_time: float) -> RunCost:
    """Assess one server of the catalogue with a limit of time, and look on."""
    options = ("--no-input", "--format", "json", "--max-time", f"{max_time:g}")
    with address_of(planted) as words:
        return cost_of_command(planted.name, ("assess", *planted.options, *options, *words))


def cost_of_command(name: str, arguments: Iterable[str]) -> RunCost:
    """Run mcp-assay in a process of its own, and look on."""
    command = (sys.executable, "-m", "mcp_assay", *arguments)
    with TemporaryFile() as said:
        began = monotonic()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=said)
        with Scales(process.pid) as scales:
            code = process.wait(LONGEST)
        seconds = monotonic() - began
        return RunCost(name, code, _end_of(said), seconds, scales.most / 1024)


def _end_of(file: IO[bytes]) -> str:
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - TOLD))
    return file.read().decode(errors="replace")


class Scales:
    """Looks again and again at the memory of a process and of those that it started as its own."""

    def __init__(self, pid: int) -> None:
        self.most = 0
        """Kilobytes of all of them together, at most."""
        self._pid = pid
        self._is_over = Event()
        self._thread = Thread(target=self._look_on, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _look_on(self) -> None:
        while not self._is_over.wait(EVERY):
            self.most = max(self.most, sum(map(_kilobytes, _own_processes(self._pid))))


def _own_processes(pid: int) -> Iterator[int]:
    """A process and all below it; what a guardian has started is the server's."""
    yield pid
    with suppress(OSError):
        if GUARDIAN in Path(f"/proc/{pid}/cmdline").read_bytes():
            return
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children = map(int, (thread / "children").read_text().split())
            for child in (one for one in children if not _have_one_memory(pid, one)):
                yield from _own_processes(child)


def _have_one_memory(parent: int, child: int) -> bool:
    """Whether a process has only just been started, and still has the memory of its parent."""
    compare = ctypes.CDLL(None).syscall
    return KCMP is not None and compare(KCMP, parent, child, KCMP_VM, 0, 0) == 0


def _kilobytes(pid: int) -> int:
    """The memory of a process; what it shares with others is shared out among them."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0

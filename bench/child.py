"""Child processes, their CPU time and their peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

KIB: Final = 1024
UNCOMPILED: Final = "PYTHONDONTWRITEBYTECODE"
"""Where this is set, whatever is not installed is compiled anew at each start."""
GLANCE: Final = 0.01
"""Seconds between two looks at a child that is about to end."""


class Used(NamedTuple):
    """How a child process ended, and the CPU time it used."""

    code: int
    seconds: float


def mcp_assay(*arguments: str) -> list[str]:
    """The command line of mcp-assay as it is installed beside this interpreter."""
    script = Path(sys.executable).with_name("mcp-assay")
    start = [str(script)] if script.exists() else [sys.executable, "-m", "mcp_assay"]
    return [*start, *arguments]


def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a command; its output is thrown away.

    Its modules are compiled once, as an installer leaves them, whatever this process does.
    """
    null = subprocess.DEVNULL
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    return subprocess.Popen(command, stdin=null, stdout=null, stderr=null, env=environment)


def run(command: Sequence[str]) -> Used:
    """Run a command to its end; its output is thrown away."""
    process = start(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Used(process.returncode, usage.ru_utime + usage.ru_stime)


def peak_so_far(process: subprocess.Popen[bytes]) -> int | None:
    """The peak memory of a running child in bytes, where the system tells (Linux).

    The peak that a finished child leaves behind would not do: it counts the moment before its
    program was loaded, when it still was a copy of this process.
    """
    return _told(process, "VmHWM:")


def resident(process: subprocess.Popen[bytes]) -> int | None:
    """The memory of a running child now, in bytes, where the system tells (Linux)."""
    return _told(process, "VmRSS:")


def _told(process: subprocess.Popen[bytes], name: str) -> int | None:
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return None
    found = [line.split()[1] for line in status.splitlines() if line.startswith(name)]
    return int(found[0]) * KIB if found else None


def last_peak(process: subprocess.Popen[bytes]) -> int | None:
    """Wait for a child to end and return the last peak that was seen."""
    peak = None
    while process.poll() is None:
        peak = peak_so_far(process) or peak
        time.sleep(GLANCE)
    return peak

"""Who is alive of a family of processes, told by a mark in their environment."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from pathlib import Path

from tests.patience import LONGEST

MARK = "MCP_ASSAY_TEST_FAMILY"


def alive(mark: str) -> list[int]:
    """The living processes that carry the mark in their environment."""
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if bears(pid, mark)]


def bears(pid: int, mark: str) -> bool:
    """Whether a process lives and carries the mark."""
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return f"{MARK}={mark}".encode() in environment.split(b"\0") and state != "Z"


def eventually(holds: Callable[[], bool], seconds: float = LONGEST) -> bool:
    """Whether something comes true in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if holds():
            return True
        select.select([], [], [], 0.02)
    return holds()

"""What a world may take of the machine, looked at from its first process."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple

PAGE = os.sysconf("SC_PAGE_SIZE")
SCARCE = 33
"""A world ends where less than one part in so many of the machine's memory is left."""
PARTS = (b"Pss_Anon:", b"Pss_Shmem:")
"""How the kernel calls the memory that is of no file on disk, divided among those who share it."""
MOST_DIVIDED = 64
"""Of more processes than this it is not found out: they may be about to become too many."""
SPARE = 24
"""So few processes below the limit, nothing more can be started: it is reached."""


class WorldBounds:
    """Memory, processes and disk of a world."""

    def __init__(self, limits: dict[str, int], store: int | None) -> None:
        self._limits = limits
        self._store = store
        self.reached: str | None = None
        """What the world took too much of, where it did."""

    def is_broken(self) -> bool:
        """Whether everything has to end, because there is too much of it."""
        found = others()
        if len(found) >= self._limits["processes"] - SPARE:
            self.reached = "processes"
        elif self._is_too_much(found):
            self.reached = "memory"
        elif is_scarce():
            self.reached = "scarce"
        else:
            self._look_at_disk()
            return False
        return True

    def _is_too_much(self, processes: list[str]) -> bool:
        most = self._limits["memory_bytes"]
        return max(memory(processes, most), segments()) > most

    def _look_at_disk(self) -> None:
        """Note a full disk; the server gets an error when it writes, and may go on."""
        if self._store is not None and self.reached is None:
            about = os.fstatvfs(self._store)
            if about.f_blocks and not about.f_bavail:
                self.reached = "disk"


def is_scarce(path: str = "/proc/meminfo") -> bool:
    """Whether the whole machine runs out of memory: not all that a world takes can be counted."""
    with open(path, "rb") as file:
        rows = dict(line.split()[:2] for line in file if line.startswith((b"MemT", b"MemA")))
    if len(rows) < len((b"MemTotal:", b"MemAvailable:")):
        return False
    return int(rows[b"MemAvailable:"]) * SCARCE < int(rows[b"MemTotal:"])


def others() -> list[str]:
    """Every other process of the world."""
    return [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def memory(processes: list[str], much: int) -> int:
    """The bytes that processes hold.

    Only where that is too much it is found out what several hold together, and what is of files on
    disk: it takes time.
    """
    held = {name: resident(name) for name in processes}
    if len(held) > MOST_DIVIDED:
        return sum(one.own for one in held.values()) + max(one.shared for one in held.values())
    if sum(map(sum, held.values())) <= much:
        return sum(map(sum, held.values()))
    return sum(own_part(name, sum(most)) for name, most in held.items())


def segments(path: str = "/proc/sysvipc/shm") -> int:
    """The bytes of shared memory that stays whether or not a process has it in its own."""
    with suppress(OSError), open(path, "rb") as file:
        head, *rows = map(bytes.split, file)
        return sum(int(row[head.index(b"rss")]) for row in rows)
    return 0


class Resident(NamedTuple):
    """The bytes that a process has in memory."""

    own: int = 0
    shared: int = 0
    """Those of files, or that others can have too."""


def resident(process: str) -> Resident:
    """What a process has in memory."""
    with suppress(OSError), open(f"/proc/{process}/statm", "rb") as file:
        _, total, shared, *_ = map(int, file.read().split())
        return Resident(max(0, total - shared) * PAGE, shared * PAGE)
    return Resident()


def own_part(process: str, most: int) -> int:
    """What a process holds, shared out among all who hold it; `most` where it lets nobody look."""
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            rows = dict(line.split()[:2] for line in file)
    except OSError:
        return most
    return sum(int(rows.get(kind, 0)) << 10 for kind in PARTS)

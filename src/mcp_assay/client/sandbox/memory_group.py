"""A control group for the memory and the processes of a world, where this user can have one."""

from __future__ import annotations

import os
import time
from contextlib import suppress

PREFIX = "mcp-assay-"
REMOVE_SECONDS = 2.0
ROOT = "/sys/fs/cgroup"


class MemoryGroup:
    """One group, made for one world."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def set_limits(self, limits: dict[str, int]) -> None:
        """Bound everything in the group; raises OSError where memory cannot be bounded."""
        self._write("memory.max", limits["memory_bytes"])
        for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
            with suppress(OSError):
                self._write(name, value)
        with suppress(OSError):
            self._write("pids.max", limits["processes"])

    def add(self, process: int) -> None:
        """Take in a process, and with it all that it will start."""
        self._write("cgroup.procs", process)

    def remove(self) -> None:
        """Remove the group once everything in it has ended."""
        end = time.monotonic() + REMOVE_SECONDS
        while time.monotonic() < end:
            try:
                os.rmdir(self._folder)
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)
            else:
                return

    def _write(self, name: str, value: int) -> None:
        descriptor = os.open(f"{self._folder}/{name}", os.O_WRONLY)
        try:
            os.write(descriptor, str(value).encode())
        finally:
            os.close(descriptor)


def memory_group(
    process: int, limits: dict[str, int], root: str = ROOT, own: str | None = None
) -> MemoryGroup | None:
    """Put a process into a new group with bounded memory; None where there can be none.

    The group is made below the nearest one that this user may divide: beside the one that this
    process is in, for groups that hold processes cannot be divided.
    """
    folder = os.path.normpath(f"{root}/{own if own is not None else own_group()}")
    while folder.startswith(root):
        found = _divided(folder, process, limits)
        if found:
            return found
        folder = os.path.dirname(folder)
    return None


def _divided(parent: str, process: int, limits: dict[str, int]) -> MemoryGroup | None:
    if "memory" not in _words(f"{parent}/cgroup.subtree_control"):
        return None
    remove_abandoned(parent)
    folder = f"{parent}/{PREFIX}{os.getpid()}"
    try:
        os.mkdir(folder)
    except OSError:
        return None
    group = MemoryGroup(folder)
    try:
        group.set_limits(limits)
        group.add(process)
    except OSError:
        group.remove()
        return None
    return group


def remove_abandoned(parent: str) -> None:
    """Remove empty groups whose makers were killed; one in use cannot be removed."""
    for name in os.listdir(parent):
        number = name[len(PREFIX) :]
        is_ours = name.startswith(PREFIX) and number.isdigit()
        if is_ours and not os.path.exists(f"/proc/{number}"):
            with suppress(OSError):
                os.rmdir(f"{parent}/{name}")


def own_group() -> str:
    """The group of this process, in the one hierarchy that bounds memory."""
    with suppress(OSError), open("/proc/self/cgroup", encoding="utf-8") as file:
        for line in file:
            if line.startswith("0::"):
                return line[3:].strip()
    return "/"


def _words(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().split()
    except OSError:
        return []

"""Planted secrets: who opened which, as the kernel tells it."""

from __future__ import annotations

import ctypes
import os
import struct
from collections import Counter
from collections.abc import Mapping

EVENT = struct.Struct("=iIII")
ACCESS, OPEN, OVERFLOW = 0x1, 0x20, 0x4000
LONGEST_READ = 1 << 16


def watch_files(descriptors: Mapping[str, int]) -> tuple[int, dict[int, str]]:
    """Have the kernel tell of files, given by their paths in a world and by descriptors.

    Gives the descriptor that tells, and the path for each number that it names.
    """
    library = ctypes.CDLL(None, use_errno=True)
    teller = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if teller < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    paths = {}
    for path, descriptor in descriptors.items():
        place = f"/proc/self/fd/{descriptor}".encode()
        watch = library.inotify_add_watch(teller, place, ACCESS | OPEN)
        if watch >= 0:
            paths[watch] = path
    return teller, paths


class SecretLog:
    """The planted files that were opened or read."""

    def __init__(self, descriptor: int, paths: Mapping[int, str], cuts: Counter[str]) -> None:
        self._descriptor = descriptor
        self._paths = dict(paths)
        self._cuts = cuts
        self._found: dict[str, str] = {}
        os.set_blocking(descriptor, False)

    def hear(self) -> bool:
        """Take what has been told by now; False where that was nothing."""
        try:
            raw = os.read(self._descriptor, LONGEST_READ)
        except OSError:
            return False
        self.note(raw)
        return bool(raw)

    def note(self, raw: bytes) -> None:
        """Take events of the kernel."""
        at = 0
        while at + EVENT.size <= len(raw):
            watch, mask, _, length = EVENT.unpack_from(raw, at)
            at += EVENT.size + length
            if mask & OVERFLOW:
                self._cuts["secrets"] += 1
            elif watch in self._paths:
                self._keep(self._paths[watch], mask)

    def _keep(self, path: str, mask: int) -> None:
        if mask & ACCESS:
            self._found[path] = "read"
        elif mask & OPEN:
            self._found.setdefault(path, "opened")

    def take(self) -> list[tuple[str, str]]:
        """The secrets since the last time, and how far each was looked at."""
        found, self._found = sorted(self._found.items()), {}
        return found

"""A bound for layers on disk, which have no size of their own."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable

from mcp_assay.client.sandbox.folder_walk import listings

LOOK_SECONDS = 0.5
MOST_COUNTED = 1 << 18
"""A world with more files than this is full, as one in memory is."""


class DiskWatch:
    """Looks at a folder again and again, and says when it holds too much."""

    def __init__(self, folder: str, most: int, say: Callable[[], None]) -> None:
        self._folder = folder
        self._most = most
        self._say = say
        self._closed = 0
        self._free = free(folder)

    def start(self) -> None:
        """Look from now on, until it is too much or this process ends."""
        self._closed = counted(self._folder, self._most)[1]["closed"]
        self._free = free(self._folder)
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while not self.is_full():
            time.sleep(LOOK_SECONDS)
        self._say()

    def is_full(self) -> bool:
        """Whether there is too much; what cannot be counted is taken off the disk's free room."""
        total, cuts = counted(self._folder, self._most)
        if cuts["folders"] or cuts["closed"] > self._closed:
            total = max(total, self._free - free(self._folder))
        return total > self._most or cuts["files"] > 0


def free(folder: str) -> int:
    """The bytes that are free on the disk of a folder; none where it has gone."""
    try:
        about = os.statvfs(folder)
    except OSError:
        return 0
    return about.f_bfree * about.f_frsize


def counted(folder: str, most: int) -> tuple[int, Counter[str]]:
    """The bytes that a folder holds on disk, until they are too many, and what was not counted.

    It goes by descriptors: a path may be longer than the kernel takes.
    """
    cuts, total = Counter[str](), 0
    try:
        root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return 0, cuts  # it has gone
    try:
        for listing in listings(root, cuts, MOST_COUNTED):
            total += sum(about.st_blocks * 512 for about in listing.entries.values())
            if total > most:
                break
    finally:
        os.close(root)
    return total, cuts

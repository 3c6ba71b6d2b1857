"""Files that a server without a disposable world left in the working folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from mcp_assay.client.target import Command, Target

MOST_ENTRIES: Final = 20_000
"""In a folder with more entries nothing is compared: that would take too long."""
DEEPEST: Final = 4
SKIPPED: Final = frozenset(
    {".git", ".hg", ".venv", "venv", "node_modules", "__pycache__", ".mypy_cache", ".pytest_cache"}
)
"""Folders that programs keep for themselves."""


class WorkingFolder:
    """The working folder of a server as it was when it was first looked at."""

    def __init__(self, target: Target) -> None:
        is_bare = isinstance(target, Command) and target.sandbox is None
        self._folder: Final = os.getcwd() if is_bare else None
        self._before: Final = self._names()

    def new_files(self) -> list[str]:
        """The files that are there now and were not; none where nobody can tell."""
        now = self._names() if self._before is not None else None
        return sorted(now - self._before) if now is not None and self._before is not None else []

    def _names(self) -> frozenset[str] | None:
        if self._folder is None:
            return None
        found: set[str] = set()
        for path in _files(self._folder, 0):
            found.add(path[len(self._folder) :].lstrip(os.sep))
            if len(found) > MOST_ENTRIES:
                return None
        return frozenset(found)


def _files(folder: str, depth: int) -> Iterator[str]:
    """The files in a folder and in those below it; links are not followed."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            yield entry.path
        elif depth < DEEPEST and entry.name not in SKIPPED:
            yield from _files(entry.path, depth + 1)

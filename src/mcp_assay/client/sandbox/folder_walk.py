"""Folders of a hostile hand, listed through descriptors: no link is followed, nothing recurses."""

from __future__ import annotations

import errno
import math
import os
import stat
from collections import Counter
from collections.abc import Generator, Iterator
from time import monotonic
from typing import NamedTuple

MOST_ENTRIES = 50_000
"""So many files and folders of one tree are looked at."""
MOST_OPEN = 200
"""So many folders are open at a time; a chain of folders needs two, however long it is."""
MOST_CHARACTERS = 32 << 20
"""So long all paths of a tree are together."""
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
PIECE = 1 << 18


class Listing(NamedTuple):
    """One folder of a tree, and what is in it."""

    path: str
    """Relative to the tree; empty for its root."""
    folder: int
    """Its descriptor, open until the next listing is asked for."""
    entries: dict[str, os.stat_result]

    def path_of(self, name: str) -> str:
        """The path of an entry."""
        return f"{self.path}/{name}" if self.path else name


class _OpenFolder:
    """A descriptor that is closed when nobody below needs it any more."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.users = 1

    def release(self) -> int:
        """Need it no more; gives how many descriptors that has closed."""
        self.users -= 1
        if self.users:
            return 0
        os.close(self.descriptor)
        return 1


def listings(
    root: int, cuts: Counter[str], most: int = MOST_ENTRIES, end: float = math.inf
) -> Generator[Listing, None, None]:
    """Every folder of a tree once, the root first; what is left out is counted in `cuts`.

    `end` is when to stop, by the monotonic clock.
    """
    walk = _FolderWalk(cuts, most, end)
    try:
        yield from walk.run(root)
    finally:
        walk.close()


class _FolderWalk:
    def __init__(self, cuts: Counter[str], most: int, end: float) -> None:
        self._cuts = cuts
        self._entries = most
        self._end = end
        self._characters = MOST_CHARACTERS
        self._open = 0
        self._pending: list[tuple[_OpenFolder, str, str]] = []

    def run(self, root: int) -> Iterator[Listing]:
        yield from self._visit(open_folder(root, "."), "")
        while self._pending:
            parent, name, path = self._pending.pop()
            folder = self._opened(parent.descriptor, name)
            self._open -= parent.release()
            yield from self._visit(folder, path)

    def _opened(self, parent: int, name: str) -> int | None:
        if monotonic() > self._end:
            self._cuts["files"] += 1
            return None
        try:
            return os.open(name, FOLDER, dir_fd=parent)
        except PermissionError:
            self._cuts["closed"] += 1
            return None
        except OSError:
            return None  # gone in the meantime, or no folder any more

    def close(self) -> None:
        """Let go of what was not looked at."""
        for parent, _, _ in self._pending:
            parent.release()
        self._pending.clear()

    def _visit(self, descriptor: int | None, path: str) -> Iterator[Listing]:
        if descriptor is None:
            return
        folder = _OpenFolder(descriptor)
        self._open += 1
        try:
            listing = Listing(path, descriptor, self._entries_of(descriptor, len(path)))
            self._descend(folder, listing)
            yield listing
        finally:
            self._open -= folder.release()

    def _entries_of(self, descriptor: int, prefix: int) -> dict[str, os.stat_result]:
        found: dict[str, os.stat_result] = {}
        with os.scandir(descriptor) as entries:
            for entry in entries:
                self._characters -= prefix + len(entry.name) + 1
                if self._entries <= 0 or self._characters < 0 or monotonic() > self._end:
                    self._cuts["files"] += 1
                    break
                try:
                    found[entry.name] = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # gone in the meantime
                self._entries -= 1
        return found

    def _descend(self, folder: _OpenFolder, listing: Listing) -> None:
        for name, status in listing.entries.items():
            if not stat.S_ISDIR(status.st_mode):
                continue
            if self._open >= MOST_OPEN:
                self._cuts["folders"] += 1
                continue
            folder.users += 1
            self._pending.append((folder, name, listing.path_of(name)))


def open_folder(parent: int, name: str) -> int | None:
    """A folder in another one; None where there is none, or only a link to one."""
    try:
        return os.open(name, FOLDER, dir_fd=parent)
    except OSError:
        return None


def is_gone(root: int, path: str) -> bool:
    """Whether nothing stands at a path of a tree; False where that cannot be known."""
    folder = os.dup(root)
    try:
        *steps, name = path.split("/")
        for step in steps:
            below = os.open(step, FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError as fault:
        return fault.errno == errno.ELOOP  # a link stands in place of a folder
    finally:
        os.close(folder)
    return False


def read_file(folder: int, name: str, most: int) -> bytes | None:
    """The first bytes of a plain file in a folder; None where there is none that can be read."""
    try:
        descriptor = os.open(name, FILE, dir_fd=folder)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return b"".join(_pieces(descriptor, most))
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _pieces(descriptor: int, most: int) -> Iterator[bytes]:
    while most > 0 and (piece := os.read(descriptor, min(most, PIECE))):
        most -= len(piece)
        yield piece


def open_below(root: int, path: str) -> tuple[int, str] | None:
    """The descriptor of the folder that holds a path of a tree, and the name there.

    It goes one step at a time, so that no link is followed on the way.
    """
    *steps, name = path.split("/")
    folder = os.dup(root)
    for step in steps:
        below = open_folder(folder, step)
        os.close(folder)
        if below is None:
            return None
        folder = below
    return folder, name

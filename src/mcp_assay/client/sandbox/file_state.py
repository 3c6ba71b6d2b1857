"""What stands at a path: its kind, permissions and contents, read without trust in it."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import Any, NamedTuple

from mcp_assay.client.sandbox.folder_walk import open_below, read_file

LARGEST_COMPARED = 16 << 20
"""So many bytes of a file are compared with what was there before."""
MOST_READ = 64 << 20
"""So many bytes of all files are read for one scan."""
LARGEST_TEXT = 64 << 10
"""Of a file up to here the contents are kept, for a difference to be shown."""
MOST_KEPT = 8 << 20
"""So many bytes of contents are kept of one tree."""
LONGEST_TARGET = 4096
KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
}

FileId = tuple[int, int]
"""The numbers of a file system and of a file in it."""


class PathState(NamedTuple):
    """What stood at a path when it was looked at."""

    kind: str
    mode: int
    size: int
    target: str | None = None
    digest: bytes | None = None
    """Of the contents, as far as they are compared; None where they could not be read."""
    content: bytes | None = None
    """All of a short file."""

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read."""
        return self.kind != "file" or (self.digest is not None and self.size <= LARGEST_COMPARED)

    def as_json(self) -> dict[str, Any]:
        """What a report says of it."""
        size = self.size if self.kind == "file" else None
        return {
            "kind": self.kind,
            "mode": f"{self.mode:04o}",
            "size": size,
            "target": self.target,
        }


class FileReader:
    """Reads files for one tree, and keeps account of how much."""

    def __init__(self, cuts: Counter[str], unread: Collection[FileId] = ()) -> None:
        self._cuts = cuts
        self._unread = frozenset(unread)
        """Files that we must not open, because somebody waits for it: they are known by times."""
        self._left = MOST_READ
        self._room = MOST_KEPT

    def begin(self, known: Iterable[PathState | None]) -> None:
        """Begin another scan, after which the contents of these are kept still."""
        kept = sum(len(one.content) for one in known if one and one.content)
        self._left, self._room = MOST_READ, MOST_KEPT - kept

    def state(self, folder: int, name: str, status: os.stat_result) -> PathState:
        """What stands there."""
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "device")
        mode = stat.S_IMODE(status.st_mode)
        if kind == "link":
            return PathState(kind, mode, 0, _target(folder, name))
        if kind != "file":
            return PathState(kind, mode, 0)
        known = PathState(kind, mode, status.st_size)
        if (status.st_dev, status.st_ino) in self._unread:
            return known._replace(digest=str(status.st_mtime_ns).encode())
        return self._file(folder, name, known)

    def below(self, root: int, path: str) -> PathState | None:
        """What stands at a path of a tree; None where nothing does."""
        opened = open_below(root, path)
        if opened is None:
            return None
        folder, name = opened
        try:
            return self.state(folder, name, os.stat(name, dir_fd=folder, follow_symlinks=False))
        except OSError:
            return None
        finally:
            os.close(folder)

    def _file(self, folder: int, name: str, known: PathState) -> PathState:
        content = read_file(folder, name, min(LARGEST_COMPARED, self._left))
        if content is None:
            return known
        self._left -= len(content)
        if self._left <= 0:
            self._cuts["bytes"] += 1
            return known
        known = known._replace(digest=blake2b(content, digest_size=16).digest())
        is_part = len(content) >= LARGEST_COMPARED
        if is_part or len(content) > LARGEST_TEXT or len(content) > self._room:
            return known
        self._room -= len(content)
        return known._replace(content=content, size=len(content))


def _target(folder: int, name: str) -> str | None:
    try:
        return os.readlink(name, dir_fd=folder)[:LONGEST_TARGET]
    except OSError:
        return None

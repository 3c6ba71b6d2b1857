"""Layers on disk, for kernels whose memory file system cannot hold them; removed in every case."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from contextlib import suppress
from typing import Final

from mcp_assay.client.sandbox.backends import Backend

PLACE: Final = "/var/tmp"
"""It is on disk on every usual system, and the kernel lets overlays write there."""
PREFIX: Final = "mcp-assay-world-"
LOCK: Final = "lock"
MOVED: Final = "moved-"


class BackingFolder:
    """A folder for the layers of one world, locked while somebody needs it."""

    def __init__(self) -> None:
        remove_abandoned()
        self.path: Final = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getuid()}-", dir=PLACE)
        self._lock: Final = os.open(f"{self.path}/{LOCK}", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Remove it with all that is in it."""
        remove_folder(self.path)
        with suppress(OSError):
            os.close(self._lock)


def remove_abandoned() -> None:
    """Remove the folders of this user that nobody holds: those who made them were killed."""
    for name in os.listdir(PLACE):
        path = f"{PLACE}/{name}"
        if not name.startswith(f"{PREFIX}{os.getuid()}-") or not _is_own_folder(path):
            continue
        with suppress(OSError), open(f"{path}/{LOCK}", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove_folder(path)


def _is_own_folder(path: str) -> bool:
    """Whether it is a folder of this user: anybody may put a link of that name there."""
    try:
        about = os.lstat(path)
    except OSError:
        return False  # somebody else has removed it meanwhile
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid()


def remove_folder(path: str) -> None:
    """Remove a folder, however deep it is, and whatever rights its makers have left of it.

    Folders inside are moved to the top one by one: so neither paths nor this work grow deep.
    """
    top = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        waiting = _emptied(top, top, 0)
        for number in waiting:
            with suppress(OSError):
                os.chmod(f"{MOVED}{number}", 0o700, dir_fd=top)
                folder = os.open(f"{MOVED}{number}", os.O_RDONLY | os.O_DIRECTORY, dir_fd=top)
                waiting += _emptied(folder, top, waiting[-1] + 1)
                os.close(folder)
                os.rmdir(f"{MOVED}{number}", dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(path)


def _emptied(folder: int, top: int, first: int) -> list[int]:
    """Remove the files of a folder, and move its folders to the top, under numbers."""
    moved: list[int] = []
    for name in os.listdir(folder):
        if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
            os.unlink(name, dir_fd=folder)
            continue
        os.chmod(name, 0o700, dir_fd=folder)
        number = first + len(moved)
        os.rename(name, f"{MOVED}{number}", src_dir_fd=folder, dst_dir_fd=top)
        moved.append(number)
    return moved


def backing_for(backend: Backend) -> BackingFolder | None:
    """The folder that a backend needs here; None where everything fits into memory."""
    return BackingFolder() if backend == "bwrap" or not memory_keeps_attributes() else None


def memory_keeps_attributes() -> bool:
    """Whether files in memory have the attributes that overlays need (Linux 6.6 or newer)."""
    descriptor = os.memfd_create("attributes")
    try:
        os.setxattr(descriptor, "user.mcp-assay", b"1")
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True

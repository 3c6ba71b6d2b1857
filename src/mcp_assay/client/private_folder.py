"""A folder for sockets and other files that only this user may open, gone after a restart."""

from __future__ import annotations

import os
import stat
import tempfile
from typing import Final

NAME: Final = "mcp-assay"
PRIVATE: Final = 0o700
OTHERS: Final = 0o077


class NotPrivate(OSError):
    """The folder is somebody else's, or open to others; the text is a sentence without its stop."""


def private_folder() -> str:
    """The folder, made where it is not there; raises NotPrivate where others could use it."""
    path = _path()
    try:
        os.mkdir(path, PRIVATE)
    except FileExistsError:
        _require_private(path)
    return path


def _path() -> str:
    """In the folder that the system has for this, or among temporary files by the user's number."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and os.path.isdir(runtime):
        return os.path.join(runtime, NAME)
    return os.path.join(tempfile.gettempdir(), f"{NAME}-{os.getuid()}")


def _require_private(path: str) -> None:
    found = os.lstat(path)
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    if not is_own or found.st_mode & OTHERS:
        words = "is not a folder that only you may open; remove it, or name another place"
        raise NotPrivate(f"{path} {words} by XDG_RUNTIME_DIR")

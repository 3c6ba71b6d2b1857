"""A folder for sockets and other files that only this user may open."""

from __future__ import annotations

import os
import stat
from typing import Final

NAME: Final = "mcp-assay"
PRIVATE: Final = 0o700
OTHERS: Final = 0o077


class NotPrivate(OSError):
    """The folder is somebody else's, or open to others; the text is a sentence without its stop."""


def private_folder() -> str:
    """The folder, made where it is not there; raises NotPrivate where others could use it."""
    path = private_places()[0]
    os.makedirs(os.path.dirname(path), PRIVATE, exist_ok=True)
    try:
        os.mkdir(path, PRIVATE)
    except FileExistsError:
        _require_private(path)
    return path


def private_places() -> list[str]:
    """Where processes of this user may have the folder, the place of this process first.

    Clients start their servers without most variables, so that a process there may not know of the
    folder that the system has for this; all of them know the user's home.
    """
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "state")
    at_home = os.path.join(base, NAME, "private")
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and os.path.isdir(runtime):
        return [os.path.join(runtime, NAME), at_home]
    return [at_home]


def is_private(path: str) -> bool:
    """Whether there is such a folder, and only this user can have made what is in it."""
    try:
        _require_private(path)
    except OSError:
        return False
    return True


def _require_private(path: str) -> None:
    found = os.lstat(path)
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    if not is_own or found.st_mode & OTHERS:
        words = "is not a folder that only you may open; remove it, or name another place"
        raise NotPrivate(f"{path} {words} by XDG_RUNTIME_DIR")

"""Unix sockets in a folder of this user: by them our own processes find each other, nobody else.

Their names are made of a fixed word, the number of a process and chance, of nothing that a server
says.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import stat
import struct
import time
from contextlib import suppress
from typing import Final

from mcp_assay.client.private_folder import (
    NotPrivate,
    is_private,
    private_folder,
    private_places,
)

SUFFIX: Final = ".sock"
UNFINISHED: Final = ".new"
"""The ending of a socket on which nobody listens yet."""
NAME: Final = r"[a-z]{1,20}-[0-9]{1,20}-[0-9a-f]{8}\.(?:sock|new)"
BACKLOG: Final = 16
ABANDONED: Final = 60.0
"""Seconds after which a socket that was made and never listened on is taken to be left behind."""
LONGEST_WAIT: Final = 1.0
"""Seconds in which a listener of this machine accepts, or is too busy to be talked to."""

_PEER: Final = struct.Struct("3i")
"""Linux: the process, the user and the group at the other end."""
_DARWIN_PEER: Final = struct.Struct("2I")
"""macOS: the beginning of an xucred, its version and the user."""
_SOL_LOCAL, _LOCAL_PEERCRED = 0, 1


class NoSocket(Exception):
    """No private socket can be made or reached here; the text says why."""


class PrivateListener:
    """A socket on which this process listens for others of the same user."""

    def __init__(self, kind: str) -> None:
        """Listen, under a name that begins with the word `kind`; raises NoSocket."""
        if not hasattr(socket, "AF_UNIX"):
            raise NoSocket("this system has no unix sockets")
        remove_abandoned(kind)
        folder = _folder()
        # Processes in containers may share the folder, and their numbers.
        name = f"{kind}-{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}"
        self.path: Final = os.path.join(folder, name)
        self.socket: Final = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._begin()
        except OSError as fault:
            self.socket.close()
            raise NoSocket(
                f"{self.path} cannot be listened on: {fault.strerror or fault}"
            ) from None

    def _begin(self) -> None:
        """Only who is listened for already can be found: others would take it for abandoned."""
        unfinished = self.path.removesuffix(SUFFIX) + UNFINISHED
        self.socket.setblocking(False)
        self.socket.bind(unfinished)
        os.chmod(unfinished, 0o600)
        self.socket.listen(BACKLOG)
        os.rename(unfinished, self.path)

    def accept(self) -> socket.socket | None:
        """The next connection of this user, None where there is none."""
        try:
            connection, _ = self.socket.accept()
        except OSError:
            return None
        connection.setblocking(False)
        if is_own_user(connection):
            return connection
        connection.close()
        return None

    def close(self) -> None:
        """Listen no longer, and leave nothing behind."""
        self.socket.close()
        with suppress(OSError):
            os.unlink(self.path)


def listeners(kind: str) -> list[str]:
    """The paths of the sockets whose names begin with this word, whether anybody listens or not."""
    ours = (path for folder in private_places() for path in _sockets_in(folder))
    return sorted(path for path in ours if os.path.basename(path).startswith(f"{kind}-"))


def connected(path: str) -> socket.socket | None:
    """A connection to whoever listens there as this user; None, and no socket left, for nobody."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(LONGEST_WAIT)
    try:
        connection.connect(path)
    except (ConnectionRefusedError, FileNotFoundError):
        _unlink_own(path)
    except OSError:
        pass
    else:
        if is_own_user(connection):
            connection.setblocking(False)
            return connection
    connection.close()
    return None


def remove_abandoned(kind: str) -> None:
    """Remove the sockets of processes that ended without a word."""
    for path in listeners(kind):
        if connection := connected(path):
            connection.close()
    for folder in filter(is_private, private_places()):
        with suppress(OSError):
            _remove_unfinished(folder, kind)


def is_own_user(connection: socket.socket) -> bool:
    """Whether this user is at the other end; where no system tells, the folder does."""
    try:
        if (option := getattr(socket, "SO_PEERCRED", None)) is not None:
            peer = connection.getsockopt(socket.SOL_SOCKET, option, _PEER.size)
            return int(_PEER.unpack(peer)[1]) == os.getuid()
        peer = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 128)
        return int(_DARWIN_PEER.unpack(peer[: _DARWIN_PEER.size])[1]) == os.getuid()
    except (OSError, struct.error):
        return not hasattr(socket, "SO_PEERCRED")


def _folder() -> str:
    try:
        return private_folder()
    except OSError as fault:
        words = fault if isinstance(fault, NotPrivate) else f"{fault.filename}: {fault.strerror}"
        raise NoSocket(str(words)) from None


def _sockets_in(folder: str) -> list[str]:
    try:
        names = os.listdir(folder) if is_private(folder) else []
    except OSError:
        return []
    ours = (name for name in names if re.fullmatch(NAME, name) and name.endswith(SUFFIX))
    return [os.path.join(folder, name) for name in ours]


def _remove_unfinished(folder: str, kind: str) -> None:
    for entry in os.scandir(folder):
        is_ours = entry.name.startswith(f"{kind}-") and re.fullmatch(NAME, entry.name)
        age = time.time() - entry.stat(follow_symlinks=False).st_mtime
        if is_ours and entry.name.endswith(UNFINISHED) and age > ABANDONED:
            _unlink_own(entry.path)


def _unlink_own(path: str) -> None:
    """Remove a socket, and nothing that is none."""
    with suppress(OSError):
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            os.unlink(path)

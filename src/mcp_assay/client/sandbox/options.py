"""What a user asks of a disposable world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

Wanted: TypeAlias = Literal["auto", "sudo"]


class LeastWrites(Struct, frozen=True, kw_only=True):
    """The places of a world that a server may change, when it may change no others."""

    open: tuple[str, ...] = ()
    """Folders and files; what lies below a folder is meant, too."""
    temporary: tuple[str, ...] = ()
    """Folders for temporary files; other folders that are shown there are not meant."""
    new_folders: tuple[str, ...] = ()
    """Those of them that are made first, and are folders."""
    new_files: tuple[str, ...] = ()
    """Those that are made first, and are files."""


class SandboxOptions(Struct, frozen=True, kw_only=True):
    """A disposable world for the server, and what of this machine reaches into it."""

    backend: Wanted = "auto"
    """`auto` takes the first that works without more rights; `sudo` makes the world as root."""
    allow: tuple[str, ...] = ()
    """HOST or HOST:PORT that the server may reach; everything else is refused."""
    show: tuple[str, ...] = ()
    """Secret places that stay visible."""
    keep: str | None = None
    """The folder that gets the difference as a patch."""
    least: LeastWrites | None = None
    """All that may be changed; where None, everything may."""
    work: str = ""
    """The working folder; where empty, the current one."""
    prepare_from: str | None = None
    """The folder of the user's own whose files are the prepared ones; where None, files of ours."""
    prepared: tuple[str, ...] = ()
    """The working folders that are empty, and hold the prepared files inside."""
    limits: Mapping[str, int] = {}
    """Bounds of its own, by their names: memory_bytes, disk_bytes, processes."""

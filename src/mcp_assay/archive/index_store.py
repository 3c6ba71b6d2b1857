"""Indexes of files, kept in the user's cache for as long as the files do not change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from mcp_assay import __version__
from mcp_assay.archive.file_index import FileIndex
from mcp_assay.archive.files import ArchiveFile

FOLDER: Final = "archives"
OWN: Final = "mcp-assay"
MOST_KEPT: Final = 20_000
"""Indexes beyond this are dropped, those that were written first before others."""
FOR_THE_USER: Final = 0o700


class KeptIndex(Struct, frozen=True):
    """An index with what it is the index of."""

    version: str
    stamp: str
    index: FileIndex


_decode: Final = msgspec.msgpack.Decoder(KeptIndex).decode


class IndexStore:
    """Indexes by the names of their files; what cannot be kept is made anew each time."""

    def __init__(self, pointers: Mapping[str, str]) -> None:
        self._folder: Final = _cache_folder()
        self._read_as: Final = repr(sorted(pointers.items()))
        with suppress(OSError):
            self._folder.mkdir(FOR_THE_USER, parents=True, exist_ok=True)

    def known(self, file: ArchiveFile) -> FileIndex | None:
        """The index of a file, where the file is as it was."""
        if file.stamp is None:
            return None
        try:
            kept = _decode(self._place(file.name).read_bytes())
        except (OSError, msgspec.MsgspecError):
            return None
        is_valid = (kept.version, kept.stamp) == (__version__, file.stamp)
        return kept.index if is_valid and kept.index.name == file.name else None

    def keep(self, file: ArchiveFile, index: FileIndex) -> None:
        """Keep an index; not one that nothing would show to be outdated, and none of a file that
        could not be read, which may be no fault of the file."""
        if file.stamp is None or index.state != "whole":
            return
        place = self._place(file.name)
        written = place.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            written.write_bytes(msgspec.msgpack.encode(KeptIndex(__version__, file.stamp, index)))
            written.replace(place)

    def prune(self) -> None:
        """Drop what is too much."""
        with suppress(OSError):
            kept = sorted(self._folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
            for path in kept[: -MOST_KEPT or None] if len(kept) > MOST_KEPT else ():
                path.unlink()

    def _place(self, name: str) -> Path:
        where = name if "://" in name else os.path.abspath(name)
        return (
            self._folder
            / sha256(f"{where}\0{self._read_as}".encode(errors="surrogatepass")).hexdigest()
        )


def _cache_folder() -> Path:
    """The folder in the user's cache, by the rules of XDG."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    cache = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    return cache / OWN / FOLDER

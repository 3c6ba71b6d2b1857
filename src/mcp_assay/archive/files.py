"""SOURCES as they are typed -> the files of an archive: folders and patterns opened, each once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from glob import glob
from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from mcp_assay.validate.file_order import natural_key
from mcp_assay.validate.sources import STDIN, is_pattern, is_url

ON_THIS_MACHINE: Final = "file"


class ArchiveFile(Struct, frozen=True):
    """One file of an archive: a path or an address."""

    name: str
    size: int = 0
    """Its bytes as it is stored, 0 where that is not known."""
    stamp: str | None = None
    """What changes when the file does; None where nothing says so."""


def archive_files(sources: Iterable[str]) -> list[ArchiveFile]:
    """All files that are named; ValueError says which source cannot be one of an archive.

    Files are in the order in which they are named, those of a folder or pattern in natural order.
    """
    found: dict[str, ArchiveFile] = {}
    for source in sources:
        for file in _files_of(source):
            found.setdefault(file.name, file)
    return list(found.values())


def _files_of(source: str) -> Iterable[ArchiveFile]:
    if source == STDIN:
        raise ValueError("standard input is read once, and an archive twice; name its files")
    if not is_url(source):
        return _local_files(source)
    if urlsplit(source).scheme.lower() == ON_THIS_MACHINE:
        return _local_files(unquote(urlsplit(source).path))
    return _remote_files(source)


def _local_files(source: str) -> Iterator[ArchiveFile]:
    if os.path.isdir(source):
        names: Iterable[str] = _below(source)
    elif is_pattern(source):
        names = (one for one in glob(source, recursive=True) if not os.path.isdir(one))
    else:
        names = [source]
    listed = sorted(names, key=natural_key)
    yield from map(_local_file, listed or [source])


def _below(folder: str) -> Iterator[str]:
    """The files below a folder, without what is hidden."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(place, name) for name in names if not name.startswith("."))


def _local_file(name: str) -> ArchiveFile:
    try:
        found = os.stat(name)
    except (OSError, ValueError):
        return ArchiveFile(name)
    return ArchiveFile(name, found.st_size, f"{found.st_size} {found.st_mtime_ns}")


def _remote_files(url: str) -> list[ArchiveFile]:
    try:
        from mcp_assay.validate.remote_files import (  # noqa: PLC0415  loads fsspec
            remote_files,
            require_url,
        )
    except ImportError:
        words = "addresses need fsspec; pip install 'mcp-assay[archives]'"
        raise ValueError(f"{words}, or name files of this machine") from None
    require_url(url)
    listed = [ArchiveFile(one.url, one.size or 0, one.stamp) for one in remote_files(url)]
    return sorted(listed, key=lambda file: natural_key(file.name))

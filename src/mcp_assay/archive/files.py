"""SOURCES as they are typed -> the files of an archive: folders and patterns opened, each once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from glob import glob
from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from mcp_assay.validate.file_order import natural_key
from mcp_assay.validate.sources import STDIN, is_pattern, is_url, size_of

ON_THIS_MACHINE: Final = "file"


class ArchiveFile(Struct, frozen=True):
    """One file of an archive: a path or an address."""

    name: str
    size: int = 0
    """Its bytes as it is stored, 0 where that is not known."""
    stamp: str | None = None
    """What changes when the file does; None where nothing says so."""
    identity: tuple[int, int] | None = None
    """What a file of this machine has under all its names."""


def archive_files(sources: Iterable[str]) -> list[ArchiveFile]:
    """All files that are named; ValueError says which source cannot be one of an archive.

    Files are in the order in which they are named, those of a folder or pattern in natural order.
    """
    found: dict[str | tuple[int, int], ArchiveFile] = {}
    for source in sources:
        for file in _files_of(source):
            found.setdefault(file.identity or file.name, file)
    return list(found.values())


def changed_files(files: Iterable[ArchiveFile]) -> list[str]:
    """The names of those files of this machine that are no longer as they were."""
    here = (file for file in files if file.identity is not None)
    return [file.name for file in here if _local_file(file.name).stamp != file.stamp]


def _files_of(source: str) -> Iterable[ArchiveFile]:
    if source == STDIN:
        raise ValueError("standard input is read once, and an archive twice; name its files")
    if not is_url(source):
        return _local_files(source)
    if urlsplit(source).scheme.lower() == ON_THIS_MACHINE:
        return _local_files(unquote(urlsplit(source).path))
    return _remote_files(source)


def _local_files(source: str) -> Iterable[ArchiveFile]:
    if os.path.isdir(source):
        names: Iterable[str] = _below(source)
    elif is_pattern(source):
        names = glob(source, recursive=True)
    elif size_of(source) is None:
        raise ValueError(
            f"{source} is a pipe or device, read once, and an archive twice; use files"
        )
    else:
        names = [source]
    listed = sorted(filter(_is_file, names), key=natural_key)
    return map(_local_file, listed or [source])


def _is_file(name: str) -> bool:
    """Whether it can be read more than once, or is not there to be read at all."""
    return size_of(name) is not None


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
    stamp = f"{found.st_size} {found.st_mtime_ns}"
    return ArchiveFile(name, found.st_size, stamp, (found.st_dev, found.st_ino))


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

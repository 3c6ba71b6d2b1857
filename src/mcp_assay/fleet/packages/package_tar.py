"""A folder as a stream of bytes, and back: only files, folders and links that stay inside."""

from __future__ import annotations

import os
import stat
import tarfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import IO, Final

MOST_MEMBERS: Final = 200_000
DEEPEST: Final = 100
LONGEST: Final = 4096
PIECE: Final = 1 << 20
FOR_THE_USER: Final = 0o700
MODES: Final = 0o755
"""Rights that a file may have: nobody else writes, and none is for another user."""


class WrongStream(ValueError):
    """A stream that no package was made of; the text says why."""


def pack(folder: str, names: Iterable[str], stream: IO[bytes]) -> None:
    """Write some entries of a folder, with all that is below them."""
    with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for name in names:
            archive.add(os.path.join(folder, name), name, filter=_packed)


def _packed(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return member if member.isreg() or member.isdir() or member.issym() else None


def unpack(path: str, folder: str, most: int, is_left_out: Callable[[str], bool]) -> None:
    """Make in a folder what a stream holds, at most so many bytes; raises WrongStream.

    Links are made last, so that nothing is ever written through one.
    """
    links: list[tarfile.TarInfo] = []
    left = most
    try:
        with tarfile.open(path, "r:") as archive:
            for number, member in enumerate(archive):
                if number >= MOST_MEMBERS:
                    raise WrongStream(f"it has more than {MOST_MEMBERS:,} files")
                name = _inside(member.name)
                if is_left_out(name):
                    continue
                if member.issym():
                    links.append(member)
                    continue
                left -= member.size if member.isreg() else 0
                if left < 0:
                    raise WrongStream("it is larger than a job may be")
                _make(archive, member, os.path.join(folder, name))
        for link in links:
            _link(link, folder)
    except (tarfile.TarError, OSError, UnicodeError) as fault:
        raise WrongStream(f"its files cannot be written: {fault}") from None


def _inside(name: str) -> str:
    """The name, if it stays in the folder."""
    parts = name.split("/")
    if len(name) > LONGEST or len(parts) > DEEPEST or "\0" in name:
        raise WrongStream("it has a path that is too long")
    if name.startswith("/") or any(part in ("", ".", "..") for part in parts):
        raise WrongStream(f"it has a path that leads out of it: {name[:100]!r}")
    return name


def _make(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
    os.makedirs(os.path.dirname(path), FOR_THE_USER, exist_ok=True)
    if member.isdir():
        with suppress(FileExistsError):
            os.mkdir(path, FOR_THE_USER)
        return
    source = archive.extractfile(member) if member.isreg() else None
    if source is None:
        return
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    mode = (stat.S_IMODE(member.mode) & MODES) | stat.S_IRUSR | stat.S_IWUSR
    with open(os.open(path, flags, mode), "wb") as target:
        while piece := source.read(PIECE):
            target.write(piece)
    os.utime(path, (member.mtime, member.mtime))  # compiled files name the time of their source


def _link(member: tarfile.TarInfo, folder: str) -> None:
    """Make a link, if what it leads to lies inside too."""
    target = os.path.normpath(os.path.join(os.path.dirname(member.name), member.linkname))
    if os.path.isabs(member.linkname) or target.split("/")[0] == ".." or "\0" in member.linkname:
        raise WrongStream(f"it has a link that leads out of it: {member.name[:100]!r}")
    path = os.path.join(folder, member.name)
    os.makedirs(os.path.dirname(path), FOR_THE_USER, exist_ok=True)
    os.symlink(member.linkname, path)

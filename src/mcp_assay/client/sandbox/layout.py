"""Which parts of the machine a world shows, and how: whole folders, where nothing is mounted."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

OWN = ("/proc", "/sys", "/dev")
"""What every world has of its own."""
ESCAPE = rb"\\([0-7]{3})"
"""How the kernel writes blanks and other characters that would end a field."""
MOST_PARTS = 500
"""A world is put together from so many parts at most; what is beyond is not there."""


def layout(
    machine: str, mounted: list[str], is_skipped: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Every part of the machine: `link`, `file`, `overlay`, or `folder`, whose parts come later.

    A folder below which something is mounted is one whose parts are shown one by one. `machine`
    is where its root is.
    """
    waiting, parts = [""], 0
    for folder in waiting:
        for name in _names(machine + folder or "/"):
            path = f"{folder}/{name}"
            if path in OWN or is_skipped(path) or parts > MOST_PARTS:
                continue
            parts += 1
            kind = _kind(machine + path, any(one.startswith(path + "/") for one in mounted))
            if kind == "folder":
                waiting.append(path)
            if kind:
                yield kind, path


def is_own(path: str) -> bool:
    """Whether a path is one of those that every world has of its own."""
    return any(f"{path}/".startswith(f"{one}/") for one in OWN)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _kind(path: str, has_mounts: bool) -> str | None:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return "folder" if has_mounts else "overlay"
    if stat.S_ISLNK(mode):
        return "link"
    return "file" if stat.S_ISREG(mode) else None


def is_fresh(path: str, spec: dict[str, Any]) -> bool:
    """Whether a place begins empty, and nothing in it is needed."""
    wanted = (*spec["needed"], *spec["work"])
    return path in spec["fresh"] and not any(
        one == path or one.startswith(path + "/") for one in wanted
    )


class Mount(NamedTuple):
    """A part of a file system, and where the machine shows it."""

    device: str
    root: str
    place: str

    def place_of(self, path: str) -> str | None:
        """Where it shows a path of the file system; None where that is no part of it."""
        root = self.root.rstrip("/")
        is_part = path == root or path.startswith(f"{root}/")
        return self.place.rstrip("/") + path[len(root) :] if is_part else None


def mounts() -> list[Mount]:
    """Everything that is mounted; what covers another mount comes after it."""
    with open("/proc/self/mountinfo", "rb") as file:
        return [Mount(*map(_plain, line.split()[2:5])) for line in file]


def mount_points() -> list[str]:
    """Every place where something is mounted."""
    return [one.place for one in mounts()]


def _plain(field: bytes) -> str:
    return os.fsdecode(re.sub(ESCAPE, _character, field))


def _character(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 8)])


def second_names(path: str, mounted: Sequence[Mount]) -> Iterator[str]:
    """The other places of a path, whose file system is mounted more than once."""
    around = [one for one in mounted if Mount("", one.place, "").place_of(path) is not None]
    if not around:
        return
    own = max(reversed(around), key=lambda one: len(one.place))
    inside = own.root.rstrip("/") + path[len(own.place.rstrip("/")) :]
    for other in mounted:
        name = other.place_of(inside) if other.device == own.device else None
        if name not in (None, path) and os.path.exists(name) and os.path.samefile(name, path):
            yield name

"""Files that processes change through their memory, of which no time of change tells."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from contextlib import suppress

MOST_BYTES = 4 << 20
"""So much is read about the memory of all processes of a world."""
_WRITABLE = re.compile(rb"^\S+ .w.s \S+ \S+ \S+ +(\S.*)$", re.MULTILINE)
"""The path of a part of memory that is shared and can be written to."""


class MappedNames(Container[str]):
    """The names of files that can be written through memory, now or when it was looked last.

    Paths in another mount namespace cannot be told apart reliably, so the last part has to do.
    """

    def __init__(self) -> None:
        self._last: frozenset[str] | None = frozenset()
        self._now: frozenset[str] | None = frozenset()

    def look(self, processes: Iterable[int]) -> None:
        """Look at the memory of processes."""
        self._last, self._now = self._now, mapped_names(processes)

    def __contains__(self, name: object) -> bool:
        return any(names is None or name in names for names in (self._last, self._now))


def mapped_names(processes: Iterable[int]) -> frozenset[str] | None:
    """The names of files that processes have mapped to write to; None where that is too much."""
    found: set[str] = set()
    left = MOST_BYTES
    for pid in processes:
        with suppress(OSError), open(f"/proc/{pid}/maps", "rb") as file:
            told = file.read(left + 1)
            left -= len(told)
            if left < 0:
                return None
            found.update(map(_name, _WRITABLE.findall(told)))
    return frozenset(found)


def _name(path: bytes) -> str:
    name = path.rpartition(b"/")[2].removesuffix(b" (deleted)")
    return name.replace(b"\\012", b"\n").decode("utf-8", "surrogateescape")

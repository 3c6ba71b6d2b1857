"""What became of the files of a world: its trees, compared by contents with what was there before.

A tree lies over another one, its lower, which nobody writes to: an overlay has there what is not
changed, and a copy the original. That a file lies in the upper alone does not make it a change.
"""

from __future__ import annotations

import math
import os
import stat
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping
from time import monotonic, time_ns
from typing import NamedTuple

from mcp_assay.client.sandbox.file_state import FileId, FileReader, PathState
from mcp_assay.client.sandbox.folder_walk import (
    Listing,
    is_gone,
    listings,
    open_below,
    open_folder,
    read_file,
)

OPAQUE = ("user.overlay.opaque", "trusted.overlay.opaque")
RACY = 20_000_000
"""Nanoseconds: what was written so shortly before a look may be written again unnoticed."""
LARGEST_PATCHED = 1 << 20
"""Of a file up to here all contents go into a patch."""

Stamp = tuple[int, int, int, int]


class TreePlace(NamedTuple):
    """A tree of a world, by descriptors: where the world has it, what is written, what was."""

    path: str
    kind: str
    """overlay, copy, or fresh where it began empty."""
    upper: int
    lower: int | None = None


class _UpperEntry(NamedTuple):
    stamp: Stamp
    state: PathState | None
    """None where nothing stands there any more: a whiteout."""
    hides: bool
    """Whether what the lower has below is out of sight."""
    is_original: bool = False
    """Whether it is as in the lower: a copy that nobody has touched."""


class PathChange(NamedTuple):
    """A path of the world at which something else stands than before."""

    path: str
    what: str
    before: PathState | None
    after: PathState | None
    known: int
    """How many characters of the path were there in the beginning; the server chose the rest."""


_Uppers = Mapping[str, _UpperEntry]


class _Sight:
    """What of the lower can be seen past an upper; each folder is asked once."""

    def __init__(self, uppers: _Uppers) -> None:
        self.uppers = uppers
        self._is_hiding = {"": False}

    def is_hidden(self, path: str) -> bool:
        """Whether something above a path hides what the lower has there."""
        folder, asked = path.rpartition("/")[0], list[str]()
        while folder not in self._is_hiding:
            asked.append(folder)
            folder = folder.rpartition("/")[0]
        is_hidden = self._is_hiding[folder]
        for folder in reversed(asked):
            is_hidden = is_hidden or _hides(self.uppers, folder)
            self._is_hiding[folder] = is_hidden
        return is_hidden


class TreeWatch:
    """One tree, looked at again and again."""

    def __init__(
        self, place: TreePlace, cuts: Counter[str], unread: Collection[FileId] = ()
    ) -> None:
        self.place = place
        self._cuts = cuts
        self._reader = FileReader(cuts, unread)
        self._looked_at = 0
        self._top: Stamp | None = None
        """The topmost folder as it was at the last look, if that saw everything."""
        self._closed = 0
        self._known: dict[str, _UpperEntry] = {}
        self._known = self._look(is_first=True)
        self._first = self._known

    def changes(self, mapped: Container[str] = (), end: float = math.inf) -> list[PathChange]:
        """What has changed since the last time, as far as there is time to look.

        The times of files with `mapped` names say nothing.
        """
        before, self._known = self._known, self._look(mapped, end)
        return list(self._between(before, self._known))

    def difference(self) -> list[PathChange]:
        """What has changed since the beginning."""
        self._known = self._look()
        return list(self._between(self._first, self._known))

    def with_contents(self, change: PathChange) -> tuple[PathState | None, PathState | None]:
        """Both states of a change with all of their contents, where these are not too long."""
        path = change.path[len(self.place.path.rstrip("/")) + 1 :]
        before, after = change.before, change.after
        first = self._first.get(path)
        is_lowers = first is None or first.is_original  # and not what was put over it
        if self.place.lower is not None and is_lowers and _lacks_contents(before):
            before = _filled(before, self.place.lower, path)
        if _lacks_contents(after):
            after = _filled(after, self.place.upper, path)
        return before, after

    def _look(
        self, mapped: Container[str] = (), end: float = math.inf, *, is_first: bool = False
    ) -> dict[str, _UpperEntry]:
        top = os.fstat(self.place.upper)
        if not self._known and self._is_untouched(top):
            return {}
        self._reader.begin(one.state for one in self._known.values())
        began, found, cuts = time_ns(), dict[str, _UpperEntry](), Counter[str]()
        for listing in listings(self.place.upper, cuts, end=end):
            for name, status in listing.entries.items():
                if monotonic() > end:
                    cuts["files"] += 1
                    break
                path = listing.path_of(name)
                known = self._known.get(path)
                if known is None or self._may_differ(known, name, status, mapped):
                    known = self._entry(listing, name, status, is_first=is_first)
                found[path] = known
        self._looked_at, self._top = began, None if cuts else _stamp(top)
        if cuts:
            self._keep_unseen(found, end)
        self._note_cuts(cuts, is_first=is_first)
        return found

    def _is_untouched(self, top: os.stat_result) -> bool:
        """Whether nothing was put into the topmost folder since the last look, or just before it.

        Most trees of a world stay empty, and are looked at after every call.
        """
        return self._top == _stamp(top) and top.st_ctime_ns <= self._looked_at - RACY

    def _note_cuts(self, cuts: Counter[str], *, is_first: bool) -> None:
        """Count what was left out; folders that were closed from the beginning are no news."""
        closed = cuts.pop("closed", 0)
        if is_first:
            self._closed = closed
        if closed > self._closed:
            cuts["closed"] = closed - self._closed
        self._cuts.update(cuts)

    def _keep_unseen(self, found: dict[str, _UpperEntry], end: float) -> None:
        """Take what was there and was not come to for unchanged, unless it is known to be gone."""
        for path in self._known.keys() - found.keys():
            if monotonic() > end or not is_gone(self.place.upper, path):
                found[path] = self._known[path]

    def _may_differ(
        self, known: _UpperEntry, name: str, status: os.stat_result, mapped: Container[str]
    ) -> bool:
        is_mapped = stat.S_ISREG(status.st_mode) and name in mapped
        return known.stamp != _stamp(status) or is_mapped or self._is_racy(known, status)

    def _is_racy(self, known: _UpperEntry, status: os.stat_result) -> bool:
        """Whether a file was written so shortly before the last look that its time says nothing."""
        is_old = known.is_original or status.st_ctime_ns <= self._looked_at - RACY
        return stat.S_ISREG(status.st_mode) and not is_old

    def _entry(
        self, listing: Listing, name: str, status: os.stat_result, *, is_first: bool
    ) -> _UpperEntry:
        stamp, folder = _stamp(status), listing.folder
        if self.place.kind == "overlay" and _is_whiteout(status):
            return _UpperEntry(stamp, None, True)
        if is_first and self.place.kind == "copy":
            return _UpperEntry(stamp, None, False, is_original=True)
        is_folder = stat.S_ISDIR(status.st_mode)
        hides = self.place.kind == "overlay" and (not is_folder or _is_opaque(folder, name))
        return _UpperEntry(stamp, self._reader.state(folder, name, status), hides)

    def _between(self, before: _Uppers, after: _Uppers) -> Iterator[PathChange]:
        old, new = _Sight(before), _Sight(after)
        for path in sorted(self._touched(before, after)):
            change = self._compared(path, self._state(path, old), self._state(path, new))
            if change is not None:
                yield change

    def _touched(self, before: _Uppers, after: _Uppers) -> set[str]:
        """Every path that may have changed."""
        touched = {path for path, entry in after.items() if before.get(path) is not entry}
        touched |= before.keys() - after.keys()
        if self.place.kind == "overlay":
            hidden = [path for path in touched if _hides(before, path) != _hides(after, path)]
            for path in hidden:
                touched.update(self._below(path))
        return touched

    def _below(self, path: str) -> Iterator[str]:
        """What the lower has below a folder."""
        if self.place.lower is None:
            return
        opened = open_below(self.place.lower, f"{path}/.")
        if opened is None:
            return
        try:
            for listing in listings(opened[0], self._cuts):
                yield from (f"{path}/{listing.path_of(name)}" for name in listing.entries)
        finally:
            os.close(opened[0])

    def _state(self, path: str, sight: _Sight) -> PathState | None:
        entry = sight.uppers.get(path)
        if entry is not None and not entry.is_original:
            return entry.state
        if entry is None and (self.place.kind != "overlay" or sight.is_hidden(path)):
            return None
        lower = self.place.lower
        return None if lower is None else self._reader.below(lower, path)

    def _compared(
        self, path: str, before: PathState | None, after: PathState | None
    ) -> PathChange | None:
        what = _what(before, after)
        if what == "undecided":
            self._cuts["bytes"] += 1
        if what in ("", "undecided"):
            return None
        known = len(self.place.path.rstrip("/")) + self._known_length(path)
        return PathChange(_joined(self.place.path, path), what, before, after, known)

    def _known_length(self, path: str) -> int:
        """How many characters of a path were there in the beginning."""
        length, lower = 0, self.place.lower
        folder = None if lower is None else os.dup(lower)
        for step in path.split("/"):
            part = path[: length + len(step) + bool(length)]
            folder, is_there = _stepped(folder, step)
            if not is_there and part not in self._first:
                break
            length = len(part)
        if folder is not None:
            os.close(folder)
        return length + 1 if length else 0


def _stepped(folder: int | None, name: str) -> tuple[int | None, bool]:
    """The folder of this name in another, which is let go of, and whether anything has the name."""
    if folder is None:
        return None, False
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        return open_folder(folder, name), True
    except OSError:
        return None, False
    finally:
        os.close(folder)


def _what(before: PathState | None, after: PathState | None) -> str:
    """What has become of a path; empty where nothing has."""
    if before is None or after is None:
        return "created" if after else "deleted" if before else ""
    if before.kind != after.kind or before.target != after.target:
        return "changed"
    if before.size != after.size or before.digest != after.digest:
        is_known = before.digest is not None and after.digest is not None
        return "changed" if is_known or before.size != after.size else "undecided"
    if before.mode != after.mode and before.kind != "link":
        return "permissions"
    return "" if before.is_whole else "undecided"


def _lacks_contents(state: PathState | None) -> bool:
    return state is not None and state.kind == "file" and state.content is None


def _filled(state: PathState | None, root: int, path: str) -> PathState | None:
    opened = open_below(root, path)
    if state is None or opened is None or state.size > LARGEST_PATCHED:
        return state
    try:
        return state._replace(content=read_file(*opened, LARGEST_PATCHED))
    finally:
        os.close(opened[0])


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_ctime_ns, status.st_size, status.st_mode


def _is_whiteout(status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == 0


def _is_opaque(folder: int, name: str) -> bool:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    except OSError:
        return False
    try:
        return any(_attribute(descriptor, one) in (b"y", b"x") for one in OPAQUE)
    finally:
        os.close(descriptor)


def _attribute(descriptor: int, name: str) -> bytes:
    try:
        return os.getxattr(descriptor, name)
    except OSError:
        return b""


def _hides(uppers: _Uppers, path: str) -> bool:
    entry = uppers.get(path)
    return entry is not None and entry.hides


def _joined(root: str, path: str) -> str:
    return f"{root.rstrip('/')}/{path}"

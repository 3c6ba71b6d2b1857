"""Changes of files as they are told: with their differences, within bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from time import monotonic
from typing import Any

from mcp_assay.client.sandbox.file_changes import PathChange, TreeWatch
from mcp_assay.client.sandbox.file_state import PathState
from mcp_assay.client.sandbox.text_diff import is_text, unified

MOST_CHANGES = 5000
"""So many changes are told at a time; the others are counted."""
LOOK_SECONDS = 2.0
"""So long is looked for changes: who waits for the answer does not wait much longer."""
LONGEST_PATH = 4096
LONGEST_DIFF = 16 << 10
MOST_DIFFS = 256 << 10
"""So many characters of differences are told at a time."""
MOST_PATCHED = 64 << 20
"""So many characters of differences go into patches."""
MORE = "…\n"


class FileRecord:
    """All trees of a world."""

    def __init__(self, trees: list[TreeWatch], cuts: Counter[str]) -> None:
        self._trees = trees
        self._cuts = cuts
        self.is_behind = False
        """Whether the last look was not finished: the next one finds what is older too."""

    def changes(
        self, mapped: Container[str] = (), *, is_of_call: bool = False
    ) -> list[dict[str, Any]]:
        """What has changed since the last time, by path; `mapped` are names to be read anyway.

        A call is not blamed for what may be older than it.
        """
        end, was_behind = monotonic() + LOOK_SECONDS, self.is_behind
        found = [change for tree in self._trees for change in tree.changes(mapped, end)]
        self.is_behind = monotonic() > end
        if was_behind and is_of_call:
            self._cuts["backlog"] += len(found)
            return []
        return list(self._told(found, MOST_DIFFS, LONGEST_DIFF))

    def difference(self) -> Iterator[dict[str, Any]]:
        """What has changed since the beginning, with all of each difference."""
        left = MOST_PATCHED
        for tree in self._trees:
            changes = tree.difference()
            for change in changes[:MOST_CHANGES]:
                self._cuts["diffs"] += int(left <= 0)
                diff = patch_of(change, tree) if left > 0 else None
                left -= len(diff or "")
                yield self._row(change, diff)
            if len(changes) > MOST_CHANGES:
                self._cuts["changes"] += len(changes) - MOST_CHANGES

    def _told(self, found: list[PathChange], left: int, longest: int) -> Iterator[dict[str, Any]]:
        found.sort(key=lambda change: change.path)
        if len(found) > MOST_CHANGES:
            self._cuts["changes"] += len(found) - MOST_CHANGES
        for change in found[:MOST_CHANGES]:
            diff = diff_of(change.before, change.after) if change.what != "deleted" else None
            if diff and len(diff) > longest:
                diff = diff[:longest].rpartition("\n")[0] + "\n" + MORE
            if diff and len(diff) > left:
                self._cuts["diffs"] += 1
                diff = None
            left -= len(diff or "")
            yield self._row(change, diff)

    def _row(self, change: PathChange, diff: str | None) -> dict[str, Any]:
        path = change.path
        if len(path) > LONGEST_PATH:
            path = f"{path[: LONGEST_PATH // 2]}…{path[-LONGEST_PATH // 2 :]}"
        return {
            "path": path,
            "what": change.what,
            "before": change.before.as_json() if change.before else None,
            "after": change.after.as_json() if change.after else None,
            "diff": diff or None,
            "known": change.known,
        }


def diff_of(before: PathState | None, after: PathState | None) -> str | None:
    """The difference of two short texts; None where one is no text, or too long."""
    old, new = _text(before), _text(after)
    return None if old is None or new is None else unified(old, new)


def _text(state: PathState | None) -> str | None:
    if state is None:
        return ""
    if state.kind != "file" or state.content is None or not is_text(state.content):
        return None
    return state.content.decode()


def patch_of(change: PathChange, tree: TreeWatch) -> str | None:
    """The same for longer texts, as far as a patch may hold them."""
    before, after = tree.with_contents(change)
    return diff_of(before, after)

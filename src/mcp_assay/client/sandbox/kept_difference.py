"""The difference that a world made, as patches for `git apply` and a list of all that changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from mcp_assay.text.safe import plain

WORK: Final = "work.patch"
ELSEWHERE: Final = "elsewhere.patch"
LIST: Final = "changes.txt"
FILE_MODES: Final = {"file": "100", "link": "120"}
MOST_FOLDERS: Final = 1000
QUOTED: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}

Change = Mapping[str, Any]


def write_difference(folder: str, changes: Sequence[Change], work: Sequence[str]) -> None:
    """Write what a world changed into a new numbered folder; nothing where nothing changed.

    `work.patch` applies in the working folder, `elsewhere.patch` in the root folder; what no patch
    can hold is in the list alone.
    """
    if not changes:
        return
    place, own = _numbered(folder), work[0] if work else "/"
    inside = [one for one in changes if _is_below(one["path"], own)]
    outside = [one for one in changes if not _is_below(one["path"], own)]
    _write(f"{place}/{WORK}", _patch(inside, own))
    _write(f"{place}/{ELSEWHERE}", _patch(outside, "/"))
    _write(f"{place}/{LIST}", map(_line, changes))


def _numbered(folder: str) -> str:
    """A folder of its own for each world: a server may be started more than once."""
    os.makedirs(folder, exist_ok=True)
    for number in count(1):
        place = f"{folder}/{number}"
        try:
            os.mkdir(place)
        except FileExistsError:
            if number < MOST_FOLDERS:
                continue
        return place
    raise AssertionError("numbers do not end")


def _write(path: str, lines: Iterable[str]) -> None:
    text = "".join(lines)
    if text:
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(text)


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip('/')}/")


def _patch(changes: Iterable[Change], root: str) -> Iterator[str]:
    for change in changes:
        before, after = change["before"], change["after"]
        if _is_patched(change):
            name = os.path.relpath(change["path"], root)
            yield from _head(name, before, after)
            yield from _body(name, change)


def _is_patched(change: Change) -> bool:
    """Whether a patch can say it: a text, a link or permissions, of which all was told."""
    before, after = change["before"], change["after"]
    states = [state for state in (before, after) if state]
    if any(state["kind"] not in FILE_MODES for state in states) or "…" in change["path"]:
        return False
    if any("\n" in (state["target"] or "") for state in states):
        return False  # the rest of the target would be read as a patch of its own
    if before and after and before["kind"] != after["kind"]:
        return False
    is_empty = all(not state["size"] for state in states)
    is_text = change["diff"] is not None or states[0]["kind"] == "link"
    return is_text or is_empty or change["what"] == "permissions"


def _head(name: str, before: Change | None, after: Change | None) -> Iterator[str]:
    yield f"diff --git {_quoted('a/' + name)} {_quoted('b/' + name)}\n"
    if before is None and after is not None:
        yield f"new file mode {_mode(after)}\n"
    elif after is None and before is not None:
        yield f"deleted file mode {_mode(before)}\n"
    elif before and after and _mode(before) != _mode(after):
        yield f"old mode {_mode(before)}\nnew mode {_mode(after)}\n"


def _body(name: str, change: Change) -> Iterator[str]:
    before, after = change["before"], change["after"]
    hunks = change["diff"] or "".join(_link_hunk(before, after))
    if hunks:
        yield f"--- {_quoted('a/' + name) if before else '/dev/null'}\n"
        yield f"+++ {_quoted('b/' + name) if after else '/dev/null'}\n"
        yield hunks


def _link_hunk(before: Change | None, after: Change | None) -> Iterator[str]:
    old, new = (state["target"] if state else None for state in (before, after))
    if old == new:
        return
    yield f"@@ -{int(old is not None)} +{int(new is not None)} @@\n".replace("-0", "-0,0").replace(
        "+0", "+0,0"
    )
    for sign, target in (("-", old), ("+", new)):
        if target is not None:
            yield f"{sign}{target}\n\\ No newline at end of file\n"


def _mode(state: Change) -> str:
    """The mode as git has it: a file is executable or not."""
    if state["kind"] == "link":
        return "120000"
    return "100755" if int(state["mode"], 8) & 0o100 else "100644"


def _quoted(name: str) -> str:
    """A name as git quotes it, where it has unusual characters."""
    raw = os.fsencode(name)
    if raw.isascii() and name.isprintable() and not set(name) & QUOTED.keys():
        return name
    parts = (QUOTED.get(chr(byte)) or _octal(byte) for byte in raw)
    return f'"{"".join(parts)}"'


def _octal(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _line(change: Change) -> str:
    before, after = change["before"], change["after"]
    state = after or before
    about = state["kind"] if state["size"] is None else f"{state['size']} bytes"
    if before and after and before["mode"] != after["mode"]:
        about += f", mode {before['mode']} to {after['mode']}"
    unpatched = "" if _is_patched(change) or state["kind"] == "folder" else ", not in a patch"
    return f"{change['what']:<12} {plain(change['path'])} ({about}{unpatched})\n"

"""What the watcher of a world tells -> Effects, the same for equal runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from msgspec import Struct, convert
from msgspec.structs import replace

from mcp_assay.model.effect import (
    ConnectionTry,
    Effects,
    FileChange,
    FileState,
    ProcessLeft,
    ProgramRun,
    RequestSent,
    SecretRead,
)
from mcp_assay.text.bookkeeping import is_bookkeeping, is_hidden_place
from mcp_assay.text.steady_names import is_temporary, steady, steady_name, steady_path

MOST_TOGETHER: Final = 200
"""So many of one sort are kept of several calls together."""
LISTS: Final = (
    *("files", "programs", "names", "connections", "requests", "secrets", "processes"),
    "attempts",
)
LONGEST_BODY: Final = 200
"""So much of the body of a request is told."""

Row = TypeVar("Row")


def effects_of(told: Mapping[str, Any], known: str = "", folders: Sequence[str] = ()) -> Effects:
    """What was told of one stretch of time.

    `known` are words that differ in no run; the server works in the folders.
    """
    programs = [ProgramRun(argv=_words(argv, known)) for argv in told.get("programs", ())]
    processes = [ProcessLeft(argv=_words(argv, known)) for argv in told.get("processes", ())]
    files = _with_parents([_file(one, known, folders) for one in told.get("files", ())])
    files = _with_empty_places(files, known, folders)
    return Effects(
        files=sorted(files, key=lambda it: (it.path, it.what)),
        programs=sorted(_once(programs), key=lambda it: it.argv),
        names=_once(told.get("names", ())),
        connections=_once(_connection(one) for one in told.get("connections", ())),
        requests=_once(_request(one, known) for one in told.get("requests", ())),
        secrets=[SecretRead(path=path, how=how) for path, how in told.get("secrets", ())],
        processes=sorted(processes, key=lambda it: it.argv),
        attempts=list(told.get("attempts", ())),
        left_out=dict(told.get("left_out", {})),
    )


def _file(told: Mapping[str, Any], known: str, folders: Sequence[str]) -> FileChange:
    path = _steady_end(told["path"], told["known"], known, folders)
    diff = told["diff"]
    told_diff = None if diff is None else "".join(_diff(diff, known))
    is_steady = told_diff == diff
    return FileChange(
        path=path,
        what=told["what"],
        before=_state(told["before"], is_steady),
        after=_state(told["after"], is_steady),
        diff=told_diff,
        bookkeeping=is_bookkeeping(told["path"], _size(told)),
        temporary=is_temporary(path, folders),
    )


def _size(told: Mapping[str, Any]) -> int | None:
    """How large a file is, or was before it went."""
    state: Mapping[str, Any] = told["after"] or told["before"] or {}
    return state.get("size")


def _with_parents(files: list[FileChange]) -> list[FileChange]:
    """The changes; a new folder in which nothing but bookkeeping was made is no more than that."""
    kept = {folder for one in files if not _may_be_idle(one) for folder in _folders_of(one.path)}
    used = {folder for one in files if one.bookkeeping for folder in _folders_of(one.path)}
    idle = used - kept
    return [
        replace(one, bookkeeping=True) if one.path in idle and _is_new_folder(one) else one
        for one in files
    ]


def _with_empty_places(
    files: list[FileChange], known: str, folders: Sequence[str]
) -> list[FileChange]:
    """The changes; a new hidden place in which nothing was put yet is bookkeeping."""
    empty = {
        one.path
        for one in files
        if _is_new_and_empty(one) and is_hidden_place(one.path, folders, known)
    }
    others = (one for one in files if not one.bookkeeping and one.path not in empty)
    filled = {folder for one in others for folder in _folders_of(one.path)}
    idle = empty - filled
    return [replace(one, bookkeeping=True) if one.path in idle else one for one in files]


def _is_new_and_empty(change: FileChange) -> bool:
    """Whether nothing is in a new file, or in a new folder but for what else is new."""
    is_empty = change.after is not None and change.after.kind == "file" and change.after.size == 0
    return _is_new_folder(change) or (change.what == "created" and is_empty)


def _may_be_idle(change: FileChange) -> bool:
    return change.bookkeeping or _is_new_folder(change)


def _is_new_folder(change: FileChange) -> bool:
    is_folder = change.after is not None and change.after.kind == "folder"
    return change.what == "created" and is_folder


def _folders_of(path: str) -> Iterable[str]:
    """The folders that a path lies in."""
    parts = path.split("/")
    return ("/".join(parts[:end]) for end in range(2, len(parts)))


def _state(told: Mapping[str, Any] | None, is_steady: bool) -> FileState | None:
    """What stood there; how long a text is that differs from run to run is not told."""
    if told is None:
        return None
    found = convert(told, FileState)
    return found if is_steady else replace(found, size=None)


def _steady_end(path: str, length: int, known: str, folders: Sequence[str]) -> str:
    """A path of which the beginning was there before: only what the server chose may differ."""
    begin, end = path[:length], path[length:]
    if not end:
        return path
    return begin.rstrip("/") + steady_name(
        f"/{end.lstrip('/')}", is_temporary(path, folders), known
    )


def _diff(diff: str, known: str) -> Iterable[str]:
    """The lines of a difference; where a hunk lies is not what differs."""
    for line in diff.splitlines(keepends=True):
        yield line if line.startswith("@@ ") else steady(line, known)


def _words(argv: Iterable[str], known: str) -> list[str]:
    return [steady_path(word, known) for word in argv]


def _connection(told: Iterable[Any]) -> ConnectionTry:
    host, address, port, protocol, size = told
    return ConnectionTry(host=host, address=address, port=port, protocol=protocol, bytes=size)


def _request(told: Mapping[str, Any], known: str) -> RequestSent:
    url, body = (steady(told[name], known) for name in ("url", "body"))
    return RequestSent(
        method=told["method"],
        url=url,
        headers=list(told["headers"]),
        body=body[:LONGEST_BODY],
        status=told["status"],
        stamp=told["stamp"],
    )


def late(effects: Effects) -> Effects:
    """The same, marked as what came after the answer."""
    marked = {
        name: [replace(one, late=True) for one in getattr(effects, name)]
        for name in LISTS
        if name not in ("names", "attempts")
    }
    return replace(effects, **marked, late=True)


def together(parts: Iterable[Effects], *, with_diffs: bool = False) -> Effects:
    """Several stretches of time as one: what is the same is there once.

    Without differences a file that was changed several times is one change, from first to last.
    """
    found, most = list(parts), MOST_TOGETHER
    lists: dict[str, list[Any]] = {
        name: _once(one for part in found for one in getattr(part, name)) for name in LISTS
    }
    if not with_diffs:
        lists["files"] = _each_file_once(lists["files"])
    left_out: dict[str, int] = {}
    for part in found:
        for name, more in part.left_out.items():
            left_out[name] = left_out.get(name, 0) + more
    for name, rows in lists.items():
        if len(rows) > most:
            left_out[name] = left_out.get(name, 0) + len(rows) - most
    return Effects(
        **{name: rows[:most] for name, rows in lists.items()},
        left_out=left_out,
        late=any(part.late for part in found),
    )


def in_common(parts: Sequence[Effects]) -> Effects:
    """What several stretches of time have all seen; late is what always came late."""
    if not parts:
        return Effects()
    found = {name: _shared([_by_key(getattr(one, name)) for one in parts]) for name in LISTS}
    is_late = any(_is_late(one) for rows in found.values() for one in rows)
    return replace(Effects(late=is_late), **found)


def _by_key(rows: Iterable[Any]) -> dict[Any, Any]:
    """Rows by what makes them the same; of several, one that came in time."""
    return {_key(one): one for one in sorted(rows, key=_is_late, reverse=True)}


def _shared(parts: Sequence[Mapping[Any, Any]]) -> list[Any]:
    first, *others = parts
    return [
        _timed(one, is_late=all(_is_late(it[key]) for it in parts))
        for key, one in first.items()
        if all(key in it for it in others)
    ]


def without(effects: Effects, anyway: Iterable[Effects]) -> Effects:
    """What is not seen anyway; a file that changes anyway is left out whatever becomes of it."""
    lists: dict[str, list[Any]] = {}
    others = list(anyway)
    for name in LISTS:
        known = {_place(one) for other in others for one in getattr(other, name)}
        lists[name] = [one for one in getattr(effects, name) if _place(one) not in known]
    return replace(
        effects,
        **lists,
        left_out={},
        late=any(_is_late(one) for rows in lists.values() for one in rows),
    )


def _key(row: Any) -> Any:
    """What makes two rows the same, whatever came of them."""
    return (row.path, row.what) if isinstance(row, FileChange) else _place(row)


def _place(row: Any) -> Any:
    match row:
        case FileChange():
            return row.path
        case ProgramRun() | ProcessLeft():
            return tuple(row.argv)
        case ConnectionTry():
            return row.host or row.address, row.port, row.protocol
        case RequestSent():
            return row.method, row.url
        case SecretRead():
            return row.path, row.how
    return row


def _is_late(row: Any) -> bool:
    return bool(getattr(row, "late", False))


def _timed(row: Any, *, is_late: bool) -> Any:
    return row if isinstance(row, str) else replace(row, late=is_late)


def _each_file_once(files: Iterable[FileChange]) -> list[FileChange]:
    found: dict[tuple[str, str], FileChange] = {}
    for one in files:
        first = found.get((one.path, one.what), one)
        is_late = first.late and one.late
        found[one.path, one.what] = replace(
            first, after=one.after, diff=None, bookkeeping=one.bookkeeping, late=is_late
        )
    return list(found.values())


def _once(rows: Iterable[Row]) -> list[Row]:
    """Each row once, in the order in which they came."""
    found: list[Row] = []
    seen: set[Any] = set()
    for row in rows:
        key = repr(row) if isinstance(row, Struct) else row
        if key not in seen:
            seen.add(key)
            found.append(row)
    return found

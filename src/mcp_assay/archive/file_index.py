"""The first pass over an archive: which sessions are in a file, and when it begins and ends."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.archive.followed import FollowedSessions
from mcp_assay.model.entry import Entry, SessionKey
from mcp_assay.validate.file_order import ReadLine, TimeSpan, span_of
from mcp_assay.validate.lines import Damaged, Unreadable, unpacked
from mcp_assay.validate.plain_lines import is_bare
from mcp_assay.validate.selection import digest
from mcp_assay.validate.session_router import TracedLine
from mcp_assay.validate.sources import Text, opened, read_text
from mcp_assay.validate.trace import Mapped, NotUnderstood, http_session, read_trace_line, route
from mcp_assay.wire.locations import elements
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

FileState: TypeAlias = Literal["whole", "damaged", "unreadable"]
KEYS: Final = "Q"
"""How the digests of keys are packed."""


class IndexTask(Struct, frozen=True):
    """A file to look through, and where the members of its lines stand if not as usual."""

    name: str
    map: dict[str, str] = {}


class FileIndex(Struct, frozen=True):
    """What the first pass found out about a file."""

    name: str
    size: int = 0
    """Its bytes when they are unpacked."""
    span: TimeSpan | None = None
    """Its times, where it is a trace."""
    state: FileState = "whole"
    """Whether it could be read, to its end."""
    packed_keys: bytes = b""
    """The digests of the sessions that lines of it may belong to, in order."""

    requests: dict[int, float] = {}
    """When some requests came whose answers may be in other files, by digests."""
    answers: dict[int, float] = {}
    """When some answers came whose requests may be."""

    def keys(self) -> array[int]:
        """The digests of its sessions."""
        return array(KEYS, self.packed_keys)


def index_file(task: IndexTask) -> FileIndex:
    """Look through a file; one that cannot be read has no sessions."""
    read = Mapped(task.map).read if task.map else read_trace_line
    seen = _SeenBlocks()
    keys: set[SessionKey] = set()
    followed = FollowedSessions(read)
    state: FileState = "whole"
    try:
        with opened(task.name) as stream:
            text = read_text(seen.blocks(unpacked(stream)), task.name, MAX_MESSAGE_BYTES)
            _add_keys(keys, _lines_of(text), read, followed, has_routes=not task.map)
    except Damaged:
        state = "damaged"
    except Unreadable:
        state = "unreadable"
    span = span_of(seen.first.split(b"\n"), seen.last_lines, read) if seen.size else None
    packed = array(KEYS, sorted(map(digest, keys))).tobytes()
    return FileIndex(task.name, seen.size, span, state, packed, *followed.halves())


class _SeenBlocks:
    """How much was read, with the beginning and the end of it."""

    def __init__(self) -> None:
        self.size = 0
        self.first = b""
        self._before = self._last = b""

    def blocks(self, coming: Iterable[bytes]) -> Iterator[bytes]:
        """The same blocks."""
        for block in coming:
            self.first = self.first or block
            self._before, self._last = self._last, block
            self.size += len(block)
            yield block

    def last_lines(self) -> list[bytes]:
        """The last lines."""
        return (self._before + self._last).split(b"\n")


def _lines_of(text: Text) -> Iterable[bytes | None]:
    """The lines, or the document, or what a list in its place holds."""
    if not isinstance(text, bytes):
        return text
    if not text.lstrip().startswith(b"["):
        return [text]
    return [text[start:end] for start, end in elements(text)]


def _add_keys(
    keys: set[SessionKey],
    lines: Iterable[bytes | None],
    read: ReadLine,
    followed: FollowedSessions,
    *,
    has_routes: bool,
) -> None:
    for line in lines:
        if not line:
            continue
        routed = route(line) if has_routes else None
        if routed is not None:
            found: Iterable[SessionKey] = routed[:1]
        else:
            found = () if has_routes and is_bare(line) else [*_keys_of(line, read)]
        for key in found:
            if key not in keys:
                keys.add(key)
                followed.consider(key)
        if any(key in followed for key in found):
            followed.read(line)


def _keys_of(line: bytes, read: ReadLine) -> Iterator[SessionKey]:
    """Every session to which a line may come to belong, but for those of its file alone."""
    try:
        entry = read(line)
    except NotUnderstood:
        return
    if entry is None:
        return
    if entry.session is not None:
        yield entry.session
    if entry.direction == "s2c" and (begun := http_session(entry.http)):
        yield begun
    if entry.conn and _names_no_session(entry):
        yield ("conn", entry.conn)


def _names_no_session(entry: Entry) -> bool:
    return TracedLine(entry, [], []).strong_key is None

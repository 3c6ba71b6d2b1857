"""Lines of a trace -> rows of the page: what passed, in which session, as an answer to what."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from mcp_assay.model.entry import LONGEST_TOOL_NAME, TOOLS_CALL, UNNAMED, Direction, Entry
from mcp_assay.proxy.feed_news import FoundNews
from mcp_assay.text.safe import plain, shorten
from mcp_assay.validate.trace import REFUSALS, NotUnderstood, read_trace_line

RowKind: TypeAlias = Literal[
    "request", "notification", "result", "error", "batch", "text", "end", "missing", "http"
]
KIND_WORDS: Final[dict[RowKind, str]] = {
    "request": "request",
    "notification": "notification",
    "result": "result",
    "error": "error response",
    "batch": "batch",
    "text": "not a message",
    "end": "end of the stream",
    "missing": "not kept",
    "http": "HTTP",
}
LONGEST_SHOWN: Final = 240
"""Characters of a message that a row shows."""
LONGEST_NAME: Final = 100
"""Characters of the name of a method, a tool or a session in a row."""
MOST_WAITING: Final = 10_000
"""So many requests are remembered that wait for their answer, the latest ones."""
ID_BYTES: Final = 200
"""An answer is not told apart by more of its id."""


class TrafficRow(Struct, frozen=True, kw_only=True):
    """One line of the traffic as a row shows it; texts are as they came, and cut."""

    number: int
    kind: RowKind
    direction: Direction | None = None
    at: float | None = None
    session: str = ""
    method: str = ""
    """That of the request, where this is the answer to one that was seen."""
    tool: str = ""
    size: int = 0
    """The bytes of the message, or of its line where it was not read."""
    shown: str = ""
    """How its text begins."""
    is_cut: bool = False
    """Whether there is more of it."""
    found: tuple[FoundNews, ...] = ()


class ReadLine(Struct, frozen=True):
    """A row without its text, and the whole text, which a filter looks at."""

    row: TrafficRow
    text: bytes

    def shown(self) -> TrafficRow:
        """The row as it is shown, with the beginning of its text."""
        shown, is_cut = cut(self.text)
        return replace(self.row, shown=shown, is_cut=is_cut or self.row.kind == "missing")


class _Members(Struct, frozen=True):
    """What of a message tells what it is."""

    method: Any = UNSET
    id: Raw | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class _CallParams(Struct, frozen=True):
    name: Any = UNSET


_read_members: Final = msgspec.json.Decoder(_Members).decode
_read_params: Final = msgspec.json.Decoder(_CallParams).decode


class LineReader:
    """Reads the lines of one source in their order, and knows what answers answer."""

    def __init__(self) -> None:
        self._waiting: Final = OrderedDict[tuple[str, Direction, bytes], tuple[str, str]]()

    def read(self, number: int, line: bytes, found: tuple[FoundNews, ...] = ()) -> ReadLine:
        """What a line holds; one that nobody understands is a text."""
        try:
            entry = read_trace_line(line, number)
        except NotUnderstood:
            return _text_row(number, line, found)
        if entry is None:
            return self._message(number, Entry(direction="c2s", text=line), None, found)
        return self._message(number, entry, entry.direction, found)

    def _message(
        self,
        number: int,
        entry: Entry,
        direction: Direction | None,
        found: tuple[FoundNews, ...],
    ) -> ReadLine:
        text = entry.text or b""
        session = entry.session[1] if entry.session and entry.session[0] not in UNNAMED else ""
        kind, method, tool = self._about(session, direction, entry.text, entry)
        row = TrafficRow(
            number=number,
            kind=kind,
            direction=direction,
            at=entry.at,
            session=session,
            method=method,
            tool=tool,
            size=entry.unread or len(text),
            found=found,
        )
        return ReadLine(row, text)

    def _about(
        self, session: str, direction: Direction | None, text: bytes | None, entry: Entry
    ) -> tuple[RowKind, str, str]:
        """What kind of line this is, of which method, and about which tool."""
        if text is None:
            return _kind_without_text(entry), "", ""
        try:
            members = _read_members(text)
        except REFUSALS:
            return ("batch" if text.lstrip().startswith(b"[{") else "text"), "", ""
        id = b"" if members.id is UNSET else bytes(members.id)[:ID_BYTES]
        if isinstance(members.method, str):
            method, tool = shorten(members.method, LONGEST_TOOL_NAME), _tool(members)
            if members.id is UNSET:
                return "notification", method, tool
            self._remember((session, direction or "c2s", id), (method, tool))
            return "request", method, tool
        asked = self._waiting.get((session, _other(direction), id), ("", ""))
        if members.error is not UNSET:
            return "error", *asked
        return ("result", *asked) if members.result is not UNSET else ("text", "", "")

    def _remember(self, key: tuple[str, Direction, bytes], about: tuple[str, str]) -> None:
        self._waiting[key] = about
        if len(self._waiting) > MOST_WAITING:
            self._waiting.popitem(last=False)


def cut(text: bytes, most: int = LONGEST_SHOWN) -> tuple[str, bool]:
    """How a text begins, with every hidden character visible, and whether there is more of it."""
    beginning = text[: 4 * most].decode(errors="replace")
    return plain(shorten(beginning, most)), len(text) > 4 * most or len(beginning) > most


def unread_row(number: int, beginning: bytes, size: int, found: tuple[FoundNews, ...]) -> ReadLine:
    """The row of a line that is too long to be read."""
    row = TrafficRow(number=number, kind="missing", size=size, found=found)
    return ReadLine(row, beginning)


def _text_row(number: int, line: bytes, found: tuple[FoundNews, ...]) -> ReadLine:
    return ReadLine(TrafficRow(number=number, kind="text", size=len(line), found=found), line)


def _kind_without_text(entry: Entry) -> RowKind:
    if entry.unread or entry.lost:
        return "missing"
    return "end" if entry.end else "http"


def _tool(members: _Members) -> str:
    if members.method != TOOLS_CALL or members.params is UNSET:
        return ""
    try:
        name = _read_params(members.params).name
    except REFUSALS:
        return ""
    return shorten(name, LONGEST_TOOL_NAME) if isinstance(name, str) else ""


def _other(direction: Direction | None) -> Direction:
    """Who asked, where this side answers."""
    return "s2c" if direction == "c2s" else "c2s"

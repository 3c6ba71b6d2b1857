"""Where a message stands in its file, and so where a finding about it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.model.entry import UNNAMED, Entry
from mcp_assay.model.finding import Finding, Where
from mcp_assay.text.secrets import holds_secret
from mcp_assay.text.words import REDACTED, quote
from mcp_assay.validate.lines import Numbering
from mcp_assay.wire.locations import locate_all, value_at
from mcp_assay.wire.notes import TextPosition
from mcp_assay.wire.pointer import follow, tokens
from mcp_assay.wire.reader import read

SHOWN_BEFORE = 20
"""So many bytes before a fault in the text are shown with it."""
SEARCHED = 1_000
"""So many bytes before and behind it must be free of secrets."""


class TextPlace(Struct, frozen=True, kw_only=True):
    """The place of one message text."""

    file: str
    line: int = 1
    column: int = 1
    verbatim: bool = True
    """Whether the text stands in the file as it is, not as a string or as base64."""
    session: str | None = None
    exchange: str | int | None = None

    def where(self) -> Where:
        """Where the text begins."""
        return Where(
            file=self.file,
            line=self.line,
            column=self.column,
            session=self.session,
            exchange=self.exchange,
        )

    def moved(self, line: int, column: int) -> TextPlace:
        """The place of what stands at a line and column of this text, both counted from 1."""
        if not self.verbatim:
            return self
        column = column + self.column - 1 if line == 1 else column
        return replace(self, line=self.line + line - 1, column=column)


def line_place(numbering: Numbering, number: int) -> TextPlace:
    """The place of the line that has the number."""
    where = numbering.where(number)
    return TextPlace(file=where.file or "", line=where.line or 1)


class Cursor:
    """Counts lines and columns (in characters, from 1) while it moves forward through a text."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._offset = 0
        self._line = 1
        self._column = 1

    def at(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset that is not behind the last one."""
        passed = self._text[self._offset : offset]
        *ended, begun = passed.split(b"\n")
        self._offset = offset
        self._line += len(ended)
        self._column = len(begun.decode(errors="replace")) + (1 if ended else self._column)
        return self._line, self._column


def entry_place(entry: Entry, holder: Sequence[bytes] = ()) -> TextPlace:
    """Where the message of an entry stands: in `holder`, where that is not its own member."""
    where, line = entry.where, entry.source
    place = TextPlace(file=where.file or "", line=where.line or 1, column=where.column or 1)
    span = value_at(line, holder or (entry.member,)) if line else None
    return replace(
        place.moved(*Cursor(line).at(span[0])) if span else place,
        verbatim=entry.member == b"message",
        session=entry.session[1] if entry.session and entry.session[0] not in UNNAMED else None,
        exchange=entry.exchange,
    )


def placed(findings: Sequence[Finding], text: bytes, place: TextPlace) -> list[Finding]:
    """The findings about the text, each with its place in the file."""
    pointers = {f.pointer for f in findings if f.pointer and f.where.line is None}
    values = _value_places(text, pointers) if pointers and place.verbatim else {}
    return [
        replace(
            finding,
            where=_where(finding, values.get(finding.pointer), place),
            evidence=finding.evidence or _excerpt(text, finding.where.offset),
        )
        for finding in findings
    ]


def _where(finding: Finding, value: TextPosition | None, place: TextPlace) -> Where:
    line, column = finding.where.line, finding.where.column
    if line is not None and column is not None:
        where = place.moved(line, column).where()
    else:
        where = (place.moved(value.line, value.column) if value else place).where()
    return replace(where, tool=finding.where.tool) if finding.where.tool else where


def _excerpt(text: bytes, offset: int | None) -> str | None:
    """What stands where the text itself is at fault, unless there is a secret nearby."""
    if offset is None or not text:
        return None
    around = text[max(0, offset - SEARCHED) : offset + SEARCHED].decode(errors="replace")
    shown = text[max(0, offset - SHOWN_BEFORE) : offset + SEARCHED].decode(errors="replace")
    return REDACTED if holds_secret(around) else quote(shown)


def _value_places(text: bytes, pointers: Iterable[str]) -> dict[str, TextPosition]:
    """Where the value of each pointer begins or, where it is missing, what should hold it."""
    value = read(text).value
    paths = {pointer: follow(value, tokens(pointer)) for pointer in pointers}
    found = locate_all(text, paths.values())
    return {pointer: found[path] for pointer, path in paths.items() if path in found}

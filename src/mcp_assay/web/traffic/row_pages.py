"""What a source of traffic answers: a page of rows, where it goes on, and a message as a whole."""

from __future__ import annotations

from typing import Final, Protocol

import msgspec
from msgspec import Struct

from mcp_assay.text.safe import plain
from mcp_assay.validate.trace import REFUSALS
from mcp_assay.web.traffic.filters import TrafficFilter
from mcp_assay.web.traffic.rows import ReadLine, TrafficRow

ROWS: Final = 100
"""Rows of a page."""
LONGEST_MESSAGE: Final = 1 << 20
"""Bytes of a message that its own page shows."""
LONGEST_INDENTED: Final = 4 * LONGEST_MESSAGE
MOST_NESTED: Final = 20_000
"""Objects and arrays of a message that is indented."""


class RowPage(Struct, frozen=True, kw_only=True):
    """Rows in their order, and where to look for more in both directions."""

    rows: tuple[TrafficRow, ...] = ()
    before: int = 0
    """Rows with lower numbers may be found from here downwards, 0 where there are none."""
    after: int = 0
    """Rows with this number or higher ones may be found, 0 where the end was reached."""
    scanned: int = 0
    """So many bytes were looked through."""


class WholeMessage(Struct, frozen=True):
    """A message with all of its text that a page shows; all that is hidden in it is visible."""

    row: TrafficRow
    text: str
    """As it was on the wire."""
    indented: str
    """The same on several lines, "" where it is no JSON, or not all of it is here."""
    is_cut: bool
    """Whether there is more of it."""


def whole_message(line: ReadLine) -> WholeMessage:
    """The message of a row, as far as a page shows it."""
    is_cut = line.row.kind == "missing" or len(line.text) > LONGEST_MESSAGE
    text = plain(line.text[:LONGEST_MESSAGE].decode(errors="replace"))
    return WholeMessage(line.shown(), text, "" if is_cut else _indented(line.text), is_cut)


def _indented(text: bytes) -> str:
    if text.count(b"[") + text.count(b"{") > MOST_NESTED:
        return ""
    try:
        formatted = msgspec.json.format(text, indent=2)
        lines = formatted[: LONGEST_INDENTED + 1].decode(errors="replace").split("\n")
    except REFUSALS:
        return ""
    return "\n".join(map(plain, lines)) if len(formatted) <= LONGEST_INDENTED else ""


class TrafficSource(Protocol):
    """Traffic that can be looked through: that of a proxy, or that of a file."""

    @property
    def title(self) -> str:
        """How it is called."""

    def page_from(self, number: int, wanted: TrafficFilter) -> RowPage:
        """The first rows that are wanted from a number on."""

    def page_before(self, number: int, wanted: TrafficFilter) -> RowPage:
        """The last rows that are wanted before a number."""

    def message(self, number: int) -> WholeMessage | None:
        """The message with this number, None where there is none, or none any more."""

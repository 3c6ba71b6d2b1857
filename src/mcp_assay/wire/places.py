"""Where in a text something stands, as people and editors count."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from mcp_assay.wire.encoding import Source


class Place(Struct, frozen=True):
    """A byte offset from 0, and a line and a column (in characters) from 1."""

    offset: int
    line: int
    column: int


def places(source: Source, positions: Iterable[int]) -> dict[int, Place]:
    """The places of several positions of the text, found in one pass."""
    found = {}
    text, offset = source
    line, line_start, last = 1, 0, 0
    for position in sorted(set(positions)):
        offset += len(text[last:position].encode(errors="surrogatepass"))
        if breaks := text.count("\n", last, position):
            line += breaks
            line_start = text.rfind("\n", last, position) + 1
        found[position] = Place(offset, line, position - line_start + 1)
        last = position
    return found

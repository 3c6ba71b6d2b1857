"""Which rows somebody wants to see: by method, tool, text, direction, findings and session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, cast, get_args
from urllib.parse import urlencode

from msgspec import Struct

from mcp_assay.model.entry import Direction
from mcp_assay.web.traffic.rows import ReadLine

FoundChoice: TypeAlias = Literal["any", "error", "warning", "info"]
FOUND_WORDS: Final[dict[FoundChoice, str]] = {
    "any": "with findings",
    "error": "with errors",
    "warning": "with warnings",
    "info": "with notes",
}
DIRECTION_WORDS: Final[dict[Direction, str]] = {"c2s": "to the server", "s2c": "to the client"}
LONGEST_WORDS: Final = 200
"""Characters of what is looked for."""
MOST_DIGITS: Final = 15


class TrafficFilter(Struct, frozen=True, kw_only=True):
    """What rows must have; what is empty asks for nothing."""

    method: str = ""
    tool: str = ""
    text: str = ""
    direction: Direction | None = None
    found: FoundChoice | None = None
    session: int = 0
    """The number of a message whose session is meant."""

    @property
    def is_empty(self) -> bool:
        """Whether every row is wanted."""
        return self == TrafficFilter()

    def wants(self, line: ReadLine, session: str | None = None) -> bool:
        """Whether a row is wanted; `session` is the name of the session that is meant."""
        row = line.row
        if self.direction is not None and row.direction != self.direction:
            return False
        if self.session and row.session != session:
            return False
        if self.found and not self._wants_found(line):
            return False
        if not (_has(row.method, self.method) and _has(row.tool, self.tool)):
            return False
        return not self.text or _has(line.text.decode(errors="replace"), self.text)

    def _wants_found(self, line: ReadLine) -> bool:
        return any(self.found in ("any", one.severity) for one in line.row.found)

    def query(self, **more: int | str) -> str:
        """The filter as the query of an address, with its question mark; "" for nothing."""
        names = ("method", "tool", "text", "direction", "found", "session")
        given = {name: getattr(self, name) for name in names} | more
        text = urlencode({name: value for name, value in given.items() if value})
        return f"?{text}" if text else ""


def wanted_rows(query: Mapping[str, str]) -> TrafficFilter:
    """The filter that a query asks for; what is none in it is left out."""
    direction, found = query.get("direction"), query.get("found")
    return TrafficFilter(
        method=_words(query, "method"),
        tool=_words(query, "tool"),
        text=_words(query, "text"),
        direction=direction if direction in DIRECTION_WORDS else None,
        found=cast(FoundChoice, found) if found in get_args(FoundChoice) else None,
        session=number_of(query, "session"),
    )


def number_of(query: Mapping[str, str], name: str) -> int:
    """The number that a query gives under a name, 0 for none."""
    text = query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else 0


def is_plain(words: str) -> bool:
    """Whether words stand in JSON as they are, unless it writes them as \\u escapes."""
    return words.isascii() and words.isprintable() and bool(words) and not set(words) & set('"\\/')


def is_plain_json(text: bytes) -> bool:
    """Whether plain words that are in this JSON can be seen in its bytes, in some case."""
    return bool(text) and text.isascii() and b"\\u" not in text


def _words(query: Mapping[str, str], name: str) -> str:
    return query.get(name, "").strip()[:LONGEST_WORDS]


def _has(text: str, words: str) -> bool:
    return not words or words.casefold() in text.casefold()

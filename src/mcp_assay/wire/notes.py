"""The limits of reading one message, what stands for what was not read, and what was noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.wire.pointer import Path

MAX_MESSAGE_BYTES: Final = 16 * 1024 * 1024
"""A longer message is not read at all."""

MAX_DEPTH: Final = 1024
"""Arrays and objects inside each other; the fast parser's own limit, so that both checks agree."""

MAX_NOTES_PER_KIND: Final = 100
"""Further notes of the same kind are counted in one last note."""

MAX_INTEGER_DIGITS: Final = 640
"""Longer integers become infinite: Python converts this many digits under every setting."""

MAX_QUOTED: Final = 60
"""Characters of a name of the sender that a note repeats."""


class Marker(Enum):
    """A stand-in that is no JSON value; compare with `is`."""

    UNREAD = "unread"
    DEEP = "too deep"
    NOT_JSON = "not JSON"


UNREAD: Final = Marker.UNREAD
"""The whole value: nothing could be read."""

DEEP: Final = Marker.DEEP
"""An array or object that begins below the deepest level that is read."""

NOT_JSON: Final = Marker.NOT_JSON
"""A Python object that JSON has no form for."""


_BOM: Final = "\ufeff"
_BOM_BYTES: Final = 3

_MARKS: Final = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
"""Byte order marks, the longer ones before those that begin them."""

_SHAPES: Final[dict[tuple[bool, ...], str]] = {
    (True, False, True, False): "UTF-16",
    (False, True, False, True): "UTF-16",
    (True, False, False, False): "UTF-32",
    (False, False, False, True): "UTF-32",
}
"""Which of the first four bytes are not zero where the text begins with ASCII characters."""


class Source(Struct, frozen=True):
    """A text, and the number of bytes before it: those of a byte order mark."""

    text: str
    skipped: int


class NotUtf8Error(Exception):
    """The bytes from `offset` on are not UTF-8."""

    def __init__(self, offset: int, text: str) -> None:
        super().__init__(text)
        self.offset = offset
        self.text = text


def decode(raw: bytes | str) -> Source:
    """The text of the bytes without its byte order mark; raises NotUtf8Error."""
    text = raw if isinstance(raw, str) else _decoded(raw)
    if text.startswith(_BOM):
        return Source(text[1:], _BOM_BYTES)
    return Source(text, 0)


def _decoded(raw: bytes) -> str:
    other = _other_encoding(raw)
    if other:
        raise NotUtf8Error(0, f"the text is {other}, not UTF-8")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise NotUtf8Error(error.start, _complaint(raw, error)) from None


def _other_encoding(raw: bytes) -> str | None:
    if raw[:4].isascii() and 0 not in raw[:4]:
        return None
    for mark, name in _MARKS.items():
        if raw.startswith(mark):
            return name
    return _SHAPES.get(tuple(map(bool, raw[:4])))


def _complaint(raw: bytes, error: UnicodeDecodeError) -> str:
    first, second = raw[error.start : error.start + 1], raw[error.start + 1 : error.start + 2]
    if first == b"\xed" and second >= b"\xa0":
        return "a surrogate is encoded here, which UTF-8 does not allow"
    return f"the byte 0x{first.hex().upper()} is not UTF-8 here ({error.reason})"


NoteKind: TypeAlias = Literal[
    "syntax",
    "encoding",
    "bom",
    "trailing",
    "non-finite",
    "huge-number",
    "lone-surrogate",
    "duplicate",
    "too-deep",
    "too-large",
    "not-json",
]


class Oddity(Struct, frozen=True):
    """One odd thing; `count` is above 1 where it stands for several that are not listed."""

    kind: NoteKind
    path: Path
    position: int
    text: str
    count: int = 1


class Oddities(Struct):
    """Keeps the first oddities of each kind and counts the rest."""

    _kept: list[Oddity] = field(default_factory=list)
    _seen: dict[NoteKind, int] = field(default_factory=dict)
    _unlisted: dict[NoteKind, int] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Oddity]:
        """In the order of the text, those that stand for the unlisted ones of a kind included."""
        rest = [self._rest(kind, position) for kind, position in self._unlisted.items()]
        return iter(sorted([*self._kept, *rest], key=lambda oddity: oddity.position))

    def add(self, kind: NoteKind, path: Callable[[], Path], position: int, text: str) -> None:
        """Take one oddity; its path is worked out only where there is room for it."""
        if self.try_admit(kind, position):
            self.keep(Oddity(kind, path(), position, text))

    def try_admit(self, kind: NoteKind, position: int) -> bool:
        """Count one more of this kind and tell whether it can be kept."""
        seen = self._seen[kind] = self._seen.get(kind, 0) + 1
        if seen > MAX_NOTES_PER_KIND:
            self._unlisted.setdefault(kind, position)
        return seen <= MAX_NOTES_PER_KIND

    def keep(self, oddity: Oddity) -> None:
        """Keep an oddity for which there is room."""
        self._kept.append(oddity)

    def _rest(self, kind: NoteKind, position: int) -> Oddity:
        more = self._seen[kind] - MAX_NOTES_PER_KIND
        return Oddity(kind, (), position, f"and {more:,} more of this kind", more)


class TextPosition(Struct, frozen=True):
    """A byte offset from 0, and a line and a column (in characters) from 1."""

    offset: int
    line: int
    column: int


def places(source: Source, positions: Iterable[int]) -> dict[int, TextPosition]:
    """The places of several positions of the text, found in one pass."""
    found = {}
    text, offset = source.text, source.skipped
    line, line_start, last = 1, 0, 0
    for position in sorted(set(positions)):
        offset += len(text[last:position].encode(errors="surrogatepass"))
        if breaks := text.count("\n", last, position):
            line += breaks
            line_start = text.rfind("\n", last, position) + 1
        found[position] = TextPosition(offset, line, position - line_start + 1)
        last = position
    return found

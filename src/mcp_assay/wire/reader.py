"""Bytes or text in, a value and notes out: exact, tolerant, and safe on any input."""

from __future__ import annotations

from codecs import BOM_UTF8
from json import JSONDecoder
from typing import Final

import orjson
from msgspec import Struct

from mcp_assay.wire.duplicates import has_duplicate_members
from mcp_assay.wire.grammar import GrammarError, end_of_value, past_space
from mcp_assay.wire.notes import (
    MAX_MESSAGE_BYTES,
    UNREAD,
    NoteKind,
    NotUtf8Error,
    Oddities,
    Oddity,
    Source,
    TextPosition,
    decode,
    places,
)
from mcp_assay.wire.pointer import Path
from mcp_assay.wire.values import build


class Note(Struct, frozen=True):
    """One odd thing and where it stands; `count` is above 1 where it stands for unlisted others.

    The offset is in bytes from 0, line and column (in characters) are from 1. A Python value has no
    text: there all three are 0.
    """

    kind: NoteKind
    path: Path
    offset: int
    line: int
    column: int
    text: str
    count: int = 1


class Reading(Struct, frozen=True):
    """A decoded value, UNREAD where there is none, and everything odd about its text."""

    value: object
    notes: tuple[Note, ...] = ()
    parsed: bool = False
    """Whether the value is exactly what orjson makes of a text."""

    @property
    def readable(self) -> bool:
        """Whether there is a value at all."""
        return self.value is not UNREAD


_START: Final = TextPosition(0, 1, 1)
_BOM: Final = Note("bom", (), 0, 1, 1, "the text begins with a byte order mark")


def read(raw: bytes | str, *, duplicates: bool = True, odd: bool = False) -> Reading:
    """Decode one JSON text and note all that is odd in it; nothing in the text makes it raise.

    Faults of syntax, encoding and size leave nothing to read; the rest is noted, the value kept.
    `odd` says that something odd is known to be in it: that orjson refuses it, or a doubled member.
    """
    encoded = raw if isinstance(raw, bytes) else raw.encode(errors="surrogatepass")
    if len(encoded) > MAX_MESSAGE_BYTES:
        text = f"{len(encoded):,} bytes are more than the {MAX_MESSAGE_BYTES:,} that are read"
        return _unread("too-large", _START, text)
    marked = encoded.startswith(BOM_UTF8)
    plain = None
    if marked or not odd:
        plain = read_plain(encoded.removeprefix(BOM_UTF8), duplicates=duplicates)
    if plain is None:
        return _read_odd(raw, duplicates)
    return Reading(plain.value, (_BOM,) if marked else (), plain.parsed)


def _read_odd(raw: bytes | str, duplicates: bool) -> Reading:
    try:
        source = decode(raw)
    except NotUtf8Error as fault:
        return _unread("encoding", _end_of(decode(raw[: fault.offset])), fault.text)
    oddities = Oddities()
    plain = _read_text(source.text, oddities, duplicates)
    wanted = [oddity for oddity in oddities if duplicates or oddity.kind != "duplicate"]
    notes = _notes(source, wanted)
    return Reading(plain.value, (_BOM, *notes) if source.skipped else notes, plain.parsed)


def _read_text(text: str, oddities: Oddities, duplicates: bool) -> Plain:
    try:
        end = end_of_value(text)
    except GrammarError as fault:
        oddities.keep(Oddity("syntax", (), fault.position, fault.text))
        return Plain(UNREAD, parsed=False)
    plain = None
    if (rest := past_space(text, end)) < len(text):
        oddities.keep(Oddity("trailing", (), rest, "more text follows the complete value"))
        plain = read_plain(text[:end].encode(errors="surrogatepass"), duplicates=duplicates)
    return plain or Plain(build(text, end, oddities), parsed=False)


def _notes(source: Source, oddities: list[Oddity]) -> tuple[Note, ...]:
    place = places(source, (oddity.position for oddity in oddities))
    return tuple(_note(oddity, place[oddity.position]) for oddity in oddities)


def _note(oddity: Oddity, place: TextPosition) -> Note:
    offset, line, column = place.offset, place.line, place.column
    return Note(oddity.kind, oddity.path, offset, line, column, oddity.text, oddity.count)


def _unread(kind: NoteKind, place: TextPosition, text: str) -> Reading:
    return Reading(UNREAD, (_note(Oddity(kind, (), 0, text), place),))


def _end_of(source: Source) -> TextPosition:
    end = len(source.text)
    return places(source, [end])[end]


_DIGITS_AS_ZEROS: Final = bytes(ord("0") if chr(byte).isdecimal() else 0 for byte in range(256))
_ROUNDED: Final = b"0" * 19
"""Integers of fewer digits are exact in orjson."""
_HUGE: Final = b"0" * 309
"""Integers of fewer digits are within the range of a double."""

_DECODER: Final = JSONDecoder()


class Plain(Struct, frozen=True):
    """The value of a text, and whether it is just what orjson makes of it."""

    value: object
    parsed: bool


def read_plain(raw: bytes, *, duplicates: bool) -> Plain | None:
    """The exact value of the text, or None where anything about it needs a note."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    if duplicates and has_duplicate_members(raw, value):
        return None
    digits = raw.translate(_DIGITS_AS_ZEROS)
    if _ROUNDED not in digits:
        return Plain(value, parsed=True)
    return None if _HUGE in digits else _read_exactly(raw)


def _read_exactly(raw: bytes) -> Plain | None:
    try:
        return Plain(_DECODER.decode(raw.decode()), parsed=False)
    except RecursionError:
        return None

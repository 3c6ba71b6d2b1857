"""From bytes to text: strict UTF-8, and a name for what is not."""

from __future__ import annotations

from typing import Final, NamedTuple

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


class Source(NamedTuple):
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

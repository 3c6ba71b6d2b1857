"""The quick way through a text that has nothing odd in it."""

from __future__ import annotations

from json import JSONDecoder
from typing import Final

import orjson

from mcp_assay.wire.duplicates import has_duplicate_members
from mcp_assay.wire.markers import UNREAD

_DIGITS_AS_ZEROS: Final = bytes(ord("0") if chr(byte).isdecimal() else 0 for byte in range(256))
_ROUNDED: Final = b"0" * 19
"""Integers of fewer digits are exact in orjson."""
_HUGE: Final = b"0" * 309
"""Integers of fewer digits are within the range of a double."""

_DECODER: Final = JSONDecoder()


def read_plain(raw: bytes, *, duplicates: bool) -> object:
    """The exact value of the text, or UNREAD where anything about it needs a note."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return UNREAD
    if duplicates and has_duplicate_members(raw, value):
        return UNREAD
    digits = raw.translate(_DIGITS_AS_ZEROS)
    if _ROUNDED not in digits:
        return value
    return UNREAD if _HUGE in digits else _read_exactly(raw)


def _read_exactly(raw: bytes) -> object:
    try:
        return _DECODER.decode(raw.decode())
    except RecursionError:
        return UNREAD

"""The quick way through a text that has nothing odd in it."""

from __future__ import annotations

from json import JSONDecoder
from typing import Final, NamedTuple

import orjson

from mcp_assay.wire.duplicates import has_duplicate_members

_DIGITS_AS_ZEROS: Final = bytes(ord("0") if chr(byte).isdecimal() else 0 for byte in range(256))
_ROUNDED: Final = b"0" * 19
"""Integers of fewer digits are exact in orjson."""
_HUGE: Final = b"0" * 309
"""Integers of fewer digits are within the range of a double."""

_DECODER: Final = JSONDecoder()


class Plain(NamedTuple):
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

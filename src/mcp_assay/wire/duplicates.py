"""Whether an object of a message names a member twice: cheap on nearly all traffic, and exact."""

from __future__ import annotations

from json import JSONDecoder
from typing import Any, Final

import orjson

from mcp_assay.wire.grammar import GrammarError, end_of_value
from mcp_assay.wire.notes import NotUtf8Error, Oddities, decode
from mcp_assay.wire.values import build

COLON: Final = ord(":")
BACKSLASH: Final = ord("\\")


def has_duplicate_members(raw: bytes, value: object) -> bool:
    """Tell whether any object in `raw` names a member twice; `value` is what orjson made of `raw`.

    Written out again, the value has one colon for each member that orjson kept and one for each
    colon inside a string. So has the text, unless a member was dropped or a colon is escaped.
    """
    try:
        again = orjson.dumps(value)
    except TypeError:
        return _names_twice(raw)
    if again == raw or (raw.count(COLON) == again.count(COLON) and not _escapes_colons(raw)):
        return False
    return _names_twice(raw)


def _escapes_colons(raw: bytes) -> bool:
    return BACKSLASH in raw and b"\\u003" in raw and b"\\u003a" in raw.lower()


def _names_twice(raw: bytes) -> bool:
    try:
        _DECODER.decode(raw.decode())
    except _NamedTwiceError:
        return True
    except (ValueError, RecursionError):
        return _names_twice_anywhere(raw)
    return False


def _names_twice_anywhere(raw: bytes) -> bool:
    oddities = Oddities()
    try:
        text = decode(raw).text
        build(text, end_of_value(text), oddities)
    except (NotUtf8Error, GrammarError):
        return False
    return any(oddity.kind == "duplicate" for oddity in oddities)


class _NamedTwiceError(Exception):
    """An object names a member twice."""


def _unique(members: list[tuple[str, Any]]) -> None:
    if len(dict(members)) < len(members):
        raise _NamedTwiceError


_DECODER: Final = JSONDecoder(object_pairs_hook=_unique)

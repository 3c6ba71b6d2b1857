"""JSON texts of values that may be anything."""

from __future__ import annotations

from typing import Final

import orjson
from msgspec import json

from mcp_assay.wire.examining import examine

_OPTIONS: Final = (
    orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


class NotJson(Exception):
    """No JSON text stands for the value; the text says why."""


def plain(value: object) -> object:
    """The value in plain JSON types; raises NotJson where it has no exact form in JSON."""
    reading = examine(value)
    if reading.notes:
        raise NotJson(reading.notes[0].text)
    return reading.value


def json_text(value: object) -> bytes:
    """The value as a JSON text; raises NotJson."""
    try:
        return orjson.dumps(value, option=_OPTIONS)
    except TypeError:
        return _exact_text(plain(value))


def _exact_text(value: object) -> bytes:
    try:
        return json.encode(value)
    except RecursionError:
        raise NotJson("it is nested too deep") from None

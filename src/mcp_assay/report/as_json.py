"""Report -> JSON text that every reader accepts and no terminal obeys."""

from __future__ import annotations

from typing import Any

import msgspec

from mcp_assay.model.report import Report
from mcp_assay.text.safe import plain_json, without_surrogates


def to_json(report: Report) -> str:
    """The report as indented JSON, ending in a newline."""
    return json_text(report)


def json_text(value: Any) -> str:
    """Any JSON value or record as indented text that is safe to print."""
    return plain_json(msgspec.json.format(_encoded(value), indent=2))


def json_line(value: Any) -> str:
    """The same on one line, ending in a newline."""
    return plain_json(_encoded(value))


def _encoded(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # a lone surrogate, which only hostile text has
        return msgspec.json.encode(_encodable(msgspec.to_builtins(value)))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return {_encodable(key): _encodable(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value

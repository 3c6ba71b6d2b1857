"""Report -> JSON text that every reader accepts and no terminal obeys."""

from __future__ import annotations

from typing import Any

import msgspec

from mcp_assay.model.report import Report
from mcp_assay.report.plain import plain_json, without_surrogates


def to_json(report: Report) -> str:
    """The report as indented JSON, ending in a newline."""
    return json_text(msgspec.to_builtins(report))


def json_text(value: Any) -> str:
    """Any JSON value as indented text that is safe to print."""
    encoded = msgspec.json.format(msgspec.json.encode(_encodable(value)), indent=2)
    return plain_json(encoded.decode()) + "\n"


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, dict):
        return {_encodable(key): _encodable(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value

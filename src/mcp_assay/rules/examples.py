"""Short ways to write the messages that show a rule."""

from __future__ import annotations

from typing import Any

from mcp_assay.model.message import Direction
from mcp_assay.rules.rule import Example
from mcp_assay.spec.revisions import DEFAULT_REVISION, R2026_07_28

PREFIX = "io.modelcontextprotocol/"
CLIENT_META = {
    f"{PREFIX}protocolVersion": R2026_07_28,
    f"{PREFIX}clientCapabilities": {},
    f"{PREFIX}clientInfo": {"name": "inspector", "version": "1.0"},
}
SERVER_META = {f"{PREFIX}serverInfo": {"name": "notes", "version": "1.0"}}


def request(method: str, params: Any = None, *, id: Any = 1) -> dict[str, Any]:
    """A request of the revisions up to 2025-11-25."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": id, "method": method}
    return message if params is None else {**message, "params": params}


def modern_request(
    method: str, params: dict[str, Any] | None = None, *, id: Any = 1
) -> dict[str, Any]:
    """A request of 2026-07-28, with the `_meta` that every one of them carries."""
    return request(method, {"_meta": CLIENT_META, **(params or {})}, id=id)


def notification(method: str, params: Any = None) -> dict[str, Any]:
    """A notification."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    return message if params is None else {**message, "params": params}


def result(value: Any, *, id: Any = 1) -> dict[str, Any]:
    """A result response of the revisions up to 2025-11-25."""
    return {"jsonrpc": "2.0", "id": id, "result": value}


def modern_result(
    value: dict[str, Any], *, id: Any = 1, result_type: str = "complete"
) -> dict[str, Any]:
    """A result response of 2026-07-28, with its resultType and the server's name."""
    return result({"_meta": SERVER_META, "resultType": result_type, **value}, id=id)


def error(code: Any, message: Any, data: Any = None, *, id: Any = 1) -> dict[str, Any]:
    """An error response."""
    body = {"code": code, "message": message}
    return {"jsonrpc": "2.0", "id": id, "error": body if data is None else {**body, "data": data}}


def good(
    message: Any,
    *,
    revision: str = DEFAULT_REVISION,
    method: str | None = None,
    direction: Direction | None = None,
) -> Example:
    """A message about which mcp-assay has nothing to say."""
    return Example(message=message, revision=revision, method=method, direction=direction)


def bad(
    message: Any,
    pointer: str,
    *,
    revision: str = DEFAULT_REVISION,
    method: str | None = None,
    direction: Direction | None = None,
    also: tuple[tuple[str, str], ...] = (),
) -> Example:
    """A message that breaks the rule at `pointer`."""
    return Example(
        message=message,
        revision=revision,
        method=method,
        direction=direction,
        pointer=pointer,
        also=also,
    )

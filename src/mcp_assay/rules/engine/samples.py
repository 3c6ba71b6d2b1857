"""Short ways to write the messages and sessions that show a rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcp_assay.model.entry import NO_DELIVERY, Delivery, Direction
from mcp_assay.rules.engine.rule import END, Example, SessionExample, Step
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
    return Example(value=message, revision=revision, method=method, direction=direction)


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
        value=message,
        revision=revision,
        method=method,
        direction=direction,
        pointer=pointer,
        also=also,
    )


CLIENT = {"name": "inspector", "version": "1.0"}
SERVER = {"name": "notes", "version": "1.0"}
HANDSHAKE_ID = 0
"""The id of the initialize request of `opening`: examples number their own requests from 1."""


def c2s(message: Any = None, delivery: Delivery = NO_DELIVERY) -> Step:
    """What the client sends."""
    return Step("c2s", message, delivery)


def s2c(message: Any = None, delivery: Delivery = NO_DELIVERY) -> Step:
    """What the server sends."""
    return Step("s2c", message, delivery)


def initialize(
    client: dict[str, Any] | None = None,
    revision: str = DEFAULT_REVISION,
    *,
    id: Any = HANDSHAKE_ID,
) -> dict[str, Any]:
    """The client's initialize request, with the capabilities that it declares."""
    params = {"protocolVersion": revision, "capabilities": client or {}, "clientInfo": CLIENT}
    return request("initialize", params, id=id)


def initialized(
    server: dict[str, Any] | None = None,
    revision: str = DEFAULT_REVISION,
    *,
    id: Any = HANDSHAKE_ID,
) -> dict[str, Any]:
    """The server's answer to initialize, with the capabilities that it declares."""
    answer = {"protocolVersion": revision, "capabilities": server or {}, "serverInfo": SERVER}
    return result(answer, id=id)


def opening(
    *,
    client: dict[str, Any] | None = None,
    server: dict[str, Any] | None = None,
    revision: str = DEFAULT_REVISION,
) -> list[Step]:
    """A handshake as it should be, with what each side can do."""
    return [
        c2s(initialize(client, revision)),
        s2c(initialized(server, revision)),
        c2s(notification("notifications/initialized")),
    ]


def declaring(capabilities: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Params of a request of 2026-07-28 whose client can do this much."""
    return {"_meta": {**CLIENT_META, f"{PREFIX}clientCapabilities": capabilities}, **more}


def kept(*parts: Step | Iterable[Step], partial: bool = False) -> SessionExample:
    """A session about which mcp-assay has nothing to say."""
    return SessionExample(steps=_flat(parts), partial=partial)


def broken(
    *parts: Step | Iterable[Step],
    pointer: str = "",
    at: int | None = None,
    also: tuple[tuple[int, str, str], ...] = (),
    partial: bool = False,
) -> SessionExample:
    """A session that breaks the rule: in its last step, or in the one that `at` names."""
    steps = _flat(parts)
    return SessionExample(
        steps=steps,
        at=len(steps) - 1 if at is None else at,
        pointer=pointer,
        also=also,
        partial=partial,
    )


def unfinished(
    *parts: Step | Iterable[Step],
    also: tuple[tuple[int, str, str], ...] = (),
) -> SessionExample:
    """A session that breaks the rule by ending where it does."""
    return SessionExample(steps=_flat(parts), at=END, also=also)


def _flat(parts: tuple[Step | Iterable[Step], ...]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for part in parts:
        steps.extend([part] if isinstance(part, Step) else part)
    return tuple(steps)

"""Short ways to write the HTTP exchanges that show a rule."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import (
    c2s,
    initialize,
    initialized,
    modern_request,
    notification,
    s2c,
)
from mcp_assay.spec.revisions import DEFAULT_REVISION, R2026_07_28

PATH: Final = "/mcp"
JSON: Final = "application/json"
STREAM: Final = "text/event-stream"
VERSION: Final = "MCP-Protocol-Version"
SESSION: Final = "Mcp-Session-Id"
POST_HEADERS: Final = {"Accept": f"{JSON}, {STREAM}", "Content-Type": JSON}
HANDSHAKE: Final = "hello"
"""The exchange of initialize in `http_opening`: examples number their own exchanges from 1."""

Headers = dict[str, str | None]
"""Headers to set or, where the value is None, to leave out."""


def post(
    message: Any, exchange: str | int = 1, headers: Headers | None = None, **http: Any
) -> Step:
    """What the client posts; up to 2025-11-25 with the version of `http_opening`."""
    given = _headers({**POST_HEADERS, VERSION: DEFAULT_REVISION}, headers)
    return c2s(message, _delivery(exchange, {"method": "POST", "request_headers": given, **http}))


def modern_post(message: dict[str, Any], exchange: str | int = 1, **headers: str | None) -> Step:
    """A request of 2026-07-28 as the client posts it, with the headers that mirror it."""
    params = message.get("params", {})
    name = params.get("name", params.get("uri"))
    mirrored = {VERSION: R2026_07_28, "Mcp-Method": message["method"], "Mcp-Name": name}
    return post(message, exchange, {**mirrored, **_spelt(headers)})


def get(exchange: str | int, headers: Headers | None = None, method: str = "GET") -> Step:
    """A request without a body."""
    given = _headers({"Accept": STREAM, VERSION: DEFAULT_REVISION}, headers)
    return c2s(delivery=_delivery(exchange, {"method": method, "request_headers": given}))


def reply(
    message: Any = None,
    exchange: str | int = 1,
    *,
    status: int = 200,
    type: str | None = JSON,
    headers: Headers | None = None,
) -> Step:
    """What the server answers, as JSON or without a body."""
    given = _headers({"Content-Type": type}, headers)
    return s2c(message, _delivery(exchange, {"status": status, "response_headers": given}))


def accepted(exchange: str | int = 1) -> Step:
    """The answer to a notification."""
    return reply(None, exchange, status=202, type=None)


def stream(exchange: str | int = 1, headers: Headers | None = None) -> Step:
    """The head of an answer that is a stream."""
    return reply(
        None, exchange, type=STREAM, headers={"X-Accel-Buffering": "no", **(headers or {})}
    )


def event(message: Any = None, exchange: str | int = 1, *, end: bool = False, **sse: Any) -> Step:
    """An event of a stream."""
    return s2c(message, Delivery(transport="http", exchange=exchange, sse=sse, end=end))


def closed(exchange: str | int = 1) -> Step:
    """The end of a stream."""
    return s2c(delivery=Delivery(transport="http", exchange=exchange, end=True))


def http_opening(
    *,
    client: dict[str, Any] | None = None,
    server: dict[str, Any] | None = None,
    revision: str = DEFAULT_REVISION,
    session: str | None = None,
) -> list[Step]:
    """A handshake over HTTP as it should be; the server may give a session id."""
    later: Headers = {VERSION: revision, SESSION: session}
    return [
        post(initialize(client, revision), HANDSHAKE, {VERSION: None}),
        reply(initialized(server, revision), HANDSHAKE, headers={SESSION: session}),
        post(notification("notifications/initialized"), "ready", later),
        accepted("ready"),
    ]


def modern_list(id: Any = 1) -> dict[str, Any]:
    """A request of 2026-07-28 for the tools."""
    return modern_request("tools/list", id=id)


def _delivery(exchange: str | int, http: dict[str, Any]) -> Delivery:
    if "method" in http:
        http = {"path": PATH, **http}
    return Delivery(transport="http", exchange=exchange, http=http)


def _headers(usual: Headers, others: Headers | None) -> dict[str, str]:
    together = {**usual, **(others or {})}
    return {name: value for name, value in together.items() if value is not None}


def _spelt(headers: Headers) -> Headers:
    """Keyword arguments as header names: Mcp_Name stands for Mcp-Name."""
    return {name.replace("_", "-"): value for name, value in headers.items()}

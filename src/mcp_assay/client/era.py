"""How requests are put in a revision: their `_meta`, and the headers that repeat parts of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import orjson

from mcp_assay.client.target import CLIENT_INFO
from mcp_assay.session.exchanges import (
    METHOD_HEADER,
    NAME_HEADER,
    NAMED_BY,
    SPELLING,
    ParamHeaders,
    encoded,
    headers_of,
    value_at,
    written,
)
from mcp_assay.session.handshake import CLIENT_CAPABILITIES, VERSION_HEADER, VERSION_KEY
from mcp_assay.spec.revisions import R2025_06_18, R2026_07_28

CLIENT_INFO_KEY: Final = "io.modelcontextprotocol/clientInfo"
CAPABILITY_OF: Final[Mapping[str, str]] = {
    "sampling/createMessage": "sampling",
    "elicitation/create": "elicitation",
    "roots/list": "roots",
}
"""What a client declares that answers such a request."""
MOST_TOOLS: Final = 1000
"""Tools whose headers are remembered."""


class Era:
    """How this client speaks in one revision; before it is agreed on, as in the oldest."""

    def __init__(self, revision: str, answers: Mapping[str, Any]) -> None:
        self.revision: Final = revision
        self.is_modern: Final = revision >= R2026_07_28
        self.capabilities: Final[dict[str, Any]] = {
            CAPABILITY_OF[method]: {} for method in answers if method in CAPABILITY_OF
        }
        self._param_headers: Final[dict[str, ParamHeaders]] = {}

    def learn(self, tools: list[Any]) -> None:
        """Remember which arguments of these tools are repeated in headers."""
        for tool in tools[: MOST_TOOLS - len(self._param_headers)]:
            name = tool.get("name") if isinstance(tool, dict) else None
            if self.is_modern and isinstance(name, str):
                self._param_headers[name] = headers_of(tool)

    def params(self, params: Mapping[str, Any] | None, token: int | None) -> dict[str, Any] | None:
        """The params as they are sent, with what every request must carry."""
        meta = self._meta() if self.is_modern else {}
        if token is not None:
            meta["progressToken"] = token
        if not meta:
            return None if params is None else dict(params)
        given = params.get("_meta") if params else None
        return {**(params or {}), "_meta": {**meta, **(given if isinstance(given, dict) else {})}}

    def headers(self, method: str, params: Mapping[str, Any] | None) -> dict[str, str]:
        """The headers of a request over HTTP."""
        if self.revision < R2025_06_18 or method == "initialize":
            return {}
        headers = {SPELLING[VERSION_HEADER]: self.revision}
        if self.is_modern:
            headers[SPELLING[METHOD_HEADER]] = encoded(method)
            headers |= self._repeated(method, params or {})
        return headers

    def _meta(self) -> dict[str, Any]:
        return {
            VERSION_KEY: self.revision,
            CLIENT_INFO_KEY: CLIENT_INFO,
            CLIENT_CAPABILITIES: self.capabilities,
        }

    def _repeated(self, method: str, params: Mapping[str, Any]) -> dict[str, str]:
        name = params.get(NAMED_BY.get(method, ""))
        headers = {SPELLING[NAME_HEADER]: encoded(name)} if isinstance(name, str) else {}
        if method == "tools/call" and isinstance(name, str):
            arguments = params.get("arguments")
            for path, header in self._param_headers.get(name, {}).items():
                text = written(value_at(arguments, path))
                headers |= {} if text is None else {header: encoded(text)}
        return headers


def message(method: str, params: Mapping[str, Any] | None, id: int | None = None) -> bytes:
    """The text of a request or, without an id, of a notification."""
    value: dict[str, Any] = {"jsonrpc": "2.0"}
    if id is not None:
        value["id"] = id
    value["method"] = method
    if params is not None:
        value["params"] = params
    return encode(value)


def encode(value: Mapping[str, Any]) -> bytes:
    """A message as one line of JSON, whatever a scenario has put into it."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode()

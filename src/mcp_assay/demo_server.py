"""A small notes server with planted faults, for `mcp-assay demo`; it needs no other package.

It speaks 2025-11-25 and 2026-07-28 over standard input and output, and speaks them well: what is
wrong on purpose is in its tools.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

from mcp_assay.demo_notes import TOOLS, Object, call_tool

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
META: Final = "io.modelcontextprotocol/"
SERVER_INFO: Final = {"name": "mcp-assay-demo", "title": "Notes", "version": "1.0.0"}
CAPABILITIES: Final[Object] = {"tools": {}}
CACHING: Final = {"ttlMs": 60_000, "cacheScope": "private"}
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_VERSION: Final = -32022


class Fault(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Object | None = None) -> None:
        super().__init__(message)
        self.error: Object = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


class Service:
    """One conversation: with a handshake, or request by request."""

    def __init__(self) -> None:
        self.shaken = False

    def reply(self, line: bytes) -> Object | None:
        """The answer to one line; None where none is due."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _nameless(PARSE_ERROR, "This is not JSON")
        if not isinstance(message, dict):
            return _nameless(INVALID_REQUEST, "This is not one message")
        if _wants_no_answer(message):
            return None
        id = message.get("id")
        if not isinstance(id, str | int) or isinstance(id, bool):
            return _nameless(INVALID_REQUEST, "The id is neither a string nor an integer")
        return {"jsonrpc": "2.0", "id": id, **self._outcome(message)}

    def _outcome(self, message: Object) -> Object:
        try:
            return {"result": self._result(message)}
        except Fault as fault:
            return {"error": fault.error}

    def _result(self, message: Object) -> Object:
        method, params = message.get("method"), message.get("params", {})
        is_named = isinstance(method, str) and message.get("jsonrpc") == "2.0"
        if not is_named or not isinstance(params, dict):
            raise Fault(INVALID_REQUEST, "This is not a JSON-RPC request")
        meta = params.get("_meta", {})
        if isinstance(meta, dict) and f"{META}protocolVersion" in meta:
            return _modern_result(method, params, meta)
        return self._result_after_handshake(method, params)

    def _result_after_handshake(self, method: Any, params: Object) -> Object:
        if method == "initialize":
            self.shaken = True
            agreed = {"protocolVersion": HANDSHAKE, "capabilities": CAPABILITIES}
            return {**agreed, "serverInfo": SERVER_INFO}
        if method == "ping":
            return {}
        if not self.shaken:
            raise Fault(INVALID_PARAMS, "Name a revision in _meta, or send initialize first")
        return _serve(method, params)


def _wants_no_answer(message: Object) -> bool:
    """Whether it is a notification, or an answer to what was never asked."""
    if "method" in message:
        return "id" not in message
    return "result" in message or "error" in message


def _nameless(code: int, message: str) -> Object:
    """The answer to what has no usable id."""
    return {"jsonrpc": "2.0", "error": Fault(code, message).error}


def _modern_result(method: Any, params: Object, meta: Object) -> Object:
    version, capable = meta[f"{META}protocolVersion"], meta.get(f"{META}clientCapabilities")
    if not isinstance(version, str) or not isinstance(capable, dict):
        raise Fault(INVALID_PARAMS, "_meta lacks the revision or the client's capabilities")
    if version != STATELESS:
        data = {"supported": [HANDSHAKE, STATELESS], "requested": version}
        raise Fault(UNSUPPORTED_VERSION, "This revision is not spoken here", data)
    if method == "server/discover":
        result = {"supportedVersions": [HANDSHAKE, STATELESS], "capabilities": CAPABILITIES}
    else:
        result = _serve(method, params)
    caching = {} if method == "tools/call" else CACHING
    about = {"resultType": "complete", "_meta": {f"{META}serverInfo": SERVER_INFO}}
    return {**result, **caching, **about}


def _serve(method: Any, params: Object) -> Object:
    if method == "tools/call":
        return _call(params)
    if method != "tools/list":
        raise Fault(NO_METHOD, "There is no such method")
    if "cursor" in params:
        raise Fault(INVALID_PARAMS, "The list has one page")
    return {"tools": [tool.definition() for tool in TOOLS.values()]}


def _call(params: Object) -> Object:
    tool, arguments = TOOLS.get(str(params.get("name"))), params.get("arguments", {})
    if tool is None or not isinstance(arguments, dict):
        raise Fault(INVALID_PARAMS, "There is no such tool, or its arguments are not an object")
    return call_tool(tool, arguments)


def main() -> None:
    """Serve until standard input ends."""
    service = Service()
    for line in sys.stdin.buffer:
        if (reply := service.reply(line)) is not None:
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()

"""The path a message takes through the official Python SDK, as work comparable with ours.

The SDK reads the JSON-RPC message from bytes, then checks it with the model of its method; for a
response this is the method of the request with the same id.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

from mcp_types import jsonrpc, methods
from pydantic import TypeAdapter

from bench.traffic.conversation import OPPOSITE, REVISION, Direction

Models: TypeAlias = Mapping[tuple[str, str], Any]

REQUESTS: dict[Direction, Models] = {
    "c2s": methods.CLIENT_REQUESTS,
    "s2c": methods.SERVER_REQUESTS,
}
NOTIFICATIONS: dict[Direction, Models] = {
    "c2s": methods.CLIENT_NOTIFICATIONS,
    "s2c": methods.SERVER_NOTIFICATIONS,
}
RESULTS: dict[Direction, Models] = {
    "c2s": methods.CLIENT_RESULTS,
    "s2c": methods.SERVER_RESULTS,
}


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


class SdkPath:
    """Accepts what the SDK's models accept: each message meets the model of its method once."""

    def __init__(self) -> None:
        self._pending: dict[tuple[Direction, str | int], str] = {}

    def accepts(self, raw: bytes, direction: Direction) -> bool:
        """Whether the SDK takes this message."""
        try:
            message = jsonrpc.jsonrpc_message_adapter.validate_json(raw, by_name=False)
            self._check(message, direction)
        except (ValueError, KeyError):
            return False
        return True

    def _check(self, message: jsonrpc.JSONRPCMessage, direction: Direction) -> None:
        match message:
            case jsonrpc.JSONRPCRequest():
                self._pending[direction, message.id] = message.method
                self.request(direction, message)
            case jsonrpc.JSONRPCNotification():
                self.notification(direction, message)
            case jsonrpc.JSONRPCResponse():
                method = self._pending.pop((OPPOSITE[direction], message.id), None)
                if method is not None and (method, REVISION) in RESULTS[direction]:
                    self.result(direction, method, message.result)
            case jsonrpc.JSONRPCError() if message.id is not None:
                self._pending.pop((OPPOSITE[direction], message.id), None)

    def request(self, direction: Direction, message: jsonrpc.JSONRPCRequest) -> None:
        """Meet the model of a request."""
        body = {"jsonrpc": "2.0", "id": message.id, "method": message.method}
        model = REQUESTS[direction][message.method, REVISION]
        model.model_validate(_with_params(body, message.params), by_name=False)

    def notification(self, direction: Direction, message: jsonrpc.JSONRPCNotification) -> None:
        """Meet the model of a notification."""
        body = {"jsonrpc": "2.0", "method": message.method}
        model = NOTIFICATIONS[direction][message.method, REVISION]
        model.model_validate(_with_params(body, message.params), by_name=False)

    def result(self, direction: Direction, method: str, result: dict[str, Any]) -> None:
        """Meet the model of the result of this method."""
        model = RESULTS[direction][method, REVISION]
        _adapter(model).validate_python(result, by_name=False)


class SdkRuntimePath(SdkPath):
    """What the SDK's own client and server do: the revision's model, then the user's model."""

    def request(self, direction: Direction, message: jsonrpc.JSONRPCRequest) -> None:
        """Meet both models of a request."""
        parse = methods.parse_client_request if direction == "c2s" else methods.parse_server_request
        parse(message.method, REVISION, message.params)

    def notification(self, direction: Direction, message: jsonrpc.JSONRPCNotification) -> None:
        """Meet both models of a notification."""
        from_client = direction == "c2s"
        parse = (
            methods.parse_client_notification if from_client else methods.parse_server_notification
        )
        parse(message.method, REVISION, message.params)

    def result(self, direction: Direction, method: str, result: dict[str, Any]) -> None:
        """Meet both models of a result."""
        parse = methods.parse_client_result if direction == "c2s" else methods.parse_server_result
        parse(method, REVISION, result)


def _with_params(body: dict[str, Any], params: dict[str, Any] | None) -> dict[str, Any]:
    return body if params is None else {**body, "params": params}

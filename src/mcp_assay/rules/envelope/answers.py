"""JSON-RPC traffic -> the responses of tools in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct

from mcp_assay.rules.envelope.folding import unfolded
from mcp_assay.session.ids import Id, legible
from mcp_assay.wire.pointer import Path

MOST_ASKED: Final = 10_000
"""Requests that are remembered until they are answered; the oldest is let go first."""

MARKS: Final = ("success", "isError", "structuredContent")
"""A result with one of these is a tool's, whatever was asked."""


class ToolResponse(Struct, frozen=True):
    """What a tool answered, where that stands, and the tool's name if it is known."""

    value: Any
    path: Path
    tool: str | None = None


class _Asked(Struct, frozen=True):
    method: Any
    tool: str | None


class ToolCalls:
    """Remembers what was asked, so that the results of tool calls are known by their ids."""

    def __init__(self) -> None:
        self._asked: Final[OrderedDict[Id, _Asked]] = OrderedDict()

    def responses(self, value: Any) -> Iterator[ToolResponse]:
        """The responses of tools in a message or batch; requests are remembered."""
        if isinstance(value, list):
            for index, message in enumerate(value):
                yield from self._in_message(message, (index,))
        else:
            yield from self._in_message(value, ())

    def _in_message(self, message: Any, path: Path) -> Iterator[ToolResponse]:
        id = legible(message.get("id")) if isinstance(message, dict) else None
        if id is None:
            return
        if "method" in message:
            self._remember(id, message)
        elif "result" in message:
            asked, result = self._asked.pop(id, None), message["result"]
            if _looks_like_a_tools(result) if asked is None else asked.method == "tools/call":
                tool = asked.tool if asked else None
                yield ToolResponse(unfolded(result), (*path, "result"), tool)

    def _remember(self, id: Id, request: dict[str, Any]) -> None:
        params = request.get("params")
        tool = params.get("name") if isinstance(params, dict) else None
        self._asked[id] = _Asked(request["method"], tool if isinstance(tool, str) else None)
        if len(self._asked) > MOST_ASKED:
            self._asked.popitem(last=False)


def is_jsonrpc(value: Any) -> bool:
    """Whether a value is a JSON-RPC message, or a batch of them, and so never an envelope."""
    if isinstance(value, list):
        return any(isinstance(message, dict) and "jsonrpc" in message for message in value)
    return isinstance(value, dict) and "jsonrpc" in value


def _looks_like_a_tools(result: Any) -> bool:
    """Whether a result whose request was not seen is likely a tool's; a model's has a role."""
    if not isinstance(result, dict):
        return False
    has_content = isinstance(result.get("content"), list) and "role" not in result
    return has_content or any(name in result for name in MARKS)

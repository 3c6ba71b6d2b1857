"""JSON-RPC traffic -> the responses of tools in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.message import Direction
from mcp_assay.rules.envelope.folding import unfolded
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.ids import Id, legible
from mcp_assay.wire.pointer import Path

MOST_ASKED: Final = 10_000
"""Requests that are remembered until they are answered; the oldest is let go first."""

CALL: Final = "tools/call"
TASK_RESULT: Final = "tasks/result"
"""Asks for what a call gave that went on as a task."""

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


_Key: TypeAlias = tuple[Direction | None, Id]
"""A request is known by its id and by who sent it: both sides may use the same ids."""


class ToolCalls:
    """Remembers what was asked, so that the results of tool calls are known by their ids."""

    def __init__(self) -> None:
        self._asked: Final[OrderedDict[_Key, _Asked]] = OrderedDict()
        self._tasks: Final[OrderedDict[str, str | None]] = OrderedDict()

    def responses(self, value: Any, direction: Direction | None = None) -> Iterator[ToolResponse]:
        """The responses of tools in a message or batch; requests are remembered."""
        if isinstance(value, list):
            for index, message in enumerate(value):
                yield from self._in_message(message, direction, (index,))
        else:
            yield from self._in_message(value, direction, ())

    def _in_message(
        self, message: Any, direction: Direction | None, path: Path
    ) -> Iterator[ToolResponse]:
        id = legible(message.get("id")) if isinstance(message, dict) else None
        if id is None:
            return
        if "method" in message:
            self._remember((direction, id), message)
        elif "result" in message:
            asker = OPPOSITE[direction] if direction else None
            asked, result = self._asked.pop((asker, id), None), message["result"]
            if self._is_a_tools(result, asked):
                tool = asked.tool if asked else None
                yield ToolResponse(unfolded(result), (*path, "result"), tool)

    def _is_a_tools(self, result: Any, asked: _Asked | None) -> bool:
        """Whether this is what a tool gave; that it goes on, or asks for more, is none yet."""
        if isinstance(result, dict) and result.get("resultType") == "input_required":
            return False
        if asked is None or asked.method == TASK_RESULT:
            return _looks_like_a_tools(result)
        if asked.method != CALL:
            return False
        task = result.get("task") if isinstance(result, dict) else None
        if not isinstance(task, dict) or "content" in result:
            return True
        if isinstance(id := task.get("taskId"), str):
            _keep(self._tasks, id, asked.tool)
        return False

    def _remember(self, key: _Key, request: dict[str, Any]) -> None:
        method, params = request["method"], request.get("params")
        named = params if isinstance(params, dict) else {}
        tool, task = named.get("name"), named.get("taskId")
        if method == TASK_RESULT:
            tool = self._tasks.get(task) if isinstance(task, str) else None
        _keep(self._asked, key, _Asked(method, tool if isinstance(tool, str) else None))


def _keep(memory: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    memory[key] = value
    if len(memory) > MOST_ASKED:
        memory.popitem(last=False)


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

"""Servers that validate calls: of the SDK and of FastMCP, and one that is made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import fastmcp
from mcp.server.mcpserver import MCPServer

from mcp_assay.capability import (
    Caching,
    ToolCheck,
    ToolValidationCapability,
    add_tool_validation,
)
from mcp_assay.capability.validate_tool import Checks

CALLED: list[str] = []
"""The tools that were really called."""


async def is_writable(arguments: dict[str, Any]) -> str | None:
    return "Path not writable: /locked" if arguments["path"] == "/locked" else None


def is_wise(arguments: dict[str, Any]) -> ToolCheck:
    empty = not arguments.get("content")
    warnings = ["Empty content will create an empty file."] if empty else []
    return ToolCheck(valid=True, warnings=warnings)


CHECKS: Checks = {"write_file": {"runtime": is_writable, "semantic": is_wise}}
WHOLE = ToolValidationCapability(
    supported=True,
    version="1.0",
    is_async=True,
    context_aware=True,
    cacheable=True,
    levels={"syntax": True, "semantic": True, "runtime": True, "security": False},
    batch_validation=True,
    max_batch_size=2,
    caching=Caching(enabled=True, ttl=60, invalidate_on=["tool_update"]),
)


def server(kind: str, capability: ToolValidationCapability | None = WHOLE) -> Any:
    """A server with one tool that is never to be called, and its validation."""
    made: Any = MCPServer("files") if kind == "mcp" else fastmcp.FastMCP("files")

    def write_file(path: str, content: str = "") -> str:
        """Write a file."""
        CALLED.append(path)
        return "written"

    made.tool()(write_file)
    add_tool_validation(made, checks=CHECKS, capability=capability)
    return made


class ByHand:
    """A client of a server that answers as configured."""

    def __init__(self, announced: Any, *answers: Any, tools: list[str] | None = None) -> None:
        self.capabilities = {"experimental": {"toolValidation": announced}}
        self.asked: list[Any] = []
        self._answers = list(answers)
        self._tools = ["write_file", "validate"] if tools is None else tools

    async def list_tools(self) -> list[dict[str, Any]]:
        schema = {"type": "object", "properties": {"path": {}}, "required": ["path"]}
        return [{"name": name, "inputSchema": schema} for name in self._tools]

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> Any:
        self.asked.append((name, dict(arguments)))
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return await answer() if callable(answer) else answer

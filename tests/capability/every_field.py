"""A server that announces every field, and what each field does: `python every_field.py mcp`."""

from __future__ import annotations

import sys
from typing import Any

from fastmcp import Context as FastContext
from fastmcp import FastMCP
from mcp import types
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ResourcesListChanged, ToolsListChanged

from mcp_assay.capability import (
    Caching,
    ToolCheck,
    ToolValidationCapability,
    add_tool_validation,
)
from mcp_assay.capability.validate_tool import Checks

CAPABILITY = ToolValidationCapability(
    supported=True,
    method="check_call",
    version="1.0",
    is_async=True,
    streaming=True,
    context_aware=True,
    cacheable=True,
    levels={"syntax": True, "semantic": True, "runtime": True, "security": False},
    batch_validation=True,
    max_batch_size=2,
    caching=Caching(enabled=True, ttl=3600, invalidate_on=["resource_change", "tool_update"]),
)
SAID: dict[str, Any] = {
    "tools": types.ToolListChangedNotification,
    "resources": types.ResourceListChangedNotification,
}
EVENTS: dict[str, Any] = {"tools": ToolsListChanged, "resources": ResourcesListChanged}


def write_file(path: str, content: str = "") -> str:
    """Write a file; nothing here ever calls it."""
    raise AssertionError(f"{path} was written")


def is_wise(arguments: dict[str, Any]) -> ToolCheck:
    """Warn of an empty file, and suggest something to put into it."""
    if arguments.get("content"):
        return ToolCheck(valid=True)
    return ToolCheck(valid=True, warnings=["It will be empty."], suggestions=["Add content."])


async def is_writable(arguments: dict[str, Any], context: dict[str, Any] | None) -> str | None:
    """Look at the place, and at who asks."""
    if context and context.get("user") == "guest":
        return "A guest may not write."
    return "The path is locked." if arguments["path"] == "/locked" else None


def make(library: str) -> Any:
    """The server on this library."""
    server: Any = with_mcp() if library == "mcp" else with_fastmcp()
    server.tool()(write_file)
    checks: Checks = {"write_file": {"semantic": is_wise, "runtime": is_writable}}
    add_tool_validation(server, checks=checks, capability=CAPABILITY)
    return server


def with_mcp() -> Any:
    """A server of the SDK that can say that something changed."""
    server = MCPServer("files", version="1.0")

    async def change(what: str, ctx: Context) -> str:
        """Say that something changed, in the way of the era."""
        if ctx.session.protocol_version >= "2026-07-28":
            await (ctx.notify_tools_changed if what == "tools" else ctx.notify_resources_changed)()
        else:
            await ctx.session.send_notification(SAID[what]())
        return what

    server.tool()(change)
    return server


def with_fastmcp() -> Any:
    """The same on FastMCP, which has to be taught to say it since 2026-07-28."""
    server, bus = FastMCP("files", version="1.0"), InMemorySubscriptionBus()
    inner = server._mcp_server
    wanted = types.SubscriptionsListenRequestParams
    inner.add_request_handler("subscriptions/listen", wanted, ListenHandler(bus))

    async def change(what: str, ctx: FastContext) -> str:
        """Say that something changed, in the way of the era."""
        if ctx.session.protocol_version >= "2026-07-28":
            await bus.publish(EVENTS[what]())
        else:
            await ctx.send_notification(SAID[what]())
        return what

    server.tool()(change)
    return server


if __name__ == "__main__":
    make(sys.argv[1]).run()

"""A server with wrapped tools on a real library, named on the command line: mcp or fastmcp."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import fastmcp
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError

from mcp_assay.envelope import create_error_response, wrap_tool_response, wrap_with_audit

NOTES = {1: "Buy milk", 2: "Call Ada"}


@dataclass
class Note:
    number: int
    text: str


def get_note(number: int) -> dict[str, Any]:
    """Read one note."""
    if number not in NOTES:
        return create_error_response(f"Note {number} not found", "NOTE_NOT_FOUND", {"id": number})
    return {"number": number, "text": NOTES[number]}


async def divide(a: float, b: float = 2) -> float:
    """Divide a by b."""
    return a / b


def greet(name: str) -> str:
    """Say hello."""
    return f"Hello {name}"


def first_note() -> Note:
    """The first note."""
    return Note(1, NOTES[1])


def chart() -> dict[str, Any]:
    """A picture that lies elsewhere."""
    picture = {"type": "image", "url": "https://example.com/cpu.png", "altText": "CPU usage"}
    return {"success": True, "content": [{"type": "text", "text": "CPU usage:"}, picture]}


def refuse() -> None:
    """Answer with an error of the protocol."""
    raise MCPError(code=-32001, message="not today")


def named_context(ctx: Context) -> str:
    """Tell whether a context came."""
    return type(ctx).__name__


def fastmcp_context(ctx: fastmcp.Context) -> str:
    """Tell which server called."""
    return ctx.fastmcp.name


TOOLS = (get_note, divide, greet, first_note, chart, refuse)


def server(library: str) -> Any:
    """A server of that library with all tools, wrapped; one of them is audited too."""
    if library == "fastmcp":
        made: Any = fastmcp.FastMCP("notes", version="1.2.0")
        made.tool()(wrap_tool_response(fastmcp_context))
    else:
        made = MCPServer("notes", version="1.2.0")
        made.tool()(wrap_tool_response(named_context))
    for tool in TOOLS:
        made.tool()(wrap_tool_response(tool))
    made.tool(name="audited")(wrap_with_audit("audited", wrap_tool_response(greet)))
    return made


if __name__ == "__main__":
    server(sys.argv[1]).run(transport="stdio")

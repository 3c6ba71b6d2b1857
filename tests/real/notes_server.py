"""A small, correct MCP server on a real library, named on the command line: mcp or fastmcp."""

from __future__ import annotations

import sys
from typing import Any

NOTES = {1: "Buy milk", 2: "Call Ada"}


def get_note(number: int) -> dict[str, Any]:
    """Read one note."""
    return {"number": number, "text": NOTES[number]}


def count_notes() -> int:
    """Count the notes."""
    return len(NOTES)


def all_notes() -> str:
    """All notes, one a line."""
    return "\n".join(NOTES.values())


def one_note(number: int) -> str:
    """One note."""
    return NOTES[number]


def summarise(tone: str) -> str:
    """Ask for a summary of the notes."""
    return f"Summarise my notes in a {tone} tone."


def library(name: str) -> Any:
    """A server of that library, without anything in it yet."""
    if name == "fastmcp":
        from fastmcp import FastMCP  # noqa: PLC0415  only the library asked for is loaded

        return FastMCP("notes", version="1.2.0")
    from mcp.server.mcpserver import MCPServer  # noqa: PLC0415

    return MCPServer("notes", version="1.2.0")


def main() -> None:
    """Serve two tools, a resource, a template and a prompt over stdio."""
    server = library(sys.argv[1])
    server.tool()(get_note)
    server.tool()(count_notes)
    server.resource("notes://all", mime_type="text/plain")(all_notes)
    server.resource("notes://{number}", mime_type="text/plain")(one_note)
    server.prompt()(summarise)
    server.run(transport="stdio")


if __name__ == "__main__":
    main()

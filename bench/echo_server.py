"""A server on the official SDK with one small tool, for round trips."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer


def echo(text: str) -> str:
    """Say the same again."""
    return text


def main() -> None:
    """Serve over standard input and output."""
    server = MCPServer("echo", version="1.0.0")
    server.tool()(echo)
    server.run(transport="stdio")


if __name__ == "__main__":
    main()

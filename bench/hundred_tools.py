"""A server on the official SDK with a hundred tools, each with a list of values and limits."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

TOOLS: Final = 100
READS: Final = ToolAnnotations(read_only_hint=True)


def find(
    query: Annotated[str, Field(min_length=1, description="Words to look for")],
    sort: Literal["name", "date", "size"] = "name",
    limit: Annotated[int, Field(ge=1, le=100)] = 10,
    tags: list[str] | None = None,
) -> dict[str, object]:
    """Find things by their words."""
    return {"query": query, "sort": sort, "limit": limit, "tags": tags}


def server() -> MCPServer:
    """The server."""
    made = MCPServer("hundred", version="1.0")
    for number in range(TOOLS):
        made.tool(name=f"find_{number}", annotations=READS)(find)
    return made


if __name__ == "__main__":
    server().run()

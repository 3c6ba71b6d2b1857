"""A library as an MCP server, on the `mcp` package: the server of docs/pytest.md.

Run it with `python library.py`; `library_fastmcp.py` is the same on FastMCP.
"""

from __future__ import annotations

from typing import Literal

from catalogue import ToolFailed, book_of, find_books
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("library", version="1.0")
READS = ToolAnnotations(read_only_hint=True)


@server.tool(annotations=READS)
def find(query: str, genre: Literal["novel", "poetry", "essay"] | None = None) -> dict[str, object]:
    """Find books by words of their titles."""
    return {"books": find_books(query, genre)}


@server.tool(annotations=READS)
def get_book(isbn: str) -> dict[str, object]:
    """Get one book."""
    try:
        return book_of(isbn)
    except ToolFailed as refusal:
        raise ToolError(str(refusal)) from None


@server.tool(annotations=ToolAnnotations(read_only_hint=False))
def lend(isbn: str, reader: str) -> dict[str, object]:
    """Lend a book to a reader."""
    try:
        return {"lent": book_of(isbn)["title"], "reader": reader}
    except ToolFailed as refusal:
        raise ToolError(str(refusal)) from None


if __name__ == "__main__":
    server.run()

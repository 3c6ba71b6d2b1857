"""A small, correct server on a real library, all of it read-only, to be assessed.

On the command line: lowlevel, mcp or fastmcp, then stdio or http; over HTTP it prints its URL.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from functools import wraps
from typing import Annotated, Any, Literal

from pydantic import Field

BOOKS = {1: "Emma", 2: "Middlemarch", 3: "Ulysses"}
READ_ONLY = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}
NUMBER = {"type": "integer", "description": "The number of a book, such as 2."}
QUERY = {"type": "string", "minLength": 1, "description": "Part of a title, such as Emma."}
ORDER = {"enum": ["number", "title"], "description": "What to sort by."}
BOOK = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "title": {"type": "string"}},
    "required": ["number", "title"],
}


def get_book(number: Annotated[int, Field(description=NUMBER["description"])]) -> dict[str, Any]:
    """Read about one book."""
    if number not in BOOKS:
        raise ValueError(f"No book has the number {number}.")
    return {"number": number, "title": BOOKS[number]}


def find_books(
    query: Annotated[str, Field(min_length=1, description=str(QUERY["description"]))],
    order: Annotated[Literal["number", "title"], Field(description="What to sort by.")] = "number",
) -> dict[str, Any]:
    """Find books by a part of their titles."""
    found = [number for number, title in BOOKS.items() if query.casefold() in title.casefold()]
    found.sort(key=BOOKS.__getitem__ if order == "title" else None)
    return {"books": [get_book(number) for number in found]}


def count_books() -> dict[str, Any]:
    """Count the books."""
    return {"books": len(BOOKS)}


def all_titles() -> str:
    """All titles, one a line."""
    return "\n".join(BOOKS.values())


def one_title(number: str) -> str:
    """The title of one book."""
    return BOOKS[int(number)]


def recommend(mood: str) -> str:
    """Ask for a book that suits a mood."""
    return f"Recommend a book from the shelf for a {mood} evening."


def mcp_server() -> Any:
    """The server on the official SDK."""
    from mcp.server.mcpserver import MCPServer  # noqa: PLC0415  only the library asked for
    from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415
    from mcp_types import ToolAnnotations  # noqa: PLC0415

    hints = ToolAnnotations.model_validate(READ_ONLY)
    return _filled(MCPServer("shelf", version="1.0.0"), hints, ToolError)


def fastmcp_server() -> Any:
    """The server on FastMCP."""
    from fastmcp import FastMCP  # noqa: PLC0415
    from fastmcp.exceptions import ToolError  # noqa: PLC0415

    return _filled(FastMCP("shelf", version="1.0.0"), READ_ONLY, ToolError)


def _filled(server: Any, hints: Any, refusal: type[Exception]) -> Any:
    for tool in (get_book, find_books, count_books):
        server.tool(annotations=hints)(_refusing(tool, refusal))
    server.resource("shelf://titles", mime_type="text/plain")(all_titles)
    server.resource("shelf://titles/{number}", mime_type="text/plain")(one_title)
    server.prompt()(recommend)
    return server


def _refusing(tool: Any, refusal: type[Exception]) -> Any:
    """The tool, refusing in the library's own way, which lets its words through."""

    @wraps(tool)
    def refusing(*given: Any, **named: Any) -> Any:
        try:
            return tool(*given, **named)
        except ValueError as reason:
            raise refusal(str(reason)) from None

    return refusing


TOOLS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "get_book": (get_book, {"properties": {"number": NUMBER}, "required": ["number"]}, BOOK),
    "find_books": (
        find_books,
        {"properties": {"query": QUERY, "order": ORDER}, "required": ["query"]},
        {"type": "object", "properties": {"books": {"type": "array", "items": BOOK}}},
    ),
    "count_books": (count_books, {}, {"properties": {"books": {"type": "integer"}}}),
}
"""For the low level, where all is done by hand: the function, what it takes, what it gives."""


def lowlevel_server() -> Any:
    """The server on the low level of the official SDK, which checks no arguments."""
    import mcp_types as types  # noqa: PLC0415
    from mcp.server.lowlevel import Server  # noqa: PLC0415
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415

    async def listed(*_: Any) -> types.ListToolsResult:
        return types.ListToolsResult.model_validate({"tools": [_definition(it) for it in TOOLS]})

    async def called(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in TOOLS:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        return types.CallToolResult.model_validate(_result(params.name, params.arguments or {}))

    return Server("shelf", version="1.0.0", on_list_tools=listed, on_call_tool=called)


def _definition(name: str) -> dict[str, Any]:
    work, takes, gives = TOOLS[name]
    return {
        "name": name,
        "description": work.__doc__,
        "inputSchema": {"type": "object", **takes, "additionalProperties": False},
        "outputSchema": {"type": "object", **gives},
        "annotations": READ_ONLY,
    }


def _result(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    from jsonschema_rs import validator_for  # noqa: PLC0415  only the low level checks by itself

    try:
        validator_for(_definition(name)["inputSchema"]).validate(arguments)
        given = TOOLS[name][0](**arguments)
    except ValueError as refusal:
        return {"content": [{"type": "text", "text": str(refusal)}], "isError": True}
    return {"content": [{"type": "text", "text": json.dumps(given)}], "structuredContent": given}


SERVERS = {"lowlevel": lowlevel_server, "mcp": mcp_server, "fastmcp": fastmcp_server}


def serve_over_stdio(server: Any, library: str) -> None:
    """Serve over standard input and output."""
    if library != "lowlevel":
        server.run(transport="stdio")
        return
    from mcp.server.stdio import stdio_server  # noqa: PLC0415

    async def run() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    asyncio.run(run())


def serve_over_http(server: Any, library: str) -> None:
    """Serve over Streamable HTTP on a free port."""
    import uvicorn  # noqa: PLC0415  slow to load, and needed here alone

    listening = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
    served = server.http_app() if library == "fastmcp" else server.streamable_http_app()
    config = uvicorn.Config(served, log_level="error", lifespan="on")
    uvicorn.Server(config).run(sockets=[listening])


def main() -> None:
    """Serve until told to stop."""
    library, transport = sys.argv[1:]
    serve = serve_over_http if transport == "http" else serve_over_stdio
    serve(SERVERS[library](), library)


if __name__ == "__main__":
    main()

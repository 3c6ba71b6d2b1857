"""A small MCP server on a real library over HTTP that prints its URL.

On the command line: mcp or fastmcp, then any of json, stateless and sse.
"""

from __future__ import annotations

import socket
import sys
from typing import Any

import uvicorn

from tests.real.notes_server import count_notes, get_note, library, summarise


def application(name: str, words: list[str]) -> Any:
    """The server as a web application; its tools count and read notes, one tells its progress."""
    server = library(name)
    server.tool()(get_note)
    server.tool()(count_notes)
    server.tool()(progress_tool(name))
    server.prompt()(summarise)
    options = {"json_response": "json" in words, "stateless_http": "stateless" in words}
    if name == "fastmcp":
        return server.http_app(transport="sse" if "sse" in words else "http", **options)
    return server.sse_app() if "sse" in words else server.streamable_http_app(**options)


def progress_tool(name: str) -> Any:
    """A tool that tells how far it is before it answers."""
    if name == "fastmcp":
        from fastmcp import Context  # noqa: PLC0415  only the library asked for is loaded
    else:
        from mcp.server.mcpserver import Context  # type: ignore[assignment] # noqa: PLC0415

    async def read_all(context: Context) -> str:
        """Read all notes, one after the other."""
        for number in range(1, 4):
            await context.report_progress(number, 3)
        return "read"

    read_all.__annotations__["context"] = Context
    return read_all


def main() -> None:
    """Serve until killed."""
    name, *words = sys.argv[1:]
    listening = socket.create_server(("127.0.0.1", 0))
    path = "sse" if "sse" in words else "mcp"
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/{path}", flush=True)
    config = uvicorn.Config(application(name, words), log_level="error", lifespan="on")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()

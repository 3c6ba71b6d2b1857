"""A server that checks calls before they are made: `python server.py mcp|fastmcp [PORT]`.

Without a port it speaks over stdio, with one over HTTP.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from mcp_assay.capability import (
    Caching,
    ToolCheck,
    ToolValidationCapability,
    add_tool_validation,
)

LIBRARIES = {
    "mcp": ("mcp.server.mcpserver", "MCPServer", "mcp.server.mcpserver.exceptions"),
    "fastmcp": ("fastmcp", "FastMCP", "fastmcp.exceptions"),
}
"""Where each library has its servers and its ToolError; only one of them is needed."""
ROOMS = {"red": 4, "blue": 12}


def room_exists(arguments: dict[str, Any]) -> str | None:
    """Say what is wrong with the room; nothing where it is one of ours."""
    known = ", ".join(ROOMS)
    return None if arguments["room"] in ROOMS else f"There is no such room, only {known}."


async def room_is_large_enough(arguments: dict[str, Any]) -> ToolCheck:
    """Look the size up, as a real server would look things up in its database."""
    size = ROOMS.get(arguments["room"], 0)
    if arguments["people"] > size:
        return ToolCheck(valid=False, errors=[f"The room is too small: it takes {size}."])
    unused = size - arguments["people"]
    warnings = [f"{unused} seats stay empty."] if unused > size / 2 else []
    return ToolCheck(valid=True, warnings=warnings)


CAPABILITY = ToolValidationCapability(
    version="1.0",
    is_async=True,
    levels={"syntax": True, "semantic": True, "runtime": True, "security": False},
    batch_validation=True,
    max_batch_size=2,
    cacheable=True,
    caching=Caching(enabled=True, ttl=60),
)


def make(library: str, name: str = "rooms") -> Any:
    """The server on this library, with its validation."""
    module, kind, errors = LIBRARIES[library]
    server = getattr(import_module(module), kind)(name, version="1.0")
    refusal = import_module(errors).ToolError

    async def book_room(room: str, people: int, note: str = "") -> str:
        """Book a room."""
        call = {"room": room, "people": people}
        wrong = room_exists(call) or " ".join((await room_is_large_enough(call)).errors)
        if wrong:  # the tool and its validation share their checks
            raise refusal(wrong)
        return f"{room} is booked for {people}"

    server.tool()(book_room)
    checks = {"book_room": {"semantic": room_exists, "runtime": room_is_large_enough}}
    add_tool_validation(server, checks=checks, capability=CAPABILITY)
    return server


def main(library: str, port: str | None = None) -> None:
    """Serve."""
    server = make(library)
    if port is None:
        server.run()
    elif library == "fastmcp":
        server.run("http", port=int(port), show_banner=False)
    else:
        server.run("streamable-http", port=int(port))


if __name__ == "__main__":
    main(*sys.argv[1:])

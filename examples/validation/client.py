"""A client that checks a call before it makes it: `python client.py URL`, or `-- COMMAND`."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcp_assay.capability import ToolValidator

CALLS = (
    {"room": "red", "people": 3},
    {"room": "red", "people": 9},
    {"room": "green", "people": 1},
    {"rom": "red", "people": 3},
)


async def main(server: list[str]) -> None:
    """Check some calls, and make those that are valid."""
    async with connected(server) as client:
        validator = ToolValidator(client)
        for arguments in CALLS:
            check = await validator.validate("book_room", arguments)
            print(f"{arguments}: {'valid' if check.valid else 'invalid'} ({check.method})")
            for text in (*check.errors, *check.warnings, *check.suggestions):
                print(f"    {text}")
            if check.valid:
                result = await client.call_tool("book_room", arguments)
                print(f"    called: {result.content[0].text}")


def connected(server: list[str]) -> Any:
    """A client of the server behind a URL, or behind a command."""
    if server[0] == "--":
        command, *arguments = server[1:]
        return Client(stdio_client(StdioServerParameters(command=command, args=arguments)))
    return Client(server[0])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))

"""Server objects in this process are talked to as any other server."""

from __future__ import annotations

import asyncio
from typing import Any

import fastmcp
import pytest
from mcp.server.mcpserver import MCPServer

from mcp_assay.client.connection import connect
from mcp_assay.client.links import NotReached
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.client.target import ConnectionOptions, Within

KINDS = [MCPServer, fastmcp.FastMCP]
ERAS = ["2025-11-25", "2026-07-28"]


def add_one(number: int) -> int:
    """Add one."""
    return number + 1


def conversed(
    server: Any, revision: str, *calls: dict[str, Any]
) -> tuple[list[str], list[Response]]:
    async def conversation() -> tuple[list[str], list[Response]]:
        target = Within(server=server, name="tests:server")
        async with await connect(target, ConnectionOptions(revision=revision)) as connection:
            tools = [tool["name"] for tool in (await connection.list_all("tools")).items]
            return tools, [await connection.call(CallRequest("add_one", call)) for call in calls]

    return asyncio.run(conversation())


@pytest.mark.parametrize("revision", ERAS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_server_object_is_called_in_either_era(kind: Any, revision: str) -> None:
    server = kind("numbers", version="1.0")
    server.tool()(add_one)
    tools, (good, bad) = conversed(server, revision, {"number": 1}, {"number": "x"})
    assert tools == ["add_one"]
    assert good.result["structuredContent"] == {"result": 2}
    assert bad.result["isError"] is True


def test_what_is_no_server_is_refused_in_a_sentence() -> None:
    with pytest.raises(NotReached, match="int is not a server"):
        conversed(5, "2025-11-25")


def test_a_server_that_raises_at_its_start_has_died_of_it() -> None:
    class Broken(MCPServer):
        def __init__(self) -> None:
            super().__init__("broken")
            self._lowlevel_server.run = self._fail  # type: ignore[method-assign, assignment]

        async def _fail(self, *_: object) -> None:
            raise RuntimeError("no database")

    with pytest.raises(NotReached, match="no database"):
        conversed(Broken(), "2025-11-25")

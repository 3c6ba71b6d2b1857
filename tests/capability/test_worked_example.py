"""The worked example of the guide, over stdio and HTTP, on both libraries and in both eras."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import fastmcp
import mcp
import pytest

from mcp_assay.capability import ToolValidator
from tests.capability.serving import served

EXAMPLES = Path(__file__).parents[2] / "examples" / "validation"
SERVER = str(EXAMPLES / "server.py")
LIBRARIES = ("mcp", "fastmcp")
EXPECTED = """\
{'room': 'red', 'people': 3}: valid (native)
    called: red is booked for 3
{'room': 'red', 'people': 9}: invalid (native)
    The room is too small: it takes 4.
{'room': 'green', 'people': 1}: invalid (native)
    There is no such room, only red, blue.
    The room is too small: it takes 0.
{'rom': 'red', 'people': 3}: invalid (native)
    The call lacks the member "room".
    Did you mean 'room' instead of 'rom'?
"""
STRICTER = '    The call has members that the schema does not allow: "rom".\n'
"""What FastMCP adds: its schemas allow no other members."""


def example(name: str) -> Any:
    """A file of the example, loaded."""
    spec = spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_example_works_over_stdio(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(example("client").main(["--", sys.executable, SERVER, library]))
    assert capsys.readouterr().out.replace(STRICTER, "") == EXPECTED


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_example_works_over_http(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def converse() -> None:
        async with served(example("server").make(library)) as url:
            await example("client").main([url])

    asyncio.run(converse())
    assert capsys.readouterr().out.replace(STRICTER, "") == EXPECTED


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_client_without_the_capability_sees_one_more_tool_and_nothing_else(library: str) -> None:
    async def converse() -> tuple[list[str], str]:
        server = example("server").make(library)
        async with served(server) as url, mcp.Client(url) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("book_room", {"room": "red", "people": 1})
            return names, result.content[0].text  # type: ignore[union-attr]

    assert asyncio.run(converse()) == (["book_room", "validate"], "red is booked for 1")


def test_a_server_without_the_capability_is_checked_by_its_schemas() -> None:
    server = fastmcp.FastMCP("plain")

    def find_room(room: str) -> str:
        """Find a room."""
        return room

    server.tool()(find_room)

    async def converse() -> tuple[bool, str, list[str]]:
        async with fastmcp.Client(server) as client:
            validator = ToolValidator(client)
            check = await validator.validate("find_room", {})
            return validator.supported, check.method, check.errors

    assert asyncio.run(converse()) == (False, "schema-only", ['The call lacks the member "room".'])

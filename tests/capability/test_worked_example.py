"""The worked example of the guide, over stdio and HTTP, on both libraries and in both eras."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fastmcp
import mcp
import pytest

from mcp_assay.capability import ToolValidator
from mcp_assay.spec.tool_validation import EXTENSION

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


def output_of_client(*server: str) -> str:
    command = (sys.executable, str(EXAMPLES / "client.py"), *server)
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return run.stdout.replace(STRICTER, "")


@contextmanager
def served(library: str) -> Iterator[str]:
    """The URL of the example server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (sys.executable, SERVER, library, str(port))
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env=os.environ) as process:
        try:
            _await_port(port, process)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the example server did not start")


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_example_works_over_stdio(library: str) -> None:
    assert output_of_client("--", sys.executable, SERVER, library) == EXPECTED


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_example_works_over_http_in_both_eras(library: str) -> None:
    async def announced(url: str, mode: str) -> tuple[bool, bool]:
        async with mcp.Client(url, mode=mode) as client:
            capabilities = client.server_capabilities
            return ToolValidator(client).supported, EXTENSION in (capabilities.extensions or {})

    with served(library) as url:
        assert output_of_client(url) == EXPECTED
        assert asyncio.run(announced(url, "legacy")) == (True, False)
        assert asyncio.run(announced(url, "auto")) == (True, True)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_client_without_the_capability_sees_one_more_tool_and_nothing_else(library: str) -> None:
    async def talk() -> tuple[list[str], str]:
        parameters = mcp.StdioServerParameters(command=sys.executable, args=[SERVER, library])
        async with mcp.Client(mcp.stdio_client(parameters)) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("book_room", {"room": "red", "people": 1})
            return names, result.content[0].text  # type: ignore[union-attr]

    assert asyncio.run(talk()) == (["book_room", "validate"], "red is booked for 1")


def test_a_server_without_the_capability_is_checked_by_its_schemas() -> None:
    server = fastmcp.FastMCP("plain")

    def find_room(room: str) -> str:
        """Find a room."""
        return room

    server.tool()(find_room)

    async def talk() -> tuple[bool, str, list[str]]:
        async with fastmcp.Client(server) as client:
            validator = ToolValidator(client)
            check = await validator.validate("find_room", {})
            return validator.supported, check.method, check.errors

    assert asyncio.run(talk()) == (False, "schema-only", ['The call lacks the member "room".'])

"""Real clients and servers talk through the proxy as they do without it, and nothing is found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.patience import LONGEST
from tests.proxy.stdio import proxied
from tests.real.servers import npm_server, python_server

Call: TypeAlias = Callable[[Any], Awaitable[Any]]

NOTES: list[Call] = [
    lambda client: client.list_tools(),
    lambda client: client.call_tool("get_note", {"number": 1}),
    lambda client: client.call_tool("count_notes", {}),
    lambda client: client.list_resources(),
    lambda client: client.read_resource("notes://all"),
    lambda client: client.list_prompts(),
    lambda client: client.get_prompt("summarise", {"tone": "cheerful"}),
]
EVERYTHING: list[Call] = [
    lambda client: client.list_tools(),
    lambda client: client.call_tool("echo", {"message": "tea"}),
    lambda client: client.call_tool("get-structured-content", {"location": "Chicago"}),
    lambda client: client.call_tool("get-tiny-image", {}),
    lambda client: client.list_prompts(),
]
pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="mcp is not installed")


async def serve(command: list[str], mode: str, calls: list[Call], errors: Path) -> list[Any]:
    """What a real client hears in one conversation."""
    from mcp import Client, StdioServerParameters  # noqa: PLC0415  absent where this is skipped
    from mcp.client.stdio import stdio_client  # noqa: PLC0415

    parameters = StdioServerParameters(command=command[0], args=command[1:])
    with errors.open("w") as errlog:
        async with Client(stdio_client(parameters, errlog), mode=mode) as client:
            version = client.protocol_version
            received = [await call(client) for call in calls]
    return [version, *(one.model_dump(mode="json") for one in received)]


def same_through_the_proxy(
    server: list[str], mode: str, calls: list[Call], folder: Path
) -> list[Any]:
    """What was received without the proxy, which is what is received through it."""
    report, errors = folder / "report.json", folder / "errors.txt"
    through = proxied(server, "--report", f"json={report}")
    direct = _within_limit(serve(server, mode, calls, errors))
    assert _within_limit(serve(through, mode, calls, errors)) == direct
    findings = json.loads(report.read_text())["findings"]
    assert [finding for finding in findings if finding["severity"] == "error"] == []
    assert "0 errors, 0 dropped, server exit 0" in errors.read_text()
    return direct


@pytest.mark.parametrize("library", ["mcp", "fastmcp"])
@pytest.mark.parametrize(
    ("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")], ids=["auto", "legacy"]
)
def test_python_servers_say_the_same_through_the_proxy(
    library: str, mode: str, version: str, tmp_path: Path
) -> None:
    received = same_through_the_proxy(python_server(library), mode, NOTES, tmp_path)
    assert received[0] == version


def test_a_node_server_says_the_same_through_the_proxy(tmp_path: Path) -> None:
    server = npm_server("server-everything")
    same_through_the_proxy(server, "auto", EVERYTHING, tmp_path)


def _within_limit(connected: Coroutine[Any, Any, list[Any]]) -> list[Any]:
    return asyncio.run(asyncio.wait_for(connected, LONGEST))

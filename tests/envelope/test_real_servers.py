"""Wrapped tools on real servers, called by real clients: what the other side gets to see."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import fastmcp
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError

from mcp_assay.envelope import from_call_tool_result, validate_mcp_response, wrap_tool_response
from mcp_assay.protocol import validate_response
from tests.envelope import wrapped_server
from tests.envelope.wrapped_server import get_note, server
from tests.patience import LONGEST

ROOT = Path(__file__).parents[2]

Calls = Callable[[Any], Awaitable[Any]]


def clients(library: str) -> dict[str, Callable[[], Any]]:
    """How each real client connects to the server on that library."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", wrapped_server.__name__, library],
        cwd=str(ROOT),
    )
    return {
        "fastmcp": lambda: fastmcp.Client(server(library)),
        "mcp": lambda: Client(stdio_client(parameters)),
    }


PAIRS = [
    pytest.param(connect, id=f"{client}-client-of-{library}-server")
    for library in ("mcp", "fastmcp")
    for client, connect in clients(library).items()
]


def conversed(connect: Callable[[], Any], calls: Calls) -> Any:
    async def conversation() -> Any:
        async with asyncio.timeout(LONGEST), connect() as client:
            return await calls(client)

    return asyncio.run(conversation())


def called(connect: Callable[[], Any], tool: str, **arguments: Any) -> Any:
    async def call(client: Any) -> Any:
        if isinstance(client, fastmcp.Client):
            return await client.call_tool(tool, arguments, raise_on_error=False)
        return await client.call_tool(tool, arguments)

    return conversed(connect, call)


@pytest.mark.parametrize("connect", PAIRS)
def test_clients_see_text_data_and_failures(connect: Callable[[], Any]) -> None:
    async def calls(client: Any) -> list[Any]:
        more = {"raise_on_error": False} if isinstance(client, fastmcp.Client) else {}
        asked = [
            ("get_note", {"number": 1}),
            ("get_note", {"number": 9}),
            ("divide", {"a": 1, "b": 0}),
        ]
        return [await client.call_tool(name, arguments, **more) for name, arguments in asked]

    found, missing, crashed = conversed(connect, calls)
    assert (found.is_error, found.structured_content) == (False, {"number": 1, "text": "Buy milk"})
    assert json.loads(found.content[0].text) == found.structured_content
    assert missing.is_error is True
    assert missing.content[0].text == "Error: Note 9 not found"
    assert missing.structured_content["error"]["code"] == "NOTE_NOT_FOUND"
    assert missing.structured_content["error"]["details"] == {"id": 9}
    assert crashed.is_error is True
    assert crashed.content[0].text == "Error: float division by zero"
    assert crashed.structured_content["error"]["code"] == "ZERO_DIVISION_ERROR"


IN_MEMORY = [
    pytest.param(lambda: Client(server("mcp")), id="mcp"),
    pytest.param(lambda: fastmcp.Client(server("fastmcp")), id="fastmcp"),
]


@pytest.mark.parametrize("connect", IN_MEMORY)
def test_the_input_schema_stays_and_no_output_schema_is_promised(
    connect: Callable[[], Any],
) -> None:
    async def listed(client: Any) -> Any:
        tools = await client.list_tools()
        return tools if isinstance(tools, list) else tools.tools

    tools = {tool.name: tool for tool in conversed(connect, listed)}
    properties = tools["divide"].input_schema["properties"]
    assert {name: schema["type"] for name, schema in properties.items()} == {
        "a": "number",
        "b": "number",
    }
    assert tools["divide"].input_schema["required"] == ["a"]
    assert tools["divide"].description == "Divide a by b."
    assert all(tool.output_schema is None for tool in tools.values())


@pytest.mark.parametrize("connect", IN_MEMORY)
@pytest.mark.parametrize(
    ("name", "arguments", "text", "structured"),
    [
        ("greet", {"name": "Ada"}, "Hello Ada", None),
        ("divide", {"a": 3}, "1.5", None),
        (
            "first_note",
            {},
            '{\n  "number": 1,\n  "text": "Buy milk"\n}',
            {"number": 1, "text": "Buy milk"},
        ),
        ("audited", {"name": "Ada"}, "Hello Ada", None),
    ],
)
def test_data_of_every_type_is_shown(
    connect: Callable[[], Any], name: str, arguments: Any, text: str, structured: Any
) -> None:
    result = called(connect, name, **arguments)
    assert (result.is_error, result.content[0].text) == (False, text)
    assert result.structured_content == structured


@pytest.mark.parametrize("connect", IN_MEMORY)
def test_the_response_comes_back_whole_on_the_other_side(connect: Callable[[], Any]) -> None:
    response = from_call_tool_result(called(connect, "divide", a=3))
    assert validate_mcp_response(response) == []
    assert (response["success"], response["data"]) == (True, 1.5)
    failure = from_call_tool_result(called(connect, "get_note", number=9))
    assert failure["error"]["code"] == "NOTE_NOT_FOUND"


@pytest.mark.parametrize("connect", IN_MEMORY)
def test_a_picture_that_lies_elsewhere_arrives_as_a_link(connect: Callable[[], Any]) -> None:
    link = called(connect, "chart").content[1]
    assert (link.type, str(link.uri), link.name) == (
        "resource_link",
        "https://example.com/cpu.png",
        "CPU usage",
    )


def test_an_error_of_the_protocol_stays_one() -> None:
    async def refused(client: Any) -> str:
        with pytest.raises(MCPError) as refusal:
            await client.call_tool("refuse", {})
        return str(refusal.value)

    assert conversed(lambda: Client(server("mcp")), refused) == "not today"


def test_a_tool_that_wants_the_context_gets_it() -> None:
    assert called(lambda: Client(server("mcp")), "named_context").content[0].text == "Context"
    result = called(lambda: fastmcp.Client(server("fastmcp")), "fastmcp_context")
    assert (result.is_error, result.content[0].text) == (False, "notes")


def test_an_audited_tool_on_a_server_has_no_issues(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "mcp_assay.envelope"):
        called(lambda: Client(server("mcp")), "audited", name="Ada")
    assert caplog.messages == []


def test_outside_of_a_server_the_same_function_gives_a_dict() -> None:
    response = wrap_tool_response(get_note)(number=1)
    assert isinstance(response, dict)
    assert validate_response(1, response, method="tools/call").findings == ()


@wrap_tool_response
def helper(number: int) -> dict[str, int]:
    """Help other tools."""
    return {"number": number}


@wrap_tool_response
async def helper_soon(ctx: Context) -> dict[str, int]:
    """Help tools that have a context."""
    return {"number": 1}


def calling_a_helper() -> Any:
    """A tool that asks another one."""
    return helper(1)["data"]


async def handing_on_its_context(ctx: Context) -> Any:
    """A tool that asks another one, with the context of its own."""
    return (await helper_soon(ctx))["data"]


def timed(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def outer(*args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    return outer


def test_a_wrapped_tool_gets_a_dict_from_another() -> None:
    on_fastmcp, on_mcp = fastmcp.FastMCP("a"), MCPServer("b")
    for made in (on_fastmcp, on_mcp):
        made.tool(name="wrapped")(wrap_tool_response(calling_a_helper))
    on_fastmcp.tool(name="plain")(calling_a_helper)
    on_mcp.tool(name="handing")(wrap_tool_response(handing_on_its_context))
    for connect, name in (
        (lambda: fastmcp.Client(on_fastmcp), "wrapped"),
        (lambda: fastmcp.Client(on_fastmcp), "plain"),
        (lambda: Client(on_mcp), "wrapped"),
        (lambda: Client(on_mcp), "handing"),
    ):
        result = called(connect, name)
        assert (result.is_error, result.structured_content) == (False, {"number": 1})


def test_a_decorated_wrapped_tool_still_reports_its_failures() -> None:
    made = fastmcp.FastMCP("a")
    made.tool(name="get_note")(timed(wrap_tool_response(get_note)))
    assert called(lambda: fastmcp.Client(made), "get_note", number=9).is_error is True


class Desk:
    @wrap_tool_response
    def bound(self, number: int) -> dict[str, Any]:
        """Read one note at a desk."""
        return get_note(number)

    @classmethod
    @wrap_tool_response
    def of_class(cls, number: int) -> dict[str, Any]:
        """Read one note at any desk."""
        return get_note(number)


@pytest.mark.parametrize("method", [Desk().bound, Desk.of_class])
def test_wrapped_methods_report_their_failures(method: Callable[..., Any]) -> None:
    on_fastmcp, on_mcp = fastmcp.FastMCP("a"), MCPServer("b")
    on_fastmcp.tool(name="get_note")(method)
    on_mcp.tool(name="get_note")(method)
    assert called(lambda: fastmcp.Client(on_fastmcp), "get_note", number=9).is_error is True
    assert called(lambda: Client(on_mcp), "get_note", number=9).is_error is True


def test_a_tool_that_calls_a_server_within_is_answered_by_its_tools() -> None:
    inner = server("fastmcp")

    async def asking() -> Any:
        async with fastmcp.Client(inner) as client:
            result = await client.call_tool("get_note", {"number": 9}, raise_on_error=False)
            return {"failed": result.is_error}

    outer = fastmcp.FastMCP("outer")
    outer.tool()(wrap_tool_response(asking))
    assert called(lambda: fastmcp.Client(outer), "asking").structured_content == {"failed": True}


def test_a_wrapped_resource_gives_a_dict() -> None:
    made = fastmcp.FastMCP("a")
    made.resource("note://1")(wrap_tool_response(lambda: "hello"))

    async def read(client: Any) -> Any:
        return (await client.read_resource("note://1"))[0].text

    assert json.loads(conversed(lambda: fastmcp.Client(made), read))["data"] == "hello"


def test_a_tool_wrapped_before_its_library_is_loaded_reports_its_failures() -> None:
    code = (
        "from mcp_assay.envelope import wrap_tool_response\n"
        "def fail(): raise ValueError('no')\n"
        "tool = wrap_tool_response(fail)\n"
        "import asyncio, mcp\n"
        "from mcp.server.mcpserver import MCPServer\n"
        "server = MCPServer('b')\n"
        "server.tool()(tool)\n"
        "async def ask():\n"
        "    async with mcp.Client(server) as client:\n"
        "        return (await client.call_tool('fail', {})).is_error\n"
        "print(asyncio.run(ask()))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ended.stdout == "True\n"

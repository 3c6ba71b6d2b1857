"""Real servers that validate, asked by real clients."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import anyio
import fastmcp
import mcp
import pytest
from msgspec.structs import replace

from mcp_assay.capability import ToolCheck, ToolValidator, add_tool_validation
from tests.capability.servers import CALLED, WHOLE, server

PAIRS = [
    ("mcp", lambda made: mcp.Client(made, mode="legacy"), True),
    ("mcp", lambda made: mcp.Client(made, mode="auto"), True),
    ("mcp", fastmcp.Client, True),
    ("fastmcp", fastmcp.Client, False),
]
"""Servers, their clients, and whether these learn what makes a verdict stale."""
NAMES = ["SDK-handshake", "SDK-2026-07-28", "SDK-FastMCP-client", "FastMCP"]


@pytest.mark.parametrize(("kind", "client", "is_reported"), PAIRS, ids=NAMES)
def test_a_real_client_gets_verdicts_of_a_real_server(
    kind: str, client: Callable[[Any], Any], is_reported: bool
) -> None:
    CALLED.clear()

    async def converse() -> list[ToolCheck]:
        async with client(server(kind)) as connected, ToolValidator(connected) as validator:
            assert validator.supported
            return [
                await validator.validate("write_file", {"path": "/x", "content": "y"}),
                await validator.validate("write_file", {"path": "/locked", "content": "y"}),
                await validator.validate("write_file", {"pth": "/x"}),
                await validator.validate("write_file", {"path": "/x"}, levels=["semantic"]),
                await validator.validate("write_file", {"path": "/locked"}, levels=["syntax"]),
                *await validator.validate_batch([("write_file", {"path": p}) for p in "abc"]),
                await validator.validate("write_file", {"path": "/x", "content": "y"}),
            ]

    good, locked, misspelt, wise, shallow, *rest = asyncio.run(converse())
    assert good == ToolCheck(valid=True)
    assert locked.errors == ["Path not writable: /locked"]
    assert misspelt.suggestions == ["Did you mean 'path' instead of 'pth'?"]
    assert wise.warnings == ["Empty content will create an empty file."]
    assert shallow == ToolCheck(valid=True)
    assert [check.valid for check in rest[:3]] == [True] * 3
    assert rest[3].cached is is_reported
    assert {check.method for check in (good, locked, misspelt, *rest)} == {"native"}
    assert CALLED == []


@pytest.mark.parametrize("kind", ["mcp", "fastmcp"])
def test_the_validation_does_not_validate_itself_and_refuses_nonsense(kind: str) -> None:
    async def converse() -> list[Any]:
        async with fastmcp.Client(server(kind)) as client:
            own = {"tool": "validate", "arguments": {}}
            return [
                await client.call_tool_mcp("validate", arguments)
                for arguments in (own, {"tool": 5}, {"calls": [own] * 3})
            ]

    itself, nonsense, many = asyncio.run(converse())
    assert itself.structured_content["errors"] == ["validate does not validate itself."]
    assert nonsense.is_error
    assert many.is_error


@pytest.mark.parametrize("kind", ["mcp", "fastmcp"])
def test_tools_are_still_called_as_before(kind: str) -> None:
    CALLED.clear()

    async def converse() -> Any:
        async with fastmcp.Client(server(kind)) as client:
            names = [tool.name for tool in await client.list_tools()]
            await client.call_tool_mcp("write_file", {"path": "/real"})
            return names

    assert asyncio.run(converse()) == ["write_file", "validate"]
    assert CALLED == ["/real"]


def test_other_servers_are_refused() -> None:
    with pytest.raises(TypeError, match="is not a server"):
        add_tool_validation(object())


@pytest.mark.parametrize(("mode", "is_kept"), [("legacy", True), ("auto", False)])
def test_nothing_is_kept_whose_end_nobody_would_report(mode: Any, is_kept: bool) -> None:
    async def converse() -> bool:
        async with mcp.Client(server("mcp"), mode=mode) as client:
            validator = ToolValidator(client)
            await validator.validate("write_file", {"path": "/x"})
            return (await validator.validate("write_file", {"path": "/x"})).cached

    assert asyncio.run(converse()) is is_kept


def test_leaving_a_validator_by_an_error_raises_that_error() -> None:
    async def converse() -> None:
        async with mcp.Client(server("mcp")) as client:
            with pytest.raises(LookupError, match="mine"):
                async with ToolValidator(client):
                    raise LookupError("mine")

    asyncio.run(converse())


def test_a_client_on_trio_gets_verdicts_too() -> None:
    async def converse() -> ToolCheck:
        async with mcp.Client(server("mcp")) as client, ToolValidator(client) as validator:
            return await validator.validate("write_file", {"path": "/locked", "content": "y"})

    assert anyio.run(converse, backend="trio").errors == ["Path not writable: /locked"]


@pytest.mark.parametrize(("field", "value"), [("method", ""), ("max_batch_size", 0)])
def test_what_cannot_be_announced_is_refused(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=field):
        server("mcp", replace(WHOLE, **{field: value}))


def test_levels_and_context_of_a_batch_hold_for_each_of_its_calls() -> None:
    async def converse() -> Any:
        calls = [{"tool": "write_file", "arguments": {"path": "/locked"}}] * 2
        async with fastmcp.Client(server("mcp")) as client:
            return await client.call_tool_mcp("validate", {"calls": calls, "levels": ["syntax"]})

    assert [one["valid"] for one in asyncio.run(converse()).structured_content["results"]] == [
        True
    ] * 2

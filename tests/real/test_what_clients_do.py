"""What is said of clients in spec/client_reactions.py, seen with the clients of real libraries."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.client_reactions import CLIENTS
from tests.patience import LONGEST

SERVERS: Final = Path(__file__).parents[1] / "servers"
IN_VAIN: Final = "waits in vain"
A_WHILE: Final = 4.0
"""Seconds after which a client that should wait in vain is not waited for any longer."""
ANY_BOOK: Final[Mapping[str, Any]] = {"title": "Middlemarch"}


class Seen(NamedTuple):
    """A server that breaks a rule, and what a call of it ends in, by the library of the client."""

    rule: str
    server: str
    mcp: str
    fastmcp: str
    calls: int = 1
    arguments: Mapping[str, Any] = ANY_BOOK


def both(rule: str, server: str, ending: str, **more: Any) -> Seen:
    return Seen(rule, server, ending, ending, **more)


SEEN: Final = [
    both("CALL-001", "content-missing", "ValidationError"),
    both("CALL-001", "content-not-an-array", "ValidationError"),
    both("CALL-002", "structured-content-missing", "RuntimeError"),
    both("CALL-003", "output-schema-broken", "RuntimeError"),
    both(
        "CALL-009", "failure-as-protocol-error", "MCPError", arguments={"title": "Emma", "limit": 1}
    ),
    both("JSONRPC-002", "no-jsonrpc-member", IN_VAIN),
    both("JSONRPC-009", "result-and-error", "MCPError"),
    both("JSONRPC-023", "ids-off-by-one", IN_VAIN),
    both("JSONRPC-023", "ids-as-strings", "a result"),
    both("RESP-001", "empty-content", "a result"),
    both("RESP-001", "content-missing", "ValidationError"),
    both("RESP-003", "error-inside-success", "a result"),
    Seen("RESP-004", "always-crashes", "an error of the tool", "ToolError"),
    Seen("RESP-005", "always-crashes", "an error of the tool", "ToolError"),
    both("RESP-010", "dies-after-three-calls", "MCPError", calls=4),
    both("STDIO-001", "logs-on-stdout", "a result"),
    both("TOOL-006", "no-input-schema", "ValidationError"),
]


def test_all_that_is_said_was_seen() -> None:
    assert {seen.rule for seen in SEEN} == set(CLIENTS)
    assert set(CLIENTS) <= set(CATALOGUE)


@pytest.mark.parametrize("seen", SEEN, ids=lambda seen: f"{seen.rule}-{seen.server}")
@pytest.mark.parametrize("library", ["mcp", "fastmcp"])
def test_clients_do_what_is_said_of_them(seen: Seen, library: str) -> None:
    assert asyncio.run(ending(seen, library)) == getattr(seen, library)


async def ending(seen: Seen, library: str) -> str:
    """What the last call ends in: a result, an error, an exception by its name, or nothing."""
    try:
        async with asyncio.timeout(LONGEST), client_of(library, seen.server) as client:
            patience = A_WHILE if getattr(seen, library) == IN_VAIN else LONGEST
            return await last_of_calls(client, seen, patience)
    except Exception as fault:  # noqa: BLE001  which one it is, is the question
        return type(innermost(fault)).__name__


async def last_of_calls(client: Any, seen: Seen, patience: float) -> str:
    try:
        async with asyncio.timeout(patience):
            listed = await client.list_tools()
            name = getattr(listed, "tools", listed)[0].name
            for _ in range(seen.calls):
                result = await client.call_tool(name, dict(seen.arguments))
    except TimeoutError:
        return IN_VAIN
    return "an error of the tool" if result.is_error else "a result"


def client_of(library: str, server: str) -> Any:
    """A client of that library, talking to a server of the catalogue."""
    arguments = [str(SERVERS), server]
    if library == "fastmcp":
        from fastmcp import Client  # noqa: PLC0415  only the library asked for is loaded
        from fastmcp.client.transports import StdioTransport  # noqa: PLC0415

        return Client(StdioTransport(sys.executable, arguments))
    import mcp  # noqa: PLC0415
    from mcp.client.stdio import stdio_client  # noqa: PLC0415

    parameters = mcp.StdioServerParameters(command=sys.executable, args=arguments)
    return mcp.Client(stdio_client(parameters))


def innermost(fault: BaseException) -> BaseException:
    while isinstance(fault, BaseExceptionGroup):
        fault = fault.exceptions[0]
    return fault

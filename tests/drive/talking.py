"""How the tests talk to servers: short times, and nothing left alive."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp_assay.drive.connection import Connection, connect
from mcp_assay.drive.target import Bounds, Command, Options
from mcp_assay.transport.environment import allowed
from mcp_assay.transport.stdio_link import Patience

PLAIN = Path(__file__).parent / "servers" / "plain.py"
LONGEST_TEST = 60
QUICK = Patience(5.0, 0.3)
Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a conversation, at most so long as any test may take."""
    return asyncio.run(asyncio.wait_for(main, LONGEST_TEST))


def plain(how: str = "", **environment: str) -> Command:
    """The server that does this one thing wrong."""
    command = (sys.executable, str(PLAIN), how)
    return Command(command=command, environment=allowed(os.environ, environment))


def options(bounds: dict[str, Any] | None = None, **given: Any) -> Options:
    """Options with which no test takes long."""
    short = {"connect_seconds": 20.0, "call_seconds": 20.0, **(bounds or {})}
    return Options(**{"bounds": Bounds(**short), "patience": QUICK, **given})


@asynccontextmanager
async def talking(how: str = "", **given: Any) -> AsyncIterator[Connection]:
    """A conversation with a plain server, in the revision before the last."""
    settings = {"revision": "2025-11-25", **given}
    async with await connect(plain(how), options(**settings)) as connection:
        yield connection


def text_of(result: Any) -> str:
    """The first text of a tool's result."""
    return str(result["content"][0]["text"])


def rules(connection: Connection) -> set[str]:
    """The rules that the server was seen to break."""
    return {finding.rule for finding in connection.findings()}


def own_faults(connection: Connection) -> list[str]:
    """What the session rules have against this client."""
    found = connection.overheard.findings("client")
    return [f"{finding.rule} {finding.message}" for finding in found]

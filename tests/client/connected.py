"""How the tests talk to servers: time enough on a busy machine, and nothing left alive."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.links import Patience
from mcp_assay.client.target import Bounds, Command, ConnectionOptions, allowed
from tests.patience import LONGEST

PLAIN = Path(__file__).parent / "servers" / "plain.py"
ENOUGH = 120.0
"""Seconds in which every server answers and ends that does so at all."""
AT_ONCE = ENOUGH / 4
"""Seconds for what does not wait until that time is up."""
PATIENT = Patience(ENOUGH, ENOUGH)
Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a conversation, at most so long as any test may take."""
    return asyncio.run(asyncio.wait_for(main, LONGEST))


def plain(how: str = "", **environment: str) -> Command:
    """The server that does this one thing wrong."""
    command = (sys.executable, str(PLAIN), how)
    return Command(command=command, environment=allowed(os.environ, environment))


def options(bounds: dict[str, Any] | None = None, **given: Any) -> ConnectionOptions:
    """Options with which nothing that comes is given up."""
    enough = {"connect_seconds": ENOUGH, "call_seconds": ENOUGH, **(bounds or {})}
    return ConnectionOptions(**{"bounds": Bounds(**enough), "patience": PATIENT, **given})


@asynccontextmanager
async def connected(how: str = "", **given: Any) -> AsyncIterator[Connection]:
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
    found = connection.observations.findings("client")
    return [f"{finding.rule} {finding.message}" for finding in found]

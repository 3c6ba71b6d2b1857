"""How the tests put servers into worlds and ask what became of the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.links import Patience
from mcp_assay.client.response import CallRequest, Response
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.sandbox.refusal import NoSandbox
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.effect import Effects
from mcp_assay.model.finding import Where
from tests.client.connected import options

PLANTED = Path(__file__).parent / "planted_server.py"
HURRY = Patience(0.1, 0.1)


def furnish(folder: Path) -> Path:
    """A working folder and a home for the planted server; gives the first."""
    home, work = folder / "home", folder / "work"
    (work / "old").mkdir(parents=True)
    home.mkdir()
    (home / ".bashrc").write_text("true\n")
    (work / "notes.txt").write_text("first\nsecond\nthird\n")
    (work / "notes.txt").chmod(0o644)
    (work / "table.csv").write_text("a,b\n1,2\n")
    (work / "old" / "inside.txt").write_text("inside\n")
    (work / "link").symlink_to("notes.txt")
    return work


def planted(work: Path, *words: str, keep: Path | None = None, **variables: str) -> Command:
    """The planted server, to be started in a world."""
    environment = {**allowed(os.environ, variables), "HOME": str(work.parent / "home")}
    sandbox = SandboxOptions(work=str(work), keep=None if keep is None else str(keep))
    command = (sys.executable, "-B", str(PLANTED), *words)
    return Command(command=command, environment=environment, sandbox=sandbox)


@asynccontextmanager
async def in_world(command: Command, **given: Any) -> AsyncIterator[Connection]:
    """A connection to a server in a world; where none can be made, the test is skipped."""
    settings = {"revision": "2025-11-25", "patience": HURRY, **given}
    try:
        connection = await connect(command, options(**settings))
    except NoSandbox as refused:
        pytest.skip(str(refused))
    async with connection:
        yield connection


async def called(connection: Connection, tool: str, number: int) -> Response:
    """Call a tool; the call has a number by which its effects are known."""
    about = Where(tool=tool, scenario="usual", call=number)
    return await connection.call(CallRequest(tool, {}, about))


async def effects_of_each(connection: Connection, tools: list[str]) -> dict[str, Effects]:
    """What each of several calls did."""
    for number, tool in enumerate(tools):
        await called(connection, tool, number)
    return {tool: connection.effects.calls[number] for number, tool in enumerate(tools)}

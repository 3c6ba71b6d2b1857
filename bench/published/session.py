"""A session with a published server, in a disposable world without network and a folder as new."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from msgspec.structs import replace

from bench.published.servers import fill, start
from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Bounds, Command, ConnectionOptions, allowed

START_SECONDS: Final = 120.0
CALL_SECONDS: Final = 60.0
REVISION: Final = "2025-11-25"


async def definitions(name: str) -> list[dict[str, Any]]:
    """The tools that a server lists."""
    async with session(name) as (server, _):
        return await server.tools_now()


@asynccontextmanager
async def session(name: str) -> AsyncIterator[tuple[Connection, Path]]:
    """A server to ask, and its working folder."""
    with TemporaryDirectory(prefix=f"{name}-") as folder:
        work = Path(folder)
        fill(name, work)
        begun = start(name, work)
        target = Command(
            command=tuple(begun.command),
            environment=allowed(os.environ, dict(begun.environment)),
            sandbox=SandboxOptions(work=folder),
        )
        bounds = replace(Bounds(), connect_seconds=START_SECONDS, call_seconds=CALL_SECONDS)
        options = ConnectionOptions(revision=REVISION, bounds=bounds)
        async with await connect(target, options) as server:
            yield server, work

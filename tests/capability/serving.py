"""A server in this process, reached over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn


@asynccontextmanager
async def served(server: Any) -> AsyncIterator[str]:
    """The URL of a server of the SDK or of FastMCP."""
    make = getattr(server, "streamable_http_app", None) or server.http_app
    listening = uvicorn.Server(uvicorn.Config(make(), port=0, log_level="error"))
    task = asyncio.ensure_future(listening.serve())
    while not listening.started:
        await asyncio.sleep(0.01)
        if task.done():
            await task
    port = listening.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        listening.should_exit = listening.force_exit = True
        await task

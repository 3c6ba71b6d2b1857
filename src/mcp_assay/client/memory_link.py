"""A server in this very process: an object of the `mcp` package (2.x) or of FastMCP 4."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from time import time
from typing import Any, Final

from mcp_assay.client.links import NO_HEADERS, LinkEnding, LinkListener, NotReached
from mcp_assay.model.entry import Direction, Entry

CONN: Final = "memory"
INNER: Final = ("_mcp_server", "_lowlevel_server")
"""Where the servers of FastMCP and of the SDK keep the one that answers requests."""
NEEDED: Final = ("create_initialization_options", "get_request_handler", "run")
"""What such a server has; those of `mcp` 1.x have not all of it."""
FAREWELL_SECONDS: Final = 2.0


class MemoryLink:
    """A session with a server object, through streams in memory."""

    is_http: Final = False

    def __init__(self, server: Any, listener: LinkListener) -> None:
        self._server: Final = server
        self._inner: Final = inner_server(server)
        self._listener: Final = listener
        self._to_server: Any = None
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    @classmethod
    async def start(cls, server: object, listener: LinkListener) -> MemoryLink:
        """Begin to serve; raises NotReached where the object is no such server."""
        link = cls(server, listener)
        link._begin()
        return link

    @property
    def session(self) -> str | None:
        """Nobody needs one: the streams are the session."""
        return None

    def send(self, raw: bytes, headers: Mapping[str, str] = NO_HEADERS) -> int | None:
        """Give the server one message, or the fault that a transport would find in it."""
        del headers
        self._emit("c2s", text=raw)
        self._to_server.send_nowait(_message(raw))
        return None

    def take_in(self) -> None:
        """Nothing to take: the server is asked within the loop."""

    async def listen(self, headers: Mapping[str, str]) -> None:
        """Nothing to do: the stream is open."""

    def adopt(self, exchange: int | None) -> None:
        """There is one session only."""

    async def settle(self, exchange: int | None, seconds: float) -> bool:
        """Nothing to wait for: messages keep their order."""
        del exchange, seconds
        return True

    def drop(self, exchange: int | None) -> None:
        """Nothing to drop: all messages share one stream."""

    def stderr_mark(self) -> int:
        """What this process writes is not the server's alone."""
        return 0

    def stderr_since(self, mark: int) -> str:
        """What this process writes is not the server's alone."""
        del mark
        return ""

    async def close(self) -> LinkEnding:
        """End the input, and with it the server."""
        self._closing = True
        self._to_server.close()
        await asyncio.wait(self._tasks, timeout=FAREWELL_SECONDS)
        for task in self._tasks:
            task.cancel()
        # One that waits for a thread cannot be cancelled: it is left to itself.
        ended, _ = await asyncio.wait(self._tasks, timeout=FAREWELL_SECONDS)
        await asyncio.gather(*ended, return_exceptions=True)
        return LinkEnding(how="closed")

    def _begin(self) -> None:
        import anyio  # noqa: PLC0415  who has such a server has this

        endless = float("inf")
        self._to_server, server_reads = anyio.create_memory_object_stream[Any](endless)
        server_writes, from_server = anyio.create_memory_object_stream[Any](endless)
        self._tasks = [
            asyncio.ensure_future(self._serve(server_reads, server_writes)),
            asyncio.ensure_future(self._hear(from_server)),
        ]

    async def _serve(self, reads: Any, writes: Any) -> None:
        why = ""
        try:
            async with AsyncExitStack() as stack:
                lifespan = getattr(self._server, "_lifespan_manager", None)
                if lifespan is not None:
                    await stack.enter_async_context(lifespan())
                await self._inner.run(reads, writes, self._inner.create_initialization_options())
        except Exception as fault:  # noqa: BLE001  whatever a server raises is its own end
            why = f"the server raised {type(fault).__name__}: {fault}"
        finally:
            reads.close()
            writes.close()
        if not self._closing:
            self._listener.ended(LinkEnding(how="died", why=why))

    async def _hear(self, stream: Any) -> None:
        async with stream:
            async for said in stream:
                text = said.message.model_dump_json(by_alias=True, exclude_unset=True)
                self._emit("s2c", text=text.encode())
        self._emit("s2c", end=True)

    def _emit(self, direction: Direction, *, text: bytes | None = None, end: bool = False) -> None:
        self._listener.hear(
            Entry(
                direction=direction,
                at=time(),
                conn=CONN,
                transport="stdio",
                text=text,
                end=end,
                exact=True,
            )
        )


def inner_server(server: Any) -> Any:
    """The server that answers requests, within one of FastMCP or the SDK; raises NotReached."""
    inner = next((getattr(server, name) for name in INNER if hasattr(server, name)), server)
    if not all(hasattr(inner, name) for name in NEEDED):
        kind = type(server).__name__
        raise NotReached(f"{kind} is not a server of the mcp package (2.x) or of FastMCP (4)")
    return inner


def _message(raw: bytes) -> Any:
    from mcp.shared.message import SessionMessage  # noqa: PLC0415  who has such a server has this
    from mcp_types import jsonrpc_message_adapter  # noqa: PLC0415

    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(raw, by_name=False))
    except ValueError as fault:
        return fault

"""A peer over HTTP that is right unless told otherwise: every byte of its responses can be set."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias

from mcp_assay.assess import Assessment, AssessOptions, NotReached
from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.target import Bounds, ConnectionOptions, Endpoint
from mcp_assay.model.report import Report
from tests.patience import LONGEST

JSON, EVENTS = "application/json", "text/event-stream"
TOOL = {
    "name": "hours",
    "description": "Opening hours.",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
}
TEXT = {"content": [{"type": "text", "text": "open from nine to five"}]}


class Asked:
    """One request, and where its response is written."""

    def __init__(
        self, verb: str, headers: dict[str, str], message: Any, writer: asyncio.StreamWriter
    ) -> None:
        self.verb, self.headers, self.message, self.writer = verb, headers, message, writer

    @property
    def method(self) -> str:
        """What is asked: the method of the message, or the verb where there is none."""
        is_message = isinstance(self.message, dict)
        return str(self.message.get("method", "")) if is_message else self.verb

    def say(self, data: bytes) -> None:
        """Write these very bytes."""
        self.writer.write(data)

    def respond(self, status: int, body: bytes = b"", /, **headers: str) -> None:
        """Write a whole response; an underscore in a name stands for a hyphen."""
        self.say(response(status, body, **headers))

    def answer(self, result: Any, **headers: str) -> None:
        """Answer with a result as JSON."""
        self.respond(200, self.result(result), Content_Type=JSON, **headers)

    def result(self, result: Any) -> bytes:
        """The message that answers the request with a result."""
        return json.dumps({"jsonrpc": "2.0", "id": self.message["id"], "result": result}).encode()

    def begin_stream(self, **headers: str) -> None:
        """Begin a stream that ends with the connection."""
        self.say(head(200, Content_Type=EVENTS, Connection="close", **headers))

    def event(self, data: bytes = b"", /, **fields: str | int) -> None:
        """Write one event."""
        lines = [f"{name}: {value}".encode() for name, value in fields.items()]
        self.say(b"\n".join([*lines, b"data: " + data]) + b"\n\n")

    async def close(self) -> None:
        """Close the connection once all is written."""
        with suppress(ConnectionError):
            await self.writer.drain()
        self.writer.close()

    def reset(self) -> None:
        """Reset the connection."""
        now = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
        self.writer.transport.abort()


Handler: TypeAlias = Callable[[Asked], Awaitable[None]]


class Peer:
    """Serves tools in 2025-11-25; handlers by method, or by verb, replace what it does."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self.handlers = handlers
        self.asked: list[Asked] = []
        self.sessions = 0

    def count(self, method: str) -> int:
        """How often this was asked."""
        return sum(one.method == method for one in self.asked)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""
        with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while not writer.is_closing():
                asked = await _read(reader, writer)
                self.asked.append(asked)
                await (self.handlers.get(asked.method) or self.usual)(asked)
                await writer.drain()
        writer.close()

    async def usual(self, asked: Asked) -> None:
        """What a correct server does."""
        if not isinstance(asked.message, dict):
            asked.respond(405 if asked.verb == "GET" else 200)
        elif "id" not in asked.message:
            asked.respond(202)
        elif asked.method == "server/discover":
            asked.respond(400)
        elif asked.method == "initialize":
            asked.answer(self.greeting(), Mcp_Session_Id=self.next_session())
        elif asked.method == "tools/list":
            asked.answer({"tools": [TOOL]})
        elif asked.method == "tools/call":
            asked.answer(TEXT)
        elif asked.method == "ping":
            asked.answer({})
        else:
            error = {"code": -32601, "message": "unknown"}
            body = {"jsonrpc": "2.0", "id": asked.message["id"], "error": error}
            asked.respond(200, json.dumps(body).encode(), Content_Type=JSON)

    def next_session(self) -> str:
        """The id of the next session."""
        self.sessions += 1
        return f"session-{self.sessions}"

    def greeting(self) -> dict[str, Any]:
        """The result of initialize."""
        info = {"name": "peer", "version": "1"}
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": info,
        }


def head(status: int, **headers: str) -> bytes:
    """A status line and headers."""
    lines = [f"HTTP/1.1 {status} Status"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def response(status: int, body: bytes = b"", /, **headers: str) -> bytes:
    """A whole response."""
    return head(status, Content_Length=str(len(body)), **headers) + body


def chunked(*pieces: bytes) -> bytes:
    """A body in chunks, with its end."""
    return b"".join(b"%x\r\n%s\r\n" % (len(it), it) for it in (*pieces, b""))


def packed(text: bytes) -> bytes:
    """A text as gzip."""
    return gzip.compress(text)


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Asked:
    text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = text.strip().split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    try:
        message = json.loads(body) if body else None
    except ValueError:
        message = {}
    return Asked(first.split()[0], headers, message, writer)


@asynccontextmanager
async def serving(**handlers: Handler) -> AsyncIterator[tuple[str, Peer]]:
    """A peer that listens, and its address; two underscores in a name stand for a slash."""
    peer = Peer({name.replace("__", "/"): it for name, it in handlers.items()})
    server = await asyncio.start_server(peer.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp", peer
    finally:
        server.close()


@asynccontextmanager
async def connected(
    seconds: float = 30.0, /, **handlers: Handler
) -> AsyncIterator[tuple[Connection, Peer]]:
    """A session with such a peer; a call may take so many seconds."""
    async with serving(**handlers) as (url, peer):
        options = ConnectionOptions(revision="2025-11-25", bounds=Bounds(call_seconds=seconds))
        async with await connect(Endpoint(url=url), options) as connection:
            yield connection, peer


async def assessed(
    url: str, headers: Mapping[str, str] | None = None, /, **options: Any
) -> tuple[Report, NotReached | None]:
    """The report on a peer, and why there was no session, if there was none."""
    given = {"timeout": 30.0, "max_calls": 6, **options}
    run = Assessment(Endpoint(url=url, headers=headers or {}), AssessOptions(**given))
    refusal = None
    try:
        await run.run()
    except NotReached as reason:
        refusal = reason
    return run.report(), refusal


def run(main: Any) -> Any:
    """Run a test, at most as long as any may take."""
    return asyncio.run(asyncio.wait_for(main, LONGEST))

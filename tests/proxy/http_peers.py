"""Both ends of an HTTP exchange, byte by byte, and a proxy between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import TypeAlias

import aiohttp
from msgspec import Struct
from yarl import URL

from mcp_assay.client.frames import Frame, MessageGate
from mcp_assay.proxy.http_listener import Address
from mcp_assay.proxy.http_proxy import Route, Served, gateway
from tests.patience import LONGEST

LOOPBACK = Address("127.0.0.1", 0)
HOP_BY_HOP = ("connection", "transfer-encoding", "host")

Script: TypeAlias = Callable[["Asked", asyncio.StreamWriter], Awaitable[None]]


class Asked(Struct):
    """A request as a server got it."""

    line: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    reader: asyncio.StreamReader

    @property
    def end_to_end(self) -> list[tuple[bytes, bytes]]:
        return [field for field in self.headers if field[0].decode().lower() not in HOP_BY_HOP]


class Got(Struct):
    """A response as a client got it."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    is_whole: bool = True


class Server:
    """A server that does to each request what its script says, and remembers it."""

    def __init__(self, script: Script) -> None:
        self.asked: list[Asked] = []
        self._script = script

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await read_request(reader)
        self.asked.append(asked)
        await self._script(asked, writer)
        writer.close()


class Listened:
    """A tap that keeps what it gets."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def put(self, frame: Frame) -> None:
        self.frames.append(frame)

    def body(self, direction: str) -> bytes:
        pieces = (frame for frame in self.frames if frame.direction == direction)
        return b"".join(frame.payload for frame in pieces)


class Between(Struct):
    """A proxy that listens, and what it has heard and done."""

    url: str
    tap: Listened
    served: Served


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[tuple[str, Server]]:
    """The URL of a server that follows the script."""
    server = Server(script)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    async with listening:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/mcp", server


@asynccontextmanager
async def proxied(
    url: str, gate: MessageGate | None = None, headers: Mapping[str, str] | None = None
) -> AsyncIterator[Between]:
    """A proxy before the server."""
    tap = Listened()
    route = Route(url=url, listen=LOOPBACK, headers=headers or {})
    async with asyncio.timeout(LONGEST), gateway(route, tap, gate) as (own, served):
        yield Between(own, tap, served)


async def read_request(reader: asyncio.StreamReader) -> Asked:
    line, *fields = (await reader.readuntil(b"\r\n\r\n")).rstrip(b"\r\n").split(b"\r\n")
    headers = [(name, value.strip()) for name, _, value in (f.partition(b":") for f in fields)]
    known = {name.lower(): value for name, value in headers}
    if b"content-length" in known:
        body = await reader.readexactly(int(known[b"content-length"]))
    else:
        body = await _chunks(reader) if b"transfer-encoding" in known else b""
    return Asked(line, headers, body, reader)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body


async def ask(
    url: str,
    method: str = "POST",
    headers: Iterable[tuple[str, str]] = (),
    body: bytes | AsyncIterator[bytes] | None = None,
) -> Got:
    """One exchange, of which nothing is decoded or followed."""
    async with (
        _client() as client,
        client.request(
            method, URL(url, encoded=True), headers=list(headers), data=body, allow_redirects=False
        ) as answer,
    ):
        text, is_whole = await _all_of(answer)
        fields = [
            field for field in answer.raw_headers if field[0].decode().lower() != "connection"
        ]
        return Got(answer.status, fields, text, is_whole)


async def _all_of(answer: aiohttp.ClientResponse) -> tuple[bytes, bool]:
    body = bytearray()
    try:
        async for piece in answer.content.iter_any():
            body += piece
    except aiohttp.ClientPayloadError:
        return bytes(body), False
    return bytes(body), True


def _client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
        timeout=aiohttp.ClientTimeout(total=LONGEST),
    )


async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
    """A body that comes in pieces."""
    for part in parts:
        yield part


def answering(response: bytes) -> Script:
    """A server that always says the same."""

    async def script(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(response)
        await writer.drain()

    return script


def response(body: bytes, *fields: bytes, status: bytes = b"200 OK") -> bytes:
    """A whole response, of which the length is reported."""
    length = b"Content-Length: %d" % len(body)
    return b"\r\n".join((b"HTTP/1.1 " + status, *fields, length, b"", body))


def chunked(*chunks: bytes, fields: tuple[bytes, ...] = ()) -> bytes:
    """A whole response in chunks."""
    head = b"\r\n".join((b"HTTP/1.1 200 OK", *fields, b"Transfer-Encoding: chunked", b"", b""))
    return head + b"".join(b"%x\r\n%s\r\n" % (len(one), one) for one in chunks) + b"0\r\n\r\n"


async def connect(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection on which nothing has been said yet."""
    return await asyncio.open_connection("127.0.0.1", URL(url).port)


def request(url: str, line: bytes, *fields: bytes) -> bytes:
    """The head of a request to the host of the URL."""
    host = b"Host: " + url.split("/")[2].encode()
    return b"\r\n".join((line, host, *fields, b"", b""))

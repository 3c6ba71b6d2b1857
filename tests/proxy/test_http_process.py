"""A proxy of its own: very large bodies in constant memory, and an end when it is asked to."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import Struct

from tests.patience import LONGEST
from tests.proxy.http_peers import (
    Asked,
    ask,
    connect,
    pieces,
    request,
    response,
    serving,
)

PROCESS = Path(__file__).with_name("http_process.py")
MEGABYTE = 1 << 20
LARGE = 100
PIECE = bytes(range(256)) * (MEGABYTE // 256)


class Running(Struct):
    """A proxy process: where it listens, what it needed to begin with."""

    url: str
    megabytes: float
    process: asyncio.subprocess.Process

    async def end(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """How many exchanges there were, and the most memory that was needed."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        exchanges, megabytes = (await self.process.stdout.readline()).split()
        assert await self.process.wait() == 0
        return int(exchanges), float(megabytes)


@asynccontextmanager
async def running(url: str) -> AsyncIterator[Running]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(PROCESS), url, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(LONGEST):
            own, megabytes = (await process.stdout.readline()).decode().split()
            yield Running(own, float(megabytes), process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Counting:
    """Reads a body without keeping it, and says how long it was."""

    def __init__(self) -> None:
        self.size = 0
        self.is_same = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for _ in range(LARGE):
            piece = await reader.readexactly(MEGABYTE)
            self.is_same &= piece == PIECE
            self.size += len(piece)
        writer.write(response(b""))
        await writer.drain()
        writer.close()


async def large(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """A server whose answer is very long, and one event if it is a stream."""
    kind = b"text/event-stream" if b"stream" in asked.line else b"application/json"
    size = b"Content-Length: %d" % (LARGE * MEGABYTE)
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n\r\n" % (kind, size))
    for _ in range(LARGE):
        writer.write(PIECE)
        await writer.drain()


def test_a_very_large_request_needs_no_memory() -> None:
    async def run() -> tuple[Counting, float]:
        counting = Counting()
        server = await asyncio.start_server(counting.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, running(f"http://127.0.0.1:{port}/mcp") as proxy:
            fields = [("Content-Length", str(LARGE * MEGABYTE))]
            got = await ask(proxy.url, headers=fields, body=pieces(*[PIECE] * LARGE))
            assert got.status == 200
            return counting, (await proxy.end())[1] - proxy.megabytes

    counting, megabytes = asyncio.run(run())
    assert (counting.size, counting.is_same) == (LARGE * MEGABYTE, True)
    assert megabytes < 20


@pytest.mark.parametrize("path", ["document", "stream"])
def test_a_very_large_response_needs_no_memory(path: str) -> None:
    async def run() -> tuple[bool, float]:
        async with serving(large) as (url, _), running(f"{url}/{path}") as proxy:
            got = await ask(proxy.url, "GET")
            return got.body == PIECE * LARGE, (await proxy.end())[1] - proxy.megabytes

    is_same, megabytes = asyncio.run(run())
    assert is_same
    assert megabytes < 20


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_proxy_though_a_stream_is_open(number: int) -> None:
    async def open_stream(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        await writer.drain()
        await asked.reader.read()

    async def run() -> tuple[int, float]:
        async with serving(open_stream) as (url, _), running(url) as proxy:
            reader, writer = await connect(proxy.url)
            writer.write(request(proxy.url, b"GET /mcp HTTP/1.1"))
            await reader.readuntil(b"data: 1\n\n")
            ending = await proxy.end(number)
            assert not (await reader.read()).endswith(b"0\r\n\r\n")
            writer.close()
            return ending

    assert asyncio.run(run())[0] == 1

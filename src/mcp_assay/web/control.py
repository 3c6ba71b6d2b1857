"""A private socket by which the same user asks the pages that are served for another link."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final

from mcp_assay.client.private_folder import private_folder

PRIVATE: Final = 0o600
SECONDS: Final = 5.0
"""In which pages that are served must answer."""
WISH: Final = b"link\n"
"""What is said to the socket; without it nothing is given."""
LONGEST_LINK: Final = 2_000
_NAME: Final = re.compile(r"ui-(?P<port>[0-9]{1,5})\.sock", re.ASCII)


@asynccontextmanager
async def giving_links(
    port: int, link: Callable[[], str], tell: Callable[[str], None]
) -> AsyncIterator[None]:
    """Give a new link to whoever asks for one at the socket of this port, while inside.

    Pages are served without a socket, too, where none can be made: that is told.
    """
    async with AsyncExitStack() as socket:
        try:
            await socket.enter_async_context(_socket(port, link))
        except OSError as fault:
            tell(f"mcp-assay ui --link will not work: {fault.strerror or fault}")
        yield


@asynccontextmanager
async def _socket(port: int, link: Callable[[], str]) -> AsyncIterator[None]:
    path, talks = _path(port), set[asyncio.Task[None]]()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.create_task(_give(link, reader, writer))
        talks.add(talk)
        talk.add_done_callback(talks.discard)
        talk.add_done_callback(lambda _: writer.close())  # also of one that was ended unbegun

    with suppress(FileNotFoundError):
        os.unlink(path)  # of somebody who had this port before and did not live to remove it
    server = await asyncio.start_unix_server(begin, path)
    try:
        os.chmod(path, PRIVATE)
        yield
    finally:
        server.close()
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
        with suppress(FileNotFoundError):
            os.unlink(path)


async def _give(
    link: Callable[[], str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Give a link to whoever says that this is what is wanted."""
    try:
        async with asyncio.timeout(SECONDS):
            if await reader.readline() == WISH:
                writer.write(f"{link()}\n".encode())
                await writer.drain()
    except (OSError, ValueError):
        pass  # who asked has gone, or says something without an end


def _path(port: int) -> str:
    return os.path.join(private_folder(), f"ui-{port}.sock")


def served_ports() -> list[int]:
    """The ports at which this user serves pages now."""
    found = (_NAME.fullmatch(name) for name in os.listdir(private_folder()))
    ports = sorted(int(match["port"]) for match in found if match)
    return [port for port in ports if _is_served(port)]


def another_link(port: int) -> str | None:
    """A new link to the pages at a port; None where nobody serves them there."""
    connection = _connected(port)
    if connection is None:
        return None
    with connection, connection.makefile("rb") as answer:
        connection.sendall(WISH)
        return answer.readline(LONGEST_LINK).decode().strip() or None


def _is_served(port: int) -> bool:
    connection = _connected(port)
    if connection is None:
        return False
    connection.close()
    return True


def _connected(port: int) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(SECONDS)
    try:
        connection.connect(_path(port))
    except OSError:
        connection.close()
        return None
    return connection

"""The HTTP client of the proxy and of links: it adds nothing to what it is given to send.

Header fields come as bytes: `passed_on` are those that go on, `seen` is what an inspector sees.
"""

from __future__ import annotations

import socket
from collections.abc import Collection, Iterable
from typing import Final, TypeAlias

import aiohttp
from aiohttp.abc import ResolveResult
from multidict import CIMultiDict
from yarl import URL

from mcp_assay.client.public_addresses import NotPublic, is_public

LONGEST_HEADER: Final = 1 << 16
CONNECT_SECONDS: Final = 30.0
IDLE_SECONDS: Final = 4.0
"""Idle connections are closed before the common servers, after 5 seconds, close them."""

HOP_BY_HOP: Final = frozenset(
    (
        "connection",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
"""Fields about one connection, in small letters; `Connection` itself may name more of them."""

OF_THE_REQUEST: Final = frozenset(("expect", "host"))
"""Fields of a request that this proxy answers itself, or that name this proxy."""

RawHeaders: TypeAlias = Iterable[tuple[bytes, bytes]]


class NotPassable(Exception):
    """Header fields that cannot be passed on unchanged; its text says why."""


class PublicResolver(aiohttp.ThreadedResolver):
    """Finds hosts on the public internet only: where a name leads is known when it is called."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """All addresses of a host; raises NotPublic where one of them is not public."""
        found = await super().resolve(host, port, family)
        for one in found:
            if not is_public(one["host"]):
                raise NotPublic(f"{host} has the address {one['host']}, which is not public")
        return found


def plain_client(*, is_public_only: bool = False) -> aiohttp.ClientSession:
    """A client that adds nothing, follows nothing, keeps nothing and never loses patience."""
    resolver = PublicResolver() if is_public_only else None
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_SECONDS, resolver=resolver),
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
        auto_decompress=False,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
        max_line_size=LONGEST_HEADER,
        max_field_size=LONGEST_HEADER,
    )


def server_url(text: str) -> URL:
    """The URL of the server; raises ValueError where none can be made of it."""
    url = URL(text, encoded=True)
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"{text!r} is not an http or https URL")
    if url.user or url.password:
        raise ValueError("the URL holds a user name or password; give it as --header instead")
    return url


def passed_on(raw: RawHeaders, without: Collection[str] = ()) -> CIMultiDict[str]:
    """The fields to pass on, in their order, spelt as the sender spelt them first."""
    fields = list(map(_decoded, raw))
    left_out = {*HOP_BY_HOP, *without, *_named_by_connection(fields)}
    spelling: dict[str, str] = {}
    return CIMultiDict(
        (spelling.setdefault(name.lower(), name), value)
        for name, value in fields
        if name.lower() not in left_out
    )


def seen(raw: RawHeaders) -> dict[str, str]:
    """All fields for the eyes of the validator; the values of a repeated one stand in one line."""
    joined: CIMultiDict[str] = CIMultiDict()
    for name, value in ((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw):
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return dict(joined)


def _decoded(field: tuple[bytes, bytes]) -> tuple[str, str]:
    name, value = field
    try:
        return name.decode(), value.decode()
    except UnicodeDecodeError:
        raise NotPassable(f"the header {name.decode('ascii', 'replace')} is not UTF-8") from None


def _named_by_connection(fields: Iterable[tuple[str, str]]) -> set[str]:
    lists = (value for name, value in fields if name.lower() == "connection")
    return {name.strip().lower() for value in lists for name in value.split(",")}

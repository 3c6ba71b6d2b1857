"""The HTTP client of the proxy and of links: it adds nothing to what it is told to send."""

from __future__ import annotations

import os
from typing import Final

import aiohttp
from yarl import URL

LONGEST_HEADER: Final = 1 << 16
CONNECT_SECONDS: Final = 30.0
IDLE_SECONDS: Final = 4.0
"""Idle connections are closed before the common servers, after 5 seconds, close them."""


def plain_client() -> aiohttp.ClientSession:
    """A client that adds nothing, follows nothing, keeps nothing and never loses patience."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE_SECONDS),
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


def why_unreached(problem: Exception) -> str:
    """Why there is no answer in a few words, without the library's own."""
    cause = problem.os_error if isinstance(problem, aiohttp.ClientConnectorError) else problem
    if isinstance(cause, OSError) and cause.errno is not None and cause.errno > 0:
        return os.strerror(cause.errno)
    return str(cause) or type(cause).__name__

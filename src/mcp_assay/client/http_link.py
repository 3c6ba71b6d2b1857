"""A server behind a URL: every message is a POST, answers are bodies or streams of events."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import count
from time import time
from typing import Any, Final
from urllib.parse import urljoin

import aiohttp
from yarl import URL

from mcp_assay.client.http_client import plain_client, seen, server_url, why_unreached
from mcp_assay.client.http_frames import FIRST_FAILURE, JSON
from mcp_assay.client.http_responses import CONN, HttpAnswer
from mcp_assay.client.http_sessions import EVENT_STREAM, SESSION_HEADER, Recent, header
from mcp_assay.client.links import NO_HEADERS, LinkEnding, LinkListener, NotReached
from mcp_assay.model.entry import Entry, Transport

GONE: Final = 404
"""How a server says that a session is over."""
MOST_OFFERED: Final = 100
"""Exchanges whose session ids are remembered, the latest ones."""
FAREWELL_SECONDS: Final = 2.0
OPENING_SECONDS: Final = 2.0
"""How long we wait for a stream to begin before we go on without it."""
POSTED: Final[Mapping[str, str]] = {
    "Content-Type": JSON,
    "Accept": f"{JSON}, {EVENT_STREAM}",
    "Accept-Encoding": "identity",
}
LISTENING: Final[Mapping[str, str]] = {"Accept": EVENT_STREAM, "Accept-Encoding": "identity"}
ENDING: Final[Mapping[str, str]] = {"Accept-Encoding": "identity"}


class HttpLink:
    """A session over Streamable HTTP."""

    is_http: Final = True
    transport: Transport = "http"

    def __init__(self, url: URL, headers: Mapping[str, str], listener: LinkListener) -> None:
        self._url = url
        self._headers: Final = headers
        self._listener: Final = listener
        self._client: Final = plain_client()
        self._numbers: Final = count(1)
        self._exchanges: Final[dict[int, asyncio.Task[None]]] = {}
        self._session: str | None = None
        self._offered: Final = Recent[str](MOST_OFFERED)
        self._revision: Mapping[str, str] = {}
        self._closing = False
        self._listening: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Nothing to open: the first message is a request as any other."""

    def send(self, raw: bytes, headers: Mapping[str, str] = NO_HEADERS) -> int:
        """Send one message in an exchange of its own."""
        return self._begin("POST", {**POSTED, **headers}, raw)

    @property
    def session(self) -> str | None:
        """The session id that the server gave us."""
        return self._session

    def request(
        self,
        method: str,
        headers: Mapping[str, str],
        body: bytes | None = None,
        path: str | None = None,
    ) -> int:
        """Begin an exchange with exactly these headers, and those of the user beside them."""
        url = self._url if path is None else _at(self._url, path)
        return self._begin(method, headers, body, exact_url=url)

    def take_in(self) -> None:
        """Nothing to take: answers are read within the loop."""

    async def listen(self, headers: Mapping[str, str]) -> None:
        """Open the stream for what the server says by itself; it may not have one."""
        self._revision = headers
        number = self._begin("GET", {**LISTENING, **headers}, None)
        both: list[asyncio.Future[Any]] = [self._exchanges[number], self._listening]
        await asyncio.wait(both, timeout=OPENING_SECONDS, return_when=asyncio.FIRST_COMPLETED)

    def adopt(self, exchange: int | None) -> None:
        """Stay in the session that an answer gave us; others than the first one mean nothing."""
        self._session = self._offered.get(exchange or 0)

    async def settle(self, exchange: int | None, seconds: float) -> None:
        """Wait until an exchange is over, at most so long."""
        if task := self._exchanges.get(exchange or 0):
            await asyncio.wait([task], timeout=seconds)

    def drop(self, exchange: int | None) -> None:
        """Close an exchange; the server sees its client go away."""
        if task := self._exchanges.get(exchange or 0):
            task.cancel()

    def stderr_mark(self) -> int:
        """Nothing is seen of a server's standard error over HTTP."""
        return 0

    def stderr_since(self, mark: int) -> str:
        """Nothing is seen of a server's standard error over HTTP."""
        del mark
        return ""

    async def close(self) -> LinkEnding:
        """Close all exchanges, and end the session where there is one."""
        self._closing = True
        try:
            await self._cancel_all()
            if self._session is not None:
                number = self._begin("DELETE", {**ENDING, **self._revision}, None)
                await self.settle(number, FAREWELL_SECONDS)
        finally:  # who is in a hurry cancels this
            await self._cancel_all()
            await self._client.close()
        return LinkEnding(how="closed")

    async def _cancel_all(self) -> None:
        tasks = list(self._exchanges.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(
        self,
        method: str,
        headers: Mapping[str, str],
        body: bytes | None,
        *,
        exact_url: URL | None = None,
    ) -> int:
        number, url = next(self._numbers), exact_url or self._url
        if exact_url is None:
            sent = {**headers, **self._headers}
            if self._session is not None:
                sent[SESSION_HEADER] = self._session
        else:
            sent = _beside(headers, self._headers)
        self._emit_request(number, method, url, sent, body)
        task = asyncio.ensure_future(self._exchange(number, method, url, sent, body))
        self._exchanges[number] = task
        task.add_done_callback(lambda _: self._exchanges.pop(number, None))
        return number

    async def _exchange(
        self, number: int, method: str, url: URL, headers: Mapping[str, str], body: bytes | None
    ) -> None:
        why = ""
        try:
            why = await self._request(number, method, url, headers, body)
        except (aiohttp.ClientError, OSError, ValueError) as problem:
            why = f"no response from {self._url.origin()}: {why_unreached(problem)}"
            if isinstance(problem, aiohttp.ClientConnectorError) and not self._closing:
                self._listener.ended(LinkEnding(how="unreachable", why=why))
        self._over(number, method, why)

    def _over(self, number: int, method: str, why: str) -> None:
        if method == "POST":
            self._listener.over(number, why)

    async def _request(
        self, number: int, method: str, url: URL, headers: Mapping[str, str], body: bytes | None
    ) -> str:
        """One exchange from its beginning to its end; give what was wrong with it."""
        async with self._client.request(
            method, url, headers=headers, data=body, allow_redirects=False
        ) as response:
            fields = seen(response.raw_headers)
            answer = HttpAnswer(number, self.transport, response.status, fields)
            if offered := header(fields, SESSION_HEADER):
                self._offered.put(number, offered)
            await self._read(answer, response)
        if response.status == GONE and method == "POST" and self._was_ours(headers):
            self._session = None  # there is nothing left to end
            self._listener.ended(LinkEnding(how="died", why="the server ended the session"))
        return _trouble(response.status)

    def _was_ours(self, headers: Mapping[str, str]) -> bool:
        """Whether a request was made in our session, and we had not left it."""
        given = header(headers, SESSION_HEADER)
        return not self._closing and given is not None and given == self._session

    async def _read(self, answer: HttpAnswer, response: aiohttp.ClientResponse) -> None:
        """Read a response as far as it is of use; each piece is taken before the next is read."""
        is_whole = False
        try:
            self._emit(*answer.begin())
            if answer.is_stream and response.method == "GET" and not self._listening.done():
                self._listening.set_result(None)
            async for piece in response.content.iter_any():
                self._emit(*answer.feed(piece))
                self._note(answer)
                if answer.is_lost:
                    response.close()
                    return
            is_whole = True
        finally:
            self._emit(answer.end(is_whole=is_whole))

    def _note(self, answer: HttpAnswer) -> None:
        """Take note of what an answer says about the transport itself."""

    def _emit(self, *entries: Entry) -> None:
        for entry in entries:
            self._listener.hear(entry)

    def _emit_request(
        self, number: int, method: str, url: URL, headers: Mapping[str, str], body: bytes | None
    ) -> None:
        http = {"method": method, "path": url.raw_path_qs, "request_headers": dict(headers)}
        self._emit(
            Entry(
                direction="c2s",
                at=time(),
                conn=CONN,
                transport=self.transport,
                exchange=number,
                http=http,
                text=body,
                exact=True,
            )
        )


class OldHttpLink(HttpLink):
    """A session over the transport of 2024-11-05: one stream in, a POST for each message."""

    transport: Transport = "sse"

    def __init__(self, url: URL, headers: Mapping[str, str], listener: LinkListener) -> None:
        super().__init__(url, headers, listener)
        self._stream_url: Final = url
        self._given: Final[asyncio.Future[str]] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Open the stream and wait for it to say where messages go."""
        both: list[asyncio.Future[Any]] = [
            self._exchanges[self._begin("GET", LISTENING, None)],
            self._given,
        ]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not self._given.done():
            raise NotReached(f"{self._url.origin()} does not support MCP at {self._url.path}")
        endpoint = URL(urljoin(str(self._stream_url), self._given.result()))
        if endpoint.origin() != self._stream_url.origin():
            raise NotReached("the server redirects messages to another host, which is not allowed")
        self._url = endpoint

    async def listen(self, headers: Mapping[str, str]) -> None:
        """Nothing to do: the stream is open."""

    def _note(self, answer: HttpAnswer) -> None:
        if answer.endpoint is not None and not self._given.done():
            self._given.set_result(answer.endpoint)

    def _over(self, number: int, method: str, why: str) -> None:
        """The answer comes over the stream: only a POST that failed is over."""
        if why and method == "POST":
            self._listener.over(number, why)
        elif method == "GET" and not self._closing:
            self._listener.ended(LinkEnding(how="died", why=why or "the server closed its stream"))


async def open_link(
    url: str, headers: Mapping[str, str], listener: LinkListener, *, is_old: bool
) -> HttpLink:
    """A link to the server behind a URL; raises NotReached, ValueError for no URL at all."""
    kind = OldHttpLink if is_old else HttpLink
    link = kind(server_url(url), headers, listener)
    try:
        await link.open()
    except BaseException:
        await link.close()
        raise
    return link


def _at(url: URL, path: str) -> URL:
    """Another path, and query, of the same server."""
    place, _, query = path.partition("?")
    there = url.origin().with_path(place, encoded=True)
    return URL(f"{there}?{query}", encoded=True) if query else there


def _beside(headers: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """The headers, and those of the others that are not among them."""
    named = {name.lower() for name in headers}
    return {**headers, **{name: it for name, it in others.items() if name.lower() not in named}}


def _trouble(status: int) -> str:
    if status < 300:
        return ""
    if status < FIRST_FAILURE:
        return f"HTTP status {status} redirects elsewhere; redirects are not followed"
    return f"HTTP status {status}"

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

from mcp_assay.client.http_client import LONGEST_HEADER, plain_client, seen, server_url
from mcp_assay.client.http_exchange import (
    MOST_RESUMED,
    NOT_RESUMABLE,
    BodyReader,
    ExchangeOutcome,
    HttpRequest,
    ResumePoint,
)
from mcp_assay.client.http_failures import end_of, is_unreachable, why_unreached
from mcp_assay.client.http_frames import JSON
from mcp_assay.client.http_responses import CONN, FIRST_REDIRECT, HttpAnswer, unread_response
from mcp_assay.client.http_sessions import (
    EVENT_STREAM,
    REVISION_HEADER,
    SESSION_HEADER,
    Recent,
    header,
)
from mcp_assay.client.links import NO_HEADERS, LinkEnding, LinkListener, NotReached
from mcp_assay.model.ending import OURS, ExchangeEnd
from mcp_assay.model.entry import Entry, Transport
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.endings import what_it_did

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
ELSEWHERE: Final = "the server redirects messages to another host, which is not allowed"
SESSION_OVER: Final = "the server ended the session"
NOT_RESUMED: Final = "its stream ended, and could not be resumed"
LONG_HEAD: Final = "responses with longer headers were not read"
LONG_STREAM: Final = "longer streams were not read to their end"


class HttpLink:
    """A session over Streamable HTTP."""

    is_http: Final = True
    transport: Transport = "http"

    def __init__(
        self,
        url: URL,
        headers: Mapping[str, str],
        listener: LinkListener,
        *,
        is_public: bool = False,
    ) -> None:
        self._url = url
        self._headers: Final = headers
        self._listener: Final = listener
        self._client: Final = plain_client(is_public_only=is_public)
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

    async def settle(self, exchange: int | None, seconds: float) -> bool:
        """Wait until an exchange is over, at most so long; say whether it is."""
        if task := self._exchanges.get(exchange or 0):
            await asyncio.wait([task], timeout=seconds)
            return task.done()
        return True

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
        awaited = number if method == "POST" else None
        request = HttpRequest(
            key=number, method=method, url=url, headers=sent, body=body, awaited_in=awaited
        )
        self._emit_request(request)
        task = asyncio.ensure_future(self._exchange(number, request))
        self._exchanges[number] = task
        task.add_done_callback(lambda done: self._finish(number, done))
        return number

    def _finish(self, number: int, task: asyncio.Task[None]) -> None:
        """Forget an exchange that is over; a fault of ours must not leave anybody waiting."""
        self._exchanges.pop(number, None)
        if not task.cancelled() and isinstance(fault := task.exception(), Exception):
            self._listener.over(number, end_of(fault))

    async def _exchange(self, number: int, request: HttpRequest) -> None:
        """One exchange, and those that resume its stream, from the beginning to the end."""
        outcome = await self._make(request)
        if outcome.answer is not None and outcome.answer.is_stream:
            outcome = await self._resumed(number, request, outcome)
        self._over(number, request.method, outcome)

    def _over(self, number: int, method: str, outcome: ExchangeOutcome) -> None:
        del method
        self._listener.over(number, outcome.end)

    async def _make(self, request: HttpRequest) -> ExchangeOutcome:
        """Make one request, and read what comes back."""
        try:
            return await self._request(request)
        except Exception as problem:  # noqa: BLE001  nobody awaits this task: nothing may escape
            end = end_of(problem)
            if end.kind == "over_limit":
                self._listener.cut("header-bytes", LONGEST_HEADER, LONG_HEAD)
                self._emit(unread_response(request.key, self.transport))
            if is_unreachable(problem) and not self._closing:
                why = f"no response from {self._url.origin()}: {why_unreached(problem)}"
                self._listener.ended(LinkEnding(how="unreachable", why=why))
            return ExchangeOutcome(end)

    async def _request(self, request: HttpRequest) -> ExchangeOutcome:
        async with self._client.request(
            request.method,
            request.url,
            headers=request.headers,
            data=request.body,
            allow_redirects=False,
        ) as response:
            fields = seen(response.raw_headers)
            answer = HttpAnswer(request.key, self.transport, response.status, fields)
            if offered := header(fields, SESSION_HEADER):
                self._offered.put(request.key, offered)
            try:
                await self._read(request, answer, response)
            except aiohttp.ClientError as problem:  # what came before it is of use all the same
                return ExchangeOutcome(end_of(problem), answer)
        if response.status == GONE and request.method == "POST" and self._was_ours(request):
            self._session = None  # there is nothing left to end
            self._listener.ended(LinkEnding(how="session_lost", why=SESSION_OVER))
        return ExchangeOutcome(answer.ending(), answer)

    def _was_ours(self, request: HttpRequest) -> bool:
        """Whether a request was made in our session, and we had not left it."""
        given = header(request.headers, SESSION_HEADER)
        return not self._closing and given is not None and given == self._session

    async def _read(
        self, request: HttpRequest, answer: HttpAnswer, response: aiohttp.ClientResponse
    ) -> None:
        """Read a response as far as it is of use; each piece is taken before the next is read."""
        reader = BodyReader(response, answer, lambda: self._is_needed(request))
        try:
            self._emit(*answer.begin())
            if answer.is_stream and request.method == "GET" and not self._listening.done():
                self._listening.set_result(None)
            async for piece in reader.pieces():
                self._emit(*answer.feed(piece))
                self._note(answer)
        except aiohttp.ClientError:
            reader.ended_by = "server"
            raise
        finally:
            if reader.limit is not None:
                answer.is_cut = True
                self._listener.cut("stream-bytes", reader.limit, LONG_STREAM)
            self._emit(answer.end(is_whole=reader.is_whole, ended_by=reader.ended_by))

    def _is_needed(self, request: HttpRequest) -> bool:
        """Whether anybody waits for what a stream carries."""
        return request.awaited_in is None or self._listener.waits(request.awaited_in)

    async def _resumed(
        self, number: int, request: HttpRequest, outcome: ExchangeOutcome
    ) -> ExchangeOutcome:
        """Resume a stream that ended too early, as often as it takes; give the last outcome.

        A server may close a stream after an event with an id and let its client come back for the
        rest. Whoever gives up waiting ends this task.
        """
        point = ResumePoint()
        point.take(outcome)
        for attempt in range(1, MOST_RESUMED + 1):
            if outcome.end.kind in OURS or not point.is_known or not self._may_resume(request):
                break
            await asyncio.sleep(point.pause)
            again = self._resuming(request, point.last or "", f"{number}-{attempt}")
            self._emit_request(again)
            outcome = await self._make(again)
            point.take(outcome)
            if outcome.status in NOT_RESUMABLE:
                why = f"{NOT_RESUMED} (HTTP status {outcome.status})"
                return ExchangeOutcome(ExchangeEnd("closed", why))
        return outcome

    def _may_resume(self, request: HttpRequest) -> bool:
        """Whether the rest of a stream is wanted, and may be asked for."""
        revision = header(request.headers, REVISION_HEADER) or ""
        if self._closing or revision >= R2026_07_28:
            return False
        return self._is_needed(request)

    def _resuming(self, request: HttpRequest, last: str, key: str) -> HttpRequest:
        """The GET that asks for what comes after an event."""
        known = {name: it for name, it in request.headers.items() if name != "Content-Type"}
        headers = {**known, **LISTENING, "Last-Event-ID": last}
        if session := self._session or self._offered.get(request.key):
            headers[SESSION_HEADER] = session
        return HttpRequest(
            key=key,
            method="GET",
            url=request.url,
            headers=headers,
            awaited_in=request.awaited_in,
        )

    def _note(self, answer: HttpAnswer) -> None:
        """Take note of what an answer says about the transport itself."""

    def _emit(self, *entries: Entry) -> None:
        for entry in entries:
            self._listener.hear(entry)

    def _emit_request(self, request: HttpRequest) -> None:
        http = {
            "method": request.method,
            "path": request.url.raw_path_qs,
            "request_headers": dict(request.headers),
        }
        self._emit(
            Entry(
                direction="c2s",
                at=time(),
                conn=CONN,
                transport=self.transport,
                exchange=request.key,
                http=http,
                text=request.body,
                exact=True,
            )
        )


class OldHttpLink(HttpLink):
    """A session over the transport of 2024-11-05: one stream in, a POST for each message."""

    transport: Transport = "sse"

    def __init__(
        self,
        url: URL,
        headers: Mapping[str, str],
        listener: LinkListener,
        *,
        is_public: bool = False,
    ) -> None:
        super().__init__(url, headers, listener, is_public=is_public)
        self._stream_url: Final = url
        self._why = ""
        """Why there is no stream any more."""
        self._given: Final[asyncio.Future[str]] = asyncio.get_running_loop().create_future()

    async def open(self) -> None:
        """Open the stream and wait for it to say where messages go."""
        both: list[asyncio.Future[Any]] = [
            self._exchanges[self._begin("GET", LISTENING, None)],
            self._given,
        ]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not self._given.done():
            words = f"{self._url.origin()} does not support MCP at {self._url.path}: {self._why}"
            raise NotReached(words, kind="refused")
        endpoint = _endpoint(self._stream_url, self._given.result())
        if endpoint is None or endpoint.origin() != self._stream_url.origin():
            raise NotReached(ELSEWHERE, kind="refused")
        self._url = endpoint

    async def listen(self, headers: Mapping[str, str]) -> None:
        """Nothing to do: the stream is open."""

    def _note(self, answer: HttpAnswer) -> None:
        if answer.endpoint is not None and not self._given.done():
            self._given.set_result(answer.endpoint)

    def _over(self, number: int, method: str, outcome: ExchangeOutcome) -> None:
        """The answer comes over the stream: only a POST that failed is over."""
        is_accepted = outcome.status is not None and outcome.status < FIRST_REDIRECT
        if method == "POST" and not is_accepted:
            self._listener.over(number, outcome.end)
        elif method == "GET" and not self._closing:
            did = what_it_did(outcome.end.kind, outcome.status, outcome.end.detail)
            self._why = f"the server {did}"
            self._listener.ended(LinkEnding(how="died", why=self._why))

    def _may_resume(self, request: HttpRequest) -> bool:
        """This transport has one stream, and no ids of events."""
        return False


async def open_link(
    url: str,
    headers: Mapping[str, str],
    listener: LinkListener,
    *,
    is_old: bool,
    is_public: bool = False,
) -> HttpLink:
    """A link to the server behind a URL; raises NotReached, ValueError for no URL at all."""
    kind = OldHttpLink if is_old else HttpLink
    link = kind(server_url(url), headers, listener, is_public=is_public)
    try:
        await link.open()
    except BaseException:
        await link.close()
        raise
    return link


def _endpoint(stream: URL, named: str) -> URL | None:
    """The address that a stream names for messages, None where it is no address."""
    try:
        return URL(urljoin(str(stream), named))
    except ValueError:
        return None


def _at(url: URL, path: str) -> URL:
    """Another path, and query, of the same server."""
    place, _, query = path.partition("?")
    there = url.origin().with_path(place, encoded=True)
    return URL(f"{there}?{query}", encoded=True) if query else there


def _beside(headers: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """The headers, and those of the others that are not among them."""
    named = {name.lower() for name in headers}
    return {**headers, **{name: it for name, it in others.items() if name.lower() not in named}}

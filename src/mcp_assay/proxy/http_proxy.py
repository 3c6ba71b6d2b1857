"""An HTTP server that passes every exchange on to another one, unchanged and at once.

The validator gets a copy of each piece; a gate, where there is one, holds each message first.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from itertools import count
from typing import Final

import aiohttp
from aiohttp import web
from msgspec import Struct
from multidict import CIMultiDict
from yarl import URL

from mcp_assay.client.frames import MessageGate
from mcp_assay.client.http_client import (
    LONGEST_HEADER,
    OF_THE_REQUEST,
    NotPassable,
    passed_on,
    plain_client,
    seen,
    server_url,
)
from mcp_assay.client.http_failures import why_unreached
from mcp_assay.client.http_frames import JSON
from mcp_assay.client.http_sessions import EVENT_STREAM, Request
from mcp_assay.proxy.http_copies import Copies, CopyListener
from mcp_assay.proxy.http_gate import Guard
from mcp_assay.proxy.http_held import HeldExchange
from mcp_assay.proxy.http_listener import Address, objection
from mcp_assay.proxy.http_passthrough import Body, ExchangeHandler, PassedResponse, StreamedExchange

GOODBYE_SECONDS: Final = 0.5
"""How long open exchanges may go on when the proxy is asked to end."""
ADDED_BY_LIBRARY: Final = ("Content-Type", "Date", "Server")
"""Fields that a response gets by itself: taken out again where the server did not send them."""

_QUIET: Final = logging.getLogger("mcp_assay.http_proxy")
_QUIET.addHandler(logging.NullHandler())


class Route(Struct, frozen=True, kw_only=True):
    """Between whom the proxy stands, and how."""

    url: str
    """The server's MCP endpoint."""
    listen: Address
    headers: Mapping[str, str] = {}
    """Set on every request to the server, in place of what the client sent."""
    on_network: bool = False


class Served(Struct):
    """What the proxy did."""

    exchanges: int = 0
    refused: int = 0
    """Requests that were not let in."""
    unreached: int = 0
    """Requests for which the server could not be reached."""


async def serve(
    route: Route, tap: CopyListener, gate: MessageGate | None, say: Callable[[str], None]
) -> Served:
    """Forward between clients and the server until SIGINT or SIGTERM; `say` gets the address."""
    end = _end_on_signal()
    async with gateway(route, tap, gate) as (url, served):
        say(url)
        await end.wait()
    return served


@asynccontextmanager
async def gateway(
    route: Route, tap: CopyListener, gate: MessageGate | None = None
) -> AsyncIterator[tuple[str, Served]]:
    """A proxy that listens: the URL for clients, and what it has done up to now.

    Raises ValueError where the URL cannot be used, OSError where the address cannot.
    """
    async with plain_client() as client:
        handler = _Gateway(route, client, tap, gate)
        runner = web.AppRunner(
            _application(handler),
            access_log=None,
            logger=_QUIET,
            auto_decompress=False,
            handler_cancellation=True,
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
            shutdown_timeout=GOODBYE_SECONDS,
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, *route.listen).start()
            host, handler.port, *_ = runner.addresses[0]
            yield f"http://{Address(host, handler.port)}{handler.url.raw_path_qs}", handler.served
        finally:
            await runner.cleanup()


class _Gateway:
    """Passes exchanges on, each in a task of its own."""

    def __init__(
        self,
        route: Route,
        client: aiohttp.ClientSession,
        tap: CopyListener,
        gate: MessageGate | None,
    ) -> None:
        self.served = Served()
        self.url = server_url(route.url)
        self.port = route.listen.port
        self._route = route
        self._origin = str(self.url.origin())
        self._client = client
        self._tap = tap
        self._guard = Guard(gate) if gate else None
        self._numbers = count(1)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Pass one exchange on, if it is let in."""
        if refusal := self._refusal(request):
            self.served.refused += 1
            return refusal
        self.served.exchanges += 1
        head = self._head(request)
        copies = Copies(self._tap, head)
        try:
            return await self._pass_on(request, self._passing(request, head, copies))
        except NotPassable as problem:
            return _sentence(502, f"This cannot be passed on unchanged: {problem}.")
        finally:
            copies.cut()
            if self._guard:
                self._guard.ended(head)

    def _refusal(self, request: web.Request) -> web.Response | None:
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
        if words := objection(host, origin, self.port, on_network=self._route.on_network):
            return _sentence(403, words)
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return _sentence(501, "This proxy does not support WebSockets.")
        if not request.raw_path.startswith("/"):
            return _sentence(400, "The target of the request must be a path.")
        return None

    async def _pass_on(self, request: web.Request, passing: ExchangeHandler) -> web.StreamResponse:
        headers = self._headers(request)
        body = await passing.question(headers)
        try:
            answer = await self._ask(request.method, request.raw_path, headers, body)
        except (aiohttp.ClientError, OSError) as problem:
            self.served.unreached += 1
            why = why_unreached(problem)
            return _sentence(502, f"mcp-assay got no response from {self._origin}: {why}.")
        try:
            return await passing.answer(answer)
        finally:
            answer.close()

    def _passing(self, request: web.Request, head: Request, copies: Copies) -> ExchangeHandler:
        if self._guard is None:
            return StreamedExchange(request, copies)
        return HeldExchange(request, head, copies, self._guard, partial(self._post, request))

    def _head(self, request: web.Request) -> Request:
        return Request(
            exchange=next(self._numbers),
            conn=_peer(request),
            method=request.method,
            path=request.raw_path,
            headers=seen(request.raw_headers),
            is_endpoint=_bare(request.raw_path) == _bare(self.url.raw_path),
        )

    def _headers(self, request: web.Request) -> CIMultiDict[str]:
        headers = passed_on(request.raw_headers, without=OF_THE_REQUEST)
        headers.update(self._route.headers)
        return headers

    async def _ask(
        self, method: str, path: str, headers: CIMultiDict[str], body: Body
    ) -> aiohttp.ClientResponse:
        url = URL(self._origin + path, encoded=True)
        return await self._client.request(
            method, url, headers=headers, data=body, allow_redirects=False
        )

    async def _post(self, request: web.Request, path: str, message: bytes) -> None:
        """Send the server a message of our own, with the credentials of a request."""
        headers = self._headers(request)
        headers.popall("Content-Encoding", None)
        headers.popall("Content-Length", None)
        headers.update({"Content-Type": JSON, "Accept": f"{JSON}, {EVENT_STREAM}"})
        with suppress(aiohttp.ClientError, OSError):
            answer = await self._ask("POST", path, headers, message)
            answer.close()


async def _take_out_additions(_: web.Request, response: web.StreamResponse) -> None:
    theirs = response.theirs if isinstance(response, PassedResponse) else {"content-type"}
    for name in ADDED_BY_LIBRARY:
        if name.lower() not in theirs:
            response.headers.pop(name, None)


def _application(handler: _Gateway) -> web.Application:
    application = web.Application()
    application.on_response_prepare.append(_take_out_additions)
    application.router.add_route("*", "/{path:.*}", handler.handle)
    return application


def _bare(path: str) -> str:
    """A path without its query, and without the slash at its end that makes no difference."""
    return path.partition("?")[0].rstrip("/")


def _sentence(status: int, words: str) -> web.Response:
    return web.Response(status=status, text=f"{words}\n")


def _peer(request: web.Request) -> str:
    host, port, *_ = request.get_extra_info("peername") or ("?", 0)
    return str(Address(host, port))


def _end_on_signal() -> asyncio.Event:
    """What SIGINT and SIGTERM set from now on."""
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end.set)
    return end

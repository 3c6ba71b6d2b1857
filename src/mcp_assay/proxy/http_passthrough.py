"""One HTTP exchange between a client and a server, every piece of it passed on as it comes."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Collection
from typing import Final, Protocol, TypeAlias

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

from mcp_assay.client.http_client import passed_on, seen
from mcp_assay.proxy.http_copies import Copies

Body: TypeAlias = AsyncIterable[bytes] | bytes | None


class ExchangeHandler(Protocol):
    """How an exchange is passed on."""

    async def question(self, headers: CIMultiDict[str]) -> Body:
        """The body for the server; its headers may be changed."""

    async def answer(self, answer: aiohttp.ClientResponse) -> web.StreamResponse:
        """Send the client what the server answers, and break off where the server does."""


class StreamedExchange:
    """Passes every piece on at once."""

    def __init__(self, request: web.Request, copies: Copies) -> None:
        self._request: Final = request
        self._copies: Final = copies

    async def question(self, _: CIMultiDict[str]) -> Body:
        """The pieces of the client's body, as they come."""
        if self._request.body_exists:
            return self._pieces()
        self._copies.end("c2s", whole=True)
        return None

    async def answer(self, answer: aiohttp.ClientResponse) -> web.StreamResponse:
        """Send the client what the server answers, and break off where the server does."""
        response = PassedResponse(answer)
        copy_head(answer, self._copies)
        await response.prepare(self._request)
        try:
            async for piece in answer.content.iter_any():
                self._copies.piece("s2c", piece)
                await response.write(piece)
        except (aiohttp.ClientError, OSError):
            hang_up(self._request)
        else:
            self._copies.end("s2c", whole=True)
            await response.write_eof()
        return response

    async def _pieces(self) -> AsyncIterator[bytes]:
        async for piece in self._request.content.iter_any():
            self._copies.piece("c2s", piece)
            yield piece
        self._copies.end("c2s", whole=True)


class PassedResponse(web.StreamResponse):
    """A response with the status and the fields of the server's."""

    def __init__(self, answer: aiohttp.ClientResponse, without: Collection[str] = ()) -> None:
        headers = passed_on(answer.raw_headers, without)
        super().__init__(status=answer.status, reason=answer.reason or "", headers=headers)
        self.theirs = frozenset(map(str.lower, headers))
        """The names of the fields that the server sent, in small letters."""


def copy_head(answer: aiohttp.ClientResponse, copies: Copies) -> None:
    """Tell the validator how the response begins."""
    copies.response(answer.status, seen(answer.raw_headers))


def hang_up(request: web.Request) -> None:
    """Close the connection in the midst of a response, so that the client knows it is cut."""
    if request.transport is not None:
        request.transport.close()

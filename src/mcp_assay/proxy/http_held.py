"""One HTTP exchange of which every message is held until a gate has judged it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

from mcp_assay.client.content_codings import Unpacker
from mcp_assay.client.http_client import seen
from mcp_assay.client.http_frames import FIRST_FAILURE, JSON
from mcp_assay.client.http_sessions import EVENT_STREAM, Request, header, media_type
from mcp_assay.model.entry import Direction
from mcp_assay.proxy.http_copies import Copies
from mcp_assay.proxy.http_gate import Guard, GuardedEvents
from mcp_assay.proxy.http_passthrough import (
    Body,
    PassedResponse,
    StreamedExchange,
    copy_head,
    hang_up,
)
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

Post: TypeAlias = Callable[[str, bytes], Coroutine[Any, Any, None]]
"""Sends a message to a path of the server, in the name of the client."""


class HeldExchange:
    """Passes on what the gate lets pass."""

    def __init__(
        self, request: web.Request, head: Request, copies: Copies, guard: Guard, post: Post
    ) -> None:
        self._request: Final = request
        self._head: Final = head
        self._copies: Final = copies
        self._guard: Final = guard
        self._post: Final = post
        self._name: str | None = None

    async def question(self, headers: CIMultiDict[str]) -> Body:
        """The client's body if it may pass; raises the response to the client if not."""
        body, is_cut = await self._held("c2s", self._request.content)
        question = self._guard.question(self._head, body, is_cut=is_cut)
        self._name = question.name
        if question.body is None:
            raise self._refused(question.reply)
        if question.body is body and is_cut:
            raise web.HTTPRequestEntityTooLarge(MAX_MESSAGE_BYTES, len(body))
        if question.body is not body:
            headers.popall("Content-Encoding", None)
        headers.popall("Content-Length", None)
        headers["Accept-Encoding"] = "identity"
        return question.body or None

    async def answer(self, answer: aiohttp.ClientResponse) -> web.StreamResponse:
        """Send the client what may pass of the server's answer."""
        headers = seen(answer.raw_headers)
        kind = media_type(headers)
        if self._name is not None:
            self._guard.begins(self._name, headers)
        if self._name is None or kind not in (EVENT_STREAM, JSON):
            return await StreamedExchange(self._request, self._copies).answer(answer)
        copy_head(answer, self._copies)
        if kind == JSON:
            return await self._document(answer, self._name)
        if not Unpacker(header(headers, "content-encoding") or "").is_plain:
            raise web.HTTPBadGateway(
                text=("The server compressed a stream that was to be checked.\n")
            )
        return await self._stream(answer, self._guard.events(self._head, self._name))

    async def _document(self, answer: aiohttp.ClientResponse, name: str) -> web.StreamResponse:
        try:
            body, is_cut = await self._held("s2c", answer.content)
        except (aiohttp.ClientError, OSError):
            raise web.HTTPBadGateway(
                text=("The server closed the connection in the middle of its response.\n")
            ) from None
        instead = self._guard.answer(
            name,
            seen(answer.raw_headers),
            body,
            has_failed=answer.status >= FIRST_FAILURE,
            is_cut=is_cut,
        )
        if instead is not None:
            return web.Response(status=answer.status, body=instead, content_type=JSON)
        response = PassedResponse(answer)
        await response.prepare(self._request)
        await response.write_eof(body)
        return response

    async def _stream(
        self, answer: aiohttp.ClientResponse, events: GuardedEvents
    ) -> web.StreamResponse:
        response = PassedResponse(answer, without=("content-length",))
        await response.prepare(self._request)
        try:
            async with asyncio.TaskGroup() as replies:
                async for piece in answer.content.iter_any():
                    self._copies.piece("s2c", piece)
                    if passed := events.feed(piece):
                        await response.write(passed)
                    for path, reply in events.take_replies():
                        replies.create_task(self._post(path, reply))
        except* (aiohttp.ClientError, OSError):
            hang_up(self._request)
        else:
            self._copies.end("s2c", whole=True)
            await response.write_eof()
        return response

    async def _held(
        self, direction: Direction, content: aiohttp.StreamReader
    ) -> tuple[bytes, bool]:
        """A whole body, or the beginning of one that is too long, and whether it is one."""
        held = bytearray()
        async for piece in content.iter_any():
            self._copies.piece(direction, piece)
            held += piece
            if len(held) > MAX_MESSAGE_BYTES:
                return bytes(held[:MAX_MESSAGE_BYTES]), True
        self._copies.end(direction, whole=True)
        return bytes(held), False

    def _refused(self, reply: bytes) -> web.HTTPBadRequest:
        """The answer to a request that may not pass, which the validator gets too."""
        refusal = web.HTTPBadRequest(text=reply.decode(), content_type=JSON)
        self._copies.response(refusal.status, {"Content-Type": JSON})
        self._copies.piece("s2c", reply)
        self._copies.end("s2c", whole=True)
        return refusal

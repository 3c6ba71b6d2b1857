"""The notes about a run -> server-sent events; a connection that was lost goes on where it was."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from aiohttp import web
from msgspec.json import encode

from mcp_assay.web.live.board import Note, NoteBoard

SECONDS_OF_SILENCE: Final = 15.0
"""After so long without news a comment is sent: so both sides notice when the other is gone."""
SECONDS_BETWEEN: Final = 0.1
"""News are sent no faster: of what changes more often, the latest is told."""
MILLISECONDS_TO_RETRY: Final = 500
"""So long a browser waits before it connects anew."""
LARGEST_NUMBER: Final = 15
"""Digits of the number of a change."""
NOTHING_MORE: Final = 204
"""The answer after which a browser does not ask again."""


async def send_notes(request: web.Request, board: NoteBoard) -> web.StreamResponse:
    """Tell a browser what it has not seen, and what happens from now on, until all is said."""
    after = _last_seen(request)
    if board.is_closed and board.number <= after:
        return web.Response(status=NOTHING_MORE)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    with suppress(ConnectionError):  # the browser is gone; it comes back, or not
        await response.write(f"retry: {MILLISECONDS_TO_RETRY}\n\n".encode())
        await _send(response, board, min(after, board.number))
    return response


async def _send(response: web.StreamResponse, board: NoteBoard, after: int) -> None:
    while True:
        news = board.since(after)
        if news:
            after = news[-1][0]
            await response.write(as_events(news))
        if board.is_closed and board.number <= after:
            return
        try:
            async with asyncio.timeout(SECONDS_OF_SILENCE):
                await board.changed(after)
            await asyncio.sleep(SECONDS_BETWEEN)
        except TimeoutError:
            await response.write(b":\n\n")


def as_events(news: Sequence[tuple[int, Note]]) -> bytes:
    """Notes as server-sent events, each with its number as id."""
    return b"".join(
        b"id: %d\nevent: %b\ndata: %b\n\n" % (number, str(note["kind"]).encode(), encode(note))
        for number, note in news
    )


def _last_seen(request: web.Request) -> int:
    """What a browser has seen: as it says when it comes back, else as its page says."""
    seen = request.headers.get("Last-Event-ID") or request.query.get("after", "")
    is_number = seen.isascii() and seen.isdigit() and len(seen) <= LARGEST_NUMBER
    return int(seen) if is_number else 0

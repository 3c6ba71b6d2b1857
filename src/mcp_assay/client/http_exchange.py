"""One request over HTTP: what is sent, how far its response is read, and where a stream goes on."""

from __future__ import annotations

from asyncio import get_running_loop, timeout
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

import aiohttp
from msgspec import Struct
from yarl import URL

from mcp_assay.client.http_responses import HttpAnswer
from mcp_assay.model.ending import ExchangeEnd
from mcp_assay.model.entry import StreamEnd
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES

LONGEST_STREAM: Final = 64 * 1024 * 1024
"""So many bytes of a stream are read while somebody waits for what it carries."""
LONGEST_REST: Final = 1024 * 1024
"""So many are read after the response."""
LEFT_OPEN_SECONDS: Final = 5.0
"""A stream that is still open so long after its response is not closed with it."""
DEFAULT_PAUSE: Final = 1.0
"""Seconds before a stream is resumed, where the server does not say how long."""
SHORTEST_PAUSE: Final = 0.05
MOST_RESUMED: Final = 1000
MOST_FAILURES: Final = 2
"""So often in a row may it be impossible to resume a stream."""
NOT_RESUMABLE: Final = frozenset({400, 401, 403, 404, 405, 406, 410, 501})
"""Statuses that say that a stream cannot be resumed, however often that is tried."""


class HttpRequest(Struct, frozen=True, kw_only=True):
    """One request as it is sent."""

    key: str | int
    """What all messages of its exchange share."""
    method: str
    url: URL
    headers: Mapping[str, str]
    body: bytes | None = None
    awaited_in: int | None = None
    """The exchange whose answer it may bring; None for what nobody waits for."""


class ExchangeOutcome(Struct, frozen=True):
    """How an exchange ended, and its response as far as one came."""

    end: ExchangeEnd
    answer: HttpAnswer | None = None

    @property
    def status(self) -> int | None:
        """The status of the response."""
        return self.answer.status if self.answer else None


class BodyReader:
    """Reads a body as long as that is of use: not without end, nor long after the response."""

    def __init__(
        self, response: aiohttp.ClientResponse, answer: HttpAnswer, is_needed: Callable[[], bool]
    ) -> None:
        self.ended_by: StreamEnd = "client"
        self.is_whole = False
        self.limit: int | None = None
        """The limit of a stream that was not read to its end."""
        self._response: Final = response
        self._answer: Final = answer
        self._is_needed: Final = is_needed
        self._idle_since: float | None = None
        self._idle_from = 0

    async def pieces(self) -> AsyncIterator[bytes]:
        """The pieces of the body, each taken before the next is read."""
        while (piece := await self._next()) is not None:
            yield piece
            self._note_limits()
            if self._answer.is_lost or self.limit is not None:
                self._response.close()
                return

    async def _next(self) -> bytes | None:
        """The next piece, None after the last."""
        content = self._response.content
        while True:
            try:
                async with timeout(self._patience()):
                    piece = await content.readany()
            except TimeoutError:
                if self._is_needed() or content.is_eof():
                    continue
                self.ended_by = "left_open"
                self._response.close()
                return None
            if piece or not content.at_eof():
                return piece
            self.ended_by, self.is_whole = "server", True
            return None

    def _patience(self) -> float | None:
        """How many seconds the next piece may take, None where it is waited for."""
        if not self._answer.is_stream or self._is_needed():
            self._idle_since, self._idle_from = None, self._answer.size
            return None
        now = get_running_loop().time()
        if self._idle_since is None:
            self._idle_since, self._idle_from = now, self._answer.size
        return max(0.0, self._idle_since + LEFT_OPEN_SECONDS - now)

    def _note_limits(self) -> None:
        size = self._answer.size
        if size > LONGEST_STREAM:
            self.limit = LONGEST_STREAM
        elif self._idle_since is not None and size - self._idle_from > LONGEST_REST:
            self.limit = LONGEST_REST
        elif self._answer.is_endless:
            self.limit = MAX_MESSAGE_BYTES


class ResumePoint:
    """Where a stream that ended can be taken up again, and when."""

    def __init__(self) -> None:
        self.last: str | None = None
        """The id of its latest event."""
        self.pause = DEFAULT_PAUSE
        self._failures = 0

    def take(self, outcome: ExchangeOutcome) -> None:
        """Take note of what an exchange of the stream brought."""
        answer = outcome.answer
        if answer is None or not answer.is_stream:
            self._failures += 1
            return
        self._failures = 0
        self.last = answer.last_event or self.last
        if answer.retry is not None:
            self.pause = max(answer.retry / 1000, SHORTEST_PAUSE)

    @property
    def is_known(self) -> bool:
        """Whether the stream can be taken up again, as far as anybody knows."""
        return self.last is not None and self._failures <= MOST_FAILURES

"""The response to one request over HTTP, piece by piece -> the entries in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import time
from typing import Any, Final

from mcp_assay.client.http_frames import (
    FIRST_FAILURE,
    JSON,
    Document,
    EventMessages,
    data_in,
    event_fields,
    is_message_text,
)
from mcp_assay.client.http_sessions import EVENT_STREAM, header, media_type
from mcp_assay.model.entry import Entry, Transport
from mcp_assay.wire.sse import NO_EVENT, Event, EventBlock

CONN: Final = "http"


class HttpAnswer:
    """One response under way."""

    def __init__(
        self, exchange: int, transport: Transport, status: int, headers: Mapping[str, str]
    ) -> None:
        self.endpoint: str | None = None
        """Where messages go from now on: what a stream of 2024-11-05 says first."""
        self._exchange: Final = exchange
        self._transport: Final = transport
        self._status: Final = status
        self._head: Mapping[str, Any] | None = {"status": status, "response_headers": headers}
        coding = header(headers, "content-encoding") or ""
        kind = media_type(headers)
        self.is_stream: Final = kind == EVENT_STREAM
        self._events: Final = EventMessages(coding)
        self._document: Final = Document(coding)
        self._is_json: Final = kind == JSON

    def begin(self) -> Iterator[Entry]:
        """The head of a stream is reported at once: its first event may be long in coming."""
        if self.is_stream:
            yield self._entry()

    def feed(self, piece: bytes) -> Iterator[Entry]:
        """What the piece completes."""
        if not self.is_stream:
            self._document.feed(piece)
            return
        for block in self._events.feed(piece):
            if block.event != NO_EVENT:
                yield self._event(block)

    @property
    def is_lost(self) -> bool:
        """Whether reading on is of no use: the body is too long, or packed in an unknown way."""
        return not self._document.is_kept

    def end(self, *, is_whole: bool) -> Entry:
        """The response is complete, or never will be."""
        if self.is_stream or not (is_whole or self.is_lost):
            return self._entry(end=True)
        size = self._document.size
        text = self._document.text(size)
        if text is None:
            return self._entry(unread=size if self._is_json else 0)
        has_failed = self._status >= FIRST_FAILURE
        is_message = self._is_json and is_message_text(text, has_failed=has_failed)
        return self._entry(text=text if is_message else None)

    def _event(self, block: EventBlock) -> Entry:
        event: Event = block.event or NO_EVENT
        if event.event == "endpoint":
            self.endpoint = (event.data or b"").decode("utf-8", "replace")
        return self._entry(
            text=data_in(event), unread=0 if block.event else block.size, sse=event_fields(event)
        )

    def _entry(self, **known: Any) -> Entry:
        head, self._head = self._head, None
        return Entry(
            direction="s2c",
            at=time(),
            conn=CONN,
            transport=self._transport,
            exchange=self._exchange,
            http=head,
            exact=True,
            **known,
        )

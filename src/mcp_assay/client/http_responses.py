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
from mcp_assay.model.ending import ExchangeEnd
from mcp_assay.model.entry import Entry, StreamEnd, Transport
from mcp_assay.wire.sse import NO_EVENT, Event, EventBlock
from mcp_assay.wire.values import quoted

CONN: Final = "http"
FIRST_REDIRECT: Final = 300


class HttpAnswer:
    """One response under way."""

    def __init__(
        self, exchange: str | int, transport: Transport, status: int, headers: Mapping[str, str]
    ) -> None:
        self.endpoint: str | None = None
        """Where messages go from now on: what a stream of 2024-11-05 says first."""
        self.last_event: str | None = None
        """The id of the latest event that had one: from there a stream can be resumed."""
        self.retry: int | None = None
        """How many milliseconds the server wants us to wait before we resume it."""
        self.is_cut = False
        """Whether we stopped reading it at a limit of ours."""
        self.status: Final = status
        self._exchange: Final = exchange
        self._transport: Final = transport
        self._head: Mapping[str, Any] | None = {"status": status, "response_headers": headers}
        coding = header(headers, "content-encoding") or ""
        kind = media_type(headers)
        self.is_stream: Final = kind == EVENT_STREAM
        self._events: Final = EventMessages(coding)
        self._document: Final = Document(coding)
        self._is_json: Final = kind == JSON
        self._location: Final = header(headers, "location") or ""

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
            if block.event != NO_EVENT and not (block.event is None and self._wrong_encoding):
                yield self._event(block)

    @property
    def size(self) -> int:
        """How many bytes of a stream came, unpacked."""
        return self._events.size

    @property
    def is_lost(self) -> bool:
        """Whether reading on is of no use: it is too long, or packed in an unknown way."""
        return not self._document.is_kept or self._events.is_endless or bool(self._events.broken)

    @property
    def is_endless(self) -> bool:
        """Whether the event under way is longer already than any may be."""
        return self._events.is_endless

    @property
    def _wrong_encoding(self) -> str:
        return (self._events if self.is_stream else self._document).wrong_encoding

    def ending(self) -> ExchangeEnd:
        """How the exchange has ended for whoever still waits for its answer."""
        if self._wrong_encoding:
            return ExchangeEnd("wrong_encoding", self._wrong_encoding)
        if self.is_lost or self.is_cut:
            return ExchangeEnd("over_limit")
        if self.is_stream and self.status < FIRST_REDIRECT:
            return ExchangeEnd("closed")
        return ExchangeEnd("http_status", self._redirect())

    def _redirect(self) -> str:
        is_redirect = FIRST_REDIRECT <= self.status < FIRST_FAILURE
        if not is_redirect:
            return ""
        where = f" to {quoted(self._location)}" if self._location else ""
        return f"it redirects{where}, and redirects are not followed"

    def end(self, *, is_whole: bool, ended_by: StreamEnd = "server") -> Entry:
        """The response is complete, or never will be."""
        if self.is_stream or not (is_whole or self.is_lost):
            unread = self._events.size if self._events.is_endless else 0
            return self._entry(end=True, ended_by=ended_by, unread=unread)
        text = self._document.text(self._document.size)
        if text is None:
            is_garbled = bool(self._wrong_encoding)
            is_long = self._is_json and not is_garbled
            return self._entry(unread=self._document.length if is_long else 0, end=is_garbled)
        has_failed = self.status >= FIRST_FAILURE
        is_message = self._is_json and is_message_text(text, has_failed=has_failed)
        return self._entry(text=text if is_message else None)

    def _event(self, block: EventBlock) -> Entry:
        event: Event = block.event or NO_EVENT
        if event.event == "endpoint":
            self.endpoint = (event.data or b"").decode("utf-8", "replace")
        if event.id is not None:
            self.last_event = event.id or None  # an empty id takes the latest back
        self.retry = self.retry if event.retry is None else event.retry
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


def unread_response(exchange: str | int, transport: Transport) -> Entry:
    """A response of which we read nothing: what it answers was not left unanswered."""
    return Entry(
        direction="s2c",
        at=time(),
        conn=CONN,
        transport=transport,
        exchange=exchange,
        exact=True,
        end=True,
        ended_by="client",
    )

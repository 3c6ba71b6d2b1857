"""Frames of HTTP exchanges -> their messages: bodies whole, the events of streams singly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp_assay.client.content_codings import NotUnpacked, Unpacker
from mcp_assay.client.frames import Frame
from mcp_assay.client.http_sessions import (
    EVENT_STREAM,
    MARK,
    HttpSessions,
    Recent,
    header,
    media_type,
    request_of,
)
from mcp_assay.model.entry import Direction, Entry, Transport
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from mcp_assay.wire.sse import NO_EVENT, Event, EventBlock, EventStream


class Document:
    """A body that is one text, kept unless it is too long, packed in an unknown way, or torn."""

    def __init__(self, coding: str, longest: int = MAX_MESSAGE_BYTES) -> None:
        self._unpacker: Final = Unpacker(coding)
        self._longest: Final = longest
        self._text: bytearray | None = bytearray()
        self._size = 0
        self._unpacked = 0
        self._broken = ""
        self.is_torn = False

    @property
    def is_kept(self) -> bool:
        """Whether all that came was kept."""
        return self._text is not None

    @property
    def size(self) -> int:
        """How many bytes came, packed as they were."""
        return self._size

    @property
    def length(self) -> int:
        """How many bytes came, as they would be read."""
        return max(self._size, self._unpacked)

    @property
    def wrong_encoding(self) -> str:
        """What is wrong with the content coding of a body that ends here; empty: nothing is."""
        is_whole = self._text is not None
        return self._broken or (self._unpacker.torn if is_whole else "")

    def missing(self, size: int) -> dict[str, Any]:
        """What an entry says in place of the text of a body of this size that was not kept."""
        if self.is_torn:
            return {}
        garbled = self.wrong_encoding
        return {"lost": 1, "garbled": garbled} if garbled else {"unread": max(size, self.length)}

    def feed(self, piece: bytes) -> None:
        """Take the next piece."""
        self._size += len(piece)
        try:
            for unpacked in self._unpacker.feed(piece) if self._text is not None else ():
                self._add(unpacked)
        except NotUnpacked as fault:
            self._text, self._broken = None, str(fault)

    def tear(self) -> None:
        """A piece is missing: what there is makes no text."""
        self.is_torn = True
        self._text = None

    def text(self, size: int) -> bytes | None:
        """The text of a body of this size, None where not all of it was kept."""
        is_whole = self._size == size and self._unpacker.is_complete
        return bytes(self._text) if self._text is not None and is_whole else None

    def _add(self, unpacked: bytes) -> None:
        self._unpacked += len(unpacked)
        if self._text is None or len(self._text) + len(unpacked) > self._longest:
            self._text = None
        else:
            self._text += unpacked


JSON: Final = "application/json"
MESSAGE_EVENTS: Final = (None, "message")
ENDPOINT_EVENT: Final = "endpoint"
FIRST_FAILURE: Final = 400
MOST_OPEN: Final = 1000
"""So many exchanges are followed at once, the latest ones."""
RECORDED: Final = ("method", "path", "request_headers")
"""What a line of a trace holds of a request."""


class HttpMessages:
    """Puts the messages of all exchanges that are MCP together."""

    def __init__(self) -> None:
        self._open: Final = Recent[_FramedExchange](MOST_OPEN)
        self._sessions: Final = HttpSessions()

    def feed(self, frame: Frame) -> Iterator[Entry]:
        """What the frame completes."""
        if frame.kind == "http" and frame.direction == "c2s":
            self._open.put(frame.exchange, _FramedExchange(frame))
            return
        exchange = self._open.get(frame.exchange)
        if exchange is not None:
            take = self._request if frame.direction == "c2s" else self._response
            yield from take(exchange, frame)

    def _request(self, exchange: _FramedExchange, frame: Frame) -> Iterator[Entry]:
        if frame.kind == "bytes":
            exchange.question.feed(frame.payload)
        elif frame.kind == "dropped":
            exchange.question.tear()
            yield exchange.entry("c2s", frame, lost=_missing(frame))
        elif frame.kind == "end" and not exchange.name:
            yield from self._asked(exchange, frame)

    def _asked(self, exchange: _FramedExchange, frame: Frame) -> Iterator[Entry]:
        """The request is complete, or never will be."""
        is_whole, size = _ending(frame)
        body = exchange.question.text(size)
        name = self._sessions.of(exchange.request, body)
        if name is None:
            self._open.pop(frame.exchange)
            return
        exchange.name = name
        exchange.is_old = self._sessions.was_given_out(exchange.request.path)
        has_message = is_whole and exchange.request.method == "POST"
        missing = exchange.question.missing(size) if has_message and body is None else {}
        yield exchange.entry(
            "c2s",
            frame,
            http=exchange.recorded_request,
            text=body if has_message else None,
            end=not is_whole,
            **missing,
        )

    def _response(self, exchange: _FramedExchange, frame: Frame) -> Iterator[Entry]:
        if not exchange.name:
            # A server may answer before it has read all of the request.
            yield from self._asked(exchange, frame)
        if not exchange.name:
            return
        if frame.kind == "http":
            yield from self._begun(exchange, frame)
        elif frame.kind == "bytes":
            yield from self._more(exchange, frame)
        elif frame.kind == "dropped":
            exchange.tear_answer()
            yield exchange.entry("s2c", frame, lost=_missing(frame))
        elif frame.kind == "end":
            self._open.pop(frame.exchange)
            self._sessions.ended(exchange.request)
            yield _ended(exchange, frame)

    def _begun(self, exchange: _FramedExchange, frame: Frame) -> Iterator[Entry]:
        """The head of a stream is reported at once: its first event may be long in coming."""
        exchange.begin_answer(frame.facts or {})
        self._sessions.answered(exchange.name, exchange.response_headers)
        if isinstance(exchange.answer, EventMessages):
            yield exchange.entry("s2c", frame, http=exchange.take_head())

    def _more(self, exchange: _FramedExchange, frame: Frame) -> Iterator[Entry]:
        if isinstance(exchange.answer, Document):
            exchange.answer.feed(frame.payload)
        elif exchange.answer is not None:
            exchange.answer.skip((frame.facts or {}).get("skipped", 0))
            for block in exchange.answer.feed(frame.payload):
                if block.event != NO_EVENT:
                    yield self._event(exchange, frame, block)

    def _event(self, exchange: _FramedExchange, frame: Frame, block: EventBlock) -> Entry:
        if block.event is None and exchange.garbled:
            return exchange.entry("s2c", frame, lost=1, garbled=exchange.garbled)
        event = block.event or NO_EVENT
        if event.event == ENDPOINT_EVENT:
            self._move(exchange, event)
        return exchange.entry(
            "s2c",
            frame,
            text=data_in(event),
            unread=0 if block.event else block.size,
            sse=event_fields(event),
        )

    def _move(self, exchange: _FramedExchange, event: Event) -> None:
        """The stream says where its client must send messages: the transport of 2024-11-05."""
        exchange.is_old = True
        endpoint = (event.data or b"").decode("utf-8", "replace")
        exchange.name = self._sessions.given_out(exchange.request, exchange.name, endpoint)


class _FramedExchange:
    """One exchange under way."""

    def __init__(self, frame: Frame) -> None:
        facts = frame.facts or {}
        self.request: Final = request_of(frame)
        self.recorded_request: Final = {name: facts.get(name) for name in RECORDED}
        self.question: Final = Document(header(self.request.headers, "content-encoding") or "")
        self.answer: Document | EventMessages | None = None
        self.name = ""
        """The session, once the request is complete."""
        self.is_old = False
        """Whether this is the transport of 2024-11-05."""
        self._response: Mapping[str, Any] = {}
        self._is_head_taken = False

    @property
    def response_headers(self) -> Mapping[str, str]:
        headers: Mapping[str, str] = self._response.get("response_headers", {})
        return headers

    @property
    def has_failed(self) -> bool:
        return int(self._response.get("status", 0)) >= FIRST_FAILURE

    def begin_answer(self, facts: Mapping[str, Any]) -> None:
        """Take the head of the response."""
        self._response = facts
        coding = header(self.response_headers, "content-encoding") or ""
        kind = media_type(self.response_headers)
        if kind == EVENT_STREAM:
            self.answer = EventMessages(coding)
        elif kind == JSON:
            self.answer = Document(coding)

    @property
    def garbled(self) -> str:
        """What is wrong with the content coding of a stream, as soon as that is seen."""
        return self.answer.broken if isinstance(self.answer, EventMessages) else ""

    def tear_answer(self) -> None:
        """A piece of the response is missing."""
        if self.answer is not None:
            self.answer.tear()

    def take_head(self) -> Mapping[str, Any] | None:
        """The head of the response for the first line that reports it, None for the others."""
        was_taken, self._is_head_taken = self._is_head_taken, True
        return None if was_taken else self._response or None

    def entry(self, direction: Direction, frame: Frame, **known: Any) -> Entry:
        """What came in this exchange."""
        return Entry(
            direction=direction,
            at=frame.at,
            conn=self.name,
            transport=self._transport,
            exchange=frame.exchange,
            exact=True,
            **known,
        )

    @property
    def _transport(self) -> Transport:
        return "sse" if self.is_old else "http"


class EventMessages:
    """A response that is a stream of events."""

    def __init__(self, coding: str) -> None:
        self._unpacker: Unpacker | None = Unpacker(coding)
        self._stream = EventStream()
        self._is_torn = False
        self.broken = ""
        """What is wrong with its content coding, as soon as that is seen."""
        self.size = 0
        """How many bytes of events came, unpacked."""

    @property
    def wrong_encoding(self) -> str:
        """What is wrong with the content coding of a stream that ends here; empty: nothing is."""
        return self.broken or (self._unpacker.torn if self._unpacker else "")

    @property
    def is_endless(self) -> bool:
        """Whether the event under way is longer already than any may be."""
        return self._stream.is_too_long

    def feed(self, piece: bytes) -> Iterator[EventBlock]:
        """The blocks that end in this piece."""
        try:
            for unpacked in self._unpacker.feed(piece) if self._unpacker else ():
                self.size += len(unpacked)
                yield from self._whole(self._stream.feed(unpacked))
        except NotUnpacked as fault:
            self._unpacker, self.broken = None, str(fault)
            yield EventBlock(b"", None, len(piece))

    def skip(self, size: int) -> None:
        """Take note of what is left out of an event that is too long."""
        self._stream.skip(size)

    def tear(self) -> None:
        """Forget what was begun: a piece of it is missing, up to the next blank line at least."""
        self._is_torn = True
        self._stream = EventStream()

    def _whole(self, blocks: list[EventBlock]) -> list[EventBlock]:
        """The blocks of which nothing is missing."""
        was_torn, self._is_torn = self._is_torn, self._is_torn and not blocks
        return blocks[1:] if was_torn else blocks


def message_in(event: Event) -> bytes | None:
    """The message that an event carries; others than these are not for the protocol."""
    return event.data if event.data and event.event in MESSAGE_EVENTS else None


def data_in(event: Event) -> bytes | None:
    """What rules see of an event: also the data of one that clients do not read."""
    return event.data if event.data and event.event != ENDPOINT_EVENT else None


def is_message_text(body: bytes, *, has_failed: bool) -> bool:
    """Whether the JSON body of a response is a message; that of a failure may be anything."""
    return bool(body) and (not has_failed or MARK in body)


def _ended(exchange: _FramedExchange, frame: Frame) -> Entry:
    """The response is complete, or never will be."""
    is_whole, size = _ending(frame)
    document = exchange.answer if isinstance(exchange.answer, Document) else None
    text = document.text(size) if document else None
    missing = document.missing(size) if document and text is None and is_whole else {}
    is_message = text is not None and is_message_text(text, has_failed=exchange.has_failed)
    return exchange.entry(
        "s2c",
        frame,
        http=exchange.take_head(),
        text=text if is_whole and is_message else None,
        end=not is_whole or isinstance(exchange.answer, EventMessages),
        **missing,
    )


def event_fields(event: Event) -> dict[str, Any]:
    """The fields of an event besides its data, as a trace tells them."""
    fields = {"id": event.id, "event": event.event, "retry": event.retry}
    return {name: value for name, value in fields.items() if value is not None}


def _ending(frame: Frame) -> tuple[bool, int]:
    """Whether a body is complete, and its size."""
    facts = frame.facts or {}
    return bool(facts.get("whole")), int(facts.get("size", 0))


def _missing(frame: Frame) -> int:
    return int((frame.facts or {}).get("frames", 1))

"""Messages of HTTP exchanges before a gate: what passes, and what is sent in place of the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from mcp_assay.client.frames import MessageGate, Refusal
from mcp_assay.client.http_frames import ENDPOINT_EVENT, Document, is_message_text, message_in
from mcp_assay.client.http_sessions import HttpSessions, Request, header, path_of
from mcp_assay.model.entry import Direction
from mcp_assay.wire.sse import NO_EVENT, EventBlock, EventStream

NO_ANSWER: Final = (
    b'{"jsonrpc":"2.0","error":{"code":-32600,'
    b'"message":"mcp-assay did not forward a message that breaks the protocol"}}'
)
"""What is said where nobody asked anything that could be answered by its id."""


class GatedRequest(Struct, frozen=True, kw_only=True):
    """What becomes of a request."""

    name: str | None
    """Its session, None where it is not MCP."""
    body: bytes | None
    """What the server gets, None where it gets nothing."""
    reply: bytes = b""
    """What the client gets in that case."""


class Guard:
    """Lets the gate judge the messages of all exchanges that are MCP."""

    def __init__(self, gate: MessageGate) -> None:
        self._gate: Final = gate
        self._sessions: Final = HttpSessions()

    def question(self, request: Request, body: bytes, *, is_cut: bool) -> GatedRequest:
        """Judge the body of a request; of one that is cut only the beginning is here."""
        text = _unpacked(request.headers, body)
        name = self._sessions.of(request, text)
        if name is None or request.method != "POST":
            return GatedRequest(name=name, body=body)
        refusal = self._refusal("c2s", body if text is None else text, name, is_cut or text is None)
        if refusal is None:
            return GatedRequest(name=name, body=body)
        return GatedRequest(name=name, body=refusal.instead, reply=refusal.reply or NO_ANSWER)

    def begins(self, name: str, headers: Mapping[str, str]) -> None:
        """Take note of the head of a response."""
        self._sessions.answered(name, headers)

    def answer(
        self, name: str, headers: Mapping[str, str], body: bytes, *, has_failed: bool, is_cut: bool
    ) -> bytes | None:
        """What the client gets in place of a JSON body, None where that may pass."""
        text = _unpacked(headers, body)
        if text is not None and not is_cut and not is_message_text(text, has_failed=has_failed):
            return None
        refusal = self._refusal("s2c", body if text is None else text, name, is_cut or text is None)
        return None if refusal is None else refusal.instead or NO_ANSWER

    def ended(self, request: Request) -> None:
        """Take note of the end of an exchange."""
        self._sessions.ended(request)

    def events(self, request: Request, name: str) -> GuardedEvents:
        """The events of a response, for one after the other to be judged."""
        return GuardedEvents(self, request, name)

    def given_out(self, request: Request, name: str, endpoint: str) -> str:
        """Take note of where, says a stream, its client must send messages."""
        return self._sessions.given_out(request, name, endpoint)

    def event(self, block: EventBlock, name: str) -> Refusal | None:
        """Why an event may not pass, None where it may."""
        if block.event is None:
            return self._refusal("s2c", block.raw.partition(b"data:")[2], name, is_cut=True)
        message = message_in(block.event)
        return None if message is None else self._refusal("s2c", message, name, is_cut=False)

    def _refusal(
        self, direction: Direction, text: bytes, name: str, is_cut: bool
    ) -> Refusal | None:
        if is_cut:
            return self._gate.too_long(direction, text, name)
        return self._gate.check(direction, text, name)


class GuardedEvents:
    """A stream of which only what the gate lets pass goes on."""

    def __init__(self, guard: Guard, request: Request, name: str) -> None:
        self._guard: Final = guard
        self._request: Final = request
        self._name = name
        self._target = request.path
        self._stream: Final = EventStream()
        self._replies: list[bytes] = []

    def feed(self, piece: bytes) -> bytes:
        """What goes on of the blocks that end in this piece."""
        return b"".join(map(self._passed, self._stream.feed(piece)))

    def take_replies(self) -> list[tuple[str, bytes]]:
        """The errors that answer requests which did not pass, each with the path to send it to."""
        replies, self._replies = self._replies, []
        return [(self._target, reply) for reply in replies]

    def _passed(self, block: EventBlock) -> bytes:
        event = block.event or NO_EVENT
        if event.event == ENDPOINT_EVENT:
            self._follow((event.data or b"").decode("utf-8", "replace"))
        refusal = self._guard.event(block, self._name)
        if refusal is None:
            return block.raw
        if refusal.reply is not None:
            self._replies.append(refusal.reply)
        return _event_with(event.id, refusal.instead) if refusal.instead else b""

    def _follow(self, endpoint: str) -> None:
        """The stream says where messages go: the transport of 2024-11-05."""
        self._name = self._guard.given_out(self._request, self._name, endpoint)
        self._target = path_of(self._request, endpoint)


def _event_with(id: str | None, message: bytes) -> bytes:
    head = b"" if id is None else b"id: %s\n" % id.encode()
    return b"%sevent: message\ndata: %s\n\n" % (head, message)


def _unpacked(headers: Mapping[str, str], body: bytes) -> bytes | None:
    """The body without its content coding, None where that is broken or not known."""
    document = Document(header(headers, "content-encoding") or "")
    document.feed(body)
    return document.text(len(body))

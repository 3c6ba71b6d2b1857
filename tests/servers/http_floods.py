"""Servers over HTTP that send more in one response than anybody can take in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import repeat
from typing import Any

from tests.servers.floods import CUT, FEW, SHORT
from tests.servers.http_base import Reply, Stream
from tests.servers.over_http import Handshaking
from tests.servers.planting import Family
from tests.servers.things import Object

SERVERS = Family("http-floods", over_http=True)
plant = SERVERS.plant
MANY = 100_000
NOTE: Object = {
    "jsonrpc": "2.0",
    "method": "notifications/message",
    "params": {"level": "info", "data": "one more book"},
}
LONG = b"data: " + b"x" * 65_536 + b"\n"


def event(message: Any) -> bytes:
    """A message as an event of a stream."""
    return b"data: " + json.dumps(message).encode() + b"\n\n"


class Streaming(Handshaking):
    """A server that answers everything but initialize with a stream of events."""

    def in_session(self, headers: Any, message: Object) -> Reply:
        reply = super().in_session(headers, message)
        if reply.status != 200 or message.get("method") == "initialize":
            return reply
        return Stream(self.pieces(event(reply.body)))

    def pieces(self, answer: bytes) -> Iterator[bytes]:
        """What is sent in the stream."""
        yield answer


@plant("http-notes-before-answers", "Sends 100,000 log messages before each answer.",
       limits=True, options=FEW)  # fmt: skip
class HttpNotesBeforeAnswers(Streaming):
    def pieces(self, answer: bytes) -> Iterator[bytes]:
        yield from repeat(event(NOTE) * 1000, MANY // 1000)
        yield answer


@plant("http-notes-without-end", "Sends log messages without end after each answer.",
       limits=True, options=SHORT)  # fmt: skip
class HttpNotesWithoutEnd(Streaming):
    def pieces(self, answer: bytes) -> Iterator[bytes]:
        yield answer
        yield from repeat(event(NOTE) * 1000)


@plant("http-event-without-end", "Answers with an event that never ends.", exit_code=CUT,
       options=SHORT)  # fmt: skip
class HttpEventWithoutEnd(Streaming):
    def pieces(self, answer: bytes) -> Iterator[bytes]:
        yield from repeat(LONG)

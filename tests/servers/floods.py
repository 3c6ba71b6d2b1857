"""Servers that say more than anybody can take in, and go on while nobody asks."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from tests.servers.base import A_HANDSHAKE, Asked, Server
from tests.servers.planting import Family
from tests.servers.things import Object, Tool, accepts, answers, found, lookup, structured

SERVERS = Family("floods")
plant = SERVERS.plant
CUT = 3
SHORT = ("--timeout", "1", "--max-time", "8")
FEW = ("--max-calls", "4", "--timeout", "2", "--max-time", "20")
MANY = 30_000
"""Messages before each answer; whoever keeps them all needs hundreds of megabytes."""
LONG_ID = 100_000
LARGE = 600_000
"""Empty arrays in less than 2 MiB."""
DEEPEST = 5_000


class Flooding(Server):
    """A server that sends the same again and again as soon as it is greeted, and reads no more."""

    revisions = (A_HANDSHAKE,)
    tools = (lookup(found),)

    def hear(self, line: bytes) -> None:
        super().hear(line)
        if self.agreed:
            for n in count():
                self.write_bytes(self.piece(n))

    def piece(self, n: int) -> bytes:
        """What is sent again and again."""
        return _line({"jsonrpc": "2.0", "id": n, "method": "ping"})


def _line(message: Object) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _note(text: str) -> Object:
    params = {"level": "info", "data": text}
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


@plant("flood-of-pings", "Sends pings without end, and reads no more.", exit_code=CUT,
       options=SHORT)  # fmt: skip
class FloodOfPings(Flooding):
    """Everybody else has to answer each of them."""


@plant("flood-of-long-ids", "Sends pings with ids of 100 kB, and reads no more.", exit_code=CUT,
       options=SHORT)  # fmt: skip
class FloodOfLongIds(Flooding):
    def piece(self, n: int) -> bytes:
        return _line({"jsonrpc": "2.0", "id": f"{n}{'x' * LONG_ID}", "method": "ping"})


@plant("flood-of-large-messages", "Sends large notifications without end.", exit_code=CUT,
       options=SHORT)  # fmt: skip
class FloodOfLargeMessages(Flooding):
    pieces = _line(_note("@")).replace(b'"@"', b"[" + b"[]," * LARGE + b"[]]")

    def piece(self, n: int) -> bytes:
        return self.pieces


@plant("flood-of-bytes", "Sends what is no message without end.", exit_code=CUT, options=SHORT)
class FloodOfBytes(Flooding):
    def piece(self, n: int) -> bytes:
        return b"\x00\xff" * 10 + b"\n"


@plant("notes-before-answers", "Sends 30,000 log messages before each answer.", options=FEW,
       limits=True)  # fmt: skip
class NotesBeforeAnswers(Server):
    revisions = (A_HANDSHAKE,)
    tools = (lookup(found),)
    more_capabilities: Object = {"logging": {}}  # noqa: RUF012  as the other servers have it
    notes = b"".join(_line(_note(f"book {n}")) for n in range(MANY))

    def call_tool(self, asked: Asked) -> Object:
        self.write_bytes(self.notes)
        return super().call_tool(asked)


class Deep(Server):
    """A server that writes what Python itself would not: it puts a deep text where a mark is."""

    revisions = (A_HANDSHAKE,)
    mark = "@DEEP@"
    opening, inside, closing = b'{"properties":{"in":', b'{"type":"string"}', b"}}"

    def write(self, message: Any) -> None:
        whole = self.opening * DEEPEST + self.inside + self.closing * DEEPEST
        mark = json.dumps(self.mark).encode()
        self.write_bytes(json.dumps(message).encode().replace(mark, whole) + b"\n")


@plant("very-deep-schema", "An inputSchema is nested 5,000 levels deep.", "LIMIT-001", options=FEW)
class VeryDeepSchema(Deep):
    tools = (
        Tool("shelf", answers("shelf 3"), accepts(outer="@DEEP@"), unchecked=("properties",)),
        lookup(found),
    )


@plant("very-deep-answer", "An answer is nested 5,000 levels deep.", "LIMIT-001", options=FEW)
class VeryDeepAnswer(Deep):
    tools = (lookup(lambda given: {**structured({"a": 1}), "structuredContent": {"a": "@DEEP@"}}),)

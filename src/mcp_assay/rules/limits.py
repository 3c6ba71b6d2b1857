"""The limits of what is judged. The reader and the engine decide these rules."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from mcp_assay.rules.examples import bad, good, request, result
from mcp_assay.rules.faults import MOST_KEPT
from mcp_assay.rules.rule import table_rule
from mcp_assay.wire.limits import MAX_DEPTH, MAX_MESSAGE_BYTES


class Stretched(Struct, frozen=True):
    """A text too long to keep: bytes(...) writes it out, `middle` being repeated."""

    head: bytes
    middle: bytes
    times: int
    tail: bytes

    def __bytes__(self) -> bytes:
        """The whole text."""
        return self.head + self.middle * self.times + self.tail

    def __str__(self) -> str:
        """The text for people: what is repeated stands there once."""
        return f"{self.head.decode()}{self.middle.decode()}…{self.tail.decode()}"


CALL: Final = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{"text":'
)
CLOSED: Final = b"}}}"
ARGUMENTS_DEPTH: Final = 3
"""How deep the arguments of a call stand: in the message, its params and themselves."""


def _nested(levels: int) -> bytes:
    return CALL + b"[" * levels + b"]" * levels + CLOSED


table_rule(
    "LIMIT-001",
    "too-deep",
    """A message that is nested too deep to be judged to the bottom.

    Why: common readers refuse such a message or run out of stack; mcp-assay judges all of it but
    the part below this depth.
    Instead: flatten the data, or send it as text or as a resource.
    """,
    reason="limit_reached",
    good=[good(_nested(MAX_DEPTH - ARGUMENTS_DEPTH))],
    bad=[
        bad(
            _nested(MAX_DEPTH - ARGUMENTS_DEPTH + 1),
            "/params/arguments/text" + "/0" * (MAX_DEPTH - ARGUMENTS_DEPTH),
        )
    ],
)

table_rule(
    "LIMIT-002",
    "too-long",
    """A message that is too long to be judged.

    Why: one message of this size holds up all that come after it, and many receivers refuse it;
    mcp-assay does not read it.
    Instead: send pages, or a link to a resource that is read in parts.
    """,
    reason="limit_reached",
    good=[good(request("tools/call", {"name": "save", "arguments": {"text": "tea" * 1000}}))],
    bad=[bad(Stretched(CALL + b'"', b"tea ", MAX_MESSAGE_BYTES // 4, b'"' + CLOSED), "")],
)

table_rule(
    "LIMIT-003",
    "too-many-faults",
    """A message with more faults than are listed.

    Why: so many faults in one message have few causes, and a list of all would hide them; the rest
    is counted, not shown.
    Instead: repair those that are listed, then look again.
    """,
    reason="limit_reached",
    good=[good(result({"tools": []}), method="tools/list")],
    bad=[
        bad(
            result({"tools": ["search"] * (MOST_KEPT + 1)}),
            "",
            method="tools/list",
            also=tuple(("SCHEMA-002", f"/result/tools/{index}") for index in range(MOST_KEPT)),
        )
    ],
)

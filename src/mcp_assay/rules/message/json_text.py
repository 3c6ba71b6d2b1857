"""The text of a message: well-formed JSON that all readers understand alike, within limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from mcp_assay.model.entry import Kind, Message
from mcp_assay.rules.engine.faults import MOST_KEPT
from mcp_assay.rules.engine.rule import Found, On, rule, table_rule
from mcp_assay.rules.engine.samples import bad, good, notification, request, result
from mcp_assay.rules.message.jsonrpc import EVERY_KIND
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18
from mcp_assay.spec.shape import MAX_SAFE_INTEGER
from mcp_assay.wire.notes import MAX_DEPTH, MAX_MESSAGE_BYTES
from mcp_assay.wire.pointer import Path, resolve

table_rule(
    "JSONRPC-001",
    "not-json",
    """A message is not valid JSON in UTF-8.

    Why: the receiver cannot read it, not even the id for an error response.
    Instead: write messages with a JSON library and encode them as UTF-8.
    """,
    reason="parse_error",
    good=lambda: [
        good(b'{"jsonrpc":"2.0","id":1,"method":"ping"}'),
        good(
            b'{"jsonrpc":"2.0","id":2,"method":"tools/call",'
            b'"params":{"name":"search","arguments":{"query":"caf\xc3\xa9"}}}'
        ),
    ],
    bad=lambda: [
        bad(b'{"jsonrpc":"2.0","id":1,"method":"ping"', ""),
        bad(b"{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}", ""),
        bad(b'{"jsonrpc":"2.0","id":"caf\xe9","method":"ping"}', ""),
        bad(b"Server started on port 3000", ""),
    ],
)

table_rule(
    "JSONRPC-018",
    "duplicate-member",
    """An object has two members with the same name.

    Why: some parsers keep the first, some the last, and some reject the message, so two programs
    see different messages.
    Instead: use every name only once.
    """,
    reason="duplicate_member",
    good=lambda: [
        good(b'{"jsonrpc":"2.0","id":1,"method":"ping"}'),
        good(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"search","arguments":{"name":"tea"}}}'
        ),
    ],
    bad=lambda: [
        bad(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', "/id"),
        bad(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"read_note","arguments":{},"name":"delete_note"}}',
            "/params/name",
        ),
    ],
)

table_rule(
    "JSONRPC-019",
    "more-than-json",
    """A message contains NaN or Infinity, a byte order mark, or trailing text.

    Why: JSON allows none of these, but some libraries write or accept them, so the same bytes work
    with one peer and fail with another.
    Instead: use null or a string instead of NaN and Infinity, omit the byte order mark, and send
    one value per message.
    """,
    reason="parse_error",
    good=lambda: [good(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')],
    bad=lambda: [
        bad(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"scale","arguments":{"factor":NaN}}}',
            "/params/arguments/factor",
        ),
        bad(b'{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2}', ""),
        bad(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}', ""),
    ],
)


ID: Final = ("id",)
TOKEN_PLACES: Final[Mapping[tuple[Kind, str | None], Path]] = {
    ("request", None): ("params", "_meta", "progressToken"),
    ("notification", "notifications/progress"): ("params", "progressToken"),
    ("notification", "notifications/cancelled"): ("params", "requestId"),
}
"""Where a message has a token besides its id, by its kind and, for notifications, its method."""


@rule(
    "JSONRPC-020",
    "not-interoperable-json",
    reason="not_interoperable",
    good=lambda: [
        good(request("ping", id=MAX_SAFE_INTEGER)),
        good(notification("notifications/progress", {"progressToken": "p-7", "progress": 1})),
        good(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"search","arguments":{"query":"\\ud83d\\ude00"}}}'
        ),
    ],
    bad=lambda: [
        bad(request("ping", id=MAX_SAFE_INTEGER + 1), "/id"),
        bad(
            request("tools/list", {"_meta": {"progressToken": -(2**53)}}),
            "/params/_meta/progressToken",
            revision=R2025_06_18,
        ),
        bad(
            notification("notifications/cancelled", {"requestId": 2**60}),
            "/params/requestId",
            revision=R2024_11_05,
        ),
        bad(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"search","arguments":{"query":"\\ud83d"}}}',
            "/params/arguments/query",
        ),
        bad(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"scale","arguments":{"factor":1e400}}}',
            "/params/arguments/factor",
        ),
    ],
    on=On(EVERY_KIND),
    patch={},
)
def not_interoperable_json(message: Message) -> Iterator[Found]:
    """An id or token exceeds 2^53-1, a number is out of range, or a string has a lone surrogate.

    Why: this is valid JSON, but common parsers round such numbers and replace or reject such text.
    A rounded id no longer matches its request.
    Instead: keep ids and tokens within 2^53-1 or make them strings; send whole characters.
    """
    method = message.method if message.kind == "notification" else None
    place = TOKEN_PLACES.get((message.kind, method))
    if _is_unsafe(message.value.get("id")):
        yield _unsafe(ID)
    if place is not None and _is_unsafe(resolve(message.value, place)):
        yield _unsafe(place)


def _is_unsafe(value: object) -> bool:
    return isinstance(value, int) and abs(value) > MAX_SAFE_INTEGER


def _unsafe(path: Path) -> Found:
    text = f"The {path[-1]} has more than 53 bits, so many parsers round it."
    return Found(path, text, details={"limit": MAX_SAFE_INTEGER})


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
    """A message is nested too deeply to be checked completely.

    Why: common parsers reject such a message or run out of stack; mcp-assay checks everything above
    this depth.
    Instead: flatten the data, or send it as text or as a resource.
    """,
    reason="limit_reached",
    good=lambda: [good(_nested(MAX_DEPTH - ARGUMENTS_DEPTH))],
    bad=lambda: [
        bad(
            _nested(MAX_DEPTH - ARGUMENTS_DEPTH + 1),
            "/params/arguments/text" + "/0" * (MAX_DEPTH - ARGUMENTS_DEPTH),
        )
    ],
)

table_rule(
    "LIMIT-002",
    "too-long",
    """A message is too long to be checked.

    Why: a message of this size delays all that follow, and many receivers reject it; mcp-assay does
    not read it.
    Instead: send pages, or a link to a resource that is read in parts.
    """,
    reason="limit_reached",
    good=lambda: [
        good(request("tools/call", {"name": "save", "arguments": {"text": "tea" * 1000}}))
    ],
    bad=lambda: [bad(Stretched(CALL + b'"', b"tea ", MAX_MESSAGE_BYTES // 4, b'"' + CLOSED), "")],
)

table_rule(
    "LIMIT-003",
    "too-many-faults",
    """A message has more problems than are listed.

    Why: so many problems in one message usually have few causes; the rest is counted, not shown.
    Instead: fix those that are listed, then check again.
    """,
    reason="limit_reached",
    good=lambda: [good(result({"tools": []}), method="tools/list")],
    bad=lambda: [
        bad(
            result({"tools": ["search"] * (MOST_KEPT + 1)}),
            "",
            method="tools/list",
            also=tuple(("SCHEMA-002", f"/result/tools/{index}") for index in range(MOST_KEPT)),
        )
    ],
)

"""The text of a message: well-formed, unambiguous JSON that every reader understands alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mcp_assay.model.message import Kind, Message
from mcp_assay.rules.examples import bad, good, notification, request
from mcp_assay.rules.jsonrpc import EVERY_KIND
from mcp_assay.rules.rule import Found, On, rule, table_rule
from mcp_assay.spec.revisions import R2024_11_05, R2025_06_18
from mcp_assay.spec.shape import MAX_SAFE_INTEGER
from mcp_assay.wire.pointer import Path, resolve

table_rule(
    "JSONRPC-001",
    "not-json",
    """A message that is not well-formed JSON in UTF-8.

    Why: the receiver cannot read any of it, not even the id that its error response would need.
    Instead: write messages with a JSON library and encode them as UTF-8.
    """,
    reason="parse_error",
    good=[
        good(b'{"jsonrpc":"2.0","id":1,"method":"ping"}'),
        good(
            b'{"jsonrpc":"2.0","id":2,"method":"tools/call",'
            b'"params":{"name":"search","arguments":{"query":"caf\xc3\xa9"}}}'
        ),
    ],
    bad=[
        bad(b'{"jsonrpc":"2.0","id":1,"method":"ping"', ""),
        bad(b"{'jsonrpc': '2.0', 'id': 1, 'method': 'ping'}", ""),
        bad(b'{"jsonrpc":"2.0","id":"caf\xe9","method":"ping"}', ""),
        bad(b"Server started on port 3000", ""),
    ],
)

table_rule(
    "JSONRPC-018",
    "duplicate-member",
    """An object with two members of the same name.

    Why: some readers keep the first, some the last and some refuse the message, so two programs see
    two different messages.
    Instead: write every name once.
    """,
    reason="duplicate_member",
    good=[
        good(b'{"jsonrpc":"2.0","id":1,"method":"ping"}'),
        good(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"search","arguments":{"name":"tea"}}}'
        ),
    ],
    bad=[
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
    """A message with NaN or Infinity, with a byte order mark, or with more text behind its end.

    Why: some writers produce these and some readers let them pass, but JSON has none of them, so
    the same bytes work with one peer and fail with the next.
    Instead: send null or a string where there is no finite number, leave the byte order mark out,
    and send one value per message.
    """,
    reason="parse_error",
    good=[good(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')],
    bad=[
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
    good=[
        good(request("ping", id=MAX_SAFE_INTEGER)),
        good(notification("notifications/progress", {"progressToken": "p-7", "progress": 1})),
        good(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            b'"params":{"name":"search","arguments":{"query":"\\ud83d\\ude00"}}}'
        ),
    ],
    bad=[
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
    """An id or token beyond 2^53-1, a number beyond all bounds, or half of a surrogate pair.

    Why: it is JSON, but common readers round such numbers and replace or refuse such text. A
    rounded id no longer matches its request.
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
    text = f"The {path[-1]} has more than 53 bits, so many readers round it."
    return Found(path, text, details={"limit": MAX_SAFE_INTEGER})

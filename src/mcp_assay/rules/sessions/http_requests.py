"""How a client asks over HTTP: one POST for each message, and the headers of every request."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mcp_assay.rules.examples import error, modern_request, notification, request
from mcp_assay.rules.examples import result as answer
from mcp_assay.rules.rule import Found, session_rule
from mcp_assay.rules.scripts import broken, talk
from mcp_assay.rules.sessions.http_exchanges import (
    NO_HEADERS,
    Look,
    Verdict,
    watch_exchange,
)
from mcp_assay.rules.sessions.http_scripts import (
    JSON,
    STREAM,
    VERSION,
    accepted,
    closed,
    get,
    http_opening,
    modern_post,
    post,
    reply,
    stream,
)
from mcp_assay.rules.words import PHRASES, json_type, listing, quote
from mcp_assay.session.exchanges import Headers, media_type
from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)
from mcp_assay.wire.markers import UNREAD

WILDCARDS: Final = {JSON: ("*/*", "application/*"), STREAM: ("*/*", "text/*")}
"""Ranges that take a media type in without listing it: servers may be content with them."""
REFUSED: Final = ("q=0", "q=0.0", "q=0.00", "q=0.000")
TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
MODERN_LIST: Final[dict[str, object]] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}

session_rule(
    "HTTP-001",
    "message-not-posted",
    """A message of the client that is not the body of a POST of its own.

    Why: servers read messages from POST requests only, one from each; the message is lost.
    Instead: send every message as a new POST to the MCP endpoint.
    """,
    reason="not_posted",
    good=[talk(http_opening())],
    bad=[
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), method="PUT"),
            reply(answer(LIST)),
            at=4,
        ),
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list", id=1)),
            post(request("tools/list", id=2)),
            reply([answer(LIST, id=1), answer(LIST, id=2)]),
            at=5,
            also=((6, "HTTP-007", ""), (6, "BATCH-001", "")),
        ),
    ],
)

session_rule(
    "HTTP-002",
    "post-accepts-too-little",
    """A POST whose Accept header does not list both media types that a server may answer with.

    Why: the server chooses between a JSON object and a stream; one that checks answers 406.
    Instead: send `Accept: application/json, text/event-stream` with every POST.
    """,
    reason="accept_incomplete",
    good=[talk(http_opening())],
    bad=[
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers={"Accept": JSON}),
            reply(answer(LIST)),
            at=4,
        )
    ],
)

session_rule(
    "HTTP-003",
    "post-body-not-one-message",
    """A POST whose body is something else than one message that a client may send.

    Why: a server answers one message for each POST. Since 2026-07-28 it asks clients nothing, so a
    response is of no use to it.
    Instead: post each request and each notification by itself.
    """,
    reason="body_not_one_message",
    good=[talk(http_opening())],
    bad=[
        broken(
            http_opening(server=TOOLS),
            post([request("tools/list", id=1), request("tools/list", id=2)]),
            reply(error(-32600, "One message, please", id=1), status=400),
            at=4,
            also=((4, "BATCH-001", ""),),
        ),
    ],
)

session_rule(
    "HTTP-004",
    "post-content-type",
    """A POST whose Content-Type is not application/json.

    Why: servers that check the type of the body refuse the message, often with status 415 or 400.
    Instead: send `Content-Type: application/json`.
    """,
    reason="content_type",
    good=[talk(http_opening())],
    bad=[
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers={"Content-Type": "text/plain"}),
            reply(answer(LIST)),
            at=4,
        )
    ],
)

session_rule(
    "HTTP-014",
    "get-accepts-no-stream",
    """A GET to the MCP endpoint whose Accept header does not list text/event-stream.

    Why: a stream is all that a server can answer it with; one that checks answers 406.
    Instead: send `Accept: text/event-stream` with the GET.
    """,
    reason="accept_incomplete",
    good=[talk(http_opening(), get(1), stream())],
    bad=[
        broken(
            http_opening(),
            get(1, {"Accept": JSON}),
            reply(status=405),
            at=4,
        )
    ],
)

session_rule(
    "HTTP-041",
    "cancelled-by-post",
    """A notifications/cancelled that the client posts.

    Why: since 2026-07-28 a server over HTTP takes the end of a stream for the cancellation of its
    request, and expects no message about it.
    Instead: close the stream of the request.
    """,
    reason="cancelled_by_post",
    good=[
        talk(modern_post(modern_request("tools/list")), stream(), closed(), partial=True),
        talk(
            http_opening(server=TOOLS),
            post(request("tools/list")),
            post(notification("notifications/cancelled", {"requestId": 1}), 2),
            accepted(2),
        ),
    ],
    bad=[
        broken(
            modern_post(modern_request("tools/list")),
            post(
                notification("notifications/cancelled", {"requestId": 1}), 2, {VERSION: R2026_07_28}
            ),
            accepted(2),
            at=1,
            pointer="/method",
        )
    ],
)


@watch_exchange("asked", "HTTP-001", since=R2025_03_26)
def posts_every_message(look: Look) -> Verdict:
    """Decide HTTP-001."""
    exchange = look.exchange
    if not exchange.posted:
        return None
    if exchange.method == "POST":
        return ()
    text = f"The message came as the body of a {quote(exchange.method or '')}, not of a POST."
    return (Found((), text, "HTTP-001", key="method"),)


@watch_exchange("asked again", "HTTP-001", since=R2025_06_18)
def posts_one_message_at_a_time(look: Look) -> Verdict:
    """Decide HTTP-001 where there is a second message."""
    if not look.messages:
        return None
    text = "The message came in the same exchange as another one, not as a POST of its own."
    return (Found((), text, "HTTP-001", key="second"),)


@watch_exchange("asked", "HTTP-002", since=R2025_03_26)
def accepts_both_media_types(look: Look) -> Verdict:
    """Decide HTTP-002."""
    if not _is_post(look):
        return None
    headers = look.exchange.request_headers
    if headers is None:
        return look.leave_open("HTTP-002", because=NO_HEADERS)
    missing = [type for type in (JSON, STREAM) if not accepts(headers, type)]
    if not missing:
        return ()
    text = f"The Accept header of the POST does not list {listing(missing, 'and')}."
    return (Found((), text, "HTTP-002", key=" ".join(missing)),)


@watch_exchange("asked", "HTTP-003", since=R2025_06_18)
def posts_one_message(look: Look) -> Verdict:
    """Decide HTTP-003."""
    exchange = look.exchange
    is_seen = exchange.was_sent and look.arrival.direction == "c2s" and not look.is_too_long
    if not is_seen or not _is_for_us(look):
        return None
    text = _misfit(look)
    return (Found((), text, "HTTP-003"),) if text else ()


def _misfit(look: Look) -> str | None:
    """What is wrong with a body."""
    if look.value is UNREAD:
        return "The body of the POST is no JSON."
    if not isinstance(look.value, dict):
        return f"The body of the POST is {PHRASES[json_type(look.value)]}, not one message."
    is_response = look.exchange.posted[0].kind in ("result", "error")
    if is_response and look.exchange.revision >= R2026_07_28:
        return "The body of the POST is a response, although no server asks for one any more."
    return None


@watch_exchange("asked", "HTTP-004", since=R2025_03_26)
def posts_json(look: Look) -> Verdict:
    """Decide HTTP-004."""
    if not _is_post(look):
        return None
    headers = look.exchange.request_headers
    if headers is None:
        return look.leave_open("HTTP-004", because=NO_HEADERS)
    given = headers.get("content-type")
    if given is not None and media_type(given) == JSON:
        return ()
    named = "missing" if given is None else quote(given)
    return (Found((), f"The Content-Type of the POST is {named}, not {JSON}.", "HTTP-004"),)


@watch_exchange("asked", "HTTP-014", since=R2025_03_26, until=R2025_11_25)
def gets_a_stream(look: Look) -> Verdict:
    """Decide HTTP-014."""
    if look.exchange.method != "GET" or not look.exchanges.is_endpoint(look.exchange):
        return None
    headers = look.exchange.request_headers
    if headers is None:
        return look.leave_open("HTTP-014", because=NO_HEADERS)
    if accepts(headers, STREAM):
        return ()
    return (Found((), f"The Accept header of the GET does not list {STREAM}.", "HTTP-014"),)


@watch_exchange("asked", "HTTP-041", since=R2026_07_28)
def cancels_by_closing(look: Look) -> Verdict:
    """Decide HTTP-041."""
    posted = look.exchange.posted
    if not posted or posted[0].method != "notifications/cancelled":
        return None
    text = "The client posted notifications/cancelled; closing the stream cancels its request."
    return (Found(("method",), text, "HTTP-041"),)


@watch_exchange("ended", "HTTP-041", since=R2026_07_28)
def closes_the_stream(look: Look) -> Verdict:
    """Decide HTTP-041 where a stream was closed before its response."""
    return () if look.exchange.is_stream and look.exchange.awaited else None


def accepts(headers: Headers, type: str) -> bool:
    """Whether the Accept header lists a media type, or a range that takes it in."""
    return _lists(headers.get("accept", ""), type)


@lru_cache(maxsize=100)
def _lists(accept: str, type: str) -> bool:
    ranges = map(_range, accept.split(","))
    return any(range in (type, *WILDCARDS[type]) for range in ranges)


def _range(part: str) -> str | None:
    """The media range in a part of an Accept header, None where it says that it is refused."""
    name, *parameters = (piece.strip().lower() for piece in part.split(";"))
    return None if any(piece in REFUSED for piece in parameters) else name


def _is_post(look: Look) -> bool:
    """Whether this is a POST whose headers are prescribed: those of 2026-07-28 are for requests."""
    exchange = look.exchange
    is_covered = exchange.revision < R2026_07_28 or exchange.has_request
    return exchange.method == "POST" and bool(exchange.posted) and is_covered


def _is_for_us(look: Look) -> bool:
    exchange = look.exchange
    return exchange.method == "POST" and (
        bool(exchange.posted)
        or (exchange.path is not None and look.exchanges.is_endpoint(exchange))
    )

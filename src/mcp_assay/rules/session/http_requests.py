"""How a client asks over HTTP: one POST for each message, and the headers of every request."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    error,
    kept,
    modern_request,
    notification,
    request,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import (
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
from mcp_assay.session.exchanges import Headers, media_type
from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)
from mcp_assay.text.words import PHRASES, json_type, listing, quote
from mcp_assay.wire.notes import UNREAD

WILDCARDS: Final = {JSON: ("*/*", "application/*"), STREAM: ("*/*", "text/*")}
"""Ranges that take a media type in without listing it: servers may be content with them."""
REFUSED: Final = ("q=0", "q=0.0", "q=0.00", "q=0.000")
TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
MODERN_LIST: Final[dict[str, object]] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}

session_rule(
    "HTTP-001",
    "message-not-posted",
    """A client message is not sent as a separate POST.

    Why: servers read exactly one message from each POST; the message is lost.
    Instead: send every message as a new POST to the MCP endpoint.
    """,
    reason="not_posted",
    good=lambda: [kept(http_opening())],
    bad=lambda: [
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
    """A POST's Accept header does not list both application/json and text/event-stream.

    Why: the server chooses between JSON and a stream; strict servers return 406.
    Instead: send `Accept: application/json, text/event-stream` with every POST.
    """,
    reason="accept_incomplete",
    good=lambda: [kept(http_opening())],
    bad=lambda: [
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
    """A POST's body is not a single client message.

    Why: a server handles one message per POST. Since 2026-07-28 it sends no requests, so it cannot
    use responses.
    Instead: send each request and each notification as a separate POST.
    """,
    reason="body_not_one_message",
    good=lambda: [kept(http_opening())],
    bad=lambda: [
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
    """A POST's Content-Type is not application/json.

    Why: strict servers reject the message, often with status 415 or 400.
    Instead: send `Content-Type: application/json`.
    """,
    reason="content_type",
    good=lambda: [kept(http_opening())],
    bad=lambda: [
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
    """A GET's Accept header does not list text/event-stream.

    Why: the server can only return a stream; strict servers return 406.
    Instead: send `Accept: text/event-stream` with the GET.
    """,
    reason="accept_incomplete",
    good=lambda: [kept(http_opening(), get(1), stream())],
    bad=lambda: [
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
    """The client posts notifications/cancelled.

    Why: since 2026-07-28, closing the stream cancels a request over HTTP; servers expect no
    message.
    Instead: close the stream of the request.
    """,
    reason="cancelled_by_post",
    good=lambda: [
        kept(modern_post(modern_request("tools/list")), stream(), closed(), partial=True),
        kept(
            http_opening(server=TOOLS),
            post(request("tools/list")),
            post(notification("notifications/cancelled", {"requestId": 1}), 2),
            accepted(2),
        ),
    ],
    bad=lambda: [
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
def message_not_posted(look: Look) -> Verdict:
    """Decide HTTP-001."""
    exchange = look.exchange
    if not exchange.posted:
        return None
    if exchange.method == "POST":
        return ()
    text = f"The message was sent with {quote(exchange.method or '')}, not with POST."
    return (Found((), text, "HTTP-001", key="method"),)


@watch_exchange("asked again", "HTTP-001", since=R2025_06_18)
def second_message_not_posted(look: Look) -> Verdict:
    """Decide HTTP-001 where there is a second message."""
    if not look.messages:
        return None
    text = "The message came in the same exchange as another one, not as a POST of its own."
    return (Found((), text, "HTTP-001", key="second"),)


@watch_exchange("asked", "HTTP-002", since=R2025_03_26)
def post_accepts_too_little(look: Look) -> Verdict:
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
def post_body_not_one_message(look: Look) -> Verdict:
    """Decide HTTP-003."""
    exchange = look.exchange
    is_seen = exchange.was_sent and look.line.direction == "c2s" and not look.is_too_long
    if not is_seen or not _is_for_us(look):
        return None
    text = _misfit(look)
    return (Found((), text, "HTTP-003"),) if text else ()


def _misfit(look: Look) -> str | None:
    """What is wrong with a body."""
    if look.value is UNREAD:
        return "The body of the POST is not JSON."
    if not isinstance(look.value, dict):
        return f"The body of the POST is {PHRASES[json_type(look.value)]}, not one message."
    is_response = look.exchange.posted[0].kind in ("result", "error")
    if is_response and look.exchange.revision >= R2026_07_28:
        return "The body of the POST is a response, but servers send no requests in this revision."
    return None


@watch_exchange("asked", "HTTP-004", since=R2025_03_26)
def post_content_type(look: Look) -> Verdict:
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
def get_accepts_no_stream(look: Look) -> Verdict:
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
def cancelled_by_post(look: Look) -> Verdict:
    """Decide HTTP-041."""
    posted = look.exchange.posted
    if not posted or posted[0].method != "notifications/cancelled":
        return None
    text = "The client posted notifications/cancelled; closing the stream cancels its request."
    return (Found(("method",), text, "HTTP-041"),)


@watch_exchange("ended", "HTTP-041", since=R2026_07_28)
def cancelled_by_post_instead_of_close(look: Look) -> Verdict:
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

"""How a server answers over HTTP: the status and the media type that a request calls for."""

from __future__ import annotations

from typing import Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import broken, error, kept, notification, request
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.http_exchanges import (
    NO_HEADERS,
    NO_REQUEST,
    NO_STATUS,
    Look,
    Verdict,
    watch_exchange,
)
from mcp_assay.rules.session.http_requests import accepts
from mcp_assay.rules.session.http_samples import (
    JSON,
    STREAM,
    closed,
    event,
    get,
    http_opening,
    post,
    reply,
    stream,
)
from mcp_assay.session.exchanges import Exchange
from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)
from mcp_assay.text.words import PHRASES, glimpse, json_type, quote
from mcp_assay.wire.notes import UNREAD

ACCEPTED, NO_CONTENT = 202, 204
NOT_FOUND: Final = 404
NOT_ALLOWED: Final = 405
TYPES: Final = (JSON, STREAM)
OLD_TRANSPORT: Final = "the transport may be HTTP+SSE, where this is allowed"
TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
ROOTS: Final = {"roots": {"listChanged": True}}
CHANGED: Final = notification("notifications/roots/list_changed")

session_rule(
    "HTTP-005",
    "accepted-notification",
    """A notification or response is accepted with a status other than 202.

    Why: there is nothing to return. A client that gets 200 waits for a body, or fails on one.
    Instead: return status 202 and no body.
    """,
    reason="status_of_notification",
    good=lambda: [kept(http_opening())],
    bad=lambda: [
        broken(http_opening()[:-1], reply(exchange="ready", status=200)),
        broken(
            http_opening(client=ROOTS),
            post(CHANGED),
            reply(answer({}, id="n-1"), status=202),
            also=((5, "JSONRPC-023", "/id"),),
        ),
    ],
)

session_rule(
    "HTTP-006",
    "refused-notification",
    """A notification is rejected with a success status, or with an invalid body.

    Why: only the status tells the client that its message was rejected.
    Instead: return a 4xx or 5xx status and, optionally, a JSON-RPC error without an id.
    """,
    reason="refusal_of_notification",
    good=lambda: [kept(http_opening(client=ROOTS), post(CHANGED), reply(status=400, type=None))],
    bad=lambda: [
        broken(
            http_opening(client=ROOTS),
            post(CHANGED),
            reply(error(-32600, "No", id=7), status=400),
            also=((5, "JSONRPC-023", "/id"),),
        ),
    ],
)

session_rule(
    "HTTP-007",
    "answer-of-unknown-type",
    """A request is answered neither with a JSON object nor with a stream.

    Why: the client cannot read anything else, so the request fails although the server did its
    work.
    Instead: return one object as application/json, or a text/event-stream.
    """,
    reason="answer_type",
    good=lambda: [
        kept(http_opening(server=TOOLS), post(request("tools/list")), reply(answer(LIST))),
        kept(
            http_opening(server=TOOLS),
            post(request("tools/list")),
            stream(),
            event(answer(LIST)),
            closed(),
        ),
    ],
    bad=lambda: [
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list")),
            reply(answer(LIST), type="text/html"),
        ),
    ],
)

session_rule(
    "HTTP-015",
    "get-without-stream",
    """A GET to the MCP endpoint returns neither a stream nor status 405.

    Why: the client mistakes the body for the stream that it requested.
    Instead: open a stream, or return status 405 if there is none.
    """,
    reason="get_answer",
    good=lambda: [
        kept(http_opening(), get(1), reply(status=405)),
        kept(http_opening(), get(1), stream()),
    ],
    bad=lambda: [broken(http_opening(), get(1), reply(type="text/html"))],
)

session_rule(
    "HTTP-043",
    "unwanted-type",
    """A POST is answered with a media type that its Accept header does not list.

    Why: the client cannot read this type, so the response is silently lost.
    Instead: return status 406 or 400 if the header lacks one of the two types.
    """,
    reason="unwanted_type",
    good=lambda: [
        kept(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers={"Accept": STREAM}, method=None),
            reply(error(-32600, "Not acceptable"), status=406),
        )
    ],
    bad=lambda: [
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers={"Accept": STREAM}),
            reply(answer(LIST)),
            also=((4, "HTTP-002", ""),),
        )
    ],
)


@watch_exchange("answered", "HTTP-005", since=R2025_03_26)
def accepted_notification_status(look: Look) -> Verdict:
    """Decide the status of HTTP-005."""
    exchange = look.exchange
    if not expects_nothing(exchange) or not exchange.succeeded:
        return None
    if exchange.status == ACCEPTED or _is_refusal(look):
        return ()
    text = f"A message that needs no response was accepted with status {exchange.status}, not 202."
    return (Found((), text, "HTTP-005", key="status"),)


@watch_exchange("message", "HTTP-005", "HTTP-006", since=R2025_03_26)
def notification_answered_with_body(look: Look) -> Verdict:
    """Decide what may be the body of the answer to a notification: HTTP-005 and HTTP-006."""
    exchange = look.exchange
    if not expects_nothing(exchange) or exchange.status is None:
        return None
    if exchange.succeeded and not _is_refusal(look):
        text = "A message that needs no response was accepted, but the response has a body."
        return (Found((), text, "HTTP-005", key="body"),)
    if exchange.succeeded:
        text = f"A notification was rejected, but with status {exchange.status}, not 4xx or 5xx."
        return (Found((), text, "HTTP-006", key="status"),)
    return () if not exchange.failed else _refusal_faults(look)


@watch_exchange("answered", "HTTP-006", since=R2025_03_26)
def refused_notification(look: Look) -> Verdict:
    """Decide HTTP-006 where the response has no body."""
    return () if expects_nothing(look.exchange) and look.exchange.failed else None


def _refusal_faults(look: Look) -> Verdict:
    for message in look.messages:
        if message.kind != "error":
            text = "The body of a rejected notification is not a JSON-RPC error."
            return (Found((), text, "HTTP-006", key="kind"),)
        if (id := message.value.get("id")) is not None:
            text = (
                f"The error for a rejected notification has the id {glimpse(id)}, but "
                "notifications have no id."
            )
            return (Found((), text, "HTTP-006", key="id"),)
    return ()


@watch_exchange("answered", "HTTP-007", since=R2025_03_26)
def answer_of_unknown_type(look: Look) -> Verdict:
    """Decide HTTP-007."""
    exchange = look.exchange
    if exchange.method is None and not exchange.was_sent:
        return look.leave_open("HTTP-007", because=NO_REQUEST)
    if not exchange.has_request or (exchange.status is not None and not exchange.succeeded):
        return None
    if exchange.status is None or exchange.content_type is None:
        return look.leave_open(
            "HTTP-007", because=NO_STATUS if exchange.status is None else NO_HEADERS
        )
    if exchange.content_type in TYPES:
        return ()
    return _wrong_type(look)


def _wrong_type(look: Look) -> Verdict:
    exchange = look.exchange
    if exchange.status in (ACCEPTED, NO_CONTENT) and exchange.transport is None:
        return look.leave_open("HTTP-007", because=OLD_TRANSPORT)
    named = quote(exchange.content_type) if exchange.content_type else "missing"
    text = f"A request was answered with status {exchange.status} and Content-Type {named}."
    return (Found((), text, "HTTP-007", key="type"),)


@watch_exchange("message", "HTTP-007", since=R2025_06_18)
def answer_not_one_object(look: Look) -> Verdict:
    """Decide HTTP-007 for the body of an answer as JSON."""
    exchange = look.exchange
    is_body = exchange.has_request and exchange.succeeded and exchange.content_type == JSON
    if not is_body or look.value is UNREAD:
        return None
    if isinstance(look.value, dict):
        return ()
    text = f"A request was answered with {PHRASES[json_type(look.value)]}, not with one object."
    return (Found((), text, "HTTP-007", key="object"),)


@watch_exchange("answered", "HTTP-015", since=R2025_03_26, until=R2025_11_25)
def get_without_stream(look: Look) -> Verdict:
    """Decide HTTP-015."""
    exchange = look.exchange
    if exchange.method != "GET" or not look.exchanges.is_endpoint(exchange):
        return None
    if exchange.status == NOT_ALLOWED:
        return ()
    if exchange.status == NOT_FOUND and _is_without_session(exchange):
        return (Found((), "A GET was answered with status 404, not 405.", "HTTP-015", key="404"),)
    return _stream_faults(look) if exchange.succeeded else None


def _stream_faults(look: Look) -> Verdict:
    exchange = look.exchange
    if exchange.content_type is None:
        return look.leave_open("HTTP-015", because=NO_HEADERS)
    if exchange.is_stream:
        return ()
    named = quote(exchange.content_type) if exchange.content_type else "missing"
    text = f"A GET was answered with status {exchange.status} and Content-Type {named}."
    return (Found((), text, "HTTP-015", key="type"),)


@watch_exchange("answered", "HTTP-043", since=R2025_03_26)
def unwanted_type(look: Look) -> Verdict:
    """Decide HTTP-043."""
    exchange, headers = look.exchange, look.exchange.request_headers
    if not exchange.has_request or headers is None or "accept" not in headers:
        return None
    type, unwanted = exchange.content_type, [one for one in TYPES if not accepts(headers, one)]
    if not unwanted or type is None:
        return None
    if type not in unwanted or not exchange.succeeded:
        return ()
    text = f"The server returned {type} to a POST that does not accept it."
    return (Found((), text, "HTTP-043", key=type),)


def expects_nothing(exchange: Exchange) -> bool:
    """Whether the client posted only what calls for no answer."""
    return bool(exchange.posted) and all(
        _calls_for_nothing(message, exchange.revision) for message in exchange.posted
    )


def _calls_for_nothing(message: Message, revision: str) -> bool:
    if message.kind == "notification":
        return "id" not in message.value
    return message.kind in ("result", "error") and revision < R2026_07_28


def _is_refusal(look: Look) -> bool:
    is_body = look.line.direction == "s2c"
    return is_body and any(message.kind == "error" for message in look.messages)


def _is_without_session(exchange: Exchange) -> bool:
    headers = exchange.request_headers
    return headers is not None and "mcp-session-id" not in headers

"""The transport HTTP+SSE of 2024-11-05: one stream from the server, and POSTs to where it says."""

from __future__ import annotations

from typing import Final
from urllib.parse import urljoin, urlsplit

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import END, Found, Step, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    initialize,
    initialized,
    kept,
    notification,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.http_exchanges import Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import STREAM
from mcp_assay.session.exchanges import ENDPOINT_EVENT
from mcp_assay.spec.revisions import R2024_11_05, R2025_03_26, R2025_11_25
from mcp_assay.text.words import PHRASES, json_type, quote
from mcp_assay.wire.notes import UNREAD

MESSAGE_EVENTS: Final = (None, "", "message")
NO_ENDPOINT: Final = "the trace does not have the URI of the endpoint event"
LONGEST_URI: Final = 2000
TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
_STREAM: Final = "stream"


class OldTransport:
    """What the server said about the transport, and what was said about it here."""

    __slots__ = ("endpoint", "was_reported")

    def __init__(self) -> None:
        self.endpoint: str | None = None
        """The path to which the client sends its messages."""
        self.was_reported = False


def _opened(first: str = ENDPOINT_EVENT) -> tuple[Step, Step]:
    asked = {"method": "GET", "path": "/sse", "request_headers": {"Accept": STREAM}}
    begun = {"status": 200, "response_headers": {"Content-Type": STREAM}}
    return (
        c2s(delivery=Delivery(transport="sse", exchange=_STREAM, http=asked)),
        s2c(delivery=Delivery(transport="sse", exchange=_STREAM, http=begun, sse={"event": first})),
    )


def _post(message: object, exchange: int, method: str = "POST") -> Step:
    http = {"method": method, "path": "/messages", "status": 202}
    return c2s(message, Delivery(transport="sse", exchange=exchange, http=http))


def _event(message: object, event: str = "message") -> Step:
    return s2c(message, Delivery(transport="sse", exchange=_STREAM, sse={"event": event}))


def _handshake(revision: str = R2024_11_05) -> tuple[Step, ...]:
    return (
        _post(initialize(revision=revision), 1),
        _event(initialized(TOOLS, revision)),
        _post(notification("notifications/initialized"), 2),
    )


session_rule(
    "SSE-001",
    "no-endpoint-event",
    """An HTTP+SSE stream does not begin with an endpoint event.

    Why: only this event tells the client where to send its messages.
    Instead: send an event of the type endpoint with the URI first.
    """,
    reason="no_endpoint_event",
    good=lambda: [kept(_opened(), _handshake())],
    bad=lambda: [broken(_opened("hello"), also=((1, "SSE-002", ""),))],
)

session_rule(
    "SSE-002",
    "event-of-other-type",
    """An HTTP+SSE event is neither the endpoint nor a JSON message.

    Why: clients read only events of type message.
    Instead: send each message as the data of an event of the type message.
    """,
    reason="event_not_a_message",
    good=lambda: [kept(_opened(), _handshake())],
    bad=lambda: [
        broken(
            _opened(),
            _handshake(),
            _post(request("tools/list"), 3),
            _event(answer(LIST), "answer"),
            at=6,
            also=((END, "JSONRPC-026", ""),),
        )
    ],
)

session_rule(
    "SSE-003",
    "posted-elsewhere",
    """An HTTP+SSE message is not posted to the URI that the server provided.

    Why: only there can the server match the response to a stream.
    Instead: send each message as a POST to the URI of the endpoint event.
    """,
    reason="posted_elsewhere",
    good=lambda: [kept(_opened(), _handshake())],
    bad=lambda: [
        broken(
            _opened(),
            _handshake(),
            _post(request("tools/list"), 3, "PUT"),
            _event(answer(LIST)),
            at=5,
        )
    ],
)

session_rule(
    "SSE-004",
    "deprecated-transport",
    """HTTP+SSE is used with a revision that has Streamable HTTP instead.

    Why: the transport is deprecated since 2025-03-26, and newer peers do not support it.
    Instead: move to Streamable HTTP; a server may offer both for a while.
    """,
    reason="deprecated_transport",
    good=lambda: [kept(_opened(), _handshake())],
    bad=lambda: [broken(_opened(), _handshake(R2025_11_25), at=4)],
)


@watch_exchange("message", "SSE-001", old=True)
def no_endpoint_event(look: Look) -> Verdict:
    """Decide SSE-001."""
    if look.exchange.method != "GET" or look.exchange.events or _type(look) is UNREAD:
        return None
    if _type(look) == ENDPOINT_EVENT:
        _remember_endpoint(look)
        return ()
    return (Found((), "The first event of the stream is not an endpoint event.", "SSE-001"),)


def _remember_endpoint(look: Look) -> None:
    text, base = look.line.text, look.exchange.path
    if text and len(text) <= LONGEST_URI and base is not None:
        given = text.decode("utf-8", "replace").strip().strip('"')
        look.session.recall(OldTransport).endpoint = _path(base, given)


def _path(base: str, uri: str) -> str | None:
    try:
        return urlsplit(urljoin(base, uri)).path.rstrip("/") or "/"
    except ValueError:
        return None


@watch_exchange("message", "SSE-002", old=True)
def event_of_other_type(look: Look) -> Verdict:
    """Decide SSE-002."""
    type = _type(look)
    if look.exchange.method != "GET" or type is UNREAD or type == ENDPOINT_EVENT:
        return None
    if type not in MESSAGE_EVENTS:
        named = quote(type) if isinstance(type, str) else "another one"
        text = f'The type of the event is {named}, not "message".'
        return (Found((), text, "SSE-002", key="type"),)
    return _data_faults(look)


def _data_faults(look: Look) -> Verdict:
    if not look.has_data or look.is_too_long:
        return None
    if look.value is UNREAD:
        return (Found((), "The data of the event is not JSON.", "SSE-002", key="data"),)
    if isinstance(look.value, dict | list):
        return ()
    text = f"The data of the event is {PHRASES[json_type(look.value)]}, not a message."
    return (Found((), text, "SSE-002", key="data"),)


@watch_exchange("asked", "SSE-003", old=True)
def posted_elsewhere(look: Look) -> Verdict:
    """Decide SSE-003."""
    exchange, known = look.exchange, look.session.recall(OldTransport)
    if not exchange.posted:
        return None
    if exchange.method != "POST":
        text = f"The message came by {quote(exchange.method or '')}, not by POST."
        return (Found((), text, "SSE-003", key="method"),)
    if known.endpoint is None or exchange.path is None:
        look.leave_open("SSE-003", because=NO_ENDPOINT)
        return ()
    if exchange.path == known.endpoint:
        return ()
    text = f"The message was posted to {quote(exchange.path)}, not to {quote(known.endpoint)}."
    return (Found((), text, "SSE-003", key="path"),)


@watch_exchange("asked", "SSE-004", old=True)
def deprecated_transport(look: Look) -> Verdict:
    """Decide SSE-004, once in a conversation."""
    known = look.session.recall(OldTransport)
    if look.session.handshake.answer is None or known.was_reported:
        return None
    if look.exchange.revision < R2025_03_26:
        return ()
    known.was_reported = True
    text = f"The peers use HTTP+SSE, which is deprecated, under {look.exchange.revision}."
    return (Found((), text, "SSE-004"),)


def _type(look: Look) -> object:
    """The type of the event, UNREAD where the line does not tell that it is one."""
    sse = look.line.delivery.sse
    return UNREAD if sse is None else sse.get("event")

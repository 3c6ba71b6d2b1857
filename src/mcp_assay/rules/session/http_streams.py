"""What a stream over HTTP carries: whose messages, in what form, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import broken, kept, notification, request, unfinished
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch_end
from mcp_assay.rules.session.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import (
    SESSION,
    closed,
    event,
    get,
    http_opening,
    post,
    reply,
    stream,
)
from mcp_assay.session.correlation import Cancellations
from mcp_assay.session.exchanges import Exchange, ExchangeKey, HttpSession, is_id
from mcp_assay.session.state import GOES_ON, SessionState
from mcp_assay.spec.methods import LISTEN
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25, R2026_07_28
from mcp_assay.text.words import PHRASES, json_type, quote
from mcp_assay.wire.notes import UNREAD

MOST_ENDS: Final = 100
"""Streams of one conversation that have ended too early, and wait for what comes next."""
MESSAGE_EVENTS: Final = (None, "", "message")
ANSWERS: Final = ("result", "error")
RESUMABLE: Final = "the stream may continue in another exchange"
CLOSED: Final = "the client may have closed the stream itself"
CANCELLED: Final = "the request was cancelled"
UNKNOWN_STREAM: Final = "the trace does not say which messages came on one stream"
NOT_AWAITED: Final = "the client closed the stream before the response"
LEFT: Final = "the client closed the stream before the server did"
NOT_RESUMED: Final = "the stream can be resumed, and the client did not try"

TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
_ASKED: Final = (*http_opening(server=TOOLS), post(request("tools/list")), stream())
_STREAMED: Final = (*_ASKED, event(answer(LIST)), closed())
_LOGGING: Final[dict[str, Any]] = {"tools": {"listChanged": True}}
_GIVEN: Final = "5f1c0a9e"
_SESSION: Final[dict[str, str | None]] = {SESSION: _GIVEN}


class Ends:
    """The requests whose streams have ended before the response: either side may have done that."""

    __slots__ = ("missed", "resumable", "resumed", "unclear")

    def __init__(self) -> None:
        self.resumable: Final[dict[ExchangeKey, Message]] = {}
        """Those whose streams the server has ended, and may go on with when they are resumed."""
        self.resumed: Final[set[ExchangeKey]] = set()
        """The streams that the client has come back for."""
        self.unclear: Final[list[Message]] = []
        """Those after whose end the client has not asked for anything yet."""
        self.missed: Final[list[Message]] = []
        """Those after whose end the client went on with the session."""


session_rule(
    "HTTP-008",
    "stream-without-response",
    """A stream ended without the response to its request.

    Why: the client waits for a response that cannot arrive on this stream.
    Instead: send the response, even if it is an error, before closing the stream.
    """,
    reason="stream_without_response",
    good=lambda: [kept(_STREAMED)],
    bad=lambda: [
        unfinished(
            http_opening(server=TOOLS, session=_GIVEN),
            post(request("tools/list"), headers=_SESSION),
            stream(),
            closed(),
            post(request("tools/list", id=2), 2, _SESSION),
            reply(answer(LIST, id=2), 2),
        )
    ],
)

session_rule(
    "HTTP-009",
    "stream-goes-on",
    """A message is sent on a stream after its response.

    Why: clients stop reading at the response, so later messages are lost.
    Instead: close the stream after the response, and send other messages on another one.
    """,
    reason="stream_goes_on",
    good=lambda: [kept(_STREAMED)],
    bad=lambda: [
        broken(
            http_opening(server=_LOGGING),
            post(request("tools/list")),
            stream(),
            event(answer(LIST)),
            event(notification("notifications/tools/list_changed")),
        )
    ],
)

session_rule(
    "HTTP-010",
    "event-not-a-message",
    """A stream event is not a JSON-RPC message, or its type is not message.

    Why: clients read each event of type message as one message, and ignore others.
    Instead: send one message per event, and use comments to keep a stream open.
    """,
    reason="event_not_a_message",
    good=lambda: [kept(_STREAMED)],
    bad=lambda: [
        broken(_ASKED, event(answer(LIST), event="result"), closed(), at=6),
        broken(
            _ASKED,
            event(b"pong"),
            event(answer(LIST)),
            closed(),
            at=6,
            also=((6, "JSONRPC-001", ""),),
        ),
    ],
)

session_rule(
    "HTTP-016",
    "response-on-get-stream",
    """A response is sent on a GET stream that does not resume another stream.

    Why: clients expect the response on the stream that the request opened.
    Instead: answer in the exchange of the request.
    """,
    reason="response_on_get_stream",
    good=lambda: [
        kept(http_opening(), get(1), stream(), event(request("ping")), post(answer({}), 2))
    ],
    bad=lambda: [
        broken(
            http_opening(server=TOOLS),
            get(1),
            stream(),
            post(request("tools/list"), 2),
            event(answer(LIST)),
        )
    ],
)

session_rule(
    "HTTP-020",
    "stream-not-primed",
    """A resumable stream does not begin with an empty event that has an id.

    Why: a client that loses the connection early has no id to resume the stream with.
    Instead: begin with an event that has an id and empty data, and send retry before closing early.
    """,
    reason="stream_not_primed",
    good=lambda: [kept(_ASKED, event(id="a-0"), event(answer(LIST), id="a-1"), closed())],
    bad=lambda: [
        broken(_ASKED, event(answer(LIST), id="a-1"), closed(), at=6),
    ],
)


@watch_exchange("ended", "HTTP-008", since=R2025_03_26)
def stream_without_response(look: Look) -> Verdict:
    """Decide HTTP-008, or wait for what the client does next."""
    exchange = look.exchange
    if not exchange.is_stream or not exchange.has_request:
        return None
    if not exchange.awaited:
        return ()
    if look.line.delivery.ended_by is not None:
        return _ended_for_us(look)
    if reason := _excuse(look):
        return look.withhold("HTTP-008", because=reason)
    question, ends = exchange.question, look.session.recall(Ends)
    if question is not None and len(ends.unclear) + len(ends.missed) < MOST_ENDS:
        ends.unclear.append(question)
    return None


def _ended_for_us(look: Look) -> Verdict:
    """Judge the end of a stream that was ours: who ended it is known, and whether we come back."""
    exchange, question = look.exchange, look.exchange.question
    if question is None or question.method == LISTEN:
        return None
    if look.line.delivery.ended_by != "server":
        return look.leave_open("HTTP-008", because=NOT_AWAITED)
    if _is_cancelled(look.session, question):
        return look.leave_open("HTTP-008", because=CANCELLED)
    ends = look.session.recall(Ends)
    if exchange.is_resumable and exchange.revision < R2026_07_28 and exchange.key is not None:
        if len(ends.resumable) < MOST_ENDS:
            ends.resumable[exchange.key] = question
        return None
    return (Found((), _without_response(question), "HTTP-008", about=question),)


def _without_response(question: Message) -> str:
    return f"The stream of {quote(question.method or '')} ended without the response to it."


def _is_cancelled(session: SessionState, question: Message) -> bool:
    id = question.value.get("id")
    return is_id(id) and session.recall(Cancellations).has("c2s", id)


@watch_exchange("message", "HTTP-008", since=R2025_03_26, until=R2025_11_25)
def response_after_resumption(look: Look) -> Verdict:
    """Decide HTTP-008 where the response came when the stream was resumed."""
    ends, key = look.session.recall(Ends), look.exchange.resumes
    if key is None:
        return None
    question = ends.resumable.get(key)
    ids = [one.value.get("id") for one in look.messages if one.kind in ANSWERS]
    if question is None or question.value.get("id") not in ids:
        return None
    del ends.resumable[key]
    return ()


@watch_exchange("answered", since=R2025_03_26, until=R2025_11_25)
def remember_resumption(look: Look) -> Verdict:
    """Remember that the client came back for a stream."""
    if look.exchange.resumes is not None:
        look.session.recall(Ends).resumed.add(look.exchange.resumes)
    return None


def _excuse(look: Look) -> str | None:
    """Why a response may be missing without a fault of the server's."""
    if look.session.partial:
        return GOES_ON
    if look.exchange.revision >= R2026_07_28 or look.session.recall(HttpSession).id is None:
        return CLOSED
    return RESUMABLE if look.exchange.is_resumable else None


@watch_exchange("asked", since=R2025_03_26, until=R2025_11_25)
def remember_what_follows_streams(look: Look) -> Verdict:
    """See what the client does after streams have ended: who ends the session has closed them."""
    question, ends = look.exchange.question, look.session.recall(Ends)
    if not ends.unclear or (question is None and look.exchange.method != "DELETE"):
        return None
    if question is not None and question.method != "initialize":
        ends.missed.extend(ends.unclear)
    ends.unclear.clear()
    return None


@watch_end
def client_missed_response(session: SessionState, revision: str) -> Iterator[Found]:
    """Decide HTTP-008 where the client went on, and had not cancelled its request."""
    ends = session.recall(Ends)
    if ends.unclear:
        session.withhold("HTTP-008", CLOSED)
    missed = [*ends.missed]
    for key, question in ends.resumable.items():
        if key in ends.resumed:
            missed.append(question)
        else:
            session.withhold("HTTP-008", NOT_RESUMED)
    for question in missed:
        if _is_cancelled(session, question):
            session.leave_open("HTTP-008", CANCELLED)
            continue
        session.decide("HTTP-008")
        yield Found((), _without_response(question), "HTTP-008", about=question)


@watch_exchange("message", "HTTP-009", since=R2025_03_26)
def stream_goes_on(look: Look) -> Verdict:
    """Decide HTTP-009 by what comes after the response."""
    if not look.messages or not look.exchange.events or not _is_answered(look.exchange):
        return None
    if look.exchange.key is None:
        return look.withhold("HTTP-009", because=UNKNOWN_STREAM)
    text = "The message came on the stream of a request that was already answered."
    return (Found((), text, "HTTP-009"),)


@watch_exchange("ended", "HTTP-009", since=R2025_03_26)
def stream_left_open(look: Look) -> Verdict:
    """Decide HTTP-009 by the end of the stream: who has not seen it knows nothing."""
    if not _is_answered(look.exchange):
        return None
    ended_by = look.line.delivery.ended_by
    if ended_by == "client":
        return look.leave_open("HTTP-009", because=LEFT)
    if ended_by != "left_open":
        return ()
    question = look.exchange.question
    text = "The stream was still open long after the response to its request."
    return (Found((), text, "HTTP-009", key="left open", about=question),)


def _is_answered(exchange: Exchange) -> bool:
    """Whether this is the stream of requests that are all answered."""
    is_of_request = exchange.is_stream and exchange.has_request
    return is_of_request and not exchange.awaited and _had_requests_with_ids(exchange)


def _had_requests_with_ids(exchange: Exchange) -> bool:
    asked = [one.value.get("id") for one in exchange.posted if one.kind == "request"]
    return all(map(is_id, asked))


@watch_exchange("message", "HTTP-010", since=R2025_03_26)
def event_not_a_message(look: Look) -> Verdict:
    """Decide HTTP-010; an event without data reaches nobody."""
    if not is_event(look) or not look.has_data or look.is_too_long:
        return None
    type = (look.line.delivery.sse or {}).get("event")
    if isinstance(type, str) and type not in MESSAGE_EVENTS:
        text = f'The event has the type {quote(type)}; clients read only type "message".'
        return (Found((), text, "HTTP-010", key="type"),)
    return _data_faults(look)


def _data_faults(look: Look) -> Verdict:
    if look.value is UNREAD:
        return (Found((), "The data of the event is not JSON.", "HTTP-010", key="data"),)
    is_batch = isinstance(look.value, list) and look.exchange.revision == R2025_03_26
    if is_batch or isinstance(look.value, dict):
        return ()
    text = f"The data of the event is {PHRASES[json_type(look.value)]}, not one message."
    return (Found((), text, "HTTP-010", key="data"),)


@watch_exchange("message", "HTTP-016", since=R2025_03_26, until=R2025_11_25)
def response_on_get_stream(look: Look) -> Verdict:
    """Decide HTTP-016."""
    exchange = look.exchange
    if exchange.method != "GET" or not look.messages or not is_event(look):
        return None
    if exchange.request_headers is None:
        return look.leave_open("HTTP-016", because=NO_HEADERS)
    if "last-event-id" in exchange.request_headers or not look.exchanges.is_endpoint(exchange):
        return None
    if not any(message.kind in ANSWERS for message in look.messages):
        return ()
    return (Found((), "A response came on the stream of a GET.", "HTTP-016"),)


@watch_exchange("message", "HTTP-020", since=R2025_11_25, until=R2025_11_25)
def stream_not_primed(look: Look) -> Verdict:
    """Decide HTTP-020 at the first event with an id; the event may agree on another revision."""
    exchange = look.exchange
    has_id = (look.line.delivery.sse or {}).get("id") is not None
    if not has_id or exchange.is_resumable or not exchange.has_request:
        return None
    if look.line.revision != exchange.revision:
        return None
    if not exchange.events and not look.has_data:
        return ()
    text = "The stream can be resumed, but does not begin with an empty event that has an id."
    return (Found((), text, "HTTP-020", key="first"),)


@watch_exchange("ended", "HTTP-020", since=R2025_11_25, until=R2025_11_25)
def stream_closed_without_retry(look: Look) -> Verdict:
    """Decide HTTP-020 at the end of a stream, which only the server closes after such an event."""
    exchange = look.exchange
    if not exchange.is_resumable or not exchange.awaited or look.session.partial:
        return None
    if exchange.was_retried:
        return ()
    ended_by, question = look.line.delivery.ended_by, exchange.question
    if ended_by != "server" or question is None or _is_cancelled(look.session, question):
        return look.leave_open("HTTP-020", because=NOT_AWAITED if ended_by else CLOSED)
    text = "The server closed a stream before the response, and did not send retry before that."
    return (Found((), text, "HTTP-020", key="retry", about=question),)


def is_event(look: Look) -> bool:
    """Whether the line is an event of a stream."""
    return look.exchange.is_stream or look.line.delivery.sse is not None

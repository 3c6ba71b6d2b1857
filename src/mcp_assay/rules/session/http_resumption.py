"""Streams that can be resumed, up to 2025-11-25: the ids of events, and what may come twice."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.rules.engine.rule import Found, Step, session_rule
from mcp_assay.rules.engine.samples import broken, kept, request
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import (
    accepted,
    closed,
    event,
    get,
    http_opening,
    post,
    stream,
)
from mcp_assay.session.exchanges import ExchangeKey, event_id, is_id
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25
from mcp_assay.text.words import glimpse

MOST_KEPT: Final = 10_000
"""Events, and requests of the server, that one conversation remembers."""
LONGEST_KEPT: Final = 256
"""An event with a longer id is not remembered."""
TOO_MANY: Final = "too many events to keep them all"
TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}


class StreamEvents:
    """Which stream each event belongs to, and each request of the server."""

    __slots__ = ("by_id", "requests")

    def __init__(self) -> None:
        self.by_id: Final[dict[str, ExchangeKey]] = {}
        self.requests: Final[dict[tuple[object, str | None], ExchangeKey]] = {}

    def forget(self) -> None:
        """Forget all: a new session begins."""
        self.by_id.clear()
        self.requests.clear()


def _resumed(exchange: int, last: str) -> tuple[Step, Step]:
    return get(exchange, {"Last-Event-ID": last}), stream(exchange)


_ASKED: Final = (*http_opening(server=TOOLS), post(request("tools/list")), stream())
_BROKEN_OFF: Final = (*_ASKED, event(id="a-0", retry=100), closed())


def _other_stream() -> tuple[Step, ...]:
    """A second stream, which is closed too."""
    ping: Any = request("ping", id="s-1")
    return get(2), stream(2), event(ping, 2, id="b-1"), post(answer({}, id="s-1"), 3), accepted(3)


session_rule(
    "HTTP-017",
    "request-on-two-streams",
    """A server request is sent on two streams.

    Why: the client executes and answers it twice.
    Instead: send each message on one stream only.
    """,
    reason="message_broadcast",
    good=lambda: [
        kept(
            http_opening(),
            get(1),
            stream(),
            event(request("ping", id="s-1")),
            post(answer({}, id="s-1"), 2),
            accepted(2),
        )
    ],
    bad=lambda: [
        broken(
            http_opening(),
            get(1),
            stream(),
            get(2),
            stream(2),
            event(request("ping", id="s-1")),
            event(request("ping", id="s-1"), 2),
            post(answer({}, id="s-1"), 3),
            accepted(3),
            at=9,
        )
    ],
)

session_rule(
    "HTTP-018",
    "event-id-reused",
    """An event has the id of an earlier event of the session.

    Why: a client that resumes from this id gets the messages of the wrong event, or none.
    Instead: give each event of a session a unique id, across all streams.
    """,
    reason="event_id_reused",
    good=lambda: [kept(_ASKED, event(id="a-0"), event(answer(LIST), id="a-1"), closed())],
    bad=lambda: [broken(_ASKED, event(id="a-0"), event(answer(LIST), id="a-0"), closed(), at=7)],
)

session_rule(
    "HTTP-019",
    "replay-of-another-stream",
    """A resumed stream repeats events of another stream.

    Why: the client gets messages twice, including requests that it has already answered.
    Instead: repeat only what belongs to the stream of the Last-Event-ID.
    """,
    reason="replay_of_another_stream",
    good=lambda: [
        kept(_BROKEN_OFF, _resumed(4, "a-0"), event(answer(LIST), 4, id="a-1"), closed(4))
    ],
    bad=lambda: [
        broken(
            _BROKEN_OFF,
            _other_stream(),
            _resumed(4, "a-0"),
            event(request("ping", id="s-1"), 4, id="b-1"),
            event(answer(LIST), 4, id="a-1"),
            closed(4),
            at=15,
            also=((-1, "JSONRPC-026", ""),),
        )
    ],
)


@watch_exchange("asked", since=R2025_03_26, until=R2025_11_25)
def follow_resumption(look: Look) -> Verdict:
    """Remember which stream this one goes on with, and when a new session begins."""
    exchange, events = look.exchange, look.session.recall(StreamEvents)
    if any(message.method == "initialize" for message in exchange.posted):
        events.forget()
    last = (exchange.request_headers or {}).get("last-event-id")
    if last is not None:
        exchange.resumes = events.by_id.get(last)
    return None


@watch_exchange("message", "HTTP-018", since=R2025_03_26, until=R2025_11_25)
def event_id_reused(look: Look) -> Verdict:
    """Decide HTTP-018 on streams that resume no other."""
    exchange, id = look.exchange, event_id(look.line.delivery.sse)
    if id is None or exchange.key is None or len(id) > LONGEST_KEPT or exchange.may_repeat:
        return None
    events = look.session.recall(StreamEvents).by_id
    if id in events:
        text = f"An earlier event of the session has the id {glimpse(id)} too."
        return (Found((), text, "HTTP-018"),)
    if len(events) >= MOST_KEPT:
        return look.leave_open("HTTP-018", because=TOO_MANY)
    events[id] = exchange.key
    return ()


@watch_exchange("message", "HTTP-019", since=R2025_03_26, until=R2025_11_25)
def replay_of_another_stream(look: Look) -> Verdict:
    """Decide HTTP-019 on streams that resume another."""
    exchange, id = look.exchange, event_id(look.line.delivery.sse)
    if exchange.resumes is None or id is None:
        return None
    events = look.session.recall(StreamEvents).by_id
    if len(events) < MOST_KEPT and len(id) <= LONGEST_KEPT:
        events.setdefault(id, exchange.resumes)
    if events.get(id, exchange.resumes) == exchange.resumes:
        return ()
    text = f"The event {glimpse(id)} belongs to another stream than the one that is resumed."
    return (Found((), text, "HTTP-019"),)


@watch_exchange("message", "HTTP-017", since=R2025_03_26, until=R2025_11_25)
def request_on_two_streams(look: Look) -> Verdict:
    """Decide HTTP-017 for requests: notifications may well come twice, and look alike."""
    exchange, known = look.exchange, look.session.recall(StreamEvents).requests
    asked = [one for one in look.messages if one.kind == "request"]
    if exchange.key is None or not asked:
        return None
    if exchange.request_headers is None and exchange.method != "POST":
        return look.leave_open("HTTP-017", because=NO_HEADERS)
    if exchange.may_repeat:
        return None
    found = []
    for message in asked:
        id = message.value.get("id")
        if not is_id(id) or len(known) >= MOST_KEPT:
            continue
        if known.setdefault((id, message.method), exchange.key) != exchange.key:
            text = f"The request {glimpse(id)} came on another stream before."
            found.append(Found((), text, "HTTP-017"))
    return found

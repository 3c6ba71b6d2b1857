"""Subscriptions of 2026-07-28: what a client listens for, and what the server may send it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.entry import Delivery, Message
from mcp_assay.rules.engine.rule import Found, Step, session_rule
from mcp_assay.rules.engine.samples import (
    SERVER_META,
    broken,
    c2s,
    kept,
    modern_request,
    modern_result,
    notification,
    s2c,
)
from mcp_assay.rules.engine.session_rules import SessionLine, watch, watch_lines
from mcp_assay.rules.session.resources import alike
from mcp_assay.session.ids import Id, legible
from mcp_assay.session.state import SessionState
from mcp_assay.spec.meta_keys import SUBSCRIPTION
from mcp_assay.spec.methods import ACKNOWLEDGED, LISTEN
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import glimpse, quote

PLACE: Final = ("params", "_meta", SUBSCRIPTION)

UPDATED: Final = "notifications/resources/updated"
FILTERS: Final = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    UPDATED: "resourceSubscriptions",
}
"""The notifications that a subscription brings, and the member of the filter that asks for each."""
NEVER: Final = ("notifications/progress", "notifications/message")
"""Notifications that belong to the stream of a request, never to that of a subscription."""

MOST_SUBSCRIPTIONS: Final = 1000
"""Subscriptions of one conversation that are remembered."""
UNSEEN: Final = "the request that opened the subscription was not seen"
DIED: Final = "the server may have crashed on another request"
CLOSED: Final = "the client may have closed the stream, which ends its subscription"


class Subscription:
    """What a client listens for, and how far the server has gone along with it."""

    __slots__ = ("_uris", "acknowledged", "exchange", "filter", "over")

    def __init__(self, filter: dict[str, Any], exchange: str | int | None) -> None:
        self.filter: Final = filter
        self.exchange: Final = exchange
        self.acknowledged = False
        self.over = False
        uris = filter.get("resourceSubscriptions")
        self._uris: Final = _strings(uris) if isinstance(uris, list) else None

    def wants(self, method: str) -> bool:
        """Whether the client asked for notifications of this method."""
        wanted = self.filter.get(FILTERS[method])
        return wanted is True or (isinstance(wanted, list) and bool(wanted))

    def covers(self, uri: object) -> bool:
        """Whether the client asked for updates of this resource, or of one that it is part of."""
        if self._uris is None or not isinstance(uri, str):
            return True
        part = alike(uri)
        return any(part.startswith(one) for one in self._uris)


class Subscriptions:
    """The subscriptions of a conversation by the requests that opened them.

    Over HTTP several clients may use one id, each in an exchange of its own.
    """

    __slots__ = ("by_id", "forgetful")

    def __init__(self) -> None:
        self.by_id: Final[dict[tuple[Id, str | int | None], Subscription]] = {}
        self.forgetful = False

    def open(self, id: Id, subscription: Subscription) -> None:
        """Remember a subscription, while there is room."""
        if len(self.by_id) < MOST_SUBSCRIPTIONS:
            self.by_id[id, subscription.exchange] = subscription
        else:
            self.forgetful = True

    def of(self, id: Id | None, delivery: Delivery) -> Subscription | None:
        """The subscription that a message on this line names."""
        return None if id is None else self.by_id.get((id, delivery.exchange))

    def still_open(self, exchange: str | int | None) -> list[Subscription]:
        """The subscriptions of this exchange, or of the pipe, that nobody has ended."""
        return [one for one in self.by_id.values() if one.exchange == exchange and not one.over]

    def on(self, exchange: str | int | None) -> Subscription | None:
        """The subscription whose stream is this HTTP exchange."""
        if exchange is None:
            return None
        return next((one for one in self.by_id.values() if one.exchange == exchange), None)


def _listen(**filter: Any) -> Step:
    return c2s(modern_request(LISTEN, {"notifications": filter}, id=7))


def _sent(method: str, id: Any = 7, **params: Any) -> Step:
    return s2c(notification(method, {"_meta": {SUBSCRIPTION: id}, **params}))


def _granted(**filter: Any) -> Step:
    return _sent(ACKNOWLEDGED, notifications=filter)


def _over() -> Step:
    return s2c(modern_result({"_meta": {**SERVER_META, SUBSCRIPTION: 7}}, id=7))


TOOLS_CHANGED: Final = "notifications/tools/list_changed"
WHOLE: Final = kept(
    _listen(toolsListChanged=True, resourceSubscriptions=["file:///notes/"]),
    _granted(toolsListChanged=True, resourceSubscriptions=["file:///notes/"]),
    _sent(TOOLS_CHANGED),
    _sent(UPDATED, uri="file:///notes/1.txt"),
    _over(),
)
AT_ID: Final = "/params/_meta/io.modelcontextprotocol~1subscriptionId"

session_rule(
    "SUB-001",
    "not-acknowledged-first",
    """The first message of a subscription is not its acknowledgement.

    Why: only the acknowledgement tells the client which notifications it will get.
    Instead: send notifications/subscriptions/acknowledged before anything else.
    """,
    reason="not_acknowledged",
    good=lambda: [WHOLE],
    bad=lambda: [broken(_listen(toolsListChanged=True), _sent(TOOLS_CHANGED), _over(), at=1)],
)

session_rule(
    "SUB-002",
    "subscription-id-wrong",
    """A subscription notification lacks the id of its subscriptions/listen request.

    Why: a client with several subscriptions cannot tell which of them it belongs to.
    Instead: repeat the id of subscriptions/listen in _meta, with the same value and JSON type.
    """,
    reason="unknown_id",
    good=lambda: [WHOLE],
    bad=lambda: [
        broken(
            _listen(toolsListChanged=True),
            _granted(toolsListChanged=True),
            _sent(TOOLS_CHANGED, "7"),
            _over(),
            at=2,
            pointer=AT_ID,
        ),
        broken(
            _listen(toolsListChanged=True),
            _granted(toolsListChanged=True),
            s2c(notification(TOOLS_CHANGED)),
            _over(),
            at=2,
            pointer=AT_ID,
        ),
    ],
)

session_rule(
    "SUB-003",
    "notification-not-asked-for",
    """A subscription delivers a kind of notification that the client did not request.

    Why: the client cannot handle it.
    Instead: send only what the filter of subscriptions/listen names.
    """,
    reason="not_subscribed",
    good=lambda: [WHOLE],
    bad=lambda: [
        broken(
            _listen(promptsListChanged=True),
            _granted(promptsListChanged=True),
            _sent(TOOLS_CHANGED),
            _over(),
            at=2,
            pointer="/method",
        )
    ],
)

session_rule(
    "SUB-004",
    "more-granted-than-asked-for",
    """An acknowledgement includes what the client did not request.

    Why: the client relies on the acknowledged filter and waits for the wrong notifications.
    Instead: acknowledge the part of the requested filter that the server supports.
    """,
    reason="not_subscribed",
    good=lambda: [WHOLE],
    bad=lambda: [
        broken(
            _listen(promptsListChanged=True),
            _granted(promptsListChanged=True, toolsListChanged=True),
            _over(),
            at=1,
            pointer="/params/notifications/toolsListChanged",
        )
    ],
)

session_rule(
    "SUB-005",
    "resource-not-subscribed",
    """A subscription reports an update of a resource that the client did not name.

    Why: the client cannot handle it.
    Instead: announce only resources of resourceSubscriptions, or parts of them.
    """,
    reason="not_subscribed",
    good=lambda: [WHOLE],
    bad=lambda: [
        broken(
            _listen(resourceSubscriptions=["file:///notes/"]),
            _granted(resourceSubscriptions=["file:///notes/"]),
            _sent(UPDATED, uri="file:///letters/1.txt"),
            _over(),
            at=2,
            pointer="/params/uri",
        )
    ],
)

session_rule(
    "SUB-006",
    "request-news-on-a-subscription",
    """Progress or a log message is sent on a subscription stream.

    Why: it belongs to a request, and the client expects it on the stream of that request.
    Instead: send it on the stream of the request it belongs to.
    """,
    reason="wrong_stream",
    good=lambda: [WHOLE],
    bad=lambda: [
        broken(
            _listen(toolsListChanged=True),
            _granted(toolsListChanged=True),
            _sent("notifications/message", level="info", data="reloaded"),
            _over(),
            at=2,
            pointer="/method",
            also=((2, "LOG-004", AT_ID),),
        )
    ],
)

session_rule(
    "SUB-008",
    "subscription-ended-in-silence",
    """The server closes a subscription stream without ending the subscription.

    Why: the client cannot tell this from a lost connection, and may retry forever.
    Instead: send the result of subscriptions/listen, or notifications/cancelled, before closing.
    """,
    reason="never_answered",
    good=lambda: [
        WHOLE,
        kept(
            _listen(toolsListChanged=True),
            _granted(toolsListChanged=True),
            c2s(modern_request("tools/call", {"name": "crash", "arguments": {}}, id=8)),
            s2c(delivery=Delivery(transport="stdio", end=True)),
        ),
    ],
    bad=lambda: [
        broken(
            _listen(toolsListChanged=True),
            _granted(toolsListChanged=True),
            s2c(delivery=Delivery(transport="stdio", end=True)),
        )
    ],
)


@watch("request", methods=(LISTEN,), since=R2026_07_28)
def remember_subscription(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember what a client listens for."""
    id, wanted = legible(message.value.get("id")), message.params.get("notifications")
    if id is not None and isinstance(wanted, dict):
        subscription = Subscription(wanted, session.delivery.exchange)
        session.recall(Subscriptions).open(id, subscription)
    return ()


@watch("result", "error", methods=(LISTEN,), since=R2026_07_28)
def remember_end(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember that a subscription was ended properly."""
    _end(session, message.value.get("id"))
    return ()


@watch("notification", methods=("notifications/cancelled",), since=R2026_07_28)
def remember_cancellation(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember that either side has called a subscription off."""
    _end(session, message.params.get("requestId"))
    return ()


def _end(session: SessionState, id: object) -> None:
    ended = session.recall(Subscriptions).of(legible(id), session.delivery)
    if ended is not None:
        session.decide("SUB-008")
        ended.over = True


@watch("notification", methods=(ACKNOWLEDGED, *FILTERS), since=R2026_07_28)
def unexpected_on_subscription(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide SUB-001 to SUB-005."""
    if message.direction != "s2c":
        return ()
    id = legible(message.meta.get(SUBSCRIPTION))
    if SUBSCRIPTION not in message.meta:
        session.decide("SUB-002")
        return (Found(PLACE, "The notification does not name its subscription.", "SUB-002"),)
    known = session.recall(Subscriptions)
    subscription = known.of(id, session.delivery)
    if subscription is None:
        return _unknown(session, known, id)
    session.decide("SUB-001", "SUB-002", "SUB-003", "SUB-004", "SUB-006")
    if message.method == ACKNOWLEDGED:
        subscription.acknowledged = True
        return tuple(_too_much(subscription, message.params.get("notifications")))
    return tuple(_unasked(session, subscription, message))


def _unknown(session: SessionState, known: Subscriptions, id: Id | None) -> Iterable[Found]:
    """Judge a subscriptionId under which nothing was opened."""
    here = [str(other) for other, exchange in known.by_id if exchange == session.delivery.exchange]
    by_another_type = id is not None and str(id) in here
    unsure = session.partial or known.forgetful or session.delivery.is_over_http
    if (unsure and not by_another_type) or id is None:
        session.leave_open("SUB-002", UNSEEN)
        return ()
    text = f"{glimpse(id)} is not the id of a subscriptions/listen request."
    return (Found(PLACE, text, "SUB-002"),)


def _unasked(
    session: SessionState, subscription: Subscription, message: Message
) -> Iterator[Found]:
    method, uri = str(message.method), message.params.get("uri")
    if not subscription.acknowledged:
        subscription.acknowledged = True
        yield Found((), "The subscription starts without its acknowledgement.", "SUB-001")
    if not subscription.wants(method):
        text = f"The client did not ask for {method}: its filter has no {FILTERS[method]}."
        yield Found(("method",), text, "SUB-003")
    elif method == UPDATED:
        session.decide("SUB-005")
        if not subscription.covers(uri):
            text = f"The client did not ask for updates of {quote(str(uri))}."
            yield Found(("params", "uri"), text, "SUB-005")


def _too_much(subscription: Subscription, granted: object) -> Iterator[Found]:
    for name, value in granted.items() if isinstance(granted, dict) else ():
        if _exceeds(value, subscription.filter.get(name)):
            text = f"{quote(name)} includes more than was requested."
            yield Found(("params", "notifications", name), text, "SUB-004")


def _exceeds(granted: object, asked: object) -> bool:
    if isinstance(granted, list) and isinstance(asked, list):
        return not _strings(granted) <= _strings(asked)
    return granted is True and asked is not True


def _strings(uris: list[Any]) -> frozenset[str]:
    """The URIs of a list, as all their spellings look."""
    return frozenset(alike(one) for one in uris if isinstance(one, str))


@watch("notification", methods=NEVER, since=R2026_07_28)
def request_news_on_a_subscription(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide SUB-006."""
    known = session.recall(Subscriptions)
    listening = known.on(session.delivery.exchange) is not None if known.by_id else False
    if message.direction != "s2c" or (SUBSCRIPTION not in message.meta and not listening):
        return ()
    text = f"{message.method} is sent on the stream of a subscription."
    return (Found(("method",), text, "SUB-006"),)


@watch_lines(plain=False, since=R2026_07_28)
def subscription_ended_in_silence(session: SessionState, line: SessionLine) -> Iterable[Found]:
    """Decide SUB-008 where a stream is seen to end: over HTTP either side may have closed it."""
    delivery = line.delivery
    if not delivery.end:
        return ()
    open = session.recall(Subscriptions).still_open(delivery.exchange)
    for subscription in open:
        subscription.over = True
    if not open or line.direction == "c2s":
        return ()
    if delivery.is_over_http or _is_asked_for_more(session):
        session.leave_open("SUB-008", CLOSED if delivery.is_over_http else DIED)
        return ()
    session.decide("SUB-008")
    text = "The server closed the stream of a subscription without ending it."
    return (Found((), text, "SUB-008"),)


def _is_asked_for_more(session: SessionState) -> bool:
    """Whether anything but subscriptions waits for its answer: then a crash may be the reason."""
    waiting = session.pending.sent["c2s"].values()
    return any(method != LISTEN for method, *_ in waiting)

"""Requests and their answers: every id once, every request answered once, by the other side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.entry import Delivery, Direction, Message
from mcp_assay.rules.engine.rule import END, Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    error,
    kept,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    s2c,
    unfinished,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import SessionLine, watch, watch_end, watch_lines
from mcp_assay.session.correlation import OPPOSITE, Cancellations
from mcp_assay.session.exchanges import Exchanges, HttpSession
from mcp_assay.session.ids import MOST_DIGITS, Id, legible
from mcp_assay.session.state import STARTED_BEFORE, SessionState
from mcp_assay.spec.catalogue import SENDERS
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import glimpse

TOOLS: Final[dict[str, Any]] = {"tools": {}}
LIST: Final[dict[str, Any]] = {"tools": []}
MODERN_LIST: Final = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
MOST_KEPT: Final = 1000
"""Ids of notifications that are remembered; they should have none."""


ANSWERED_AT_THE_END: Final = ("subscriptions/listen",)
"""Requests that are answered when what they began is over, so often never."""
FORGOTTEN: Final = "a message could not be read, or too many requests were waiting"
SEVERAL: Final = "over HTTP the message may come from another client or a resumed stream"
CLOSED: Final = "the connection was closed before the answer"


class Numbered:
    """Notifications with an id, which they should not have: the id and who sent it."""

    __slots__ = ("ids",)

    def __init__(self) -> None:
        self.ids: Final[set[tuple[Id, Direction | None]]] = set()


class Reused:
    """Ids that a side has given to several requests: an answer may belong to each of them."""

    __slots__ = ("ids", "is_full")

    def __init__(self) -> None:
        self.ids: Final[set[tuple[Direction, Id]]] = set()
        self.is_full = False

    def add(self, sender: Direction, id: Id) -> None:
        """Remember an id that comes again."""
        self.is_full = self.is_full or len(self.ids) >= MOST_KEPT
        if not self.is_full:
            self.ids.add((sender, id))


class Closed:
    """The directions in which nothing more can come."""

    __slots__ = ("directions",)

    def __init__(self) -> None:
        self.directions: Final[set[Direction]] = set()


session_rule(
    "JSONRPC-021",
    "request-id-reused",
    """A request reuses an id of the same session.

    Why: a late response or a cancellation could then belong to either request.
    Instead: use a counter, or a new UUID for each request.
    """,
    reason="id_reused",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
            s2c(request("ping", id=1)),
            c2s(answer({}, id=1)),
            c2s(request("tools/list", id="1")),
            s2c(answer(LIST, id="1")),
        )
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
            at=5,
            pointer="/id",
        )
    ],
)

session_rule(
    "JSONRPC-022",
    "request-id-in-flight",
    """A request reuses the id of a request that is still open.

    Why: a response cannot be matched to one of the two requests.
    Instead: reuse an id only after its request has been answered, or never.
    """,
    reason="id_reused",
    good=lambda: [
        kept(
            c2s(modern_request("tools/list", id=1)),
            s2c(modern_result(MODERN_LIST, id=1)),
            c2s(modern_request("tools/list", id=1)),
            s2c(modern_result(MODERN_LIST, id=1)),
        )
    ],
    bad=lambda: [
        broken(
            c2s(modern_request("tools/list", id=1)),
            c2s(modern_request("tools/list", id=1)),
            s2c(modern_result(MODERN_LIST, id=1)),
            at=1,
            pointer="/id",
        )
    ],
)

session_rule(
    "JSONRPC-023",
    "answer-to-no-request",
    """A response's id does not match any request of the other side.

    Why: the response is lost, and the requester waits until its timeout. Ids are matched by value
    and JSON type: "2" is not 2.
    Instead: copy the id of the request into the response unchanged.
    """,
    reason="unknown_id",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(request("tools/list", id="a-1")),
            s2c(answer(LIST, id="a-1")),
        ),
        kept(s2c(answer(LIST, id=7)), partial=True),
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(request("tools/list", id=2)),
            s2c(answer(LIST, id="2")),
            pointer="/id",
            also=((END, "JSONRPC-026", ""),),
        ),
        broken(opening(), s2c(error(-32603, "No such note", id=9)), pointer="/id"),
    ],
)

session_rule(
    "JSONRPC-024",
    "answered-twice",
    """A request gets a second response.

    Why: the request is already finished; the second response is lost or matched to another request.
    Instead: send exactly one response per request.
    """,
    reason="answered_twice",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
        )
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
            s2c(error(-32603, "Timed out", id=1)),
            pointer="/id",
        )
    ],
)

session_rule(
    "JSONRPC-025",
    "notification-answered",
    """A notification gets a response.

    Why: notifications expect no response, so the sender cannot use it.
    Instead: answer only messages that have an id and are not notifications.
    """,
    reason="notification_answered",
    good=lambda: [
        kept(
            opening(client={"roots": {"listChanged": True}}),
            c2s(notification("notifications/roots/list_changed")),
        ),
    ],
    bad=lambda: [
        broken(
            opening(client={"roots": {"listChanged": True}}),
            c2s({**notification("notifications/roots/list_changed"), "id": "n-1"}),
            s2c(answer({}, id="n-1")),
            pointer="/id",
            also=((3, "JSONRPC-008", "/id"),),
        )
    ],
)

session_rule(
    "JSONRPC-026",
    "never-answered",
    """A request was neither answered nor cancelled when the session ended.

    Why: the requester waits until its timeout, and cannot tell a slow response from a lost one.
    Instead: answer every request, with an error if there is no result.
    """,
    reason="never_answered",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            c2s(notification("notifications/cancelled", {"requestId": 1})),
        ),
        kept(c2s(request("tools/list", id=1)), partial=True),
        kept(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(delivery=Delivery(end=True)),
        ),
    ],
    bad=lambda: [unfinished(opening(server=TOOLS), c2s(request("tools/list", id=1)))],
)


@watch("request", until=R2025_11_25, decides=("JSONRPC-021",))
def request_id_reused(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide JSONRPC-021."""
    id: Any = message.value.get("id")
    if id.__class__ is not int and id.__class__ is not str:
        return ()
    if message.direction is None or not session.issued[message.direction].add(id):
        return ()
    session.recall(Reused).add(message.direction, id)
    if _may_come_again(session, message.direction, id):
        return ()
    if not _is_one_session(session, message.direction):
        session.withhold("JSONRPC-021", SEVERAL)
        return ()
    text = f"The id {glimpse(id)} was already used by the same side in this session."
    return (Found(("id",), text, "JSONRPC-021"),)


@watch("request", since=R2026_07_28, decides=("JSONRPC-022",))
def request_id_in_flight(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide JSONRPC-022."""
    id = legible(message.value.get("id"))
    if id is None or message.direction is None:
        return ()
    if session.issued[message.direction].add(id):
        session.recall(Reused).add(message.direction, id)
    waiting = session.pending.sent[message.direction]
    if id not in waiting or _may_come_again(session, message.direction, id):
        return ()
    if session.delivery.is_over_http:
        session.withhold("JSONRPC-022", SEVERAL)
        return ()
    text = f"The id {glimpse(id)} belongs to a request that has not been answered yet."
    return (Found(("id",), text, "JSONRPC-022"),)


@watch("notification", decides=("JSONRPC-025",))
def remember_notification_id(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember an id that a notification should not have: an answer to it is judged apart."""
    id = legible(message.value["id"]) if "id" in message.value else None
    if id is not None and len(numbered := session.recall(Numbered).ids) < MOST_KEPT:
        numbered.add((id, message.direction))
    return ()


@watch("result", "error", stray=True, decides=("JSONRPC-023", "JSONRPC-024", "JSONRPC-026"))
def answer_to_no_request(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide JSONRPC-023, JSONRPC-024 and JSONRPC-025."""
    if message.answers is not None:
        return ()
    id, asker = legible(message.value.get("id")), OPPOSITE[message.direction]
    if id is None or asker is None:
        return ()
    if (id, asker) in session.recall(Numbered).ids:
        text = f"The id {glimpse(id)} is that of a notification, which expects no response."
        return (Found(("id",), text, "JSONRPC-025"),)
    if id in session.issued[asker]:
        return _answered_again(session, id, asker)
    return _answers_nothing(session, id, asker)


def _answered_again(session: SessionState, id: Id, asker: Direction) -> Iterable[Found]:
    if reason := _excuse_of_second(session, id, asker):
        session.withhold("JSONRPC-024", reason)
        return ()
    text = f"The request {glimpse(id)} was already answered."
    return (Found(("id",), text, "JSONRPC-024"),)


def _excuse_of_second(session: SessionState, id: Id, asker: Direction) -> str | None:
    """Why a second answer may be to another request, or a repetition that is allowed."""
    if session.pending.forgetful:
        return FORGOTTEN
    if not session.delivery.is_over_http:
        return None
    reused = session.recall(Reused)
    is_unsure = asker == "s2c" or reused.is_full or (asker, id) in reused.ids
    may_repeat = session.recall(Exchanges).may_repeat(session.delivery)
    return SEVERAL if is_unsure or may_repeat else None


def _answers_nothing(session: SessionState, id: Id, asker: Direction) -> Iterable[Found]:
    if session.partial or session.issued[asker].forgetful or session.pending.forgetful:
        session.withhold("JSONRPC-023", STARTED_BEFORE if session.partial else FORGOTTEN)
        return ()
    twin = _twin(id)
    hint = ""
    if twin is not None and twin in session.issued[asker]:
        hint = f" The id {glimpse(twin)} is, but ids are also matched by JSON type."
    text = f"The id {glimpse(id)} is not that of a request which the {SENDERS[asker]} sent.{hint}"
    return (Found(("id",), text, "JSONRPC-023"),)


def _twin(id: Id) -> Id | None:
    """The id as the other JSON type would write it."""
    if isinstance(id, int):
        return str(id)
    return int(id) if id.isdecimal() and id.isascii() and len(id) <= MOST_DIGITS else None


@watch_lines(plain=False)
def remember_end(session: SessionState, line: SessionLine) -> Iterable[Found]:
    """Remember that a stream was closed: then what it still owed is not missing."""
    if line.delivery.end and line.delivery.exchange is None:
        session.recall(Closed).directions.add(line.direction)
    return ()


@watch_end
def never_answered(session: SessionState, revision: str) -> Iterator[Found]:
    """Decide JSONRPC-026."""
    closed, cancelled = session.recall(Closed).directions, session.recall(Cancellations)
    for asked in session.pending.waiting():
        id, side = asked.value["id"], asked.direction
        if side is None or asked.method in ANSWERED_AT_THE_END or cancelled.has(side, id):
            continue
        if _may_come_again(session, side, id) or _may_not_be_answered(session, asked):
            continue
        if session.partial or closed or session.pending.forgetful:
            session.withhold("JSONRPC-026", _why_open(session, closed))
        else:
            text = f"The {asked.method} request {glimpse(id)} got no response."
            yield Found((), text, "JSONRPC-026", about=asked)


def _may_not_be_answered(session: SessionState, asked: Message) -> bool:
    """Whether a server sent it that may send none: then its client may not answer either."""
    is_modern = asked.revision >= R2026_07_28 and session.handshake.request is None
    return asked.direction == "s2c" and is_modern


def _why_open(session: SessionState, closed: set[Direction]) -> str:
    if session.partial:
        return STARTED_BEFORE
    return CLOSED if closed else FORGOTTEN


def _is_one_session(session: SessionState, sender: Direction) -> bool:
    """Whether all that this side sends is one conversation, and nothing is sent again.

    Over HTTP only a session id holds requests of a client together, and what a server sends may be
    a stream that is resumed.
    """
    if not session.delivery.is_over_http:
        return True
    return sender == "c2s" and session.recall(HttpSession).was_given


def _may_come_again(session: SessionState, sender: Direction, id: Id) -> bool:
    """Whether HTTP itself refused or ended the request, so that its sender may repeat it."""
    return sender == "c2s" and session.recall(Exchanges).has_given_up(id)

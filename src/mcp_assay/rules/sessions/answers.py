"""Requests and their answers: every id once, every request answered once, by the other side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.message import Direction, Message
from mcp_assay.rules.evidence import glimpse
from mcp_assay.rules.examples import error, modern_request, modern_result, notification, request
from mcp_assay.rules.examples import result as answer
from mcp_assay.rules.rule import END, Found, session_rule
from mcp_assay.rules.scripts import broken, c2s, opening, s2c, talk, unfinished
from mcp_assay.rules.sessions.apart import is_over_http
from mcp_assay.rules.sessions.http_sessions import HttpSession
from mcp_assay.rules.telling import SENDERS
from mcp_assay.rules.watching import Arrival, watch, watch_end, watch_lines
from mcp_assay.session.cancellations import Cancellations
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.exchanges import Exchanges
from mcp_assay.session.ids import MOST_DIGITS, Id, legible
from mcp_assay.session.line import Line
from mcp_assay.session.talk import Talk
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28

TOOLS: Final[dict[str, Any]] = {"tools": {}}
LIST: Final[dict[str, Any]] = {"tools": []}
MODERN_LIST: Final = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
MOST_KEPT: Final = 1000
"""Ids of notifications that are remembered; they should have none."""


ANSWERED_AT_THE_END: Final = ("subscriptions/listen",)
"""Requests that are answered when what they began is over, so often never."""
CUT: Final = "the session may have begun before"
FORGOTTEN: Final = "a message could not be read, or too many requests were waiting"
SEVERAL: Final = "over HTTP another client may speak, or a lost stream be sent again"
CLOSED: Final = "the connection was closed before the answer"


class Numbered:
    """Notifications with an id, which they should not have: the id and who sent it."""

    __slots__ = ("ids",)

    def __init__(self) -> None:
        self.ids: Final[set[tuple[Id, Direction | None]]] = set()


class Closed:
    """The directions in which nothing more can come."""

    __slots__ = ("directions",)

    def __init__(self) -> None:
        self.directions: Final[set[Direction]] = set()


session_rule(
    "JSONRPC-021",
    "request-id-reused",
    """A request whose id the same side has used before in this session.

    Why: an answer that is still on its way, or a cancellation, then belongs to two requests.
    Instead: count the ids up, or draw a new UUID for each request.
    """,
    reason="id_reused",
    good=[
        talk(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
            s2c(request("ping", id=1)),
            c2s(answer({}, id=1)),
            c2s(request("tools/list", id="1")),
            s2c(answer(LIST, id="1")),
        )
    ],
    bad=[
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
    """A request under an id that another request of the same side is still waiting under.

    Why: nobody can tell which of the two requests an answer belongs to.
    Instead: use an id again only when its request has been answered, or never.
    """,
    reason="id_reused",
    good=[
        talk(
            c2s(modern_request("tools/list", id=1)),
            s2c(modern_result(MODERN_LIST, id=1)),
            c2s(modern_request("tools/list", id=1)),
            s2c(modern_result(MODERN_LIST, id=1)),
        )
    ],
    bad=[
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
    """A response whose id is not that of a request which the other side sent.

    Why: the answer reaches nobody, and whoever asked waits until its timeout. An id is matched by
    value and JSON type: "2" does not answer 2.
    Instead: copy the id of the request into the response just as it came.
    """,
    reason="unknown_id",
    good=[
        talk(
            opening(server=TOOLS),
            c2s(request("tools/list", id="a-1")),
            s2c(answer(LIST, id="a-1")),
        ),
        talk(s2c(answer(LIST, id=7)), partial=True),
    ],
    bad=[
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
    """A second response to the same request.

    Why: the first answer has ended the request; the second is lost or hits another one.
    Instead: send one response for each request, also when both a result and an error came up.
    """,
    reason="answered_twice",
    good=[
        talk(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
        )
    ],
    bad=[
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
    """A response to a notification.

    Why: a notification asks for no answer, so nobody is there to take one.
    Instead: answer only messages that have an id and are not notifications.
    """,
    reason="notification_answered",
    good=[
        talk(
            opening(client={"roots": {"listChanged": True}}),
            c2s(notification("notifications/roots/list_changed")),
        ),
    ],
    bad=[
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
    """A request that was neither answered nor cancelled when the session ended.

    Why: whoever asked waits until its timeout, and cannot tell slow from lost.
    Instead: answer every request, with an error where there is no result.
    """,
    reason="never_answered",
    good=[
        talk(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            c2s(notification("notifications/cancelled", {"requestId": 1})),
        ),
        talk(c2s(request("tools/list", id=1)), partial=True),
        talk(
            opening(server=TOOLS),
            c2s(request("tools/list", id=1)),
            s2c(line=Line(end=True)),
        ),
    ],
    bad=[unfinished(opening(server=TOOLS), c2s(request("tools/list", id=1)))],
)


@watch("request", until=R2025_11_25, decides=("JSONRPC-021",))
def uses_every_id_once(session: Talk, message: Message) -> Iterable[Found]:
    """Decide JSONRPC-021."""
    id: Any = message.value.get("id")
    if id.__class__ is not int and id.__class__ is not str:
        return ()
    if message.direction is None or not session.issued[message.direction].add(id):
        return ()
    if _may_come_again(session, message.direction, id):
        return ()
    if not _is_one_talk(session, message.direction):
        session.leave_open("JSONRPC-021", SEVERAL)
        return ()
    text = f"The id {glimpse(id)} was used before by the same side in this session."
    return (Found(("id",), text, "JSONRPC-021"),)


@watch("request", since=R2026_07_28, decides=("JSONRPC-022",))
def keeps_ids_in_flight_apart(session: Talk, message: Message) -> Iterable[Found]:
    """Decide JSONRPC-022."""
    id = legible(message.value.get("id"))
    if id is None or message.direction is None:
        return ()
    session.issued[message.direction].add(id)
    waiting = session.pending.sent[message.direction]
    if id not in waiting or _may_come_again(session, message.direction, id):
        return ()
    if is_over_http(session.line):
        session.leave_open("JSONRPC-022", SEVERAL)
        return ()
    text = f"The id {glimpse(id)} belongs to a request that has not been answered yet."
    return (Found(("id",), text, "JSONRPC-022"),)


@watch("notification", decides=("JSONRPC-025",))
def remembers_ids_of_notifications(session: Talk, message: Message) -> Iterable[Found]:
    """Remember an id that a notification should not have: an answer to it is judged apart."""
    id = legible(message.value["id"]) if "id" in message.value else None
    if id is not None and len(numbered := session.recall(Numbered).ids) < MOST_KEPT:
        numbered.add((id, message.direction))
    return ()


@watch("result", "error", stray=True, decides=("JSONRPC-023", "JSONRPC-024", "JSONRPC-026"))
def answers_a_request_once(session: Talk, message: Message) -> Iterable[Found]:
    """Decide JSONRPC-023, JSONRPC-024 and JSONRPC-025."""
    if message.answers is not None:
        return ()
    id, asker = legible(message.value.get("id")), OPPOSITE[message.direction]
    if id is None or asker is None:
        return ()
    if (id, asker) in session.recall(Numbered).ids:
        text = f"The id {glimpse(id)} is that of a notification, which asks for no answer."
        return (Found(("id",), text, "JSONRPC-025"),)
    if id in session.issued[asker]:
        return _answered_again(session, id)
    return _answers_nothing(session, id, asker)


def _answered_again(session: Talk, id: Id) -> Iterable[Found]:
    if session.pending.forgetful or is_over_http(session.line):
        session.leave_open("JSONRPC-024", FORGOTTEN if session.pending.forgetful else SEVERAL)
        return ()
    text = f"The request {glimpse(id)} was answered before."
    return (Found(("id",), text, "JSONRPC-024"),)


def _answers_nothing(session: Talk, id: Id, asker: Direction) -> Iterable[Found]:
    if session.partial or session.issued[asker].forgetful or session.pending.forgetful:
        session.leave_open("JSONRPC-023", CUT if session.partial else FORGOTTEN)
        return ()
    twin = _twin(id)
    hint = ""
    if twin is not None and twin in session.issued[asker]:
        hint = f" The id {glimpse(twin)} is, but an id is matched by its JSON type too."
    text = f"The id {glimpse(id)} is not that of a request which the {SENDERS[asker]} sent.{hint}"
    return (Found(("id",), text, "JSONRPC-023"),)


def _twin(id: Id) -> Id | None:
    """The id as the other JSON type would write it."""
    if isinstance(id, int):
        return str(id)
    return int(id) if id.isdecimal() and id.isascii() and len(id) <= MOST_DIGITS else None


@watch_lines(plain=False)
def remembers_the_end(session: Talk, arrival: Arrival) -> Iterable[Found]:
    """Remember that a stream was closed: then what it still owed is not missing."""
    if arrival.line.end and arrival.line.exchange is None:
        session.recall(Closed).directions.add(arrival.direction)
    return ()


@watch_end
def answers_every_request(session: Talk, revision: str) -> Iterator[Found]:
    """Decide JSONRPC-026."""
    closed, cancelled = session.recall(Closed).directions, session.recall(Cancellations)
    for asked in session.pending.waiting():
        id, side = asked.value["id"], asked.direction
        if side is None or asked.method in ANSWERED_AT_THE_END or cancelled.has(side, id):
            continue
        if _may_come_again(session, side, id):
            continue
        if session.partial or closed or session.pending.forgetful:
            session.leave_open("JSONRPC-026", _why_open(session, closed))
        else:
            text = f"The {asked.method} request {glimpse(id)} got no answer."
            yield Found((), text, "JSONRPC-026", about=asked)


def _why_open(session: Talk, closed: set[Direction]) -> str:
    if session.partial:
        return CUT
    return CLOSED if closed else FORGOTTEN


def _is_one_talk(session: Talk, sender: Direction) -> bool:
    """Whether all that this side sends is one conversation, and nothing is sent again.

    Over HTTP only a session id holds requests of a client together, and what a server sends may be
    a stream that is resumed.
    """
    if not is_over_http(session.line):
        return True
    return sender == "c2s" and session.recall(HttpSession).was_given


def _may_come_again(session: Talk, sender: Direction, id: Id) -> bool:
    """Whether HTTP itself refused or ended the request, so that its sender may repeat it."""
    return sender == "c2s" and session.recall(Exchanges).has_given_up(id)

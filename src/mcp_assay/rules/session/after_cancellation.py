"""What comes after a cancellation: nothing more about the request, once its receiver knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Delivery, Direction, Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    broken,
    c2s,
    kept,
    modern_request,
    modern_result,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.ids import Id
from mcp_assay.session.state import SessionState
from mcp_assay.session.tokens import TokensOfSides
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import glimpse

MOST_FOLLOWED: Final = 16
"""Cancelled requests that are followed at the same time; beyond this the oldest is let go."""
MOST_WAITING: Final = 1000
"""Where more requests wait than this, they are not noted with a cancellation."""
CROSSING: Final = 5.0
"""Seconds within which a cancellation and an answer may have crossed on their way."""
CROSSED: Final = "the response and the cancellation may have crossed"

TOOLS: Final[dict[str, Any]] = {"tools": {}}
TEXT: Final[dict[str, Any]] = {"content": [{"type": "text", "text": "3 notes"}]}
WITH_TOKEN: Final[dict[str, Any]] = {"_meta": {**CLIENT_META, "progressToken": "t"}}


class CancelledRequest:
    """A cancelled request, of which nothing more should come once its receiver knows."""

    __slots__ = ("at", "before", "is_known", "request")

    def __init__(
        self, request: dict[str, Any], at: float | None, before: frozenset[Id] | None
    ) -> None:
        self.request: Final = request
        """As it waits: another one may come under the same id."""
        self.at: Final = at
        self.before: Final = before
        """What was waiting when it was cancelled; an answer to anything else shows that the
        receiver has read on. None where that was too much to note."""
        self.is_known = False
        """Whether the receiver must have read the cancellation."""


class Following:
    """The cancelled requests that have not been answered, by their senders and ids."""

    __slots__ = ("requests",)

    def __init__(self) -> None:
        self.requests: Final[dict[tuple[Direction, Id], CancelledRequest]] = {}


def _calls(id: int) -> dict[str, Any]:
    return request("tools/call", {"name": "search"}, id=id)


def _modern_call(id: int) -> dict[str, Any]:
    return modern_request("tools/call", {"name": "search"}, id=id)


def _cancels(id: int) -> dict[str, Any]:
    return notification("notifications/cancelled", {"requestId": id})


session_rule(
    "CANC-002",
    "cancelled-yet-answered",
    """A response is sent long after its request was cancelled.

    Why: the requester no longer expects it and has to discard it. Responses that cross with the
    cancellation are fine: only one that comes seconds later, or after the response to a newer
    request, is reported.
    Instead: when a request is cancelled, stop the work and send nothing.
    """,
    reason="answered_cancelled",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(_calls(1)),
            c2s(_cancels(1)),
            c2s(_calls(2)),
            s2c(answer(TEXT, id=2)),
        ),
        kept(opening(server=TOOLS), c2s(_calls(1)), c2s(_cancels(1)), s2c(answer(TEXT, id=1))),
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(_calls(1)),
            c2s(_cancels(1)),
            c2s(_calls(2)),
            s2c(answer(TEXT, id=2)),
            s2c(answer(TEXT, id=1)),
            pointer="/id",
        ),
        broken(
            opening(server=TOOLS),
            c2s(_calls(1)),
            c2s(_cancels(1), Delivery(at=10.0)),
            s2c(answer(TEXT, id=1), Delivery(at=20.0)),
            pointer="/id",
        ),
    ],
)

session_rule(
    "CANC-006",
    "went-on-after-cancellation",
    """The server sends a message about a request long after it was cancelled.

    Why: the client has forgotten the request and may have reused its id or token. Messages that
    cross with the cancellation are fine.
    Instead: when a request is cancelled, stop the work and send neither progress nor a response.
    """,
    reason="went_on_after_cancellation",
    good=lambda: [
        kept(
            c2s(_modern_call(1)),
            c2s(_cancels(1)),
            c2s(_modern_call(2)),
            s2c(modern_result(TEXT, id=2)),
        )
    ],
    bad=lambda: [
        broken(
            c2s(modern_request("tools/call", {"name": "search", **WITH_TOKEN}, id=1)),
            c2s(_cancels(1)),
            c2s(_modern_call(2)),
            s2c(modern_result(TEXT, id=2)),
            s2c(notification("notifications/progress", {"progressToken": "t", "progress": 1})),
            pointer="/params/progressToken",
        ),
        broken(
            c2s(_modern_call(1)),
            c2s(_cancels(1)),
            c2s(_modern_call(2)),
            s2c(modern_result(TEXT, id=2)),
            s2c(modern_result(TEXT, id=1)),
            pointer="/id",
            also=((4, "CANC-002", "/id"),),
        ),
    ],
)


@watch("notification", methods=["notifications/cancelled"])
def remember_cancellation(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember which open request was cancelled, and when."""
    side, id = message.direction, message.params.get("requestId")
    if side is not None and (id.__class__ is int or id.__class__ is str):
        _follow(session, side, id)
    return ()


def _follow(session: SessionState, side: Direction, id: Id) -> None:
    waiting, following = session.pending.sent[side], session.recall(Following).requests
    if (side, id) in following or id not in waiting:
        return
    if len(following) >= MOST_FOLLOWED:
        del following[next(iter(following))]
    before = frozenset(waiting) if len(waiting) <= MOST_WAITING else None
    following[side, id] = CancelledRequest(waiting[id][2], session.delivery.at, before)


@watch("result", "error", during="cancelling")
def cancelled_yet_answered(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CANC-002 and, of answers, CANC-006."""
    following = session.recall(Following).requests
    if not following or message.answers is None:
        return ()
    asker, id = OPPOSITE[message.direction], message.answers.value.get("id")
    if asker is None or id is None:
        return ()
    followed = following.pop((asker, id), None)
    if followed is not None and followed.request is message.answers.value:
        return _answered_late(session, message, followed)
    if session.delivery.exchange is None:
        _reads_on(session, message, asker, id)
    return ()


def _reads_on(session: SessionState, message: Message, asker: Direction, id: Id) -> None:
    """Note what somebody must have read who answers this request: all that came before it."""
    for (side, _), followed in session.recall(Following).requests.items():
        if side == asker and followed.before is not None and id not in followed.before:
            followed.is_known = True
            session.decide("CANC-002")
            if message.revision >= R2026_07_28:
                session.decide("CANC-006")


def _answered_late(
    session: SessionState, message: Message, followed: CancelledRequest
) -> Iterable[Found]:
    if not _is_known(session, followed):
        session.leave_open("CANC-002", CROSSED)
        return ()
    text = (
        f"The request {glimpse(message.value.get('id'))} was cancelled long before this response."
    )
    late = Found(("id",), text, "CANC-002")
    if message.revision < R2026_07_28 or not _is_piped(session):
        return (late,)
    return (late, Found(("id",), text, "CANC-006"))


@watch("notification", methods=["notifications/progress"], since=R2026_07_28)
def progress_after_cancellation(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CANC-006 of progress."""
    following, asker = session.recall(Following).requests, OPPOSITE[message.direction]
    if not following or asker is None or not _is_piped(session):
        return ()
    token = message.params.get("progressToken")
    id = session.recall(TokensOfSides).request_with(token, asker)
    followed = following.get((asker, id)) if id is not None else None
    if followed is None or not _is_known(session, followed):
        return ()
    text = f"The request {glimpse(id)} was cancelled long before this progress notification."
    return (Found(("params", "progressToken"), text, "CANC-006"),)


def _is_known(session: SessionState, followed: CancelledRequest) -> bool:
    """Whether the receiver must have read the cancellation by now."""
    now, then = session.delivery.at, followed.at
    return followed.is_known or (now is not None and then is not None and now - then > CROSSING)


def _is_piped(session: SessionState) -> bool:
    return not session.delivery.is_over_http and session.delivery.transport in (None, "stdio")

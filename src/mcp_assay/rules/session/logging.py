"""Log messages: only where the client asked for them, and no more than it asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.entry import Delivery, Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    PREFIX,
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
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.state import STARTED_BEFORE, SessionState
from mcp_assay.spec.meta_keys import SUBSCRIPTION
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.spec.shapes.common import LOG_LEVEL as LEVELS
from mcp_assay.text.words import glimpse

RANKS: Final = {level: rank for rank, level in enumerate(LEVELS.values)}
"""The levels, from the least to the most severe."""
LOG_LEVEL: Final = f"{PREFIX}logLevel"

MOST_KEPT: Final = 1000
"""HTTP exchanges of one session that are remembered."""
CROSSING: Final = 5.0
"""Seconds within which a log message may have been on its way when the level was set."""

LEVEL_PATH: Final = ("params", "level")
ELSEWHERE: Final = "its request was not seen on its connection"
UNKNOWN_REVISION: Final = "it was not known yet whether the server speaks this revision"
CROSSED: Final = "it may have been on its way when the level was set"

LOGS: Final[dict[str, Any]] = {"logging": {}, "tools": {}}
TEXT: Final[dict[str, Any]] = {"content": [{"type": "text", "text": "3 notes"}]}


class Levels:
    """The least severe level that the client has asked for."""

    __slots__ = ("at", "lowest")

    def __init__(self) -> None:
        self.lowest: int | None = None
        self.at: float | None = None
        """When it was confirmed."""


class Doubt:
    """Whether the server was asked which revisions it speaks, and has not said it."""

    __slots__ = ("is_open",)

    def __init__(self) -> None:
        self.is_open = False


class Streams:
    """What the requests of each HTTP exchange asked for: their method and level."""

    __slots__ = ("requests",)

    def __init__(self) -> None:
        self.requests: Final[dict[str | int, tuple[str | None, int | None]]] = {}


def _logs(level: str, **meta: Any) -> dict[str, Any]:
    params = {"level": level, "data": "3 notes found"}
    return notification("notifications/message", {**params, "_meta": meta} if meta else params)


def _calls(level: str | None = None) -> dict[str, Any]:
    meta = CLIENT_META if level is None else {**CLIENT_META, LOG_LEVEL: level}
    return modern_request("tools/call", {"name": "search", "_meta": meta})


session_rule(
    "LOG-002",
    "log-not-asked-for",
    """A log message is sent although no request has a logLevel in its `_meta`.

    Why: clients request logs per request; others may not be able to handle them.
    Instead: log to stderr, or send only logs that a request asked for with logLevel.
    """,
    reason="log_not_asked_for",
    good=lambda: [
        kept(c2s(_calls("info")), s2c(_logs("info")), s2c(modern_result(TEXT))),
        kept(s2c(_logs("info")), c2s(_calls("info")), s2c(modern_result(TEXT)), partial=True),
        kept(
            c2s(modern_request("server/discover", id=9)),
            s2c(_logs("info")),
            s2c(error(-32601, "Method not found", id=9)),
            s2c(_logs("info")),
            opening(server=LOGS),
        ),
    ],
    bad=lambda: [
        broken(
            c2s(_calls()),
            s2c(_logs("error")),
            s2c(modern_result(TEXT)),
            at=1,
            pointer="/method",
        ),
        broken(
            c2s(_calls(), Delivery(exchange=1)),
            s2c(_logs("error"), Delivery(exchange=1)),
            s2c(modern_result(TEXT), Delivery(exchange=1)),
            at=1,
            pointer="/method",
        ),
    ],
)

session_rule(
    "LOG-003",
    "log-below-level",
    """A log message is below the level that the client requested.

    Why: the client has to discard it, which costs both sides.
    Instead: drop messages below the requested level.
    """,
    reason="log_below_level",
    good=lambda: [
        kept(
            opening(server=LOGS),
            c2s(request("logging/setLevel", {"level": "warning"})),
            s2c(_logs("debug")),
            s2c(answer({})),
            s2c(_logs("warning")),
        )
    ],
    bad=lambda: [
        broken(
            opening(server=LOGS),
            c2s(request("logging/setLevel", {"level": "warning"})),
            s2c(answer({})),
            s2c(_logs("notice")),
            pointer="/params/level",
        ),
        broken(
            c2s(_calls("error")),
            s2c(_logs("info")),
            s2c(modern_result(TEXT)),
            at=1,
            pointer="/params/level",
        ),
    ],
)

session_rule(
    "LOG-004",
    "log-on-subscription",
    """A log message is sent on a subscription stream.

    Why: a subscription reports changes; logs belong to one request.
    Instead: send log messages on the stream of the request they belong to.
    """,
    reason="log_on_subscription",
    good=lambda: [
        kept(
            c2s(_calls("info"), Delivery(exchange=1)),
            s2c(_logs("info"), Delivery(exchange=1)),
            s2c(modern_result(TEXT), Delivery(exchange=1)),
        )
    ],
    bad=lambda: [
        broken(
            c2s(_calls("info")),
            s2c(_logs("info", **{SUBSCRIPTION: 2})),
            s2c(modern_result(TEXT)),
            at=1,
            pointer="/params/_meta/io.modelcontextprotocol~1subscriptionId",
            also=((1, "SUB-006", "/method"),),
        )
    ],
)


@watch("request", methods=["logging/setLevel"], until=R2025_11_25)
def allow_level(session: SessionState, message: Message) -> Iterable[Found]:
    """Allow at once what a request asks for beyond what came before."""
    rank, levels = _rank(message.params.get("level")), session.recall(Levels)
    if rank is not None and levels.lowest is not None:
        levels.lowest = min(levels.lowest, rank)
    return ()


@watch("result", methods=["logging/setLevel"], until=R2025_11_25)
def confirm_level(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the level that now holds."""
    rank = _rank(message.answers.params.get("level")) if message.answers else None
    if rank is not None:
        levels = session.recall(Levels)
        levels.lowest, levels.at = rank, session.delivery.at
    return ()


@watch("notification", methods=["notifications/message"], until=R2025_11_25)
def log_below_level(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LOG-003 up to 2025-11-25."""
    rank, levels = _rank(message.params.get("level")), session.recall(Levels)
    if rank is None or levels.lowest is None:
        return ()
    if rank < levels.lowest and _may_have_crossed(session, levels):
        session.leave_open("LOG-003", CROSSED)
        return ()
    session.decide("LOG-003")
    return _compared(rank, levels.lowest)


def _may_have_crossed(session: SessionState, levels: Levels) -> bool:
    """Over HTTP a message and the answer to logging/setLevel come over different streams."""
    now, then = session.delivery.at, levels.at
    if not session.delivery.is_over_http:
        return False
    return now is None or then is None or now - then <= CROSSING


@watch("request", since=R2026_07_28)
def remember_log_level(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember what level a request asks for and, over HTTP, on which exchange."""
    params: Any = message.value.get("params")
    meta = params.get("_meta") if params.__class__ is dict else None
    level = meta.get(LOG_LEVEL) if meta.__class__ is dict else None
    exchange = session.delivery.exchange
    if level is not None or exchange is not None:
        _remember(session, message.method, _asked(level), exchange)
    return ()


def _remember(
    session: SessionState, method: str | None, rank: int | None, exchange: str | int | None
) -> None:
    if rank is not None:
        levels = session.recall(Levels)
        levels.lowest = rank if levels.lowest is None else min(levels.lowest, rank)
    if exchange is not None:
        requests = session.recall(Streams).requests
        if len(requests) >= MOST_KEPT:
            del requests[next(iter(requests))]
        requests[exchange] = (method, rank)


@watch("request", methods=["server/discover"], since=R2026_07_28)
def doubt_revision(session: SessionState, _: Message) -> Iterable[Found]:
    """Remember that the server may know nothing of this revision."""
    session.recall(Doubt).is_open = True
    return ()


@watch("result", methods=["server/discover"], since=R2026_07_28)
def confirm_revision(session: SessionState, _: Message) -> Iterable[Found]:
    """Remember that it does."""
    session.recall(Doubt).is_open = False
    return ()


@watch("notification", methods=["notifications/message"], since=R2026_07_28)
def log_not_asked_for(session: SessionState, message: Message) -> Iterator[Found]:
    """Decide LOG-002, LOG-003 and LOG-004 since 2026-07-28."""
    if session.recall(Doubt).is_open:
        session.leave_open("LOG-002", UNKNOWN_REVISION)
    elif SUBSCRIPTION in message.meta:
        text = "The log message belongs to a subscription, which must not carry logs."
        yield Found(("params", "_meta", SUBSCRIPTION), text, "LOG-004")
    elif session.delivery.is_over_http:
        yield from _on_a_stream(session, message, session.delivery.exchange)
    else:
        yield from _on_the_pipe(session, message)


def _on_the_pipe(session: SessionState, message: Message) -> Iterator[Found]:
    """Where all requests share one stream, the one that asked for most sets the measure."""
    rank, lowest = _rank(message.params.get("level")), session.recall(Levels).lowest
    if session.partial:
        session.leave_open("LOG-002", STARTED_BEFORE)
        session.leave_open("LOG-003", STARTED_BEFORE)
    else:
        yield from _judged(session, rank, lowest)


def _on_a_stream(
    session: SessionState, message: Message, exchange: str | int | None
) -> Iterator[Found]:
    requests = session.recall(Streams).requests
    asked = None if exchange is None else requests.get(exchange)
    if asked is None:
        for rule in ("LOG-002", "LOG-003", "LOG-004"):
            session.leave_open(rule, ELSEWHERE)
        return
    session.decide("LOG-004")
    method, lowest = asked
    if method == "subscriptions/listen":
        text = "The log message came on the stream of a subscriptions/listen request."
        yield Found(("method",), text, "LOG-004")
    else:
        yield from _judged(session, _rank(message.params.get("level")), lowest)


def _judged(session: SessionState, rank: int | None, lowest: int | None) -> Iterable[Found]:
    session.decide("LOG-002")
    if lowest is None:
        text = "No request asked for log messages (logLevel)."
        return (Found(("method",), text, "LOG-002"),)
    if rank is None:
        return ()
    session.decide("LOG-003")
    return _compared(rank, lowest)


def _compared(rank: int, lowest: int) -> Iterable[Found]:
    if rank >= lowest:
        return ()
    text = f"The level {glimpse(LEVELS.values[rank])} is below {glimpse(LEVELS.values[lowest])}, "
    return (Found(LEVEL_PATH, f"{text}which the client requested.", "LOG-003"),)


def _asked(level: object) -> int | None:
    """The rank of a level that was asked for; one that nobody knows forbids nothing."""
    return None if level is None else _rank(level) or 0


def _rank(level: object) -> int | None:
    return RANKS.get(level) if isinstance(level, str) else None

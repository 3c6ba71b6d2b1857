"""Log messages: only where the client asked for them, and no more than it asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.message import Message
from mcp_assay.rules.evidence import glimpse
from mcp_assay.rules.examples import (
    CLIENT_META,
    PREFIX,
    error,
    modern_request,
    modern_result,
    notification,
    request,
)
from mcp_assay.rules.examples import result as answer
from mcp_assay.rules.rule import Found, session_rule
from mcp_assay.rules.scripts import broken, c2s, opening, s2c, talk
from mcp_assay.rules.sessions.apart import is_over_http
from mcp_assay.rules.subscriptions import SUBSCRIPTION
from mcp_assay.rules.watching import watch
from mcp_assay.session.line import Line
from mcp_assay.session.talk import Talk
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.spec.shapes.common import LOG_LEVEL as LEVELS

RANKS: Final = {level: rank for rank, level in enumerate(LEVELS.values)}
"""The levels, from the least to the most severe."""
LOG_LEVEL: Final = f"{PREFIX}logLevel"

MOST_KEPT: Final = 1000
"""HTTP exchanges of one session that are remembered."""
CROSSING: Final = 5.0
"""Seconds within which a log message may have been on its way when the level was set."""

LEVEL_PATH: Final = ("params", "level")
CUT: Final = "the session may have begun before"
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
    """A log message although no request has a logLevel in its `_meta`.

    Why: a client asks for logs request by request; who has not asked may not be able to take them.
    Instead: log to standard error, or send only what a request with a logLevel asks for.
    """,
    reason="log_not_asked_for",
    good=[
        talk(c2s(_calls("info")), s2c(_logs("info")), s2c(modern_result(TEXT))),
        talk(s2c(_logs("info")), c2s(_calls("info")), s2c(modern_result(TEXT)), partial=True),
        talk(
            c2s(modern_request("server/discover", id=9)),
            s2c(_logs("info")),
            s2c(error(-32601, "Method not found", id=9)),
            s2c(_logs("info")),
            opening(server=LOGS),
        ),
    ],
    bad=[
        broken(
            c2s(_calls()),
            s2c(_logs("error")),
            s2c(modern_result(TEXT)),
            at=1,
            pointer="/method",
        ),
        broken(
            c2s(_calls(), Line(exchange=1)),
            s2c(_logs("error"), Line(exchange=1)),
            s2c(modern_result(TEXT), Line(exchange=1)),
            at=1,
            pointer="/method",
        ),
    ],
)

session_rule(
    "LOG-003",
    "log-below-level",
    """A log message that is less severe than the client asked for.

    Why: the client wanted less; what it has to throw away costs both sides.
    Instead: compare the level of each message with the one that was asked for, and drop what is
    below it.
    """,
    reason="log_below_level",
    good=[
        talk(
            opening(server=LOGS),
            c2s(request("logging/setLevel", {"level": "warning"})),
            s2c(_logs("debug")),
            s2c(answer({})),
            s2c(_logs("warning")),
        )
    ],
    bad=[
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
    """A log message on the stream of a subscription.

    Why: a subscription tells what changes, to whoever subscribed; logs belong to one request.
    Instead: send a log message on the stream of the request that it is about.
    """,
    reason="log_on_subscription",
    good=[
        talk(
            c2s(_calls("info"), Line(exchange=1)),
            s2c(_logs("info"), Line(exchange=1)),
            s2c(modern_result(TEXT), Line(exchange=1)),
        )
    ],
    bad=[
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
def asks_for_a_level(session: Talk, message: Message) -> Iterable[Found]:
    """Allow at once what a request asks for beyond what came before."""
    rank, levels = _rank(message.params.get("level")), session.recall(Levels)
    if rank is not None and levels.lowest is not None:
        levels.lowest = min(levels.lowest, rank)
    return ()


@watch("result", methods=["logging/setLevel"], until=R2025_11_25)
def confirms_a_level(session: Talk, message: Message) -> Iterable[Found]:
    """Remember the level that now holds."""
    rank = _rank(message.answers.params.get("level")) if message.answers else None
    if rank is not None:
        levels = session.recall(Levels)
        levels.lowest, levels.at = rank, session.line.at
    return ()


@watch("notification", methods=["notifications/message"], until=R2025_11_25)
def keeps_to_the_level_set(session: Talk, message: Message) -> Iterable[Found]:
    """Decide LOG-003 up to 2025-11-25."""
    rank, levels = _rank(message.params.get("level")), session.recall(Levels)
    if rank is None or levels.lowest is None:
        return ()
    if rank < levels.lowest and _may_have_crossed(session, levels):
        session.leave_open("LOG-003", CROSSED)
        return ()
    session.decide("LOG-003")
    return _compared(rank, levels.lowest)


def _may_have_crossed(session: Talk, levels: Levels) -> bool:
    """Over HTTP a message and the answer to logging/setLevel come over different streams."""
    now, then = session.line.at, levels.at
    if not is_over_http(session.line):
        return False
    return now is None or then is None or now - then <= CROSSING


@watch("request", since=R2026_07_28)
def asks_for_logs(session: Talk, message: Message) -> Iterable[Found]:
    """Remember what level a request asks for and, over HTTP, on which exchange."""
    params: Any = message.value.get("params")
    meta = params.get("_meta") if params.__class__ is dict else None
    level = meta.get(LOG_LEVEL) if meta.__class__ is dict else None
    exchange = session.line.exchange
    if level is not None or exchange is not None:
        _remember(session, message.method, _asked(level), exchange)
    return ()


def _remember(
    session: Talk, method: str | None, rank: int | None, exchange: str | int | None
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
def asks_for_revisions(session: Talk, _: Message) -> Iterable[Found]:
    """Remember that the server may know nothing of this revision."""
    session.recall(Doubt).is_open = True
    return ()


@watch("result", methods=["server/discover"], since=R2026_07_28)
def tells_its_revisions(session: Talk, _: Message) -> Iterable[Found]:
    """Remember that it does."""
    session.recall(Doubt).is_open = False
    return ()


@watch("notification", methods=["notifications/message"], since=R2026_07_28)
def logs_where_it_was_asked_to(session: Talk, message: Message) -> Iterator[Found]:
    """Decide LOG-002, LOG-003 and LOG-004 since 2026-07-28."""
    if session.recall(Doubt).is_open:
        session.leave_open("LOG-002", UNKNOWN_REVISION)
    elif SUBSCRIPTION in message.meta:
        text = "The log message belongs to a subscription, and those carry no logs."
        yield Found(("params", "_meta", SUBSCRIPTION), text, "LOG-004")
    elif is_over_http(session.line):
        yield from _on_a_stream(session, message, session.line.exchange)
    else:
        yield from _on_the_pipe(session, message)


def _on_the_pipe(session: Talk, message: Message) -> Iterator[Found]:
    """Where all requests share one stream, the one that asked for most sets the measure."""
    rank, lowest = _rank(message.params.get("level")), session.recall(Levels).lowest
    if session.partial:
        session.leave_open("LOG-002", CUT)
        session.leave_open("LOG-003", CUT)
    else:
        yield from _judged(session, rank, lowest)


def _on_a_stream(session: Talk, message: Message, exchange: str | int | None) -> Iterator[Found]:
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


def _judged(session: Talk, rank: int | None, lowest: int | None) -> Iterable[Found]:
    session.decide("LOG-002")
    if lowest is None:
        text = "No request has asked for log messages with a logLevel."
        return (Found(("method",), text, "LOG-002"),)
    if rank is None:
        return ()
    session.decide("LOG-003")
    return _compared(rank, lowest)


def _compared(rank: int, lowest: int) -> Iterable[Found]:
    if rank >= lowest:
        return ()
    text = f"The level {glimpse(LEVELS.values[rank])} is below {glimpse(LEVELS.values[lowest])}, "
    return (Found(LEVEL_PATH, f"{text}which the client asked for.", "LOG-003"),)


def _asked(level: object) -> int | None:
    """The rank of a level that was asked for; one that nobody knows forbids nothing."""
    return None if level is None else _rank(level) or 0


def _rank(level: object) -> int | None:
    return RANKS.get(level) if isinstance(level, str) else None

"""How a session begins: initialize, its answer, notifications/initialized, and nothing between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    error,
    initialize,
    initialized,
    kept,
    notification,
    opening,
    request,
    s2c,
    unfinished,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import SessionLine, watch, watch_end, watch_lines
from mcp_assay.session.exchanges import Exchanges, HttpSession, shows_a_session
from mcp_assay.session.handshake import VERSION_KEY
from mcp_assay.session.state import GOES_ON, SessionState
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.text.words import glimpse, quote

TOOLS: Final[dict[str, Any]] = {"tools": {}}
LIST: Final[dict[str, Any]] = {"tools": []}
ROOTS: Final[dict[str, Any]] = {"roots": {}}
READY: Final = notification("notifications/initialized")

EARLY: Final = ("initialize", "ping")
"""What a client may ask before the server has answered initialize."""

LEFT: Final = "the client sent nothing after the answer to initialize"
UNSURE: Final = "the answer to initialize has another id than the request"
UNREADY: Final = "the client continued without notifications/initialized"
NEW_SESSION: Final = "over HTTP, initialize may start another session"
SHARED: Final = "over HTTP without a session id, requests may come from several clients"
BEGUN_BEFORE: Final = "the client uses a session or version that was negotiated before"
REFUSED: Final = "HTTP itself rejected the request"
SENT_AGAIN: Final = "over HTTP, the notification may have been rejected at first"


class OpeningProgress:
    """How far a conversation has come, besides what the handshake tells."""

    __slots__ = ("asked_after", "began", "over_http", "ready", "unsure", "went_on")

    def __init__(self) -> None:
        self.began = False
        """Whether the client has sent anything that should have come after initialize."""
        self.went_on = False
        """Whether it has asked for something before the opening was over."""
        self.asked_after = False
        """Whether it did so when initialize was answered already."""
        self.over_http = False
        """Whether the latest initialize came over HTTP."""
        self.ready = False
        """Whether it has said since the latest initialize that it is ready."""
        self.unsure = False
        """Whether a result that answers no request may be the answer to initialize."""


session_rule(
    "LIFE-001",
    "session-without-initialize",
    """The client does not begin the session with initialize.

    Why: revision and capabilities are not negotiated yet, so the server rejects the request or
    guesses.
    Instead: send initialize first, and wait for the response.
    """,
    reason="not_initialized",
    good=lambda: [
        kept(opening()),
        kept(c2s(request("ping", id=1)), s2c(answer({}, id=1)), opening()),
        kept(c2s(request("tools/list", id=1)), s2c(answer(LIST, id=1)), partial=True),
    ],
    bad=lambda: [
        broken(c2s(request("tools/list", id=1)), s2c(answer(LIST, id=1)), at=0, pointer="/method"),
        broken(c2s(READY), opening(server=TOOLS), at=0, pointer="/method"),
    ],
)

session_rule(
    "LIFE-004",
    "not-initialized-once",
    """The client does not send notifications/initialized exactly once after initialize.

    Why: the server waits for it before sending requests.
    Instead: send notifications/initialized when initialize has succeeded, and only then.
    """,
    reason="not_initialized",
    good=lambda: [
        kept(opening()),
        kept(c2s(initialize()), s2c(error(-32602, "Unsupported protocol version", id=0))),
    ],
    bad=lambda: [
        unfinished(
            c2s(initialize()),
            s2c(initialized(TOOLS)),
            c2s(request("tools/list", id=1)),
            s2c(answer(LIST, id=1)),
        ),
        broken(c2s(initialize()), c2s(READY), s2c(initialized()), at=1, pointer="/method"),
        broken(opening(), c2s(READY), pointer="/method"),
    ],
)

session_rule(
    "LIFE-005",
    "request-before-answer-to-initialize",
    """The client sends a request other than ping before initialize is answered.

    Why: it is not known yet whether the server supports it, or in which revision it will answer.
    Instead: wait for the initialize response; only ping may come before it.
    """,
    reason="not_initialized",
    good=lambda: [
        kept(
            c2s(initialize()),
            c2s(request("ping", id=1)),
            s2c(answer({}, id=1)),
            s2c(initialized()),
            c2s(READY),
        )
    ],
    bad=lambda: [
        broken(
            c2s(initialize()),
            c2s(request("tools/list", id=1)),
            s2c(initialized(TOOLS)),
            c2s(READY),
            s2c(answer(LIST, id=1)),
            at=1,
            pointer="/method",
        )
    ],
)

session_rule(
    "LIFE-006",
    "server-request-before-initialized",
    """The server sends a request other than ping before notifications/initialized.

    Why: the client is not ready yet, and may lose the request or fail.
    Instead: wait for notifications/initialized; only ping and log messages may come before it.
    """,
    reason="not_initialized",
    good=lambda: [
        kept(
            c2s(initialize(ROOTS)),
            s2c(request("ping", id=1)),
            c2s(answer({}, id=1)),
            s2c(initialized()),
            c2s(READY),
            s2c(request("roots/list", id=2)),
            c2s(answer({"roots": []}, id=2)),
        )
    ],
    bad=lambda: [
        broken(
            c2s(initialize(ROOTS)),
            s2c(initialized()),
            s2c(request("roots/list", id=2)),
            c2s(READY),
            c2s(answer({"roots": []}, id=2)),
            at=2,
            pointer="/method",
        )
    ],
)

session_rule(
    "LIFE-011",
    "initialize-sent-again",
    """The client sends initialize twice in a session.

    Why: servers handle this differently: some start over, some reject it, some mix both.
    Instead: open a new connection for a new session. After an error, initialize may be sent again.
    """,
    reason="already_initialized",
    good=lambda: [
        kept(opening()),
        kept(
            c2s(initialize(id="first")),
            s2c(error(-32602, "Unsupported protocol version", id="first")),
            opening(),
        ),
    ],
    bad=lambda: [
        broken(
            opening(),
            c2s(initialize(id=1)),
            s2c(initialized(id=1)),
            c2s(READY),
            at=3,
            pointer="/method",
        )
    ],
)


@watch("request", "notification", until=R2025_11_25, during="opening")
def session_without_initialize(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-001."""
    opening = session.recall(OpeningProgress)
    if opening.began or not _is_from_client(message) or message.method == "ping":
        return ()
    if _is_modern(message):
        return ()
    opening.began = True
    if message.method != "initialize" and shows_a_session(session.delivery):
        session.leave_open("LIFE-001", BEGUN_BEFORE)
        session.partial = True
        return ()
    session.decide("LIFE-001")
    if message.method == "initialize":
        return ()
    text = f"The client begins with {_named(message)} instead of initialize."
    return (Found(("method",), text, "LIFE-001"),)


@watch_lines(plain=False)
def note_earlier_beginning(session: SessionState, line: SessionLine) -> Iterable[Found]:
    """Note that a session has begun before what is seen, where a stream is opened in it."""
    if line.text is None and session.handshake.request is None and line.direction == "c2s":
        session.partial |= shows_a_session(line.delivery)
    return ()


@watch("request", until=R2025_11_25, during="opening")
def request_before_answer_to_initialize(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-005."""
    if message.direction != "c2s" or message.method in EARLY or _is_modern(message):
        return ()
    opening = session.recall(OpeningProgress)
    opening.went_on = True
    opening.asked_after = opening.asked_after or session.handshake.answer is not None
    if not _is_awaited(session):
        return ()
    if opening.unsure or session.delivery.is_over_http:
        session.leave_open("LIFE-005", UNSURE if opening.unsure else SHARED)
        return ()
    text = f"The client sends {_named(message)} before initialize is answered."
    return (Found(("method",), text, "LIFE-005"),)


@watch("request", until=R2025_11_25, during="opening")
def server_request_before_initialized(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-006."""
    if message.direction != "s2c" or message.method == "ping" or session.handshake.initialized:
        return ()
    if session.recall(OpeningProgress).went_on:
        session.leave_open("LIFE-006", UNREADY)
        return ()
    text = f"The server sends {_named(message)} before notifications/initialized."
    return (Found(("method",), text, "LIFE-006"),)


@watch("request", methods=("initialize",), until=R2025_11_25)
def initialize_sent_again(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-011, and take note of the request."""
    if message.direction == "s2c":
        return ()
    again = session.handshake.answer is not None or _is_awaited(session)
    session.handshake.take(message)
    opening = session.recall(OpeningProgress)
    opening.ready, opening.over_http = False, session.delivery.is_over_http
    if again and session.delivery.is_over_http:
        session.leave_open("LIFE-011", NEW_SESSION)
        return ()
    session.decide("LIFE-011")
    text = "The client sends initialize again in a running session."
    return (Found(("method",), text, "LIFE-011"),) if again else ()


@watch("notification", methods=("notifications/initialized",), until=R2025_11_25)
def initialized_sent_again(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide LIFE-004 as far as the notification came, and take note of it."""
    if message.direction == "s2c":
        return ()
    opening, handshake = session.recall(OpeningProgress), session.handshake
    again, opening.ready = opening.ready, True
    handshake.take(message)
    if session.delivery.is_over_http and (again or _is_awaited(session)):
        session.leave_open("LIFE-004", SENT_AGAIN if again else SHARED)
        return ()
    if again:
        text = "The client sends notifications/initialized again."
        return (Found(("method",), text, "LIFE-004"),)
    if not _is_awaited(session):
        if handshake.is_over:
            session.decide("LIFE-004", "LIFE-005")
            session.decide_of_peer("LIFE-006")
        return ()
    if opening.unsure:
        session.leave_open("LIFE-004", UNSURE)
        return ()
    text = "The client sends notifications/initialized before initialize is answered."
    return (Found(("method",), text, "LIFE-004"),)


@watch("error", methods=("ping",), until=R2025_11_25)
def ping_refused(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide PING-001 where the answer is an error: nothing in a ping can be wrong but its form."""
    asked = message.answers
    if asked is None or not isinstance(asked.value.get("params", {}), dict):
        return ()
    if session.recall(Exchanges).was_refused(session.delivery):
        session.withhold("PING-001", REFUSED)
        return ()
    text = f"A ping was answered with the error {glimpse(message.error.get('code'))}."
    return (Found(("error",), text, "PING-001", key="error"),)


@watch("result", methods=("initialize", "server/discover"))
def learn_server_capabilities(session: SessionState, message: Message) -> Iterable[Found]:
    """Take note of what the server declares."""
    if message.direction != "c2s":
        session.handshake.take(message)
    return ()


@watch("result", methods=(None,), until=R2025_11_25)
def suspect_lost_answer(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember a result that looks as if it should have answered initialize."""
    if message.direction != "c2s" and "protocolVersion" in message.result:
        session.recall(OpeningProgress).unsure = True
    return ()


@watch_end
def never_initialized(session: SessionState, revision: str) -> Iterator[Found]:
    """Decide LIFE-004 where the notification never came."""
    handshake, opening = session.handshake, session.recall(OpeningProgress)
    if handshake.answer is None or handshake.initialized:
        return
    if session.partial or not opening.asked_after:
        session.leave_open("LIFE-004", GOES_ON if session.partial else LEFT)
        return
    if opening.over_http and not session.recall(HttpSession).was_given:
        session.leave_open("LIFE-004", SHARED)
        return
    text = "The client continues after this response but never sends notifications/initialized."
    yield Found((), text, "LIFE-004", about=handshake.answer)


def _is_awaited(session: SessionState) -> bool:
    """Whether initialize still waits for its answer."""
    asked = session.handshake.request
    id = asked.value.get("id") if asked else None
    if id.__class__ is not int and id.__class__ is not str:
        return False
    waiting = session.pending.sent[asked.direction].get(id) if asked else None
    return waiting is not None and waiting[0] == "initialize"


def _is_from_client(message: Message) -> bool:
    """Whether the client has sent the message; initialize is the client's in any case."""
    return message.direction == "c2s" or (
        message.direction is None and message.method == "initialize"
    )


def _is_modern(message: Message) -> bool:
    """Whether the message speaks of 2026-07-28 or later, where nothing is initialized."""
    return message.method == "server/discover" or VERSION_KEY in message.meta


def _named(message: Message) -> str:
    return quote(message.method or "")

"""Progress: which open request a progressToken stands for, and how far that one has come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Direction, Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    kept,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch, watch_end
from mcp_assay.session.correlation import OPPOSITE, Cancellations, RequestOutline
from mcp_assay.session.ids import Id
from mcp_assay.session.state import STARTED_BEFORE, SessionState
from mcp_assay.session.tasks import Tasks
from mcp_assay.session.tokens import (
    Asked,
    Exchange,
    ProgressTokens,
    TokenRoom,
    TokensOfSides,
    is_kept,
)
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import glimpse

LARGEST_EXACT: Final = 2**53
"""Beyond this, different numbers may look equal."""

TOKEN_PATH: Final = ("params", "progressToken")
TOKEN_IN_REQUEST: Final = ("params", "_meta", "progressToken")
FORGOTTEN: Final = "too many tokens to keep them all"
ELSEWHERE: Final = "it came over another connection"
TASK_NOT_SEEN: Final = "the task was not seen"

TOOLS: Final[dict[str, Any]] = {"tools": {}}
TEXT: Final[dict[str, Any]] = {"content": [{"type": "text", "text": "3 notes"}]}


def _asks(id: int, token: int | str, method: str = "tools/call") -> dict[str, Any]:
    return request(method, {"name": "search", "_meta": {"progressToken": token}}, id=id)


def _reports(token: int | str, progress: float) -> dict[str, Any]:
    return notification("notifications/progress", {"progressToken": token, "progress": progress})


session_rule(
    "PROG-001",
    "progress-token-in-use",
    """A request reuses the progressToken of another open request.

    Why: progress notifications cannot be matched to one of the two requests.
    Instead: use the request's id as its token, or a counter.
    """,
    reason="progress_token_reused",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(_asks(1, "t")),
            s2c(answer(TEXT, id=1)),
            c2s(_asks(2, "t")),
            c2s(_asks(3, 3)),
            c2s(_asks(4, "3")),
            *(s2c(answer(TEXT, id=id)) for id in (2, 3, 4)),
        )
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(_asks(1, "t")),
            c2s(_asks(2, "t")),
            s2c(answer(TEXT, id=1)),
            s2c(answer(TEXT, id=2)),
            at=4,
            pointer="/params/_meta/progressToken",
        )
    ],
)

session_rule(
    "PROG-002",
    "progress-of-nothing",
    """A progress notification has an unknown progressToken.

    Why: the progress cannot be matched to a request. Tokens are matched by value and JSON type: "7"
    is not 7.
    Instead: copy the progressToken of the request; if it has none, send no progress.
    """,
    reason="unknown_progress_token",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(_asks(1, 7)),
            s2c(_reports(7, 0.5)),
            s2c(answer(TEXT, id=1)),
        ),
        kept(s2c(_reports("t", 1)), partial=True),
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(_asks(1, 7)),
            s2c(_reports("7", 1)),
            s2c(answer(TEXT, id=1)),
            at=4,
            pointer="/params/progressToken",
        )
    ],
)

session_rule(
    "PROG-003",
    "progress-not-growing",
    """A progress notification's progress does not increase.

    Why: the requester uses progress as a sign of life and may give up if it stalls.
    Instead: increase progress each time; if nothing changed, send nothing.
    """,
    reason="progress_not_growing",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(_asks(1, "t")),
            s2c(_reports("t", 1)),
            s2c(_reports("t", 1.5)),
            s2c(answer(TEXT, id=1)),
        )
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(_asks(1, "t")),
            s2c(_reports("t", 2)),
            s2c(_reports("t", second)),
            s2c(answer(TEXT, id=1)),
            at=5,
            pointer="/params/progress",
        )
        for second in (1, 2)
    ],
)

session_rule(
    "PROG-004",
    "progress-after-the-end",
    """A progress notification is sent for a request that was already answered.

    Why: the request is finished, and its token may already be reused.
    Instead: stop sending progress before the response; for a task, before it finishes.
    """,
    reason="progress_after_end",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(_asks(1, "t")),
            s2c(_reports("t", 1)),
            s2c(answer(TEXT, id=1)),
        )
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(_asks(1, "t")),
            s2c(_reports("t", 1)),
            s2c(answer(TEXT, id=1)),
            s2c(_reports("t", 2)),
            pointer="/params/progressToken",
        )
    ],
)


@watch("request", having="_meta")
def progress_token_in_use(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide PROG-001, and follow the token."""
    params = message.value.get("params")
    meta = params.get("_meta") if params.__class__ is dict else None
    token = meta.get("progressToken") if meta.__class__ is dict else None
    if token.__class__ is not int and token.__class__ is not str:
        return ()
    return _follow(session, message, token)


def _follow(session: SessionState, message: Message, token: Id) -> Iterable[Found]:
    id: Any = message.value.get("id")
    side = message.direction
    if side is None:
        return ()
    tokens = session.recall(TokensOfSides).get(side) or _begin(session, side)
    tokens.used.add(token)
    if not (id.__class__ is token.__class__ is int or (is_kept(id) and is_kept(token))):
        tokens.forgetful = True
        return ()
    waiting, before = session.pending.sent[side], tokens.asked.get(token)
    is_task = message.revision == R2025_11_25 and "task" in message.value["params"]
    tokens.follow(token, (id, is_task, session.delivery.exchange), waiting)
    if before is None or before[0] == id or not _waits(waiting, before[0], token):
        return ()
    return _shared(session, message, before[0], token)


def _begin(session: SessionState, side: Direction) -> ProgressTokens:
    session.decide("PROG-001")
    tokens = session.recall(TokensOfSides)[side] = ProgressTokens(session.run.recall(TokenRoom))
    return tokens


def _shared(session: SessionState, message: Message, request: Id, token: Id) -> Iterable[Found]:
    if session.recall(Cancellations).has(message.direction, request):
        return ()
    if message.revision >= R2026_07_28 and session.delivery.exchange is not None:
        session.leave_open("PROG-001", ELSEWHERE)
        return ()
    text = f"The progressToken {glimpse(token)} belongs to the request {glimpse(request)}, "
    return (Found(TOKEN_IN_REQUEST, f"{text}which is still open.", "PROG-001"),)


@watch("notification", methods=["notifications/progress"])
def progress_of_nothing(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide PROG-002, PROG-003 and PROG-004."""
    params: Any = message.value.get("params")
    asker = OPPOSITE[message.direction]
    token = params.get("progressToken") if params.__class__ is dict else None
    if (token.__class__ is not int and token.__class__ is not str) or asker is None:
        return ()
    tokens = session.recall(TokensOfSides).get(asker)
    asked = tokens.asked.get(token) if tokens is not None else None
    if tokens is None or asked is None:
        return _unknown(session, message, tokens, token)
    if asked[0] not in session.pending.sent[asker]:
        over = _after_the_end(session, asked, message.direction, token)
        if over is not None:
            return over
    return _grows(session, tokens, token, params.get("progress"))


def _unknown(
    session: SessionState, message: Message, tokens: ProgressTokens | None, token: Id
) -> Iterable[Found]:
    if message.revision >= R2026_07_28 and message.direction == "c2s":
        return ()
    forgotten = tokens is not None and (tokens.forgetful or tokens.used.forgetful)
    if session.partial or forgotten:
        session.leave_open("PROG-002", STARTED_BEFORE if session.partial else FORGOTTEN)
        return ()
    if tokens is not None and token in tokens.used:
        return _too_late(session, None, token)
    text = f"No request of the other side has the progressToken {glimpse(token)}."
    return (Found(TOKEN_PATH, text, "PROG-002"),)


def _after_the_end(
    session: SessionState, asked: Asked, runner: Direction | None, token: Id
) -> Iterable[Found] | None:
    """What is wrong, None where the request goes on as a task."""
    request, is_task, came_over = asked
    if not is_task or runner is None:
        return _too_late(session, came_over, token)
    task = session.recall(Tasks).made_for(runner, request)
    if task is None:
        session.leave_open("PROG-004", TASK_NOT_SEEN)
        return ()
    return _too_late(session, came_over, token) if task.is_over else None


def _too_late(session: SessionState, came_over: Exchange, token: Id) -> Iterable[Found]:
    """Over HTTP only what came over the exchange of the request certainly came after its end."""
    exchange = session.delivery.exchange
    elsewhere = session.delivery.is_over_http and (exchange is None or came_over != exchange)
    if session.pending.forgetful or elsewhere:
        session.leave_open("PROG-004", ELSEWHERE if elsewhere else FORGOTTEN)
        return ()
    text = f"The request with the progressToken {glimpse(token)} is already done."
    return (Found(TOKEN_PATH, text, "PROG-004"),)


def _grows(
    session: SessionState, tokens: ProgressTokens, token: Id, progress: Any
) -> Iterable[Found]:
    if progress.__class__ is not int and progress.__class__ is not float:
        return ()
    before, exchange = tokens.latest.get(token), session.delivery.exchange
    tokens.latest[token] = (progress, exchange)
    if before is None:
        if len(tokens.latest) == 1:
            session.decide("PROG-002", "PROG-003", "PROG-004")
        return ()
    last, came_over = before
    if progress > last or came_over != exchange or abs(progress) > LARGEST_EXACT:
        return ()
    text = (
        f"The progress is {glimpse(progress)}, but it was {glimpse(last)} before and must increase."
    )
    return (Found(("params", "progress"), text, "PROG-003"),)


@watch_end
def forget_tokens(session: SessionState, revision: str) -> Iterable[Found]:
    """Forget the tokens."""
    for tokens in session.recall(TokensOfSides).values():
        tokens.used.release()
    return ()


def _waits(waiting: dict[Id, Any], request: Id, token: Id) -> bool:
    """Whether the request waits that came with the token, and not another one with its id."""
    asked = waiting.get(request)
    if asked is None:
        return False
    value = asked[2]
    if value.__class__ is RequestOutline:
        return True
    params = value.get("params")
    meta = params.get("_meta") if params.__class__ is dict else None
    return meta.__class__ is dict and meta.get("progressToken") == token

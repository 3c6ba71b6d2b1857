"""Cancellations: who may cancel which requests, and which it may not cancel like that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.entry import Direction, Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    initialize,
    initialized,
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
from mcp_assay.session.correlation import Cancellations, RequestOutline
from mcp_assay.session.ids import Id
from mcp_assay.session.state import STARTED_BEFORE, SessionState
from mcp_assay.session.tasks import Tasks, becomes_task
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import glimpse

CANCELLED: Final = "notifications/cancelled"
ID_PATH: Final = ("params", "requestId")
FORGOTTEN: Final = "too many requests were sent to remember them all"
ELSEWHERE: Final = "it came over another connection"
DONE: Final = "the request is already done"
UNDECLARED: Final = "it is not known whether the receiver runs such requests as tasks"

TOOLS: Final[dict[str, Any]] = {"tools": {}}
TASKS: Final[dict[str, Any]] = {"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}}
TEXT: Final[dict[str, Any]] = {"content": [{"type": "text", "text": "3 notes"}]}


def _calls(id: int = 1, **more: Any) -> dict[str, Any]:
    return request("tools/call", {"name": "search", **more}, id=id)


def _modern_call(id: int = 1, **more: Any) -> dict[str, Any]:
    return modern_request("tools/call", {"name": "search", **more}, id=id)


def _cancels(id: int | str) -> dict[str, Any]:
    return notification(CANCELLED, {"requestId": id})


session_rule(
    "CANC-001",
    "cancelled-no-request",
    """A cancellation names an id that its sender never used for a request.

    Why: the intended request keeps running, or another one is cancelled. Ids are matched by value
    and JSON type: "2" is not 2.
    Instead: copy the id of your own request into requestId unchanged.
    """,
    reason="unknown_id",
    good=lambda: [
        kept(opening(server=TOOLS), c2s(_calls()), c2s(_cancels(1))),
        kept(opening(server=TOOLS), c2s(_calls()), s2c(answer(TEXT)), c2s(_cancels(1))),
        kept(c2s(_cancels(1)), partial=True),
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(_calls()),
            c2s(_cancels("1")),
            s2c(answer(TEXT)),
            at=4,
            pointer="/params/requestId",
        )
    ],
)

session_rule(
    "CANC-003",
    "cancelled-initialize",
    """The initialize request is cancelled.

    Why: without its response there is no session, so the server cannot handle the cancellation.
    Instead: to give up before the session has started, close the connection.
    """,
    reason="cancelled_initialize",
    good=lambda: [kept(opening(server=TOOLS), c2s(_calls()), c2s(_cancels(1)))],
    bad=lambda: [
        broken(
            c2s(initialize()),
            c2s(_cancels(0)),
            s2c(initialized()),
            c2s(notification("notifications/initialized")),
            at=1,
            pointer="/params/requestId",
        )
    ],
)

session_rule(
    "CANC-004",
    "cancelled-task-by-notification",
    """notifications/cancelled is sent for a request that runs as a task.

    Why: the request was answered when the task started, so the task keeps running.
    Instead: send tasks/cancel with the taskId.
    """,
    reason="cancelled_task",
    good=lambda: [kept(opening(server=TASKS), c2s(_calls()), c2s(_cancels(1)))],
    bad=lambda: [
        broken(
            opening(server=TASKS),
            c2s(_calls(task={"ttl": 60000})),
            c2s(_cancels(1)),
            pointer="/params/requestId",
        )
    ],
)

session_rule(
    "CANC-005",
    "cancelled-by-server",
    """The server sends notifications/cancelled for something other than subscriptions/listen.

    Why: the server sends no requests of its own; the only thing it may end is a subscription.
    Instead: answer the client's request with an error.
    """,
    reason="cancelled_by_server",
    good=lambda: [
        kept(
            c2s(modern_request("subscriptions/listen", {"notifications": {}})),
            s2c(
                notification(
                    "notifications/subscriptions/acknowledged",
                    {"notifications": {}, "_meta": {"io.modelcontextprotocol/subscriptionId": 1}},
                )
            ),
            s2c(_cancels(1)),
        )
    ],
    bad=lambda: [
        broken(
            c2s(_modern_call()),
            s2c(_cancels(1)),
            s2c(modern_result(TEXT)),
            at=1,
            pointer="/params/requestId",
        )
    ],
)


@watch("notification", methods=[CANCELLED])
def forbidden_cancellation(session: SessionState, message: Message) -> Iterator[Found]:
    """Decide CANC-001, CANC-003, CANC-004 and CANC-005."""
    side, id = message.direction, message.params.get("requestId")
    if side is None or (id.__class__ is not int and id.__class__ is not str):
        return
    if side == "s2c" and message.revision >= R2026_07_28:
        yield from _ends_a_subscription(session, id)
        return
    session.recall(Cancellations).add(side, id)
    yield from _cancels_other_side(session, message, side, id)
    if side == "c2s" and message.revision <= R2025_11_25:
        yield from _cancels_initialize(session, id)
    if message.revision == R2025_11_25:
        yield from _cancels_task(session, message, side, id)


def _cancels_other_side(
    session: SessionState, message: Message, side: Direction, id: Id
) -> Iterator[Found]:
    if id in session.issued[side]:
        session.decide("CANC-001")
    elif session.partial or session.issued[side].forgetful:
        session.leave_open("CANC-001", STARTED_BEFORE if session.partial else FORGOTTEN)
    elif message.revision >= R2026_07_28 and _is_elsewhere(session):
        session.leave_open("CANC-001", ELSEWHERE)
    else:
        text = f"The sender of the cancellation has sent no request with the id {glimpse(id)}."
        yield Found(ID_PATH, text, "CANC-001")


def _cancels_initialize(session: SessionState, id: Id) -> Iterator[Found]:
    opening = session.handshake.request
    if opening is None:
        session.leave_open("CANC-003", STARTED_BEFORE)
        return
    session.decide("CANC-003")
    opened_by = opening.value.get("id")
    if opened_by.__class__ is id.__class__ and opened_by == id:
        text = f"The id {glimpse(id)} is that of the initialize request."
        yield Found(ID_PATH, text, "CANC-003")


def _cancels_task(
    session: SessionState, message: Message, side: Direction, id: Id
) -> Iterator[Found]:
    runs = _runs_as_task(session, message, side, id)
    if runs is None:
        session.leave_open("CANC-004", UNDECLARED)
        return
    session.decide("CANC-004")
    if runs:
        text = f"The request {glimpse(id)} runs as a task, which tasks/cancel ends."
        yield Found(ID_PATH, text, "CANC-004")


def _runs_as_task(session: SessionState, message: Message, side: Direction, id: Id) -> bool | None:
    """Whether the request is to run, or runs, as a task; None where nobody knows."""
    runner: Direction = "s2c" if side == "c2s" else "c2s"
    asked = session.pending.sent[side].get(id)
    if asked is None:
        return session.recall(Tasks).made_for(runner, id) is not None
    method, _, value, _ = asked
    params = value.get("params")
    if value.__class__ is RequestOutline:
        return None
    if not isinstance(params, dict) or not isinstance(params.get("task"), dict):
        return False
    server = session.handshake.server_capabilities
    declared = server if runner == "s2c" else session.client_capabilities(message)
    return None if declared is None else becomes_task(method, declared)


def _ends_a_subscription(session: SessionState, id: Id) -> Iterator[Found]:
    asked, issued = session.pending.sent["c2s"].get(id), session.issued["c2s"]
    if asked is None and (session.partial or issued.forgetful or _is_elsewhere(session)):
        session.leave_open("CANC-005", STARTED_BEFORE if session.partial else ELSEWHERE)
    elif asked is None and id in issued:
        session.leave_open("CANC-005", DONE)
    else:
        session.decide("CANC-005")
        if asked is None or asked[0] != "subscriptions/listen":
            text = f"The id {glimpse(id)} is not that of a subscriptions/listen request."
            yield Found(ID_PATH, text, "CANC-005")


def _is_elsewhere(session: SessionState) -> bool:
    """Whether the message has an HTTP exchange of its own, apart from the others."""
    return session.delivery.is_over_http

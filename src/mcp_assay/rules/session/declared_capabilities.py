"""What nobody sends unless the capability for it is declared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, SessionExample, Step, session_rule
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
from mcp_assay.rules.engine.session_rules import Done, watch
from mcp_assay.session.state import SessionState
from mcp_assay.spec.capabilities import AS_TASKS, SENT, Need, declares
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.methods import methods_in
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.wire.pointer import Path

NOT_SEEN: Final = {
    "server": "the capabilities of the server were not seen",
    "client": "the capabilities of the client were not seen",
}

LOG: Final = s2c(notification("notifications/message", {"level": "info", "data": "Ready"}))
CHANGED: Final = s2c(notification("notifications/tools/list_changed"))
MOVED: Final = c2s(notification("notifications/roots/list_changed"))
SUBSCRIPTION: Final = (
    c2s(request("resources/subscribe", {"uri": "notes://1"}, id=1)),
    s2c(answer({}, id=1)),
)
UPDATED: Final = s2c(notification("notifications/resources/updated", {"uri": "notes://1"}))
TASKS: Final = (c2s(request("tasks/list", id=1)), s2c(answer({"tasks": []}, id=1)))
CALL: Final = {"name": "report", "arguments": {}, "task": {"ttl": 60_000}}


def _silent_without_handshake(*steps: Step) -> SessionExample:
    return kept(steps, partial=True)


def _with_client(**capabilities: Any) -> list[Step]:
    return opening(client=capabilities)


def _with_server(**capabilities: Any) -> list[Step]:
    return opening(server=capabilities)


session_rule(
    "CAP-004",
    "undeclared-logging",
    """The server sends a log message without declaring the capability logging.

    Why: the client does not expect log messages and cannot set their level.
    Instead: declare logging, or write to stderr.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(_with_server(logging={}), LOG), _silent_without_handshake(LOG)],
    bad=lambda: [broken(_with_server(), LOG, pointer="/method")],
)

session_rule(
    "CAP-006",
    "undeclared-subscriptions",
    """A resource subscription or update is sent, but resources.subscribe is not declared as true.

    Why: the server has not said that it tracks changes, so updates may never come.
    Instead: declare resources.subscribe as true, or read the resource again when needed.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(_with_server(resources={"subscribe": True}), SUBSCRIPTION, UPDATED)],
    bad=lambda: [
        broken(_with_server(resources={"subscribe": False}), SUBSCRIPTION, at=3, pointer="/method"),
    ],
)

session_rule(
    "CAP-007",
    "undeclared-list-changes",
    """A list_changed notification is sent, but listChanged is not declared as true.

    Why: a client that relies on the declaration ignores the notification and keeps the old list.
    Instead: declare listChanged as true for each list whose changes you announce.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(_with_server(tools={"listChanged": True}), CHANGED)],
    bad=lambda: [
        broken(_with_server(tools={}), CHANGED, pointer="/method"),
        broken(_with_server(tools={}, prompts={"listChanged": True}), CHANGED, pointer="/method"),
    ],
)

session_rule(
    "CAP-014",
    "undeclared-tasks",
    """A task is requested, listed or cancelled, but the other side did not declare support.

    Why: the other side does not support such tasks, and rejects the request or answers at once.
    Instead: check the other side's tasks capability, and work without tasks if missing.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(_with_server(tasks={"list": {}}), TASKS)],
    bad=lambda: [
        broken(_with_server(tasks={"cancel": {}}), TASKS, at=3, pointer="/method"),
        broken(
            _with_server(tools={}, tasks={}),
            c2s(request("tools/call", CALL, id=1)),
            s2c(answer({"content": []}, id=1)),
            at=3,
            pointer="/params/task",
        ),
    ],
)

session_rule(
    "CAP-016",
    "undeclared-roots-changes",
    """A roots list_changed notification is sent, but roots.listChanged is not declared as true.

    Why: a server that relies on the declaration ignores the notification and keeps the old roots.
    Instead: declare roots.listChanged as true in initialize.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(_with_client(roots={"listChanged": True}), MOVED)],
    bad=lambda: [broken(_with_client(roots={}), MOVED, pointer="/method")],
)


@watch("request", "notification", methods=SENT)
def undeclared_method(session: SessionState, message: Message) -> Iterable[Found] | Done:
    """Decide CAP-004, CAP-006 to CAP-010, CAP-016 and, for the methods of tasks, CAP-014."""
    method = message.method or ""
    need = SENT[method]
    senders = methods_in(message.revision)[method].senders
    if message.direction not in senders or not applies(need.rule, message.revision):
        return ()
    found = _judged(session, message, need, ("method",))
    if found or need.holder != "server":
        return found
    return Done.IN_SESSION if session.handshake.server_capabilities is None else Done.IN_RUN


@watch("request", methods=AS_TASKS, since=R2025_11_25, until=R2025_11_25, having="task")
def undeclared_tasks(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CAP-014 for requests that ask to be run as a task."""
    params = message.value.get("params")
    if params.__class__ is not dict or params.get("task") is None or message.direction is None:
        return ()
    return _judged(session, message, AS_TASKS[message.method or ""], ("params", "task"))


def _judged(session: SessionState, message: Message, need: Need, path: Path) -> tuple[Found, ...]:
    holder = need.holder
    if holder == "receiver":
        holder = "server" if message.direction == "c2s" else "client"
    declared = (
        session.handshake.server_capabilities
        if holder == "server"
        else session.client_capabilities(message)
    )
    if declared is None:
        session.leave_open(need.rule, NOT_SEEN[holder])
        return ()
    session.decide(need.rule)
    if declares(declared, need.capability):
        return ()
    what = "A task" if path[-1] == "task" else message.method
    text = f"{what} needs {need.capability}, which the {holder} did not declare."
    return (Found(path, text, need.rule),)

"""Tasks of 2025-11-25: how they begin, how they go on, and what they give in the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.entry import Direction, Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    PREFIX,
    broken,
    c2s,
    kept,
    notification,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.rules.message.patterns import TASK
from mcp_assay.session.state import SessionState
from mcp_assay.session.tasks import FINAL, STATUSES, WORKING, Task, Tasks, becomes_task
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.text.words import glimpse
from mcp_assay.wire.pointer import Path

RESULTS: Final = {
    "tools/call": ("content",),
    "sampling/createMessage": ("role", "content", "model"),
    "elicitation/create": ("action",),
}
"""What the results of the requests that may become tasks cannot do without."""
MOST_TOOLS: Final = 1000
"""Tools of one session of which is remembered that they run as tasks."""

UNDECLARED: Final = "it is not known whether the receiver runs such requests as tasks"
STALE: Final = "it may have been written before the task was finished"
NOT_SEEN: Final = "the task was not seen before"

RELATED_TASK: Final = f"{PREFIX}related-task"
RELATED: Final[dict[str, Any]] = {RELATED_TASK: {"taskId": "task-7"}}
CAN: Final[dict[str, Any]] = {
    "tools": {},
    "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
}
REPORT: Final[dict[str, Any]] = {
    "name": "report",
    "inputSchema": {"type": "object"},
    "execution": {"taskSupport": "optional"},
}
TEXT: Final[dict[str, Any]] = {"content": [{"type": "text", "text": "3 notes"}]}


class TaskTools:
    """The tools that say they can run as tasks."""

    __slots__ = ("names",)

    def __init__(self) -> None:
        self.names: Final[set[str]] = set()


def _begun(status: str = WORKING) -> list[Any]:
    """A session in which the client has a report made as a task."""
    return [
        *opening(server=CAN),
        c2s(request("tools/list", id=1)),
        s2c(answer({"tools": [REPORT]}, id=1)),
        c2s(request("tools/call", {"name": "report", "task": {"ttl": 60000}}, id=2)),
        s2c(answer({"task": {**TASK, "status": status}}, id=2)),
    ]


def _got(status: str, id: int) -> list[Any]:
    return [
        c2s(request("tasks/get", {"taskId": "task-7"}, id=id)),
        s2c(answer({**TASK, "status": status}, id=id)),
    ]


def _given(result: dict[str, Any], id: int) -> list[Any]:
    return [
        c2s(request("tasks/result", {"taskId": "task-7"}, id=id)),
        s2c(answer({"_meta": RELATED, **result}, id=id)),
    ]


session_rule(
    "TASK-002",
    "task-begun-wrong",
    """A task request is not answered with a task in status "working".

    Why: the requester asked for a task to avoid waiting, and needs the taskId.
    Instead: return the task at once with status "working", and report its progress later.
    """,
    reason="task_begun_wrong",
    good=lambda: [kept(_begun())],
    bad=lambda: [
        broken(_begun("completed"), pointer="/result/task/status"),
        broken(_begun()[:-1], s2c(answer(TEXT, id=2)), pointer="/result"),
    ],
)

session_rule(
    "TASK-003",
    "task-status-after-the-end",
    """A task changes its status after a final one.

    Why: requesters stop polling after "completed", "failed" or "cancelled", and act on it.
    Instead: never change a finished task, even if its work continues after a cancellation.
    """,
    reason="illegal_transition",
    good=lambda: [
        kept(
            _begun(),
            _got("input_required", 3),
            _got("working", 4),
            _got("completed", 5),
            _got("completed", 6),
        )
    ],
    bad=lambda: [
        broken(
            _begun(),
            _got("cancelled", 3),
            s2c(notification("notifications/tasks/status", {**TASK, "status": "completed"})),
            pointer="/params/status",
        )
    ],
)

session_rule(
    "TASK-004",
    "task-id-reused",
    """A new task has the taskId of another one.

    Why: tasks/get, tasks/result and tasks/cancel then reach either of the two.
    Instead: give each task a new id that cannot be guessed, such as a UUID.
    """,
    reason="task_id_reused",
    good=lambda: [kept(_begun())],
    bad=lambda: [
        broken(
            _begun(),
            c2s(request("tools/call", {"name": "report", "task": {}}, id=3)),
            s2c(answer({"task": TASK}, id=3)),
            pointer="/result/task/taskId",
        )
    ],
)

session_rule(
    "TASK-009",
    "task-result-wrong",
    """A task result comes before the task is finished, or does not match its request.

    Why: the requester reads it as the result of its original request.
    Instead: answer tasks/result when the task is finished, with the result of the original request.
    """,
    reason="task_result_wrong",
    good=lambda: [kept(_begun(), _given(TEXT, 3), _got("completed", 4))],
    bad=lambda: [
        broken(_begun(), _given(TEXT, 3), _got("working", 4), pointer="/result/status"),
        broken(_begun(), _given({}, 3), pointer="/result"),
    ],
)


@watch("result", methods=["tools/list"], since=R2025_11_25, until=R2025_11_25)
def remember_task_support(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember which tools may be asked for a task."""
    tools: Any = message.result.get("tools")
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict) and "execution" in tool:
            _remember(session, tool["execution"], tool.get("name"))
    return ()


def _remember(session: SessionState, execution: Any, name: Any) -> None:
    if isinstance(execution, dict) and execution.get("taskSupport") in ("optional", "required"):
        names = session.recall(TaskTools).names
        if isinstance(name, str) and len(names) < MOST_TOOLS:
            names.add(name)


@watch("result", methods=RESULTS, since=R2025_11_25, until=R2025_11_25, having="task")
def task_begun_wrong(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide TASK-002 and TASK-004."""
    asked = message.answers
    params: Any = None if asked is None else asked.value.get("params")
    if params.__class__ is not dict or params.get("task").__class__ is not dict:
        return ()
    return tuple(_begins(session, message))


def _begins(session: SessionState, message: Message) -> Iterator[Found]:
    task = message.result.get("task")
    if not isinstance(task, dict):
        yield from _forbidden_task(session, message)
        return
    session.decide("TASK-002")
    status = task.get("status")
    if status != WORKING and isinstance(status, str) and status in STATUSES:
        text = f'A new task is "working"; this one is {glimpse(status)}.'
        yield Found(("result", "task", "status"), text, "TASK-002")
    yield from _task_id_reused(session, message, task)


def _forbidden_task(session: SessionState, message: Message) -> Iterator[Found]:
    if not _should_be_task(session, message):
        session.leave_open("TASK-002", UNDECLARED)
        return
    text = "The request asked for a task, but the result is not a task."
    yield Found(("result",), text, "TASK-002")


def _should_be_task(session: SessionState, message: Message) -> bool:
    """Whether the receiver is known to make a task of such a request."""
    server, method = session.handshake.server_capabilities, str(message.method)
    declared = server if message.direction == "s2c" else session.client_capabilities(message)
    if declared is None or message.answers is None or not becomes_task(method, declared):
        return False
    if method != "tools/call":
        return True
    name = message.answers.params.get("name")
    return isinstance(name, str) and name in session.recall(TaskTools).names


def _task_id_reused(
    session: SessionState, message: Message, seen: dict[str, Any]
) -> Iterator[Found]:
    task, tasks = _met(session, message, seen), session.recall(Tasks)
    if task is None or message.answers is None or message.direction is None:
        return
    session.decide("TASK-004")
    if task.created:
        text = f"Another task has the taskId {glimpse(seen.get('taskId'))}."
        yield Found(("result", "task", "taskId"), text, "TASK-004")
        task.status, task.delivered = None, False
    task.method = message.method
    tasks.make(message.direction, message.answers.value["id"], task)
    yield from _moves(session, task, seen, ("result", "task"))


@watch(
    "result",
    methods=["tasks/get", "tasks/cancel"],
    since=R2025_11_25,
    until=R2025_11_25,
)
def task_status_wrong(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide TASK-003 and, of what comes after the result, TASK-009."""
    return tuple(_status_faults(session, message, message.result, ("result",)))


@watch("result", methods=["tasks/list"], since=R2025_11_25, until=R2025_11_25)
def listed_task_status_wrong(session: SessionState, message: Message) -> Iterator[Found]:
    """Decide TASK-003 and TASK-009 of each task in a list."""
    tasks = message.result.get("tasks")
    for index, seen in enumerate(tasks if isinstance(tasks, list) else ()):
        yield from _status_faults(session, message, seen, ("result", "tasks", index))


@watch(
    "notification",
    methods=["notifications/tasks/status"],
    since=R2025_11_25,
    until=R2025_11_25,
)
def notified_task_status_wrong(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide TASK-003 and TASK-009 of what is reported unasked."""
    return tuple(_status_faults(session, message, message.params, ("params",)))


def _status_faults(
    session: SessionState, message: Message, seen: Any, path: Path
) -> Iterator[Found]:
    task = _met(session, message, seen) if isinstance(seen, dict) else None
    if task is not None:
        yield from _moves(session, task, seen, path)


def _moves(session: SessionState, task: Task, seen: dict[str, Any], path: Path) -> Iterator[Found]:
    """Note the status that a task is seen in, and judge the step that it has made."""
    status, updated = seen.get("status"), seen.get("lastUpdatedAt")
    if not isinstance(status, str) or status not in STATUSES:
        return
    ended = task.is_over or task.delivered
    if task.status is not None:
        session.decide("TASK-003")
    if (task.is_over and status != task.status) or (ended and status not in FINAL):
        if _is_stale(session, task, updated):
            session.leave_open("TASK-003", STALE)
        else:
            yield _after_the_end(task, status, (*path, "status"))
        return
    task.status, task.updated = status, updated if isinstance(updated, str) else None


def _after_the_end(task: Task, status: str, path: Path) -> Found:
    if task.is_over:
        text = f"The task was {glimpse(task.status)}, which is final; now it is {glimpse(status)}."
        return Found(path, text, "TASK-003")
    text = f"The task is {glimpse(status)}, although its result was already returned."
    return Found(path, text, "TASK-009")


def _is_stale(session: SessionState, task: Task, updated: Any) -> bool:
    """Whether the status may be older than the one before; texts of one length compare as times."""
    known = task.updated
    if isinstance(updated, str) and known is not None and len(updated) == len(known):
        return updated < known or (updated == known and session.delivery.exchange is not None)
    return session.delivery.exchange is not None


@watch("result", methods=["tasks/result"], since=R2025_11_25, until=R2025_11_25)
def task_result_wrong(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide TASK-009 of the result itself."""
    id = message.answers.params.get("taskId") if message.answers else None
    task = _known(session, message.direction, id)
    if task is None or task.method is None:
        session.leave_open("TASK-009", NOT_SEEN)
        return ()
    if not isinstance(message.value.get("result"), dict):
        return ()
    task.delivered = True
    session.decide("TASK-009")
    missing = [name for name in RESULTS[task.method] if name not in message.result]
    if not missing:
        return ()
    text = f"The task is for {task.method}, whose result needs {glimpse(missing[0])}."
    return (Found(("result",), text, "TASK-009"),)


@watch("result", methods=["tasks/result"], since=R2025_11_25, until=R2025_11_25)
def result_of_another_task(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide TASK-007 where the request was seen: the result names the task that it asked for."""
    asked = message.answers.params.get("taskId") if message.answers else None
    meta = message.result.get("_meta")
    related = meta.get(RELATED_TASK) if isinstance(meta, dict) else None
    given = related.get("taskId") if isinstance(related, dict) else None
    if not isinstance(asked, str) or not isinstance(given, str):
        return ()
    session.decide("TASK-007")
    if given == asked:
        return ()
    text = f"The result is that of the task {glimpse(given)}, but {glimpse(asked)} was asked for."
    return (Found(("result", "_meta", RELATED_TASK, "taskId"), text, "TASK-007", key="another"),)


def _known(session: SessionState, runner: Direction | None, id: Any) -> Task | None:
    if runner is None or not isinstance(id, str):
        return None
    return session.recall(Tasks).known(runner, id)


def _met(session: SessionState, message: Message, seen: dict[str, Any]) -> Task | None:
    """The task that is seen, None where it is illegible or one too many."""
    id = seen.get("taskId")
    if message.direction is None or not isinstance(id, str):
        return None
    return session.recall(Tasks).meet(message.direction, id)

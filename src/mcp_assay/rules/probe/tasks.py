"""What servers with tasks answer to unknown tasks, to finished ones, and to calls that need one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.probe import Ask, OpenStep, Reply
from mcp_assay.rules.probe.confirmation import Part, graded, judge_refusal, must_refuse, why_open
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    Known,
    Verdicts,
    declares,
    fault,
    how_it_ended,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.text.words import glimpse, quote

NO_TASK: Final = "mcp-assay-no-such-task"
A_MINUTE: Final = {"ttl": 60_000}
AT_WORK: Final = ("working", "input_required")
"""What the status of a task is that is not over."""
GIVE_STATUS: Final = 'Stop the task and return its status "cancelled".'
OVER_TOO_SOON: Final = "the task finished before it could be cancelled"


@probe("TASK-005", need=declares("tasks"))
def unknown_task(server: Known) -> Dialogue:
    """Ask after a task that does not exist."""
    methods = ["tasks/get", "tasks/result"]
    if server.declares("tasks", "cancel"):
        methods.append("tasks/cancel")
    for method in methods:
        what, key = f"{method} for an unknown task", f"{method} is about an unknown task"
        step = Ask(method, {"taskId": NO_TASK})
        verdicts = yield from must_refuse(server, "TASK-005", step, what, key=key)
        if verdicts:
            return verdicts
    return []


def _calls(server: Known, *supports: str) -> Iterator[dict[str, Any]]:
    """The params of calls of tools that may be called and whose taskSupport is one of these."""
    for tool in server.tools:
        execution, arguments = tool.get("execution"), server.arguments_for(tool)
        support = execution.get("taskSupport") if isinstance(execution, dict) else None
        if (support or "forbidden") in supports and arguments is not None:
            yield {"name": tool["name"], "arguments": arguments}


@probe("TASK-006", need=declares("tasks", "cancel"))
def cancelled_tasks(server: Known) -> Dialogue:
    """Cancel a task at once and once more; let another one come to its end, then cancel it."""
    call = next(_calls(server, "required", "optional"), None)
    if call is None:
        return [not_testable("TASK-006", "no tool that may be called supports tasks")]
    id = yield from _begun(call)
    if id is None:
        return [undecided("TASK-006", "no task was created")]
    verdicts = yield from _cancelled_at_once(server, id)
    return verdicts or (yield from _cancelled_at_the_end(server, call))


def _begun(call: dict[str, Any]) -> Part[str | None]:
    reply = yield Ask("tools/call", {**call, "task": A_MINUTE})
    task = reply.result.get("task") if reply.is_result else None
    id = task.get("taskId") if isinstance(task, dict) else None
    return id if isinstance(id, str) else None


def _cancelled_at_once(server: Known, id: str) -> Part[Verdicts]:
    """Cancel a task that may be at work; what was refused must have been over."""
    step = Ask("tasks/cancel", {"taskId": id})
    reply = yield step
    status = reply.result.get("status") if reply.is_result else None
    if status == "cancelled":
        key = "a task is cancelled that was cancelled before"
        what = "tasks/cancel for a task that is already cancelled"
        return (yield from must_refuse(server, "TASK-006", step, what, key=key))
    if reply.is_result:
        text = f"A cancelled task gets the status {glimpse(status)}."
        return [fault("TASK-006", text, key="status", fix=GIVE_STATUS)]
    if not reply.is_error:
        reason = yield from why_open(server, step, reply)
        text = f"The server {how_it_ended(reply)} for tasks/cancel."
        return [undecided("TASK-006", reason) if reason else fault("TASK-006", text, key="lost")]
    return (yield from _refused_to_cancel(id, reply))


def _refused_to_cancel(id: str, refusal: Reply) -> Part[Verdicts]:
    """Judge a refusal by how the task stands after it: what is over now may be over since long."""
    state = yield Ask("tasks/get", {"taskId": id})
    status = state.result.get("status") if state.is_result else None
    if status in AT_WORK:
        text = f"The server {how_it_ended(refusal)} for tasks/cancel of a running task."
        return [fault("TASK-006", text, key="refused", fix=GIVE_STATUS)]
    reason = OVER_TOO_SOON if refusal.code == INVALID_PARAMS else "the task could not be cancelled"
    return [undecided("TASK-006", reason)]


def _cancelled_at_the_end(server: Known, call: dict[str, Any]) -> Part[Verdicts]:
    """Cancel a task that is over; one that does not end in time is left no more to do."""
    id = yield from _begun(call)
    if id is None:
        return KEPT
    over = yield Ask("tasks/result", {"taskId": id})
    step = Ask("tasks/cancel", {"taskId": id})
    reply = yield step
    if not over.is_result:
        return KEPT
    what, key = "tasks/cancel for a finished task", "a task is cancelled that is over"
    return (yield from judge_refusal(server, "TASK-006", step, reply, what, key=key))


@probe("TASK-008", need=declares("tasks"))
def calls_with_and_without_a_task(server: Known) -> Dialogue:
    """Call a tool without the task that it requires, and one with a task that it forbids."""
    required = next(_calls(server, "required"), None)
    forbidden = next(_calls(server, "forbidden"), None)
    if not server.declares("tasks", "requests", "tools", "call"):
        reason = "the server does not declare tasks.requests.tools.call"
        return [OpenStep("TASK-008", "not_declared", reason)]
    verdicts: Verdicts = []
    if required is not None:
        verdicts += yield from _required(server, required)
    if forbidden is not None and not verdicts:
        verdicts += yield from _forbidden(server, forbidden)
    if required is forbidden is None:
        return [not_testable("TASK-008", "no tool that may be called requires or forbids a task")]
    return verdicts


def _required(server: Known, call: dict[str, Any]) -> Part[Verdicts]:
    step, shown = Ask("tools/call", call), quote(call["name"])
    reply = yield step
    if reply.is_result and reply.result.get("isError") is True:
        text = f"Calling {shown} without the task it requires returns an isError result."
        fix = f"Return error {METHOD_NOT_FOUND}."
        return [fault("TASK-008", text, grade="refused as a result", key="isError", fix=fix)]
    key = f"{shown}, which requires a task, is called without one"
    what, code = f"a call to {shown} without the task it requires", METHOD_NOT_FOUND
    return (yield from judge_refusal(server, "TASK-008", step, reply, what, key=key, code=code))


def _forbidden(server: Known, call: dict[str, Any]) -> Part[Verdicts]:
    step = Ask("tools/call", {**call, "task": A_MINUTE})
    key = f"{quote(call['name'])}, which has no tasks, is called with one"
    what = f"a call to {quote(call['name'])} as a task, which it does not support"
    verdicts = yield from must_refuse(
        server, "TASK-008", step, what, key=key, code=METHOD_NOT_FOUND
    )
    return graded(verdicts, "task forbidden")


def _knowing(**support: str) -> Known:
    tools: list[dict[str, Any]] = [
        {"name": name, "inputSchema": {"type": "object"}, "execution": {"taskSupport": word}}
        for name, word in support.items()
    ]
    return Known(
        revision=R2025_11_25,
        capabilities={"tasks": {"cancel": {}, "requests": {"tools": {"call": {}}}}},
        tools=tools,
        callable=[*support],
    )


REFUSED: Final = Reply(error={"code": INVALID_PARAMS, "message": "There is no such task"})
UNKNOWN: Final = Reply(error={"code": METHOD_NOT_FOUND, "message": "Not that way"})
BEGUN: Final = Reply(result={"task": {"taskId": "t-1", "status": "working"}})
WORKING: Final = Reply(result={"taskId": "t-1", "status": "working"})
CANCELLED: Final = Reply(result={"taskId": "t-1", "status": "cancelled"})
OVER: Final = Reply(result={"taskId": "t-1", "status": "completed"})
ONE: Final = _knowing(open="optional")
DONE: Final = Reply(result={"content": [{"type": "text", "text": "Done."}]})

probe_rule(
    "TASK-005",
    "unknown-task-not-refused",
    """The server does not reject an unknown taskId with error -32602.

    Why: a client that asks for a task that is gone keeps waiting, or takes it for a server failure.
    Instead: return error -32602 from tasks/get, tasks/result and tasks/cancel if there is no such
    task.
    """,
    of=unknown_task,
    reason="unknown_task_not_refused",
    good=lambda: [replay(REFUSED, REFUSED, REFUSED, known=_knowing())],
    bad=lambda: [
        replay(Reply(result={"taskId": NO_TASK, "status": "working"}), known=_knowing()),
        replay(REFUSED, Reply(error={"code": -32603, "message": "?"}), known=_knowing()),
    ],
)
probe_rule(
    "TASK-006",
    "task-not-cancelled",
    """A running task cannot be cancelled, or a finished one can.

    Why: the client believes that it stopped work that is still running or already done.
    Instead: stop a cancelled task and return its status "cancelled"; return error -32602 once it
    has completed, failed or been cancelled.
    """,
    of=cancelled_tasks,
    reason="task_not_cancelled",
    good=lambda: [
        replay(BEGUN, CANCELLED, REFUSED, BEGUN, DONE, REFUSED, known=ONE),
        replay(BEGUN, REFUSED, OVER, known=ONE),
    ],
    bad=lambda: [
        replay(BEGUN, CANCELLED, CANCELLED, known=ONE),
        replay(BEGUN, CANCELLED, REFUSED, BEGUN, DONE, CANCELLED, known=ONE),
        replay(BEGUN, WORKING, known=ONE),
        replay(BEGUN, REFUSED, WORKING, known=ONE),
    ],
)
probe_rule(
    "TASK-008",
    "task-support-not-kept",
    """A tool ignores its taskSupport: it runs without a required task, or with a forbidden one.

    Why: clients use taskSupport to decide how to call a tool; otherwise they wait for a task, or
    for a result, that never comes.
    Instead: return error -32601 if a call lacks a required task or has a forbidden one.
    """,
    of=calls_with_and_without_a_task,
    reason="task_support_not_kept",
    good=lambda: [replay(UNKNOWN, UNKNOWN, known=_knowing(open="required", find="forbidden"))],
    bad=lambda: [
        replay(DONE, known=_knowing(open="required")),
        replay(Reply(result={"content": [], "isError": True}), known=_knowing(open="required")),
        replay(DONE, known=_knowing(find="forbidden")),
    ],
)

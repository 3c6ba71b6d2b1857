"""What servers with tasks answer to unknown tasks, to finished ones, and to calls that need one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.probe import Ask, Open, Reply
from mcp_assay.rules.probes.asking import judge_refusal, must_refuse, why_open
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Dialogue,
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
from mcp_assay.rules.words import quote
from mcp_assay.spec.revisions import R2025_11_25

NO_TASK: Final = "mcp-assay-no-such-task"
A_MINUTE: Final = {"ttl": 60_000}


@probe("TASK-005", need=declares("tasks"))
def unknown_task(server: Known) -> Dialogue:
    """Ask after a task that does not exist."""
    methods = ["tasks/get", "tasks/result"]
    if server.declares("tasks", "cancel"):
        methods.append("tasks/cancel")
    for method in methods:
        when = f"when {method} is about an unknown task"
        step = Ask(method, {"taskId": NO_TASK})
        verdicts = yield from must_refuse(server, "TASK-005", step, when)
        if verdicts:
            return verdicts
    return []


def _tools(server: Known, *supports: str) -> Iterator[str]:
    """The tools that may be called without arguments and whose taskSupport is one of these."""
    for tool in server.tools:
        execution, schema = tool.get("execution"), tool.get("inputSchema")
        support = execution.get("taskSupport") if isinstance(execution, dict) else None
        needs_nothing = isinstance(schema, dict) and not schema.get("required")
        if tool.get("name") in server.callable and needs_nothing:
            yield from [tool["name"]] if (support or "forbidden") in supports else ()


@probe("TASK-006", need=declares("tasks", "cancel"))
def cancels_what_is_over(server: Known) -> Dialogue:
    """Let a task come to its end, then cancel it."""
    tool = next(_tools(server, "required", "optional"), None)
    if tool is None:
        return [not_testable("TASK-006", "no tool that may be called makes a task of its call")]
    begun = yield Ask("tools/call", {"name": tool, "arguments": {}, "task": A_MINUTE})
    task = begun.result.get("task") if begun.is_result else None
    id = task.get("taskId") if isinstance(task, dict) else None
    if not isinstance(id, str):
        return [undecided("TASK-006", "no task was begun")]
    over = yield Ask("tasks/result", {"taskId": id})
    if not over.is_result:
        return [undecided("TASK-006", "the task did not come to its end in time")]
    step = Ask("tasks/cancel", {"taskId": id})
    when = "when a task is cancelled that is over"
    return (yield from must_refuse(server, "TASK-006", step, when))


@probe("TASK-008", need=declares("tasks"))
def calls_with_and_without_a_task(server: Known) -> Dialogue:
    """Call a tool without the task that it requires, and one with a task that it forbids."""
    required = next(_tools(server, "required"), None)
    forbidden = next(_tools(server, "forbidden"), None)
    if not server.declares("tasks", "requests", "tools", "call"):
        reason = "the server does not declare tasks.requests.tools.call"
        return [Open("TASK-008", "not_declared", reason)]
    verdicts: Verdicts = []
    if required is not None:
        reply = yield Ask("tools/call", {"name": required, "arguments": {}})
        when = f"when {quote(required)}, which requires a task, is called without one"
        verdicts += yield from judge_refusal(server, "TASK-008", reply, when, METHOD_NOT_FOUND)
    if forbidden is not None and not verdicts:
        reply = yield Ask("tools/call", {"name": forbidden, "arguments": {}, "task": A_MINUTE})
        verdicts += yield from _forbidden(server, reply, forbidden)
    if required is forbidden is None:
        return [not_testable("TASK-008", "no tool that may be called requires or forbids a task")]
    return verdicts


def _forbidden(server: Known, reply: Reply, tool: str) -> Dialogue:
    if reply.code == METHOD_NOT_FOUND:
        return []
    reason = yield from why_open(server, reply)
    if reason is not None:
        return [undecided("TASK-008", reason)]
    text = (
        f"The server {how_it_ended(reply)} when {quote(tool)}, which has no tasks, is called with "
        "one."
    )
    fix = f"Answer it with error {METHOD_NOT_FOUND}."
    return [fault("TASK-008", text, grade="task forbidden", key="task forbidden", fix=fix)]


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
DONE: Final = Reply(result={"content": [{"type": "text", "text": "Done."}]})

probe_rule(
    "TASK-005",
    "unknown-task-not-refused",
    """An unknown taskId is not answered with error -32602.

    Why: a client that asks after a task which is gone waits for it, or takes it for a fault of the
    server.

    Instead: answer tasks/get, tasks/result and tasks/cancel with error -32602 where there is no
    such task.
    """,
    of=unknown_task,
    reason="unknown_task_not_refused",
    good=[replay(REFUSED, REFUSED, REFUSED, known=_knowing())],
    bad=[
        replay(Reply(result={"taskId": NO_TASK, "status": "working"}), known=_knowing()),
        replay(REFUSED, Reply(error={"code": -32603, "message": "?"}), known=_knowing()),
    ],
)
probe_rule(
    "TASK-006",
    "finished-task-cancelled",
    """A tasks/cancel for a task that is over is not answered with error -32602.

    Why: the client believes that it stopped something which has long happened.

    Instead: answer with error -32602 once a task has completed, failed or was cancelled.
    """,
    of=cancels_what_is_over,
    reason="finished_task_cancelled",
    good=[replay(BEGUN, DONE, REFUSED, known=_knowing(open="optional"))],
    bad=[
        replay(
            BEGUN,
            DONE,
            Reply(result={"taskId": "t-1", "status": "cancelled"}),
            known=_knowing(open="optional"),
        )
    ],
)
probe_rule(
    "TASK-008",
    "task-support-not-kept",
    """A tool's taskSupport is not kept: it runs without a task that it requires, or with one.

    Why: clients choose by taskSupport how to call a tool; a call that is taken the other way keeps
    them waiting for a task, or for a result, that does not come.

    Instead: answer with error -32601 where a call lacks a required task, or has a forbidden one.
    """,
    of=calls_with_and_without_a_task,
    reason="task_support_not_kept",
    good=[replay(UNKNOWN, UNKNOWN, known=_knowing(open="required", find="forbidden"))],
    bad=[
        replay(DONE, known=_knowing(open="required")),
        replay(DONE, known=_knowing(find="forbidden")),
    ],
)

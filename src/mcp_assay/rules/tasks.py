"""Tasks, which only 2025-11-25 has in its core."""

from __future__ import annotations

from typing import Any

from mcp_assay.rules.examples import PREFIX, bad, good, notification, result
from mcp_assay.rules.rule import table_rule

TASK = {
    "taskId": "task-7",
    "status": "working",
    "createdAt": "2025-11-25T10:30:00Z",
    "lastUpdatedAt": "2025-11-25T10:30:05Z",
    "ttl": 60000,
}
SUMMARY = [{"type": "text", "text": "3 notes"}]


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in TASK.items() if key != name}


table_rule(
    "TASK-001",
    "malformed-task",
    """A task that lacks one of its members, or has one with a wrong value.

    Why: the requester polls by taskId and status and cleans up by ttl; without them it cannot tell
    whether the task still exists.
    Instead: send taskId, status, createdAt, lastUpdatedAt and ttl; ttl is null for no limit.
    """,
    reason="invalid_result",
    good=[
        good(result({"task": TASK}), method="tools/call"),
        good(result({**TASK, "status": "completed", "ttl": None}), method="tasks/get"),
        good(notification("notifications/tasks/status", {**TASK, "status": "failed"})),
    ],
    bad=[
        bad(result({"task": _without("ttl")}), "/result/task/ttl", method="tools/call"),
        bad(result({**TASK, "status": "running"}), "/result/status", method="tasks/get"),
        bad(
            notification("notifications/tasks/status", {**TASK, "createdAt": 1764066600}),
            "/params/createdAt",
        ),
        bad(
            result({**TASK, "lastUpdatedAt": "yesterday"}),
            "/result/lastUpdatedAt",
            method="tasks/cancel",
        ),
    ],
)

table_rule(
    "TASK-007",
    "no-related-task",
    """A tasks/result answer that does not say which task it belongs to, or says so wrongly.

    Why: the answer has the shape of the original result, so only `_meta` ties it to its task.
    Instead: put {"taskId": ...} into `_meta` under io.modelcontextprotocol/related-task.
    """,
    reason="invalid_result",
    good=[
        good(
            result({"_meta": {f"{PREFIX}related-task": {"taskId": "task-7"}}, "content": SUMMARY}),
            method="tasks/result",
        )
    ],
    bad=[
        bad(
            result({"content": SUMMARY}),
            "/result/_meta/io.modelcontextprotocol~1related-task",
            method="tasks/result",
        ),
        bad(
            result({"_meta": {f"{PREFIX}related-task": {"id": "task-7"}}, "content": SUMMARY}),
            "/result/_meta/io.modelcontextprotocol~1related-task/taskId",
            method="tasks/result",
        ),
        bad(
            result({"_meta": {f"{PREFIX}related-task": "task-7"}, "content": SUMMARY}),
            "/result/_meta/io.modelcontextprotocol~1related-task",
            method="tools/call",
        ),
    ],
)

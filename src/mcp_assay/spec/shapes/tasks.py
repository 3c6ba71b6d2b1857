"""Tasks, which only 2025-11-25 has in its core."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import R2025_11_25
from mcp_assay.spec.shape import Either, ListOf, Meta, Null, Option, Shape, Text, Use, may, must
from mcp_assay.spec.shapes.common import (
    INTEGER,
    PAGE,
    TEXT,
    notification_params,
    request_params,
    server_result,
)

_TASK: Final = (
    must("taskId", TEXT, rule="TASK-001"),
    must(
        "status",
        Text(values=("working", "input_required", "completed", "failed", "cancelled")),
        rule="TASK-001",
    ),
    may("statusMessage", TEXT, rule="TASK-001"),
    must("createdAt", Text("timestamp"), rule="TASK-001"),
    must("lastUpdatedAt", Text("timestamp"), rule="TASK-001"),
    must(
        "ttl",
        Either((Option(INTEGER), Option(Null())), "an integer or null"),
        rule="TASK-001",
    ),
    may("pollInterval", INTEGER, rule="TASK-001"),
)

SHAPES = (
    Shape("Task", _TASK),
    Shape("TaskMetadata", (may("ttl", INTEGER),)),
    Shape("RelatedTaskMetadata", (must("taskId", TEXT, rule="TASK-007"),)),
    request_params("TaskRequestParams", must("taskId", TEXT)),
    server_result("CreateTaskResult", must("task", Use("Task"), rule="TASK-001")),
    server_result("TaskResult", *_TASK),
    server_result("ListTasksResult", must("tasks", ListOf(Use("Task"))), *PAGE),
    notification_params("TaskStatusNotificationParams", *_TASK),
    Shape(
        "TaskPayloadResult",
        (
            must(
                "_meta",
                Meta("TaskPayloadMetaObject"),
                R2025_11_25,
                R2025_11_25,
                rule="META-001",
                implied=True,
            ),
        ),
        open=True,
    ),
)

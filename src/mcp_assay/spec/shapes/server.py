"""What servers offer: tools, resources, prompts, completion, logging, progress, tasks."""

from __future__ import annotations

from typing import Final

from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)
from mcp_assay.spec.shape import (
    Case,
    Choice,
    Either,
    Field,
    ListOf,
    MapOf,
    Meta,
    Null,
    Option,
    Shape,
    Text,
    Use,
    may,
    must,
)
from mcp_assay.spec.shapes.client import INPUT_RESPONSE
from mcp_assay.spec.shapes.common import (
    ANYTHING,
    BOOLEAN,
    CACHE_HINTS,
    CONTENT_BLOCK,
    INTEGER,
    LINKED,
    LOG_LEVEL,
    MEDIA_TYPE,
    META,
    NUMBER,
    OBJECT,
    PAGE,
    PROMPT_BLOCK,
    ROLE,
    TEXT,
    TOKEN,
    URI,
    notification_params,
    request_params,
    server_result,
)

_SUBSCHEMA = Either((Option(OBJECT), Option(BOOLEAN)), "a schema (an object or a boolean)")
_TYPE_OBJECT = Text(values=("object",))
_ICONS = may("icons", ListOf(Use("Icon")), R2025_11_25)
_TITLE = may("title", TEXT, R2025_06_18)

RETRY: tuple[Field, ...] = (
    may("inputResponses", MapOf(INPUT_RESPONSE), R2026_07_28),
    may("requestState", TEXT, R2026_07_28),
)
"""What a client adds when it calls again with the input that was asked for."""


def _object_schema(name: str, *type_fields: Field) -> Shape:
    return Shape(
        name,
        (
            *type_fields,
            may("properties", MapOf(_SUBSCHEMA), until=R2025_11_25),
            may("required", ListOf(TEXT), until=R2025_11_25),
            may("$schema", TEXT, R2025_11_25),
        ),
        open=True,
    )


_TOOLS = (
    Shape(
        "Tool",
        (
            must("name", TEXT),
            _TITLE,
            may("description", TEXT),
            must("inputSchema", Use("InputSchema")),
            may("outputSchema", Use("OutputSchema"), R2025_06_18),
            may("annotations", Use("ToolAnnotations"), R2025_03_26),
            may("execution", Use("ToolExecution"), R2025_11_25, R2025_11_25),
            _ICONS,
            META,
        ),
    ),
    _object_schema("InputSchema", must("type", _TYPE_OBJECT)),
    _object_schema("OutputSchema", must("type", _TYPE_OBJECT, until=R2025_11_25)),
    Shape(
        "ToolAnnotations",
        (
            may("title", TEXT),
            may("readOnlyHint", BOOLEAN),
            may("destructiveHint", BOOLEAN),
            may("idempotentHint", BOOLEAN),
            may("openWorldHint", BOOLEAN),
        ),
    ),
    Shape(
        "ToolExecution", (may("taskSupport", Text(values=("forbidden", "optional", "required"))),)
    ),
    server_result("ListToolsResult", must("tools", ListOf(Use("Tool"))), *PAGE, *CACHE_HINTS),
    request_params(
        "CallToolRequestParams",
        must("name", TEXT),
        may("arguments", OBJECT),
        may("task", Use("TaskMetadata"), R2025_11_25, R2025_11_25),
        *RETRY,
    ),
    server_result(
        "CallToolResult",
        must("content", ListOf(CONTENT_BLOCK), rule="CALL-001"),
        may("structuredContent", OBJECT, R2025_06_18, R2025_11_25, rule="CALL-005"),
        may("structuredContent", ANYTHING, R2026_07_28),
        may("isError", BOOLEAN),
    ),
)

_RESOURCES = (
    Shape("Resource", LINKED),
    Shape(
        "ResourceTemplate",
        (
            must("uriTemplate", Text("uri-template")),
            must("name", TEXT),
            _TITLE,
            may("description", TEXT),
            may("mimeType", MEDIA_TYPE),
            may("annotations", Use("Annotations")),
            _ICONS,
            META,
        ),
    ),
    request_params("PaginatedRequestParams", may("cursor", TEXT)),
    request_params("ResourceRequestParams", must("uri", URI)),
    request_params("ReadResourceRequestParams", must("uri", URI), *RETRY),
    server_result(
        "ListResourcesResult", must("resources", ListOf(Use("Resource"))), *PAGE, *CACHE_HINTS
    ),
    server_result(
        "ListResourceTemplatesResult",
        must("resourceTemplates", ListOf(Use("ResourceTemplate"))),
        *PAGE,
        *CACHE_HINTS,
    ),
    server_result(
        "ReadResourceResult", must("contents", ListOf(Use("ResourceContents"))), *CACHE_HINTS
    ),
    notification_params("ResourceUpdatedNotificationParams", must("uri", URI)),
)

_PROMPTS = (
    Shape(
        "Prompt",
        (
            must("name", TEXT),
            _TITLE,
            may("description", TEXT),
            may("arguments", ListOf(Use("PromptArgument"))),
            _ICONS,
            META,
        ),
    ),
    Shape(
        "PromptArgument",
        (must("name", TEXT), _TITLE, may("description", TEXT), may("required", BOOLEAN)),
    ),
    server_result("ListPromptsResult", must("prompts", ListOf(Use("Prompt"))), *PAGE, *CACHE_HINTS),
    request_params(
        "GetPromptRequestParams",
        must("name", TEXT),
        may("arguments", MapOf(TEXT), rule="PROMPT-002"),
        *RETRY,
    ),
    server_result(
        "GetPromptResult",
        may("description", TEXT),
        must("messages", ListOf(Use("PromptMessage"))),
    ),
    Shape(
        "PromptMessage",
        (
            must("role", ROLE),
            must("content", PROMPT_BLOCK),
        ),
    ),
)

_COMPLETION = (
    request_params(
        "CompleteRequestParams",
        must(
            "ref",
            Choice(
                "type",
                (
                    Case("ref/prompt", "PromptReference"),
                    Case("ref/resource", "ResourceTemplateReference"),
                ),
                rule="COMP-002",
            ),
            rule="COMP-002",
        ),
        must("argument", Use("CompletionArgument")),
        may("context", Use("CompletionContext"), R2025_06_18),
    ),
    Shape(
        "PromptReference",
        (must("type", Text(values=("ref/prompt",))), must("name", TEXT, rule="COMP-002"), _TITLE),
    ),
    Shape(
        "ResourceTemplateReference",
        (
            must("type", Text(values=("ref/resource",))),
            must("uri", Text("uri-template"), rule="COMP-002"),
        ),
    ),
    Shape("CompletionArgument", (must("name", TEXT), must("value", TEXT))),
    Shape("CompletionContext", (may("arguments", MapOf(TEXT)),)),
    server_result("CompleteResult", must("completion", Use("Completion"))),
    Shape(
        "Completion",
        (
            must("values", ListOf(TEXT, most=100, most_rule="COMP-001")),
            may("total", INTEGER),
            may("hasMore", BOOLEAN),
        ),
    ),
)

_UTILITIES = (
    request_params("SetLevelRequestParams", must("level", LOG_LEVEL)),
    notification_params(
        "LoggingMessageNotificationParams",
        must("level", LOG_LEVEL),
        may("logger", TEXT),
        must("data", ANYTHING),
    ),
    notification_params(
        "ProgressNotificationParams",
        must("progressToken", TOKEN),
        must("progress", NUMBER),
        may("total", NUMBER),
        may("message", TEXT, R2025_03_26),
    ),
    notification_params(
        "CancelledNotificationParams",
        must("requestId", TOKEN, until=R2025_06_18),
        may("requestId", TOKEN, R2025_11_25, R2025_11_25),
        must("requestId", TOKEN, R2026_07_28),
        may("reason", TEXT),
    ),
)

_SUBSCRIPTIONS = (
    Shape(
        "SubscriptionFilter",
        (
            may("toolsListChanged", BOOLEAN),
            may("promptsListChanged", BOOLEAN),
            may("resourcesListChanged", BOOLEAN),
            may("resourceSubscriptions", ListOf(TEXT)),
        ),
    ),
    request_params(
        "SubscriptionsListenRequestParams", must("notifications", Use("SubscriptionFilter"))
    ),
    notification_params(
        "SubscriptionsAcknowledgedNotificationParams",
        must("notifications", Use("SubscriptionFilter")),
    ),
    server_result("SubscriptionsListenResult", meta="ListenResultMetaObject"),
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

_TASK_SHAPES = (
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

SHAPES = (
    *_TOOLS,
    *_RESOURCES,
    *_PROMPTS,
    *_COMPLETION,
    *_UTILITIES,
    *_SUBSCRIPTIONS,
    *_TASK_SHAPES,
)

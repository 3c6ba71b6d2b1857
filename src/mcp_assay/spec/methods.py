"""Every method of MCP: its kind, who sends it in which revisions, and the shapes it has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.entry import Direction
from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)
from mcp_assay.spec.shape import Case, Choice, Either, Option, Type, Use
from mcp_assay.spec.shapes.client import ELICITATION_PARAMS

MethodKind: TypeAlias = Literal["request", "notification"]

CLIENT: Final = ("c2s",)
SERVER: Final = ("s2c",)
BOTH: Final = ("c2s", "s2c")

LISTEN: Final = "subscriptions/listen"
ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"


class Method(Struct, frozen=True, kw_only=True):
    """A method as the revisions from `since` to `until` define it."""

    name: str
    kind: MethodKind
    senders: tuple[Direction, ...]
    since: str
    until: str
    params: Type
    result: Type | None = None
    needs_params: bool = False
    """params must be there although none of its members has to be."""

    def exists_in(self, revision: str) -> bool:
        """Whether `revision` defines the method so."""
        return self.since <= revision <= self.until


def _request(
    name: str,
    senders: tuple[Direction, ...],
    params: str | Type,
    result: str | Type,
    *,
    since: str = R2024_11_05,
    until: str = R2026_07_28,
) -> Method:
    return Method(
        name=name,
        kind="request",
        senders=senders,
        since=since,
        until=until,
        params=_type(params),
        result=_type(result),
    )


def _notification(
    name: str,
    senders: tuple[Direction, ...],
    params: str = "NotificationParams",
    *,
    since: str = R2024_11_05,
    until: str = R2026_07_28,
    needs_params: bool = False,
) -> Method:
    return Method(
        name=name,
        kind="notification",
        senders=senders,
        since=since,
        until=until,
        params=Use(params),
        needs_params=needs_params,
    )


def _type(shape: str | Type) -> Type:
    return Use(shape) if isinstance(shape, str) else shape


def _or_task(shape: str) -> Type:
    return Either(
        (Option(Use(shape)), Option(Use("CreateTaskResult"), "task", rare=True)),
        "a result or a new task",
    )


def _modern(shape: str) -> Type:
    return Choice(
        "resultType",
        (Case("complete", shape), Case("input_required", "InputRequiredResult")),
        rule="META-013",
        default="complete",
        other="UnknownResult",
    )


def _server_method(name: str, params: str, result: str) -> list[Method]:
    return [
        _request(name, CLIENT, params, result, until=R2025_11_25),
        _request(name, CLIENT, params, _modern(result), since=R2026_07_28),
    ]


def _may_become_task(
    name: str, senders: tuple[Direction, ...], params: str, result: str
) -> list[Method]:
    return [
        _request(name, senders, params, result, until=R2025_06_18),
        _request(name, senders, params, _or_task(result), since=R2025_11_25, until=R2025_11_25),
    ]


METHODS: Final[tuple[Method, ...]] = (
    _request(
        "initialize", CLIENT, "InitializeRequestParams", "InitializeResult", until=R2025_11_25
    ),
    _request("ping", BOTH, "RequestParams", "Result", until=R2025_11_25),
    _request(
        "server/discover", CLIENT, "RequestParams", _modern("DiscoverResult"), since=R2026_07_28
    ),
    *_server_method("tools/list", "PaginatedRequestParams", "ListToolsResult"),
    *_may_become_task("tools/call", CLIENT, "CallToolRequestParams", "CallToolResult"),
    _request(
        "tools/call", CLIENT, "CallToolRequestParams", _modern("CallToolResult"), since=R2026_07_28
    ),
    *_server_method("resources/list", "PaginatedRequestParams", "ListResourcesResult"),
    *_server_method(
        "resources/templates/list", "PaginatedRequestParams", "ListResourceTemplatesResult"
    ),
    *_server_method("resources/read", "ReadResourceRequestParams", "ReadResourceResult"),
    _request("resources/subscribe", CLIENT, "ResourceRequestParams", "Result", until=R2025_11_25),
    _request("resources/unsubscribe", CLIENT, "ResourceRequestParams", "Result", until=R2025_11_25),
    *_server_method("prompts/list", "PaginatedRequestParams", "ListPromptsResult"),
    *_server_method("prompts/get", "GetPromptRequestParams", "GetPromptResult"),
    *_server_method("completion/complete", "CompleteRequestParams", "CompleteResult"),
    _request("logging/setLevel", CLIENT, "SetLevelRequestParams", "Result", until=R2025_11_25),
    _request(
        "subscriptions/listen",
        CLIENT,
        "SubscriptionsListenRequestParams",
        _modern("SubscriptionsListenResult"),
        since=R2026_07_28,
    ),
    _request(
        "tasks/get", BOTH, "TaskRequestParams", "TaskResult", since=R2025_11_25, until=R2025_11_25
    ),
    _request(
        "tasks/result",
        BOTH,
        "TaskRequestParams",
        "TaskPayloadResult",
        since=R2025_11_25,
        until=R2025_11_25,
    ),
    _request(
        "tasks/cancel",
        BOTH,
        "TaskRequestParams",
        "TaskResult",
        since=R2025_11_25,
        until=R2025_11_25,
    ),
    _request(
        "tasks/list",
        BOTH,
        "PaginatedRequestParams",
        "ListTasksResult",
        since=R2025_11_25,
        until=R2025_11_25,
    ),
    _request("roots/list", SERVER, "ListRootsRequestParams", "ListRootsResult", until=R2025_11_25),
    *_may_become_task(
        "sampling/createMessage", SERVER, "CreateMessageRequestParams", "CreateMessageResult"
    ),
    _request(
        "elicitation/create",
        SERVER,
        "ElicitRequestFormParams",
        "ElicitResult",
        since=R2025_06_18,
        until=R2025_06_18,
    ),
    _request(
        "elicitation/create",
        SERVER,
        ELICITATION_PARAMS,
        _or_task("ElicitResult"),
        since=R2025_11_25,
        until=R2025_11_25,
    ),
    _notification("notifications/initialized", CLIENT, until=R2025_11_25),
    _notification(
        "notifications/cancelled", BOTH, "CancelledNotificationParams", needs_params=True
    ),
    _notification("notifications/progress", BOTH, "ProgressNotificationParams", until=R2025_11_25),
    _notification(
        "notifications/progress", SERVER, "ProgressNotificationParams", since=R2026_07_28
    ),
    _notification("notifications/message", SERVER, "LoggingMessageNotificationParams"),
    _notification("notifications/resources/updated", SERVER, "ResourceUpdatedNotificationParams"),
    _notification("notifications/resources/list_changed", SERVER),
    _notification("notifications/tools/list_changed", SERVER),
    _notification("notifications/prompts/list_changed", SERVER),
    _notification("notifications/roots/list_changed", CLIENT, until=R2025_11_25),
    _notification(
        "notifications/tasks/status",
        BOTH,
        "TaskStatusNotificationParams",
        since=R2025_11_25,
        until=R2025_11_25,
    ),
    _notification(
        "notifications/elicitation/complete",
        SERVER,
        "ElicitationCompleteParams",
        since=R2025_11_25,
        until=R2025_11_25,
    ),
    _notification(
        "notifications/subscriptions/acknowledged",
        SERVER,
        "SubscriptionsAcknowledgedNotificationParams",
        since=R2026_07_28,
    ),
)

INPUT_METHODS: Final = ("elicitation/create", "roots/list", "sampling/createMessage")
"""What 2026-07-28 knows only inside a result that asks for input."""


@cache
def methods_in(revision: str) -> dict[str, Method]:
    """The methods that `revision` defines, by name."""
    return {method.name: method for method in METHODS if method.exists_in(revision)}


def unknown_result(revision: str) -> Type:
    """The result of a request that is not known: what all results of the revision share."""
    return _modern("UnknownResult") if revision >= R2026_07_28 else Use("UnknownResult")


@cache
def windows(name: str) -> tuple[str, str] | None:
    """The first and the last revision that define a method, None where none does."""
    rows = [method for method in METHODS if method.name == name]
    return (min(m.since for m in rows), max(m.until for m in rows)) if rows else None


ERROR_SHAPES: Final[dict[str, dict[float | None, str]]] = {
    R2025_11_25: {-32042: "UrlElicitationError"},
    R2026_07_28: {-32021: "MissingCapabilityError", -32022: "UnsupportedVersionError"},
}


def error_shapes(revision: str) -> dict[float | None, str]:
    """The shapes of error objects by their code, where they differ from the plain one."""
    return ERROR_SHAPES.get(revision, {})


LIST_MEMBERS: Final[Mapping[str, str]] = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
"""The methods that list definitions, and the member of the result that holds them."""
LIST_CHANGES: Final[Mapping[str, tuple[str, ...]]] = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
    "notifications/prompts/list_changed": ("prompts/list",),
}
"""The notifications that a list has changed, and the lists that each is about."""

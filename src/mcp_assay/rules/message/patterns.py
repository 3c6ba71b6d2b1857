"""Work that spans several messages: requests for input, tasks and the end of a subscription."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, MapKey, On, rule, table_rule
from mcp_assay.rules.engine.samples import (
    PREFIX,
    SERVER_META,
    bad,
    good,
    modern_result,
    notification,
    result,
)
from mcp_assay.rules.message.jsonrpc import type_of
from mcp_assay.spec.meta_keys import SUBSCRIPTION
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import listing
from mcp_assay.wire.pointer import Path

ASKING: Final = On(("result",))
ASKING_OR_REQUEST: Final = On(
    ("request", "result"),
    request_methods=("elicitation/create", "sampling/createMessage"),
    results_since=R2026_07_28,
)
"""Where sampling and elicitation are asked for: requests and, since 2026-07-28, results."""

ENVELOPE_MEMBERS: Final = ("jsonrpc", "id")


def asks_for_input(message: Message) -> bool:
    """Whether the message is a result that asks for input."""
    return (
        message.revision >= R2026_07_28
        and message.kind == "result"
        and message.result.get("resultType") == "input_required"
    )


def input_requests(message: Message) -> Iterator[tuple[Path, dict[str, Any]]]:
    """What a result asks for, each with its place; entries that are no objects are left out."""
    entries = message.result.get("inputRequests") if asks_for_input(message) else None
    if isinstance(entries, dict):
        for key, entry in entries.items():
            if isinstance(entry, dict):
                yield ("result", "inputRequests", MapKey(key)), entry


def asked(message: Message, method: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The params of each request of `method`: the message itself, or one inside a result."""
    if message.kind == "request" and message.method == method:
        yield ("params",), message.params
    for path, entry in input_requests(message):
        params = entry.get("params")
        if entry.get("method") == method and isinstance(params, dict):
            yield (*path, "params"), params


good_asking = partial(good, revision=R2026_07_28, method="tools/call")
bad_asking = partial(bad, revision=R2026_07_28, method="tools/call")


def asking(**entries: Any) -> dict[str, Any]:
    """A result that asks for these inputs."""
    return modern_result({"inputRequests": entries}, result_type="input_required")


NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORM = {
    "method": "elicitation/create",
    "params": {"message": "Who owns this note?", "requestedSchema": NAME},
}


@rule(
    "MRTR-001",
    "asks-for-nothing",
    reason="invalid_result",
    good=lambda: [
        good_asking(asking(owner=FORM)),
        good_asking(modern_result({"requestState": "step-2"}, result_type="input_required")),
    ],
    bad=lambda: [bad_asking(modern_result({}, result_type="input_required"), "/result")],
    on=ASKING,
    patch={
        "InputRequiredResult": {
            "anyOf": [{"required": ["inputRequests"]}, {"required": ["requestState"]}]
        },
    },
)
def asks_for_nothing(message: Message) -> Iterator[Found]:
    """An input_required result has neither inputRequests nor a requestState.

    Why: the client has nothing to ask and nothing to send back, so the call cannot continue.
    Instead: send inputRequests, a requestState or both, or return a complete result.
    """
    if asks_for_input(message) and not {"inputRequests", "requestState"} & message.result.keys():
        text = "The result asks for input but has neither inputRequests nor a requestState."
        yield Found(("result",), text)


@rule(
    "MRTR-003",
    "wrong-input-request",
    reason="invalid_result",
    good=lambda: [good_asking(asking(owner=FORM))],
    bad=lambda: [
        bad_asking(
            asking(owner={"method": "tools/call", "params": {"name": "search"}}),
            "/result/inputRequests/owner/method",
        ),
        bad_asking(asking(owner="Who owns this note?"), "/result/inputRequests/owner"),
        bad_asking(
            asking(owner={"jsonrpc": "2.0", "id": 1, **FORM}), "/result/inputRequests/owner"
        ),
    ],
    on=ASKING,
    patch={},
)
def wrong_input_request(message: Message) -> Iterator[Found]:
    """An input request is not an elicitation, sampling or roots request, or has message members.

    Why: clients answer only these three kinds; jsonrpc and id have no meaning here, because
    responses are matched by key.
    Instead: send {"method": ..., "params": ...} with elicitation/create, sampling/createMessage or
    roots/list.
    """
    for path, entry in input_requests(message):
        extra = [name for name in ENVELOPE_MEMBERS if name in entry]
        if extra:
            text = f"The input request has {listing(extra, 'and')}, which only messages have."
            yield Found(path, text, grade="extra members", details={"members": extra})


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
    """A task lacks a member, or a member has an invalid value.

    Why: the requester needs taskId, status and ttl to poll the task and to know whether it still
    exists.
    Instead: send taskId, status, createdAt, lastUpdatedAt and ttl; ttl is null for no limit.
    """,
    reason="invalid_result",
    good=lambda: [
        good(result({"task": TASK}), method="tools/call"),
        good(result({**TASK, "status": "completed", "ttl": None}), method="tasks/get"),
        good(notification("notifications/tasks/status", {**TASK, "status": "failed"})),
    ],
    bad=lambda: [
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
    """A tasks/result response has a missing or wrong related-task.

    Why: the response has the shape of the original result, so only `_meta` links it to its task.
    Instead: put {"taskId": ...} into `_meta` under io.modelcontextprotocol/related-task.
    """,
    reason="invalid_result",
    good=lambda: [
        good(
            result({"_meta": {f"{PREFIX}related-task": {"taskId": "task-7"}}, "content": SUMMARY}),
            method="tasks/result",
        )
    ],
    bad=lambda: [
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


good_end = partial(good, revision=R2026_07_28, method="subscriptions/listen")
bad_end = partial(
    bad,
    pointer="/result/_meta/io.modelcontextprotocol~1subscriptionId",
    revision=R2026_07_28,
    method="subscriptions/listen",
)


def _ended(subscription: Any, *, id: Any = 7) -> dict[str, Any]:
    return modern_result({"_meta": {**SERVER_META, SUBSCRIPTION: subscription}}, id=id)


@rule(
    "SUB-007",
    "wrong-subscription-id",
    reason="invalid_result",
    good=lambda: [good_end(_ended(7)), good_end(_ended("sub-7", id="sub-7"))],
    bad=lambda: [bad_end(modern_result({}, id=7)), bad_end(_ended(8)), bad_end(_ended("7"))],
    on=On(("result",), ("subscriptions/listen",)),
    fast_check=lambda message: not _is_another(message["result"]["_meta"], message),
)
def wrong_subscription_id(message: Message) -> Iterator[Found]:
    """A subscriptions/listen result's subscriptionId is missing or not its own id.

    Why: the client matches the end of a subscription by this id, and would keep waiting.
    Instead: repeat the id of the request as the subscriptionId, with the same value and type.
    """
    meta = message.result.get("_meta")
    if isinstance(meta, dict) and _is_another(meta, message.value):
        text = "The subscriptionId is not the id of the response."
        yield Found(("result", "_meta", SUBSCRIPTION), text)


def _is_another(meta: dict[str, Any], response: dict[str, Any]) -> bool:
    """Whether both ids are well-formed and differ."""
    types = type_of(meta, SUBSCRIPTION), type_of(response, "id")
    if not {*types} <= {"integer", "string"}:
        return False
    return types[0] != types[1] or bool(meta[SUBSCRIPTION] != response["id"])

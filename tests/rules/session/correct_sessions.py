"""Correct conversations, one for each revision, that use as much of the protocol as they may."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    PREFIX,
    SERVER_META,
    error,
    modern_result,
    notification,
    request,
    result,
)
from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)

Line: TypeAlias = tuple[str, Any]

CLIENT: Final = {"name": "editor", "version": "2.1"}
SERVER: Final = {"name": "notes", "version": "0.9"}
OBJECT: Final = {"type": "object"}
NOTE: Final = "file:///notes/1.txt"
TEXT: Final = {"type": "text", "text": "ok"}


def _client(revision: str) -> dict[str, Any]:
    declared: dict[str, Any] = {"roots": {"listChanged": True}, "sampling": {}}
    if revision >= R2025_06_18:
        declared["elicitation"] = {}
    if revision == R2025_11_25:
        declared["sampling"] = {"tools": {}, "context": {}}
        declared["elicitation"] = {"form": {}, "url": {}}
    return declared


def _server(revision: str) -> dict[str, Any]:
    declared: dict[str, Any] = {
        "tools": {"listChanged": True},
        "prompts": {"listChanged": True},
        "resources": {"listChanged": True, "subscribe": True},
        "logging": {},
    }
    if revision >= R2025_03_26:
        declared["completions"] = {}
    if revision == R2025_11_25:
        declared["tasks"] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
    return declared


ARGUMENT: Final = {"type": "string", "description": "What to say"}


def _tools(revision: str) -> list[dict[str, Any]]:
    hints = {"annotations": {"readOnlyHint": True}} if revision >= R2025_03_26 else {}
    echo: dict[str, Any] = {
        "name": "echo",
        "description": "Says the text again",
        "inputSchema": {**OBJECT, "properties": {"text": ARGUMENT}, "required": ["text"]},
        **hints,
    }
    count: dict[str, Any] = {
        "name": "count",
        "description": "Counts the notes",
        "inputSchema": {**OBJECT, "additionalProperties": False},
        **hints,
    }
    if revision >= R2025_06_18:
        count["outputSchema"] = {
            **OBJECT,
            "properties": {"notes": {"type": "integer"}},
            "required": ["notes"],
        }
    if revision == R2025_11_25:
        echo["execution"] = {"taskSupport": "optional"}
    return [echo, count]


def _counted(revision: str) -> dict[str, Any]:
    if revision < R2025_06_18:
        return {"content": [{"type": "text", "text": "3"}]}
    return {
        "content": [{"type": "text", "text": '{"notes": 3}'}],
        "structuredContent": {"notes": 3},
    }


def handshake_era(revision: str) -> Iterator[Line]:
    """A session of a revision with a handshake."""
    yield from _opening(revision)
    yield from _listing(revision)
    yield from _calling(revision)
    yield from _reading()
    yield from _asking_the_client(revision)
    yield from _giving_up()
    if revision == R2025_03_26:
        yield from _batches()
    if revision == R2025_11_25:
        yield from _tasks()


def _opening(revision: str) -> Iterator[Line]:
    asked = {"protocolVersion": revision, "capabilities": _client(revision), "clientInfo": CLIENT}
    answered = {
        "protocolVersion": revision,
        "capabilities": _server(revision),
        "serverInfo": SERVER,
    }
    yield "c2s", request("initialize", asked, id=0)
    yield "s2c", result(answered, id=0)
    yield "c2s", notification("notifications/initialized")
    yield "s2c", request("ping", id=0)
    yield "c2s", result({}, id=0)
    yield "c2s", request("logging/setLevel", {"level": "info"}, id=1)
    yield "s2c", result({}, id=1)


def _listing(revision: str) -> Iterator[Line]:
    first, second = _tools(revision)
    yield "c2s", request("tools/list", id=2)
    yield "s2c", result({"tools": [first], "nextCursor": "page-2"}, id=2)
    yield "c2s", request("tools/list", {"cursor": "page-2"}, id=3)
    yield "s2c", result({"tools": [second]}, id=3)
    yield "c2s", request("prompts/list", {}, id="p-1")
    yield "c2s", request("resources/list", id="r-1")
    yield "s2c", result({"resources": [{"uri": NOTE, "name": "first note"}]}, id="r-1")
    yield "s2c", result({"prompts": [{"name": "greet"}]}, id="p-1")
    yield "c2s", request("resources/templates/list", id=4)
    yield "s2c", result({"resourceTemplates": []}, id=4)


def _calling(revision: str) -> Iterator[Line]:
    meta = {"_meta": {"progressToken": "t-5"}}
    yield (
        "c2s",
        request("tools/call", {"name": "echo", "arguments": {"text": "hi"}, **meta}, id=5),
    )
    yield "s2c", notification("notifications/progress", {"progressToken": "t-5", "progress": 1})
    yield "s2c", notification("notifications/message", {"level": "info", "data": "working"})
    yield (
        "s2c",
        notification(
            "notifications/progress", {"progressToken": "t-5", "progress": 2.5, "total": 3}
        ),
    )
    yield "s2c", result({"content": [TEXT]}, id=5)
    yield "c2s", request("tools/call", {"name": "count"}, id=6)
    yield "s2c", result(_counted(revision), id=6)
    yield "c2s", request("tools/call", {"name": "count", "arguments": {}}, id=7)
    yield "s2c", result({"content": [TEXT], "isError": True}, id=7)
    yield "s2c", notification("notifications/tools/list_changed")
    yield "c2s", request("prompts/get", {"name": "greet"}, id=8)
    yield "s2c", result({"messages": [{"role": "user", "content": TEXT}]}, id=8)


def _reading() -> Iterator[Line]:
    contents = [{"uri": NOTE, "text": "tea"}]
    yield "c2s", request("resources/subscribe", {"uri": NOTE}, id=9)
    yield "s2c", result({}, id=9)
    yield "s2c", notification("notifications/resources/updated", {"uri": NOTE})
    yield "c2s", request("resources/read", {"uri": NOTE}, id=10)
    yield "s2c", result({"contents": contents}, id=10)
    yield "c2s", request("resources/unsubscribe", {"uri": NOTE}, id=11)
    yield "s2c", result({}, id=11)
    yield "c2s", request("resources/read", {"uri": "file:///gone"}, id=12)
    yield "s2c", error(-32002, "Resource not found", {"uri": "file:///gone"}, id=12)
    reference = {"type": "ref/prompt", "name": "greet"}
    argument = {"name": "language", "value": "no"}
    yield "c2s", request("completion/complete", {"ref": reference, "argument": argument}, id=13)
    yield "s2c", result({"completion": {"values": ["norsk"]}}, id=13)


def _asking_the_client(revision: str) -> Iterator[Line]:
    yield "s2c", request("roots/list", id=1)
    yield "c2s", result({"roots": [{"uri": "file:///home/anna"}]}, id=1)
    yield "c2s", notification("notifications/roots/list_changed")
    messages = [{"role": "user", "content": TEXT}]
    yield "s2c", request("sampling/createMessage", {"messages": messages, "maxTokens": 9}, id=2)
    sampled = {"role": "assistant", "content": TEXT, "model": "m-1", "stopReason": "endTurn"}
    yield "c2s", result(sampled, id=2)
    if revision >= R2025_06_18:
        wanted = {**OBJECT, "properties": {"name": {"type": "string"}}, "required": ["name"]}
        params = {"message": "Your name?", "requestedSchema": wanted}
        yield "s2c", request("elicitation/create", params, id=3)
        yield "c2s", result({"action": "accept", "content": {"name": "Anna"}}, id=3)
        yield "s2c", request("elicitation/create", params, id=4)
        yield "c2s", result({"action": "decline"}, id=4)


def _giving_up() -> Iterator[Line]:
    yield "c2s", request("tools/call", {"name": "echo", "arguments": {"text": "slow"}}, id=14)
    yield "c2s", notification("notifications/cancelled", {"requestId": 14, "reason": "bored"})
    yield "c2s", request("prompts/get", {"name": "nobody"}, id=15)
    yield "s2c", error(-32602, "Unknown prompt", id=15)


def _batches() -> Iterator[Line]:
    yield "c2s", [request("ping", id=20), request("tools/list", id=21)]
    yield "s2c", [result({"tools": []}, id=21), result({}, id=20)]


def _tasks() -> Iterator[Line]:
    moment = "2026-01-01T00:00:00Z"
    task: dict[str, Any] = {
        "taskId": "k-1",
        "status": "working",
        "createdAt": moment,
        "lastUpdatedAt": moment,
    }
    task["ttl"] = 60_000
    related = {"_meta": {f"{PREFIX}related-task": {"taskId": "k-1"}}}
    params = {"name": "echo", "arguments": {"text": "later"}, "task": {"ttl": 60_000}}
    yield "c2s", request("tools/call", params, id=30)
    yield "s2c", result({"task": task}, id=30)
    yield "c2s", request("tasks/get", {"taskId": "k-1"}, id=31)
    yield "s2c", result(task, id=31)
    yield "s2c", notification("notifications/tasks/status", {**task, "status": "completed"})
    yield "c2s", request("tasks/result", {"taskId": "k-1"}, id=32)
    yield "s2c", result({**related, "content": [TEXT]}, id=32)


def _ask(method: str, id: Any, _meta: dict[str, Any] | None = None, **params: Any) -> Line:
    meta = {
        **CLIENT_META,
        f"{PREFIX}clientCapabilities": {"elicitation": {"form": {}}, "roots": {}},
        **(_meta or {}),
    }
    return "c2s", request(method, {"_meta": meta, **params}, id=id)


def stateless_era(_: str = R2026_07_28) -> Iterator[Line]:
    """A session of 2026-07-28: every request for itself."""
    cached = {"ttlMs": 1000, "cacheScope": "private"}
    declared = {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "logging": {}}
    discovered = {"supportedVersions": [R2025_11_25, R2026_07_28], "capabilities": declared}
    yield _ask("server/discover", 1)
    yield "s2c", modern_result({**discovered, **cached}, id=1)
    yield _ask("tools/list", 2)
    yield "s2c", modern_result({"tools": _tools(R2026_07_28), **cached}, id=2)
    yield from _modern_calls()
    yield from _modern_rounds()
    yield from _modern_subscription()


def _modern_calls() -> Iterator[Line]:
    loud = {"progressToken": 3, f"{PREFIX}logLevel": "info"}
    yield _ask("tools/call", 3, loud, name="echo", arguments={"text": "hi"})
    yield "s2c", notification("notifications/progress", {"progressToken": 3, "progress": 1})
    yield "s2c", notification("notifications/message", {"level": "warning", "data": "slow"})
    yield "s2c", modern_result({"content": [TEXT]}, id=3)
    yield _ask("tools/call", 4, name="count")
    yield "s2c", modern_result(_counted(R2026_07_28), id=4)
    yield _ask("tools/call", 5, name="echo", arguments={"text": "slow"})
    yield "c2s", notification("notifications/cancelled", {"requestId": 5})
    yield _ask("resources/read", 6, uri="file:///gone")
    yield "s2c", error(-32602, "Resource not found", {"uri": "file:///gone"}, id=6)


def _modern_rounds() -> Iterator[Line]:
    wanted = {**OBJECT, "properties": {"name": {"type": "string"}}}
    form = {"message": "Your name?", "mode": "form", "requestedSchema": wanted}
    asked = {"who": {"method": "elicitation/create", "params": form}}
    given = {"who": {"action": "accept", "content": {"name": "Anna"}}}
    again: dict[str, Any] = {"inputResponses": given, "requestState": "s-1"}
    hello: dict[str, Any] = {"name": "echo", "arguments": {"text": "hello"}}
    yield _ask("tools/call", 7, **hello)
    answer = {"inputRequests": asked, "requestState": "s-1"}
    yield "s2c", modern_result(answer, id=7, result_type="input_required")
    yield _ask("tools/call", 8, **hello, **again)
    yield "s2c", modern_result({"content": [TEXT]}, id=8)


def _modern_subscription() -> Iterator[Line]:
    wanted = {"toolsListChanged": True, "resourceSubscriptions": [NOTE]}
    mine = {"_meta": {f"{PREFIX}subscriptionId": "sub-1"}}
    yield _ask("subscriptions/listen", "sub-1", notifications=wanted)
    acknowledged = {**mine, "notifications": wanted}
    yield "s2c", notification("notifications/subscriptions/acknowledged", acknowledged)
    yield "s2c", notification("notifications/tools/list_changed", mine)
    yield "s2c", notification("notifications/resources/updated", {**mine, "uri": NOTE})
    ended = {"_meta": {**SERVER_META, **mine["_meta"]}}
    yield "s2c", modern_result(ended, id="sub-1")


CONVERSATIONS: Final[dict[str, Callable[[str], Iterator[Line]]]] = {
    R2024_11_05: handshake_era,
    R2025_03_26: handshake_era,
    R2025_06_18: handshake_era,
    R2025_11_25: handshake_era,
    R2026_07_28: stateless_era,
}

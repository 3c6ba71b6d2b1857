"""The rules about the names of methods, most of which the engine itself decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.method_names import EXTENSION_NAMES, METHOD, TASKS
from mcp_assay.rules.engine.rule import Found, On, rule, table_rule
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    PREFIX,
    bad,
    good,
    modern_request,
    notification,
    request,
)
from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
)

table_rule(
    "SCHEMA-003",
    "unknown-method",
    """The revision does not define this request or notification.

    Why: the receiver answers a request with "Method not found" and silently drops a notification.
    Instead: use a name that the revision defines; add a vendor prefix such as com.example/ to your
    own names.
    """,
    reason="unknown_method",
    good=lambda: [
        good(request("logging/setLevel", {"level": "info"})),
        good(request("com.example/notes/archive", {"id": 7})),
        good(notification("notifications/com.example/saved")),
    ],
    bad=lambda: [
        bad(request("logging/set_level", {"level": "info"}), "/method"),
        bad(request("elicitation/create", {"message": "Which?"}), "/method", revision=R2025_03_26),
        bad({"jsonrpc": "2.0", "method": "tools/list"}, "/method"),
        bad(modern_request("ping"), "/method", revision=R2026_07_28),
    ],
)

table_rule(
    "SCHEMA-004",
    "wrong-direction",
    """A request or notification comes from the wrong side.

    Why: the other side cannot handle it: servers cannot list a client's tools, clients cannot ask a
    server for roots.
    Instead: let the other side send it, or use the method that this side has.
    """,
    reason="wrong_direction",
    good=lambda: [
        good(request("roots/list"), direction="s2c"),
        good(request("ping"), direction="s2c", revision=R2024_11_05),
        good(modern_request("tools/list"), direction="c2s", revision=R2026_07_28),
    ],
    bad=lambda: [
        bad(request("roots/list"), "/method", direction="c2s"),
        bad(request("tools/list"), "/method", direction="s2c", revision=R2025_06_18),
        bad(notification("notifications/initialized"), "/method", direction="s2c"),
        bad(
            notification("notifications/tools/list_changed"),
            "/method",
            direction="c2s",
            revision=R2026_07_28,
        ),
    ],
)

PROGRESS: Final = notification("notifications/progress", {"progressToken": "p-7", "progress": 3})

table_rule(
    "PROG-006",
    "progress-from-client",
    """The client sends a progress notification.

    Why: in 2026-07-28 servers send no requests, so clients have no progress to report.
    Instead: omit it.
    """,
    reason="wrong_direction",
    good=lambda: [
        good(PROGRESS, direction="s2c", revision=R2026_07_28),
        good(PROGRESS, direction="c2s", revision=R2025_11_25),
    ],
    bad=lambda: [bad(PROGRESS, "/method", direction="c2s", revision=R2026_07_28)],
)


def _task_request(method: str, extensions: dict[str, Any]) -> dict[str, Any]:
    capabilities = {"extensions": extensions}
    meta = {**CLIENT_META, f"{PREFIX}clientCapabilities": capabilities}
    return modern_request(method, {"_meta": meta, "taskId": "t-7"})


@rule(
    "TASK-010",
    "tasks-without-extension",
    reason="extension_not_advertised",
    good=lambda: [
        good(_task_request("tasks/get", {TASKS: {}}), revision=R2026_07_28),
        good(request("tasks/result", {"taskId": "t-7"}), revision=R2025_11_25),
    ],
    bad=lambda: [
        bad(modern_request("tasks/get", {"taskId": "t-7"}), "/method", revision=R2026_07_28),
        bad(_task_request("tasks/cancel", {"com.example/x": {}}), "/method", revision=R2026_07_28),
        bad(_task_request("tasks/result", {TASKS: {}}), "/method", revision=R2026_07_28),
        bad(_task_request("tasks/list", {TASKS: {}}), "/method", revision=R2026_07_28),
    ],
    on=On(("request",)),
    patch={},
)
def tasks_without_extension(message: Message) -> Iterator[Found]:
    """A client uses a task method without advertising tasks, or one that no longer exists.

    Why: since 2026-07-28 tasks are an extension; without it the server rejects its methods. The
    extension has neither tasks/list nor tasks/result.
    Instead: add io.modelcontextprotocol/tasks to the extensions in clientCapabilities, and poll
    tasks/get.
    """
    if EXTENSION_NAMES.get(message.method or "") == "request" and _lacks_tasks(message.params):
        text = f"{message.method} needs the extension {TASKS}, which the client does not advertise."
        yield Found(METHOD, text, details={"method": message.method, "extension": TASKS})


def _lacks_tasks(params: dict[str, Any]) -> bool:
    """Whether the params tell the client's extensions, readably, and tasks are not among them."""
    meta = params.get("_meta")
    capabilities = meta.get(f"{PREFIX}clientCapabilities") if isinstance(meta, dict) else None
    extensions = capabilities.get("extensions", {}) if isinstance(capabilities, dict) else None
    return isinstance(extensions, dict) and TASKS not in extensions

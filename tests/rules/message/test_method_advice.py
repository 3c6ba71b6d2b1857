"""Names that a revision does not have: what to send instead, and which names belong to tasks."""

from __future__ import annotations

import pytest

from mcp_assay.rules.engine.method_names import method_faults
from mcp_assay.spec.methods import MethodKind
from mcp_assay.spec.revisions import R2024_11_05, R2025_03_26, R2025_11_25, R2026_07_28
from tests.rules.message.judged import reported

EXTENSION = "io.modelcontextprotocol/tasks"


@pytest.mark.parametrize(
    ("name", "kind", "revision", "advice"),
    [
        ("initialize", "request", R2026_07_28, "server/discover returns what the server supports."),
        (
            "notifications/initialized",
            "notification",
            R2026_07_28,
            "no handshake since 2026-07-28.",
        ),
        ("ping", "request", R2026_07_28, "send server/discover."),
        ("logging/setLevel", "request", R2026_07_28, "Set io.modelcontextprotocol/logLevel"),
        ("resources/subscribe", "request", R2026_07_28, "as resourceSubscriptions."),
        ("resources/unsubscribe", "request", R2026_07_28, "Cancel the subscriptions/listen"),
        ("notifications/roots/list_changed", "notification", R2026_07_28, "servers ask for roots"),
        (
            "notifications/elicitation/complete",
            "notification",
            R2026_07_28,
            "the client repeats its request.",
        ),
        ("roots/list", "request", R2026_07_28, "Ask for it in the inputRequests"),
        ("sampling/createMessage", "request", R2026_07_28, "Ask for it in the inputRequests"),
        ("elicitation/create", "request", R2026_07_28, "Ask for it in the inputRequests"),
        ("tasks/list", "request", R2026_07_28, "Keep the ids of the tasks that you start."),
        ("tasks/result", "request", R2026_07_28, "Poll tasks/get"),
        ("elicitation/create", "request", R2025_03_26, "unless both sides support 2025-06-18."),
        ("tasks/get", "request", R2024_11_05, "unless both sides support 2025-11-25."),
        ("server/discover", "request", R2025_11_25, "unless both sides support 2026-07-28."),
        ("tools/lst", "request", R2025_11_25, "Send tools/list."),
        ("logging/set_level", "request", R2025_11_25, "Send logging/setLevel."),
        ("logging/set_level", "request", R2026_07_28, "Set io.modelcontextprotocol/logLevel"),
        ("tools/list", "notification", R2025_11_25, "Add an id."),
        ("notifications/cancelled", "request", R2025_11_25, "Omit the id."),
    ],
)
def test_the_fix_says_what_to_do_instead(
    name: str, kind: MethodKind, revision: str, advice: str
) -> None:
    (found,) = method_faults(name, kind, revision, None)
    assert advice in (found.fix or "")


TASK_NAMES: list[tuple[str, MethodKind]] = [
    ("tasks/get", "request"),
    ("tasks/update", "request"),
    ("tasks/cancel", "request"),
    ("notifications/tasks", "notification"),
    ("notifications/tasks/status", "notification"),
]


@pytest.mark.parametrize(("name", "kind"), TASK_NAMES)
def test_the_tasks_extension_has_five_names_since_2026_07_28(name: str, kind: MethodKind) -> None:
    other: MethodKind = "notification" if kind == "request" else "request"
    assert method_faults(name, kind, R2026_07_28, None) == ()
    (found,) = method_faults(name, other, R2026_07_28, None)
    assert found.details == {"method": name, "expected": kind}
    (found,) = method_faults(name, kind, R2025_03_26, None)
    assert found.rule == "SCHEMA-003"


@pytest.mark.parametrize("name", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_a_task_method_names_the_extension_that_it_needs(name: str) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": R2026_07_28,
        "io.modelcontextprotocol/clientInfo": {"name": "inspector", "version": "1.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"_meta": meta, "taskId": "t-7", "inputResponses": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": name, "params": params}
    details = {"method": name, "extension": EXTENSION}
    assert reported(message, R2026_07_28) == [
        ("TASK-010", "error", "/method", "extension_not_advertised", details)
    ]
    meta["io.modelcontextprotocol/clientCapabilities"] = {"extensions": {EXTENSION: {}}}
    assert reported(message, R2026_07_28) == []


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("x" * 64, "x" * 64),
        ("x" * 65, "x" * 64),
        ("ghp_" + "a1B2" * 9, "[redacted]"),
        ("x" * 200 + " ghp_" + "a1B2" * 9, "[redacted]"),
    ],
)
def test_a_name_is_repeated_unless_it_is_long_or_secret(name: str, method: str) -> None:
    (found,) = method_faults(name, "request", R2025_11_25, None)
    assert found.details is not None
    assert found.details["method"] == method

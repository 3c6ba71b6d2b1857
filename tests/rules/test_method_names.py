"""Names and directions of methods: what is said of them in which revision, and what is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example as including
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.model.entry import Direction, Message
from mcp_assay.rules.engine.method_names import (
    DROPPED_TASK_METHODS,
    EXTENSION_NAMES,
    NAMES,
    REPLACED,
    TASKS,
    is_namespaced,
    method_faults,
)
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.engine.samples import CLIENT_META, PREFIX, modern_request
from mcp_assay.rules.message.method_names import tasks_without_extension
from mcp_assay.spec.methods import METHODS, MethodKind, methods_in
from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
    REVISIONS,
)

UP_TO_2025 = list(REVISIONS[:-1])
DIRECTIONS: tuple[Direction, ...] = ("c2s", "s2c")


def only_fault(
    name: str, kind: MethodKind, revision: str, direction: Direction | None = None
) -> Found:
    (found,) = method_faults(name, kind, revision, direction)
    assert found.path == ("method",)
    return found


DEFINED = [
    (method, revision, direction)
    for method in METHODS
    for revision in REVISIONS
    if method.exists_in(revision)
    for direction in DIRECTIONS
]


def test_a_defined_method_is_a_fault_only_from_the_wrong_side() -> None:
    for method, revision, direction in DEFINED:
        found = list(method_faults(method.name, method.kind, revision, direction))
        assert bool(found) is (direction not in method.senders), (method, revision, direction)
        assert list(method_faults(method.name, method.kind, revision, None)) == [], method


@pytest.mark.parametrize(
    ("name", "revision", "direction", "rule", "sides"),
    [
        ("roots/list", R2025_11_25, "c2s", "SCHEMA-004", "by the server, not by the client"),
        ("tools/call", R2026_07_28, "s2c", "SCHEMA-004", "by the client, not by the server"),
        (
            "notifications/message",
            R2024_11_05,
            "c2s",
            "SCHEMA-004",
            "by the server, not by the client",
        ),
        (
            "notifications/progress",
            R2026_07_28,
            "c2s",
            "PROG-006",
            "by the server, not by the client",
        ),
    ],
)
def test_the_wrong_side_is_named(
    name: str, revision: str, direction: Direction, rule: str, sides: str
) -> None:
    found = only_fault(name, methods_in(revision)[name].kind, revision, direction)
    assert (found.rule, found.reason) == (rule, "wrong_direction")
    assert found.text == f"{name} is sent {sides}."
    expected = "s2c" if direction == "c2s" else "c2s"
    assert found.details == {"method": name, "expected": expected, "actual": direction}


@pytest.mark.parametrize(
    ("name", "kind", "revision", "defined_in", "home"),
    [
        ("elicitation/create", "request", R2025_03_26, [R2025_06_18, R2025_11_25], "have it"),
        ("tasks/get", "request", R2024_11_05, [R2025_11_25], "only 2025-11-25 has it"),
        ("server/discover", "request", R2025_11_25, [R2026_07_28], "only 2026-07-28 has it"),
        ("ping", "request", R2026_07_28, UP_TO_2025, "2024-11-05 to 2025-11-25 have it"),
        ("initialize", "request", R2026_07_28, UP_TO_2025, "have it"),
        ("roots/list", "request", R2026_07_28, UP_TO_2025, "inputRequests"),
        ("sampling/createMessage", "request", R2026_07_28, UP_TO_2025, "inputRequests"),
        (
            "elicitation/create",
            "request",
            R2026_07_28,
            [R2025_06_18, R2025_11_25],
            "inputRequests",
        ),
        ("notifications/initialized", "notification", R2026_07_28, UP_TO_2025, "have it"),
        ("notifications/tasks/status", "notification", R2025_06_18, [R2025_11_25], "only"),
    ],
)
def test_a_name_of_other_revisions_is_reported_with_them(
    name: str, kind: MethodKind, revision: str, defined_in: list[str], home: str
) -> None:
    found = only_fault(name, kind, revision)
    assert found.rule == "SCHEMA-003"
    assert found.reason == {"request": "unknown_method"}.get(kind, "unknown_notification")
    assert found.details == {"method": name, "defined_in": defined_in}
    assert home in found.text
    assert revision in found.text
    assert found.fix


@pytest.mark.parametrize(
    ("name", "kind", "revision", "meant"),
    [
        ("logging/set_level", "request", R2025_11_25, "logging/setLevel"),
        ("logging/set_level", "request", R2026_07_28, "logging/setLevel"),
        ("sampling/create_message", "request", R2024_11_05, "sampling/createMessage"),
        ("requests/cancel", "request", R2025_11_25, "notifications/cancelled"),
        ("tasks/create", "request", R2025_11_25, "tools/call"),
        ("tasks/create", "request", R2026_07_28, "tools/call"),
        (
            "notifications/resourcesupdated",
            "notification",
            R2025_11_25,
            "notifications/resources/updated",
        ),
        ("tools/lst", "request", R2025_11_25, "tools/list"),
        ("Tools/List", "request", R2026_07_28, "tools/list"),
        ("tools.list", "request", R2024_11_05, "tools/list"),
        ("resources/templates", "request", R2025_11_25, "resources/templates/list"),
        ("tasks/gett", "request", R2025_11_25, "tasks/get"),
        ("initialized", "notification", R2025_11_25, "notifications/initialized"),
        ("notification/initialized", "notification", R2025_11_25, "notifications/initialized"),
        ("notifications/canceled", "notification", R2026_07_28, "notifications/cancelled"),
        (
            "tools/list_changed",
            "notification",
            R2025_06_18,
            "notifications/tools/list_changed",
        ),
    ],
)
def test_a_near_miss_is_answered_with_the_name_that_was_meant(
    name: str, kind: MethodKind, revision: str, meant: str
) -> None:
    found = only_fault(name, kind, revision)
    assert found.rule == "SCHEMA-003"
    assert found.details == {"method": name, "did_you_mean": meant}
    assert found.text.endswith(f"did you mean {meant}?")
    assert found.fix


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("", "request", "unknown_method"),
        ("unknown/method", "request", "unknown_method"),
        ("x-notes/archive", "request", "unknown_method"),
        ("rpc.discover", "request", "unknown_method"),
        ("notifications/zzz", "notification", "unknown_notification"),
        ("\ud800", "notification", "unknown_notification"),
    ],
)
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_name_like_no_other_is_reported_without_a_guess(
    name: str, kind: MethodKind, reason: str, revision: str
) -> None:
    found = only_fault(name, kind, revision)
    assert (found.rule, found.reason) == ("SCHEMA-003", reason)
    assert found.details == {"method": name}


def test_a_long_name_is_cut_before_it_is_repeated() -> None:
    found = only_fault("tools/" * 100_000, "request", R2025_11_25)
    assert found.details is not None
    assert len(found.details["method"]) < 100
    assert len(found.text) < 200


@pytest.mark.parametrize(
    ("name", "revision"),
    [("tools/list", R2025_11_25), ("initialize", R2024_11_05), ("tasks/get", R2026_07_28)],
)
def test_a_request_without_an_id_is_reported_that_it_needs_one(name: str, revision: str) -> None:
    found = only_fault(name, "notification", revision, "c2s")
    assert (found.rule, found.reason) == ("SCHEMA-003", "unknown_notification")
    assert found.text == f"{name} is a request; it needs an id."
    assert found.details == {"method": name, "expected": "request"}


def test_a_notification_with_an_id_is_reported_that_it_has_none() -> None:
    name = "notifications/cancelled"
    found = only_fault(name, "request", R2026_07_28, "c2s")
    assert (found.rule, found.reason) == ("SCHEMA-003", "unknown_method")
    assert found.text == f"{name} is a notification; it has no id."
    assert found.details == {"method": name, "expected": "notification"}


@pytest.mark.parametrize(
    ("name", "namespaced"),
    [
        ("com.example/thing", True),
        ("com.example/notes/archive", True),
        ("notifications/com.example/saved", True),
        ("io.modelcontextprotocol/anything", True),
        ("com.example/", True),
        ("com.example", False),
        ("notifications/com.example", False),
        ("example/thing", False),
        ("x-example/thing", False),
        (".example/thing", False),
        ("com..example/thing", False),
        ("com.3m/thing", False),
        ("/com.example/thing", False),
        ("tools/com.example/thing", False),
        ("", False),
    ],
)
def test_a_vendor_prefix_has_a_dot_and_stands_first(name: str, namespaced: bool) -> None:
    assert is_namespaced(name) is namespaced


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("direction", [*DIRECTIONS, None])
def test_nothing_is_said_about_a_vendor_s_own_method(
    revision: str, direction: Direction | None
) -> None:
    assert list(method_faults("com.example/thing", "request", revision, direction)) == []
    name = "notifications/com.example/saved"
    assert list(method_faults(name, "notification", revision, direction)) == []


@pytest.mark.parametrize(("name", "kind"), EXTENSION_NAMES.items())
@pytest.mark.parametrize("direction", [*DIRECTIONS, None])
def test_nothing_is_said_about_the_names_of_the_tasks_extension(
    name: str, kind: MethodKind, direction: Direction | None
) -> None:
    assert list(method_faults(name, kind, R2026_07_28, direction)) == []


@pytest.mark.parametrize("name", ["tasks/list", "tasks/result"])
def test_task_methods_that_the_extension_dropped_are_errors(name: str) -> None:
    found = only_fault(name, "request", R2026_07_28, "c2s")
    assert (found.rule, found.reason) == ("TASK-010", "unknown_method")
    assert found.details == {"method": name, "defined_in": [R2025_11_25]}
    assert found.fix == DROPPED_TASK_METHODS[name]


def test_every_method_that_2026_07_28_removed_has_a_replacement() -> None:
    gone = methods_in(R2025_11_25).keys() - methods_in(R2026_07_28).keys()
    assert gone - EXTENSION_NAMES.keys() - DROPPED_TASK_METHODS.keys() == REPLACED.keys()


NEARLY = st.builds(
    lambda name, at, extra: name[:at] + extra + name[at:],
    st.sampled_from(sorted(NAMES)),
    st.integers(0, 40),
    st.text(st.characters(), max_size=2),
)


@given(
    name=st.text(st.characters()) | st.sampled_from(sorted(NAMES)) | NEARLY,
    kind=st.sampled_from(["request", "notification"]),
    revision=st.sampled_from(REVISIONS),
    direction=st.sampled_from([*DIRECTIONS, None]),
)
@including(name="\ud83d", kind="request", revision=R2026_07_28, direction=None)
@including(name="\x00/." * 30_000, kind="notification", revision=R2024_11_05, direction="c2s")
def test_any_text_gives_at_most_one_fault_and_never_raises(
    name: str, kind: MethodKind, revision: str, direction: Direction | None
) -> None:
    found = list(method_faults(name, kind, revision, direction))
    assert len(found) <= 1
    for one in found:
        assert one.rule in ("SCHEMA-003", "SCHEMA-004", "PROG-006", "TASK-010")
        assert one.text.endswith((".", "?"))


def task_request(capabilities: Any, method: str = "tasks/get") -> dict[str, Any]:
    meta = {**CLIENT_META, f"{PREFIX}clientCapabilities": capabilities}
    return modern_request(method, {"_meta": meta, "taskId": "t-7"})


@pytest.mark.parametrize(
    ("value", "reported"),
    [
        (task_request({}), True),
        (task_request({}, "tasks/update"), True),
        (task_request({}, "tasks/cancel"), True),
        (task_request({"extensions": {}}), True),
        (task_request({"extensions": {"com.example/x": {}}}), True),
        (task_request({"extensions": {TASKS: {}}}), False),
        (task_request({"extensions": {TASKS: None}}), False),
        (task_request({"extensions": [TASKS]}), False),
        (task_request({"extensions": object()}), False),
        (task_request([]), False),
        (task_request({}, "tools/list"), False),
        (task_request({}, "tasks/result"), False),
        ({"jsonrpc": "2.0", "id": 1, "method": "tasks/get"}, False),
        ({"jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": {"_meta": 7}}, False),
        ({"jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": {"_meta": {}}}, False),
    ],
)
def test_a_task_method_is_a_fault_where_the_client_says_that_it_has_no_tasks(
    value: dict[str, Any], reported: bool
) -> None:
    message = Message(value=value, kind="request", method=value["method"], revision=R2026_07_28)
    found = list(tasks_without_extension(message))
    assert [one.path for one in found] == ([("method",)] if reported else [])

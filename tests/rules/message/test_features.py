"""What is reported about features: severity, place, reason and details of what predicates find."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules.engine.samples import modern_result, notification, request, result
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from tests.rules.message.judged import Reported, findings, reported

TEXT = {"type": "text", "text": "tea"}


def asking(**entries: Any) -> dict[str, Any]:
    return modern_result({"inputRequests": entries}, result_type="input_required")


def completion(**members: Any) -> dict[str, Any]:
    return result({"completion": {"values": ["a", "b"], **members}})


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"total": 1}, "total"),
        ({"total": 2}, None),
        ({"total": 2, "hasMore": True}, "hasMore"),
        ({"total": 3, "hasMore": False}, "hasMore"),
    ],
)
def test_the_number_of_values_is_reported(members: dict[str, Any], place: str | None) -> None:
    found = ("COMP-004", "warning", f"/result/completion/{place}", "invalid_result", {"values": 2})
    expected = [] if place is None else [found]
    assert reported(completion(**members), method="completion/complete") == expected


@pytest.mark.parametrize(
    ("members", "number", "words"),
    [
        (["a"], 1, 'it has "a".'),
        (["a", "_meta", "b"], 2, 'it has "a" and "b".'),
        (["a", "b", "c", "d"], 4, 'it has "a", "b" and "c".'),
    ],
)
def test_the_members_of_a_ping_result_are_counted(
    members: list[str], number: int, words: str
) -> None:
    message = result({name: {} for name in members})
    details = {"members": number}
    assert reported(message, method="ping") == [
        ("PING-001", "error", "/result", "invalid_result", details)
    ]
    (one,) = findings(message, method="ping")
    assert one.message.endswith(words)


def log(data: Any) -> dict[str, Any]:
    return notification("notifications/message", {"level": "info", "data": data})


def secret(pointer: str, kind: str) -> Reported:
    return "LOG-006", "warning", f"/params/data{pointer}", "invalid_params", {"kind": kind}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("nothing", []),
        ({"password": "hunter2"}, [secret("/password", "the value of password")]),
        ([{"a": ["--api-key=4f9a7c21"]}], [secret("/0/a/0", "the value of api key")]),
        ("token ghp_" + "a1B2" * 9, [secret("", "a GitHub token")]),
        (
            {f"p{n}": "password=hunter2" for n in range(12)},
            [secret(f"/p{n}", "the value of password") for n in range(10)],
        ),
    ],
)
def test_the_kind_of_secret_in_log_data_is_reported(data: Any, expected: list[Reported]) -> None:
    assert reported(log(data)) == expected


def progress(done: Any, total: Any) -> dict[str, Any]:
    params = {"progressToken": 1, "progress": done, "total": total}
    return notification("notifications/progress", params)


@pytest.mark.parametrize(("done", "is_fault"), [(4, False), (5, False), (5.5, True), (6, True)])
def test_progress_ends_at_its_total(done: float, is_fault: bool) -> None:
    found = ("PROG-005", "warning", "/params/progress", "invalid_params", None)
    assert reported(progress(done, 5)) == [found] * is_fault


@pytest.mark.parametrize(
    ("entry", "pointer", "members"),
    [
        ({"jsonrpc": "2.0"}, "/result/inputRequests/where", ["jsonrpc"]),
        ({"id": 1}, "/result/inputRequests/where", ["id"]),
        ({"jsonrpc": "2.0", "id": 1}, "/result/inputRequests/where", ["jsonrpc", "id"]),
    ],
)
def test_an_input_request_is_no_message(
    entry: dict[str, Any], pointer: str, members: list[str]
) -> None:
    form = {"method": "elicitation/create", "params": {"message": "m", "requestedSchema": FORM}}
    found = reported(asking(where={**form, **entry}), R2026_07_28, "tools/call")
    assert found == [("MRTR-003", "warning", pointer, "invalid_result", {"members": members})]


FORM: dict[str, Any] = {"type": "object", "properties": {}}


def form(properties: dict[str, Any]) -> dict[str, Any]:
    return {"message": "m", "requestedSchema": {**FORM, "properties": properties}}


@pytest.mark.parametrize(
    ("name", "schema", "asked"),
    [
        ("password", {"type": "string"}, "password"),
        ("x", {"type": "string", "title": "Your API key"}, "api key"),
        ("pin", {"type": "integer"}, "pin"),
        ("pin", {"type": "number"}, "pin"),
        ("password", {"type": "integer"}, None),
        ("password", {"type": "boolean"}, None),
        ("password", {"type": "string", "enum": ["a", "b"]}, None),
        ("password", {"type": "string", "oneOf": [{"const": "a", "title": "A"}]}, None),
        ("city", {"type": "string", "title": "City"}, None),
    ],
)
def test_a_form_does_not_ask_for_a_secret(
    name: str, schema: dict[str, Any], asked: str | None
) -> None:
    params = form({name: schema})
    place = f"requestedSchema/properties/{name}"

    def found(pointer: str) -> list[Reported]:
        one = ("ELIC-007", "warning", pointer, "invalid_params", {"secret": asked})
        return [] if asked is None else [one]

    asking_now = request("elicitation/create", params)
    assert reported(asking_now, R2025_11_25) == found(f"/params/{place}")
    inside = asking(where={"method": "elicitation/create", "params": params})
    assert reported(inside, R2026_07_28, "tools/call") == found(
        f"/result/inputRequests/where/params/{place}"
    )


def test_enum_names_are_reported_since_2025_11_25() -> None:
    unit = {"type": "string", "enum": ["C"], "enumNames": ["Celsius"]}
    params = form({"unit": unit})
    place = "requestedSchema/properties/unit/enumNames"
    found = ("ELIC-010", "warning", f"/params/{place}", "invalid_params", None)
    assert reported(request("elicitation/create", params), R2025_11_25) == [found]
    assert reported(request("elicitation/create", params), R2025_06_18) == []


USE = {"type": "tool_use", "id": "call-1", "name": "weather", "input": {}}
RESULT = {"type": "tool_result", "toolUseId": "call-1", "content": [TEXT]}


def sample(*messages: tuple[str, Any], **members: Any) -> dict[str, Any]:
    turns = [{"role": role, "content": content} for role, content in messages]
    return {"messages": turns, "maxTokens": 9, **members}


def unmatched(index: int) -> Reported:
    return "SAMP-004", "error", f"messages/{index}", "invalid_params", None


def mixed(index: int) -> Reported:
    return "SAMP-003", "error", f"messages/{index}/content", "invalid_params", None


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([("user", TEXT)], []),
        ([("user", TEXT), ("assistant", USE), ("user", RESULT)], []),
        ([("assistant", [USE, TEXT]), ("user", [RESULT])], []),
        ([("assistant", USE)], [unmatched(0)]),
        ([("user", TEXT), ("assistant", USE), ("assistant", RESULT)], [unmatched(1)]),
        ([("assistant", USE), ("user", TEXT)], [unmatched(0)]),
        ([("assistant", USE), ("user", {**RESULT, "toolUseId": "call-2"})], [unmatched(0)]),
        (
            [("assistant", USE), ("user", [RESULT, {**RESULT, "toolUseId": "call-2"}])],
            [unmatched(0)],
        ),
        ([("user", USE), ("user", TEXT)], []),
        ([("user", RESULT)], []),
        ([("user", [RESULT, TEXT])], [mixed(0)]),
        ([("user", TEXT), ("user", [TEXT, RESULT])], [mixed(1)]),
        ([("assistant", [RESULT, TEXT])], []),
    ],
)
def test_tool_uses_and_their_results_go_together(
    messages: list[tuple[str, Any]], expected: list[Reported]
) -> None:
    params = sample(*messages)

    def at(place: str) -> list[Reported]:
        return [
            (rule, grade, f"{place}/{end}", why, more) for rule, grade, end, why, more in expected
        ]

    message = request("sampling/createMessage", params)
    assert reported(message, R2025_11_25) == at("/params")
    entry = {"method": "sampling/createMessage", "params": params}
    inside = reported(asking(model=entry), R2026_07_28, "tools/call")
    deprecated = ("SAMP-006", "info", "/result/inputRequests/model/method", "invalid_params", None)
    assert inside == [deprecated, *at("/result/inputRequests/model/params")]


@pytest.mark.parametrize(
    ("context", "is_deprecated"), [("none", False), ("thisServer", True), ("allServers", True)]
)
def test_the_context_of_servers_is_deprecated(context: str, is_deprecated: bool) -> None:
    message = request("sampling/createMessage", sample(("user", TEXT), includeContext=context))
    found = ("SAMP-006", "warning", "/params/includeContext", "invalid_params", None)
    assert reported(message, R2025_11_25) == [found] * is_deprecated
    assert reported(message, R2025_06_18) == []


@pytest.mark.parametrize("name", ["ttlMs", "cacheScope"])
def test_a_question_carries_no_cache_hints(name: str) -> None:
    hints = {"ttlMs": 0, "cacheScope": "private"}
    members = {"requestState": "s", name: hints[name]}
    message = modern_result(members, result_type="input_required")
    assert reported(message, R2026_07_28, "resources/read") == [
        ("CACHE-004", "warning", f"/result/{name}", "invalid_result", None)
    ]

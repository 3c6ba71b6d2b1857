"""The JSON-RPC envelope: the rule, severity, place, reason and details of each of its faults."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    error,
    modern_request,
    notification,
    request,
    result,
)
from mcp_assay.rules.engine.slow import kind_of
from mcp_assay.rules.message.error_codes import ERROR_MEMBERS, RESERVED
from mcp_assay.rules.message.jsonrpc import is_plain
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28
from tests.rules.message.judged import Reported, reported

LIST = request("tools/list")
INITIALIZED = notification("notifications/initialized")
IDS = "string or integer"


def wrong(expected: str, actual: str) -> dict[str, Any]:
    return {"expected": expected, "actual": actual}


def without(message: dict[str, Any], member: str) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != member}


def id_fault(rule: str, actual: str, severity: str = "error") -> Reported:
    return rule, severity, "/id", "invalid_id_type", wrong(IDS, actual)


@pytest.mark.parametrize(
    ("value", "actual"),
    [("1.0", "string"), ("", "string"), (2.0, "integer"), (None, "null"), ([], "array")],
)
@pytest.mark.parametrize("message", [LIST, INITIALIZED, result({}), error(-32603, "Failed")])
def test_every_message_has_version_2_0(message: dict[str, Any], value: Any, actual: str) -> None:
    rule = "JSONRPC-002", "error", "/jsonrpc", "invalid_jsonrpc_version"
    assert reported({**message, "jsonrpc": value}) == [(*rule, wrong("2.0", actual))]
    assert reported(without(message, "jsonrpc")) == [(*rule, wrong("2.0", "missing"))]


ID_TYPES = [
    (True, "boolean", "error"),
    ([1], "array", "error"),
    ({}, "object", "error"),
    (1.5, "number", "error"),
    (1.0, "integer", "warning"),
]


@pytest.mark.parametrize(("id", "actual", "severity"), ID_TYPES)
def test_an_id_is_a_string_or_an_integer(id: Any, actual: str, severity: str) -> None:
    assert reported({**LIST, "id": id}) == [id_fault("JSONRPC-004", actual, severity)]
    answer = {**result({"tools": []}), "id": id}
    assert reported(answer, method="tools/list") == [id_fault("JSONRPC-011", actual, severity)]
    failure = {**error(-32603, "Failed"), "id": id}
    assert reported(failure, R2025_06_18) == [id_fault("JSONRPC-012", actual, severity)]
    assert reported(failure, R2025_11_25) == [id_fault("JSONRPC-013", actual, severity)]


def test_an_id_is_not_null() -> None:
    assert reported({**LIST, "id": None}) == [id_fault("JSONRPC-005", "null")]
    assert reported({**result({}), "id": None}) == [id_fault("JSONRPC-011", "null")]
    failure = {**error(-32603, "Failed"), "id": None}
    assert reported(failure, R2025_06_18) == [id_fault("JSONRPC-012", "null")]
    assert reported(failure, R2025_11_25) == [id_fault("JSONRPC-013", "null", "warning")]


def test_only_an_error_since_2025_11_25_may_lack_its_id() -> None:
    assert reported(without(result({}), "id")) == [id_fault("JSONRPC-011", "missing")]
    failure = without(error(-32603, "Failed"), "id")
    assert reported(failure, R2025_06_18) == [id_fault("JSONRPC-012", "missing")]
    assert reported(failure, R2025_11_25) == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            {**LIST, "method": 7},
            ("JSONRPC-006", "error", "/method", "invalid_method_type", wrong("string", "integer")),
        ),
        (
            {**INITIALIZED, "method": None},
            ("JSONRPC-006", "error", "/method", "invalid_method_type", wrong("string", "null")),
        ),
        (
            {"jsonrpc": "2.0", "id": 1, "params": {}},
            ("JSONRPC-006", "error", "/method", "missing_method", None),
        ),
        ({"jsonrpc": "2.0"}, ("JSONRPC-006", "error", "", "invalid_message_structure", None)),
        (
            {"jsonrpc": "2.0", "id": 1},
            ("JSONRPC-009", "error", "", "missing_result_and_error", None),
        ),
        (
            {**result({}), **error(-32603, "Failed")},
            ("JSONRPC-009", "error", "", "both_result_and_error", None),
        ),
        (
            {**LIST, "params": []},
            ("JSONRPC-007", "error", "/params", "invalid_params_type", wrong("object", "array")),
        ),
        (
            {**INITIALIZED, "params": None},
            ("JSONRPC-007", "error", "/params", "invalid_params_type", wrong("object", "null")),
        ),
        (
            {**INITIALIZED, "id": 1},
            ("JSONRPC-008", "error", "/id", "invalid_message_structure", None),
        ),
        (
            result(7),
            ("JSONRPC-010", "error", "/result", "invalid_result_type", wrong("object", "integer")),
        ),
        (
            {**LIST, "result": {}},
            ("JSONRPC-016", "error", "", "invalid_message_structure", None),
        ),
        (
            {**INITIALIZED, "error": {}},
            ("JSONRPC-016", "error", "", "invalid_message_structure", None),
        ),
        (
            {**LIST, "elapsed": 1},
            ("JSONRPC-017", "warning", "/elapsed", "unknown_member", None),
        ),
        (
            {**error(-32603, "Failed"), "elapsed": 1},
            ("JSONRPC-017", "warning", "/elapsed", "unknown_member", None),
        ),
        (
            {**INITIALIZED, "parms": {}},
            ("JSONRPC-017", "warning", "/parms", "unknown_member", {"did_you_mean": "params"}),
        ),
        (
            {**result({}), "ID": 1},
            ("JSONRPC-017", "warning", "/ID", "unknown_member", {"did_you_mean": "id"}),
        ),
    ],
)
def test_an_envelope_is_of_one_kind_and_has_its_members(
    message: dict[str, Any], expected: Reported
) -> None:
    assert reported(message) == [expected]


def test_params_of_a_message_without_a_method_are_judged_too() -> None:
    assert reported({"jsonrpc": "2.0", "id": 1, "params": 7}) == [
        ("JSONRPC-006", "error", "/method", "missing_method", None),
        ("JSONRPC-007", "error", "/params", "invalid_params_type", wrong("object", "integer")),
    ]


def test_twenty_unknown_members_are_reported() -> None:
    message = {**LIST, **{f"extra{n:02}": n for n in range(21)}}
    assert [pointer for _, _, pointer, _, _ in reported(message)] == [
        f"/extra{n:02}" for n in range(20)
    ]


def fault(pointer: str, reason: str, expected: str, actual: str) -> Reported:
    return "JSONRPC-014", "error", pointer, reason, wrong(expected, actual)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, [fault("/error", "type_mismatch", "object", "integer")]),
        (None, [fault("/error", "type_mismatch", "object", "null")]),
        (
            {},
            [
                fault("/error/code", "missing_error_code", "integer", "missing"),
                fault("/error/message", "missing_error_message", "string", "missing"),
            ],
        ),
        (
            {"code": 1.5, "message": []},
            [
                fault("/error/code", "invalid_error_code_type", "integer", "number"),
                fault("/error/message", "type_mismatch", "string", "array"),
            ],
        ),
        ({"code": 1.0, "message": "Failed"}, []),
    ],
)
def test_an_error_has_a_code_and_a_message(value: Any, expected: list[Reported]) -> None:
    assert reported({"jsonrpc": "2.0", "id": 1, "error": value}) == expected


@pytest.mark.parametrize(
    ("text", "is_fit"),
    [
        ("The note is locked.", True),
        ("", False),
        ("  ", False),
        ("\n", False),
        ("One\ntwo", False),
        ("One\rtwo", False),
        ("Traceback (most recent call last): boom", False),
        ("boom at Object.<anonymous> (/srv/notes.js:1:2)", False),
        ("boom at run (node:internal/modules:1:2)", False),
        ("boom. Stack trace: #0 notes.php(3): main()", False),
        ("boom: stack traceback: [C]: in function 'error'", False),
        ('Exception in thread "main" java.lang.Error: boom', False),
        ("panic: boom goroutine 17 [running]: main.main()", False),
        ("thread 'main' panicked at src/main.rs:3:5: boom", False),
        ("boom --- End of stack trace from previous location ---", False),
        ("The goroutine 17 is running at Object 7 in node: internal", True),
    ],
)
def test_an_error_message_is_one_sentence(text: str, is_fit: bool) -> None:
    expected = ("JSONRPC-015", "warning", "/error/message", "unfit_error_message", None)
    assert reported(error(1, text)) == ([] if is_fit else [expected])


CODES = {
    R2025_11_25: {
        "JSONRPC-027": [-32768, -32767, -32701, -32699, -32604, -32599, -32101, -32100],
        None: [
            -32769,
            -32700,
            -32603,
            -32602,
            -32601,
            -32600,
            -32099,
            -32042,
            -32002,
            -32000,
            0,
            7,
        ],
    },
    R2026_07_28: {
        "JSONRPC-027": [-32768, -32701, -32599, -32100],
        "JSONRPC-028": [-32099, -32098, -32043, -32041, -32023],
        "JSONRPC-029": [-32042, -32002],
        "JSONRPC-030": [-32019, -32018, -32003, -32001, -32000],
        None: [-32769, -32700, -32600, -31999, -1, 0, 7],
    },
}
"""The codes that each rule objects to, at the edges of its ranges."""


@pytest.mark.parametrize(
    ("revision", "rule", "code"),
    [
        (revision, rule, code)
        for revision, rules in CODES.items()
        for rule, codes in rules.items()
        for code in codes
    ],
)
def test_an_error_code_is_a_standard_one_or_ones_own(
    revision: str, rule: str | None, code: int
) -> None:
    severity = "error" if rule in ("JSONRPC-028", "JSONRPC-029") else "warning"
    expected = [] if rule is None else [(rule, severity, "/error/code", "invalid_error_code")]
    data = {
        "elicitations": [
            {"mode": "url", "message": "m", "url": "https://a.b", "elicitationId": "e"}
        ]
    }
    found = reported(error(code, "It failed.", data), revision)
    assert [one[:4] for one in found] == expected
    assert [one[4] for one in found] == [{"code": code}] * len(expected)


@pytest.mark.parametrize(("record", "member"), [(RESERVED[0], "first"), (ERROR_MEMBERS[0], "type")])
def test_the_tables_of_errors_cannot_be_changed(record: Any, member: str) -> None:
    with pytest.raises(AttributeError):
        setattr(record, member, None)


SAFE = 2**53 - 1


@pytest.mark.parametrize(
    ("message", "pointer"),
    [
        ({**LIST, "id": SAFE}, None),
        ({**LIST, "id": SAFE + 1}, "/id"),
        ({**LIST, "id": -SAFE}, None),
        ({**LIST, "id": -SAFE - 1}, "/id"),
        (request("tools/list", {"_meta": {"progressToken": SAFE}}), None),
        (
            request("tools/list", {"_meta": {"progressToken": SAFE + 1}}),
            "/params/_meta/progressToken",
        ),
        (
            notification("notifications/progress", {"progressToken": SAFE + 1, "progress": 1}),
            "/params/progressToken",
        ),
        (notification("notifications/cancelled", {"requestId": SAFE + 1}), "/params/requestId"),
        (notification("notifications/cancelled", {"requestId": "9" * 20}), None),
        ({**result({"tools": []}), "id": SAFE + 1}, "/id"),
        ({**error(7, "It failed."), "id": SAFE + 1}, "/id"),
    ],
)
def test_ids_and_tokens_are_within_53_bits(message: dict[str, Any], pointer: str | None) -> None:
    expected = ("JSONRPC-020", "warning", pointer, "not_interoperable", {"limit": SAFE})
    assert reported(message, method="tools/list") == ([] if pointer is None else [expected])


def test_a_message_may_have_several_unsafe_numbers() -> None:
    params = {"_meta": {**CLIENT_META, "progressToken": SAFE + 2}}
    message = {**modern_request("tools/list", params), "id": SAFE + 1}
    assert [pointer for _, _, pointer, _, _ in reported(message, R2026_07_28)] == [
        "/id",
        "/params/_meta/progressToken",
    ]


ORDINARY = [
    request("ping", id=1),
    request("ping", id="a"),
    request("tools/list", {}, id=1),
    request("tools/list", {}, id="a"),
    INITIALIZED,
    notification("notifications/progress", {}),
    result({}, id=1),
    result({}, id="a"),
]


def plain(value: dict[str, Any]) -> bool:
    return is_plain(Message(value, kind_of(value), None, R2025_11_25))


@pytest.mark.parametrize("message", ORDINARY)
def test_the_rules_of_the_envelope_pass_over_an_ordinary_one(message: dict[str, Any]) -> None:
    assert plain(message)
    assert not plain({**message, "elapsed": 1})
    assert not plain({**message, "jsonrpc": "1.0"})
    assert not plain({**message, "id": True})
    assert not plain({"error": None, **message})
    assert not plain(without(message, "jsonrpc"))


@pytest.mark.parametrize(
    "message",
    [error(-32603, "Failed"), {**LIST, "params": []}, {**INITIALIZED, "id": None}, result([])],
)
def test_they_look_at_errors_and_at_odd_members(message: dict[str, Any]) -> None:
    assert not plain(message)

"""Responses by their id and result or error, and error codes by their ranges."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.protocol import validate_error_code, validate_jsonrpc, validate_response
from mcp_assay.rules.engine.samples import SERVER_META
from mcp_assay.spec.dialects import ERLMCP_ERROR_CODES
from mcp_assay.spec.revisions import (
    R2024_11_05,
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
    R2026_07_28,
    REVISIONS,
)

ERROR: Final = {"code": -32601, "message": "Method not found"}
OLDER: Final = (R2024_11_05, R2025_03_26, R2025_06_18)
NEWER: Final = (R2025_11_25, R2026_07_28)


@pytest.mark.parametrize(
    "error", [ERROR, {**ERROR, "data": {}}, {**ERROR, "data": None}, {**ERROR, "data": [1]}]
)
@pytest.mark.parametrize("revision", REVISIONS)
def test_an_object_with_nothing_but_code_message_and_data_is_an_error(
    error: dict[str, Any], revision: str
) -> None:
    assert validate_response(1, error, revision=revision).findings == ()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({"code": 1}, "missing_error_message"),
        ({"message": "x"}, "missing_error_code"),
        ({"message": "x", "data": 1}, "missing_error_code"),
        ({"code": "1", "message": "x"}, "invalid_error_code_type"),
        ({"code": True, "message": "x"}, "invalid_error_code_type"),
        ({"code": 1.5, "message": "x"}, "invalid_error_code_type"),
        ({"code": 1, "message": 7}, "type_mismatch"),
    ],
)
def test_a_malformed_error_object_is_still_one(error: dict[str, Any], reason: str) -> None:
    outcome = validate_response(1, error)
    assert not outcome.ok
    assert outcome.reason == reason
    assert all(one.pointer.startswith("/error") for one in outcome.findings)


@pytest.mark.parametrize(
    "result",
    [{}, {"data": 1}, {**ERROR, "tools": []}, {"tools": []}, {"message": "x", "role": "u"}],
)
def test_any_other_object_is_a_result(result: dict[str, Any]) -> None:
    assert validate_response(1, result).findings == ()
    assert validate_response(1, result, method="tools/list").ok is ("tools" in result)


@pytest.mark.parametrize("result", [None, 7, "x", [], [ERROR], True])
def test_a_result_is_an_object(result: Any) -> None:
    assert validate_response(1, result).reason == "invalid_result_type"


def test_a_result_is_judged_by_the_method_that_it_answers() -> None:
    assert validate_response(1, {"tools": []}, method="tools/list").ok
    outcome = validate_response(1, {"tools": [{}]}, method="tools/list")
    assert outcome.reason == "invalid_result"
    assert [one.pointer for one in outcome.findings] == [
        "/result/tools/0/inputSchema",
        "/result/tools/0/name",
    ]
    assert validate_response(1, {"anything": 1}, method="nobody/knows").ok


def test_a_modern_result_says_of_which_type_it_is() -> None:
    result = {"resultType": "complete", "_meta": SERVER_META}
    assert validate_response(1, result, revision=R2026_07_28).findings == ()
    outcome = validate_response(1, {"_meta": SERVER_META}, revision=R2026_07_28)
    assert [one.pointer for one in outcome.findings] == ["/result/resultType"]
    assert not outcome.ok
    asking = {**result, "resultType": "input_required"}
    assert not validate_response(1, asking, method="tools/call", revision=R2026_07_28).ok


@pytest.mark.parametrize("id", [0, 1, -1, "", "a", 2**53 - 1])
def test_strings_and_integers_are_ids(id: Any) -> None:
    assert validate_response(id, {}).findings == ()
    assert validate_response(id, ERROR).findings == ()


@pytest.mark.parametrize("id", [True, 1.5, [], {}, ["a"]])
@pytest.mark.parametrize("body", [{}, ERROR])
@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_other_types_are_no_ids(id: Any, body: dict[str, Any], revision: str) -> None:
    assert validate_response(id, body, revision=revision).reason == "invalid_id_type"


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_result_needs_an_id_in_every_revision(revision: str) -> None:
    assert validate_response(None, {"a": 1}, revision=revision).reason == "invalid_id_type"


@pytest.mark.parametrize("revision", OLDER)
def test_an_error_needs_an_id_up_to_2025_06_18(revision: str) -> None:
    outcome = validate_response(None, ERROR, revision=revision)
    assert not outcome.ok
    assert outcome.reason == "invalid_id_type"


@pytest.mark.parametrize("revision", NEWER)
def test_an_error_may_have_no_id_since_2025_11_25(revision: str) -> None:
    assert validate_response(None, ERROR, revision=revision).findings == ()


@pytest.mark.parametrize("revision", REVISIONS[:-1])
@pytest.mark.parametrize("body", [{}, ERROR])
def test_the_dialect_has_null_ids(revision: str, body: dict[str, Any]) -> None:
    assert validate_response(None, body, revision=revision, dialect="erlmcp").ok


@pytest.mark.parametrize("code", [-32700, -32600, -32650, -32099, -32000, -32113, 1001, 1089, 1050])
def test_registered_codes_are_valid(code: int) -> None:
    assert validate_error_code(code).findings == ()
    assert any(known.holds(code) for known in ERLMCP_ERROR_CODES)


@pytest.mark.parametrize("code", [9999, 99999, 0, 1, 1000, 1090, -32701, -32114, -31999, 10**30])
def test_other_codes_are_not_registered(code: int) -> None:
    outcome = validate_error_code(code)
    assert not outcome.ok
    assert outcome.reason == "invalid_error_code"


@pytest.mark.parametrize("ranges", ["registered", "spec"])
@pytest.mark.parametrize("code", ["-32700", None, True, 1.5, [], {}])
def test_a_code_is_an_integer(code: Any, ranges: str) -> None:
    outcome = validate_error_code(code, ranges=ranges)
    assert not outcome.ok
    assert outcome.reason == "invalid_error_code_type"


@pytest.mark.parametrize("code", [0, 1, 9999, -1, 1001, -32000, -32002, -32042, -31999, 10**30])
@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_any_integer_is_legal_up_to_2025_11_25(code: int, revision: str) -> None:
    assert validate_error_code(code, ranges="spec", revision=revision).findings == ()


GRADES: Final = {
    "standard": (-32700, None),
    "also standard": (-32603, None),
    "defined": (-32020, None),
    "application": (1001, None),
    "large": (-40000, None),
    "reserved": (-32604, "warning"),
    "also reserved": (-32768, "warning"),
    "undefined": (-32050, "error"),
    "retired": (-32002, "error"),
    "also retired": (-32042, "error"),
    "legacy": (-32000, "warning"),
}
"""Kinds of codes in 2026-07-28: an example, and how grave it is."""


@pytest.mark.parametrize("kind", GRADES)
def test_codes_of_2026_07_28_are_graded(kind: str) -> None:
    code, severity = GRADES[kind]
    outcome = validate_error_code(code, ranges="spec", revision=R2026_07_28)
    assert [one.severity for one in outcome.findings] == ([severity] if severity else [])
    assert outcome.reason == ("invalid_error_code" if severity else None)


@pytest.mark.parametrize("code", [-32604, -32700, 9999, -32050])
def test_messages_follow_the_specification_and_not_the_registered_ranges(code: int) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "x"}}
    for revision in REVISIONS:
        by_message = validate_jsonrpc(message, revision=revision)
        by_code = validate_error_code(code, ranges="spec", revision=revision)
        assert [one.rule for one in by_message.findings] == [one.rule for one in by_code.findings]


def test_the_dialect_lets_its_ranges_pass_in_messages() -> None:
    for code in (-32604, -32650):
        message = {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "x"}}
        assert validate_jsonrpc(message).findings
        assert not validate_jsonrpc(message, dialect="erlmcp").findings

"""What an Outcome is, and how it is reported in one line."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.protocol import (
    Outcome,
    format_validation_error,
    validate_error_code,
    validate_field_type,
    validate_jsonrpc,
    validate_method_name,
    validate_required_fields,
)

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
WARNED = {**PING, "timestamp": 7}
MIXED = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"Name": "x"}, "extra": 1}
"""First a warning about its envelope, then an error in its params."""


def test_nothing_found_is_ok() -> None:
    outcome = validate_jsonrpc(PING)
    assert outcome.ok
    assert bool(outcome)
    assert outcome.findings == ()
    assert outcome.reason is None
    assert outcome.details == {}


def test_warnings_alone_are_ok_and_give_their_reason() -> None:
    outcome = validate_jsonrpc(WARNED)
    assert outcome.ok
    assert bool(outcome)
    assert [one.severity for one in outcome.findings] == ["warning"]
    assert outcome.reason == "unknown_member"


def test_the_first_error_gives_the_reason_though_a_warning_comes_before_it() -> None:
    outcome = validate_jsonrpc(MIXED)
    assert not outcome.ok
    assert not bool(outcome)
    assert [one.severity for one in outcome.findings] == ["warning", "warning", "error"]
    assert outcome.reason == "invalid_params"
    assert outcome.details == {"missing": "name", "did_you_mean": "Name"}


@pytest.mark.parametrize("message", [PING, WARNED])
def test_an_ok_outcome_is_reported_in_no_words(message: Any) -> None:
    assert format_validation_error(validate_jsonrpc(message)) == ""


@pytest.mark.parametrize(
    ("error", "line"),
    [
        ({"reason": "invalid_method", "details": {"method": "bad"}}, "invalid_method: method=bad"),
        ({"reason": "a", "details": {"b": 1, "c": True, "d": None}}, "a: b=1, c=true, d=null"),
        ({"reason": "a", "details": {"b": ["x", "y"]}}, "a: b=x/y"),
        ({"reason": "a", "details": {"b": {"x": 1}}}, "a: b=an object of 1 member"),
        ({"reason": "a", "details": {}}, "a"),
        ({"reason": "a", "details": None}, "a"),
        ({"reason": "a"}, "a"),
        ({}, ""),
        (Outcome(), ""),
    ],
)
def test_an_error_is_reported_in_one_line(error: Any, line: str) -> None:
    assert format_validation_error(error) == line


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (validate_method_name("bad"), "unknown_method: method=bad"),
        (validate_error_code(9999), "invalid_error_code: code=9999"),
        (
            validate_field_type("count", "x", "integer"),
            "type_mismatch: field=count, expected=integer, actual=string",
        ),
        (
            validate_required_fields({"id": 1}, ["id", "jsonrpc", "method"]),
            "missing_required_fields: missing=jsonrpc/method",
        ),
        (validate_jsonrpc("{"), "parse_error"),
    ],
)
def test_what_the_functions_find_is_reported_in_one_line(outcome: Outcome, line: str) -> None:
    assert format_validation_error(outcome) == line
    assert format_validation_error(outcome.findings[0]) == line


def test_a_warning_can_be_reported_as_a_finding() -> None:
    (finding,) = validate_jsonrpc(WARNED).findings
    assert format_validation_error(finding) == "unknown_member"

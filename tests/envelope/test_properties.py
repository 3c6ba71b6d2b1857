"""What holds for every value: wrappers keep the profile and MCP, checkers never fail."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from mcp_assay.envelope import (
    ENVELOPE_SCHEMA,
    audit_mcp_response,
    create_error_response,
    create_success_response,
    from_call_tool_result,
    to_call_tool_result,
    validate_mcp_response,
    wrap_tool_response,
)
from mcp_assay.protocol import validate_response
from mcp_assay.spec.revisions import DEFAULT_REVISION, REVISIONS
from tests.envelope.odd_values import JSON, ODD, RESPONSES

SCHEMA = Draft202012Validator(ENVELOPE_SCHEMA, validate_formats=True, offline=True)
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=150)


def faults(response: Any) -> list[tuple[str, str]]:
    """What is wrong with a response, by the profile and by MCP; hints apart."""
    found = [*validate_mcp_response(response)]
    found += validate_response(1, response, method="tools/call").findings
    return [(one.rule, one.message) for one in found if one.severity == "error"]


def returning(value: Any) -> dict[str, Any]:
    answer: dict[str, Any] = wrap_tool_response(lambda: value)()
    return answer


@given(JSON)
@patient
def test_a_built_success_keeps_profile_and_mcp_and_holds_the_data(data: Any) -> None:
    response = create_success_response(data)
    assert validate_mcp_response(response) == []
    assert validate_response(1, response, method="tools/call").findings == ()
    assert response["data"] == data


@given(JSON, JSON, JSON)
@patient
def test_a_built_failure_keeps_profile_and_mcp(message: Any, code: Any, details: Any) -> None:
    response = create_error_response(message, code, details)
    assert validate_mcp_response(response) == []
    assert validate_response(1, response, method="tools/call").findings == ()
    assert response["structuredContent"]["error"] == response["error"]


@given(JSON | RESPONSES | ODD)
@patient
def test_whatever_a_tool_returns_its_response_keeps_profile_and_mcp(value: Any) -> None:
    response = returning(value)
    assert faults(response) == []
    assert json.loads(json.dumps(response)) == response


def strings(value: Any) -> set[str]:
    """Every string in a value, but for names and for what reports itself."""
    if isinstance(value, dict):
        return {text for member in value.values() for text in strings(member)}
    if isinstance(value, list):
        return {text for item in value for text in strings(item)}
    return {value} if isinstance(value, str) else set()


@given(JSON | RESPONSES)
@patient
def test_nothing_above_a_hint_is_left_to_say_about_what_a_wrapper_made(value: Any) -> None:
    found = validate_mcp_response(returning(value))
    assert [one.message for one in found if one.severity != "info"] == []


@given(JSON | RESPONSES)
@patient
def test_every_string_that_a_tool_returned_is_in_its_response(value: Any) -> None:
    reported = "\n".join(strings(returning(value)))
    assert [text for text in strings(value) if text not in reported] == []


@given(st.text() | ODD)
@patient
def test_whatever_a_tool_raises_its_response_keeps_profile_and_mcp(words: Any) -> None:
    def fail() -> None:
        raise KeyError(words)

    response = wrap_tool_response(fail)()
    assert faults(response) == []
    assert validate_mcp_response(response) == []
    assert response["error"]["code"] == "KEY_ERROR"


@given(JSON | RESPONSES | ODD)
@patient
def test_no_value_makes_checkers_or_converters_raise(value: Any) -> None:
    assert isinstance(validate_mcp_response(value), list)
    assert audit_mcp_response("tool", value) == validate_mcp_response(value)
    assert faults(from_call_tool_result(value)) == []
    assert faults(from_call_tool_result(to_call_tool_result(value))) == []


@given(RESPONSES | JSON)
@patient
def test_the_schema_refuses_exactly_what_breaks_the_profile(value: Any) -> None:
    errors = [one for one in validate_mcp_response(value) if one.severity == "error"]
    of_profile = [one for one in errors if one.rule.startswith("ENV")]
    assert SCHEMA.is_valid(value) is (not of_profile)


@given(JSON | RESPONSES, st.sampled_from(REVISIONS))
@patient
def test_a_converted_response_is_a_result_of_its_revision(value: Any, revision: str) -> None:
    result = to_call_tool_result(returning(value), revision)
    outcome = validate_response(1, result, method="tools/call", revision=revision)
    assert [one.message for one in outcome.findings if one.severity == "error"] == []


@given(JSON | RESPONSES)
@patient
def test_a_response_comes_back_from_its_result_as_it_was(value: Any) -> None:
    response = returning(value)
    assert from_call_tool_result(to_call_tool_result(response, DEFAULT_REVISION)) == response


@given(JSON)
@patient
def test_data_comes_back_from_the_results_of_every_revision(data: Any) -> None:
    response = create_success_response(data)
    for revision in REVISIONS:
        back = from_call_tool_result(to_call_tool_result(response, revision))
        assert back["data"] == data
        assert back["timestamp"] == response["timestamp"]

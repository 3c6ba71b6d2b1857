"""The examples of erlmcp's document about its validator, with the outcomes that hold here."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.protocol import (
    Outcome,
    format_validation_error,
    validate_error_code,
    validate_field_type,
    validate_jsonrpc,
    validate_method_name,
    validate_notification,
    validate_notification_name,
    validate_request,
    validate_required_fields,
    validate_response,
)

PING: Final = {"jsonrpc": "2.0", "method": "ping", "id": 1}

GOOD: Final[dict[str, Outcome]] = {
    "a request": validate_jsonrpc({**PING, "params": {}}),
    "a request without params": validate_jsonrpc(PING),
    "a list request": validate_request("tools/list", {"cursor": "next-page"}),
    "a result": validate_response(1, {"tools": []}),
    "an error": validate_response(1, {"code": -32601, "message": "Method not found"}),
    "an initialized notification": validate_notification(
        "notifications/initialized", {"protocolVersion": "2025-11-25"}
    ),
    "a JSON-RPC code": validate_error_code(-32700),
    "a refusal code": validate_error_code(1001),
    "an integer": validate_field_type("id", 123, "integer"),
    "one of two types": validate_field_type("id", "abc", ["binary", "integer"]),
    "required fields": validate_required_fields(PING, ["jsonrpc", "method"]),
    "a method name": validate_method_name("tools/call"),
}
BAD: Final[dict[str, tuple[Outcome, str]]] = {
    "no version": (validate_jsonrpc({"method": "ping", "id": 1}), "invalid_jsonrpc_version"),
    "an unknown method": (validate_request("unknown/method", {}), "unknown_method"),
    "an unknown code": (validate_error_code(9999), "invalid_error_code"),
    "a far code": (validate_error_code(99999), "invalid_error_code"),
    "a wrong type": (validate_field_type("count", "not a number", "integer"), "type_mismatch"),
    "a missing field": (
        validate_required_fields(PING, ["jsonrpc", "method", "params"]),
        "missing_required_fields",
    ),
    "not a map": (validate_jsonrpc([PING]), "not_map"),
    "no method": (validate_jsonrpc({"jsonrpc": "2.0", "id": 1, "params": {}}), "missing_method"),
    "an unknown notification": (
        validate_notification("notifications/unknown"),
        "unknown_notification",
    ),
}


@pytest.mark.parametrize("example", GOOD)
def test_what_the_document_accepts_is_accepted(example: str) -> None:
    assert GOOD[example].findings == ()


@pytest.mark.parametrize("example", BAD)
def test_what_the_document_refuses_is_refused_for_the_same_reason(example: str) -> None:
    outcome, reason = BAD[example]
    assert not outcome.ok
    assert outcome.reason == reason


def test_an_error_is_formatted_as_in_the_document() -> None:
    error = {"reason": "invalid_method", "details": {"method": "bad"}}
    assert format_validation_error(error) == "invalid_method: method=bad"


@pytest.mark.parametrize("code", [-32700, -32600, -32001, 1001, 1089])
def test_the_documents_error_codes_are_in_range(code: int) -> None:
    assert validate_error_code(code).ok


@pytest.mark.parametrize("id", [None, 1, 12345, "abc-123"])
def test_the_documents_ids_are_valid_in_its_dialect(id: Any) -> None:
    assert validate_response(id, {}, dialect="erlmcp").ok
    assert validate_response(id, {}).ok is (id is not None)


METHODS: Final = {
    "initialize": True,
    "ping": True,
    "resources/list": True,
    "resources/read": True,
    "resources/templates/list": True,
    "resources/subscribe": True,
    "resources/unsubscribe": True,
    "tools/list": True,
    "tools/call": True,
    "tasks/create": False,
    "tasks/list": True,
    "tasks/get": True,
    "tasks/result": True,
    "tasks/cancel": True,
    "prompts/list": True,
    "prompts/get": True,
    "completion/complete": True,
    "requests/cancel": False,
    "logging/set_level": False,
    "roots/list": True,
    "sampling/create_message": False,
}
"""The methods of the document, and whether 2025-11-25 has them."""
NOTIFICATIONS: Final = {
    "notifications/initialized": True,
    "notifications/progress": True,
    "notifications/resourcesupdated": False,
    "notifications/resources/list_changed": True,
    "notifications/tools/list_changed": True,
    "notifications/prompts/list_changed": True,
    "notifications/roots/list_changed": True,
    "notifications/tasks/status": True,
    "notifications/cancelled": True,
    "notifications/message": True,
}


@pytest.mark.parametrize("name", METHODS)
def test_the_documents_methods_are_valid_in_its_dialect(name: str) -> None:
    assert validate_method_name(name, dialect="erlmcp").ok
    outcome = validate_method_name(name)
    assert outcome.ok is METHODS[name]
    assert outcome.reason == (None if METHODS[name] else "unknown_method")


@pytest.mark.parametrize("name", NOTIFICATIONS)
def test_the_documents_notifications_are_valid_in_its_dialect(name: str) -> None:
    assert validate_notification_name(name, dialect="erlmcp").ok
    outcome = validate_notification_name(name)
    assert outcome.ok is NOTIFICATIONS[name]
    assert outcome.reason == (None if NOTIFICATIONS[name] else "unknown_notification")

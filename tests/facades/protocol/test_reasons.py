"""Every reason of the contract, and a message that gives it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay import protocol
from mcp_assay.protocol import Outcome, validate_jsonrpc

BASE: Final = {"jsonrpc": "2.0", "id": 1}
PING: Final = {**BASE, "method": "ping"}
ERROR: Final = {"code": 1, "message": "x"}

MESSAGES: Final[list[tuple[str, Any]]] = [
    ("not_map", []),
    ("not_map", "[]"),
    ("not_map", 7),
    ("not_map", "null"),
    ("parse_error", "{"),
    ("parse_error", b""),
    ("parse_error", b"\xff"),
    ("parse_error", {1, 2}),
    ("invalid_jsonrpc_version", {"id": 1, "method": "ping"}),
    ("invalid_jsonrpc_version", {**PING, "jsonrpc": "1.0"}),
    ("invalid_jsonrpc_version", {**PING, "jsonrpc": 2.0}),
    ("invalid_message_structure", {"jsonrpc": "2.0"}),
    ("invalid_message_structure", {**PING, "result": {}}),
    ("invalid_message_structure", {**BASE, "method": "notifications/initialized"}),
    ("missing_method", {**BASE, "params": {}}),
    ("missing_method", {"jsonrpc": "2.0", "params": {}}),
    ("invalid_method_type", {**BASE, "method": 7}),
    ("invalid_id_type", {**PING, "id": None}),
    ("invalid_id_type", {**PING, "id": True}),
    ("invalid_id_type", {"jsonrpc": "2.0", "result": {}}),
    ("invalid_params_type", {**PING, "params": []}),
    ("both_result_and_error", {**BASE, "result": {}, "error": ERROR}),
    ("missing_result_and_error", BASE),
    ("invalid_result_type", {**BASE, "result": 7}),
    ("missing_error_code", {**BASE, "error": {"message": "x"}}),
    ("missing_error_message", {**BASE, "error": {"code": 1}}),
    ("invalid_error_code_type", {**BASE, "error": {"code": "1", "message": "x"}}),
    ("invalid_error_code", {**BASE, "error": {"code": -32604, "message": "x"}}),
    ("unknown_method", {**BASE, "method": "nobody/knows"}),
    ("unknown_notification", {"jsonrpc": "2.0", "method": "notifications/nobody-knows"}),
    ("type_mismatch", {**BASE, "error": 7}),
    ("invalid_params", {**BASE, "method": "tools/call", "params": {}}),
]


@pytest.mark.parametrize(("reason", "message"), MESSAGES)
def test_a_message_gives_its_reason(reason: str, message: Any) -> None:
    assert validate_jsonrpc(message).reason == reason


OTHERS: Final[list[tuple[str, Outcome]]] = [
    ("wrong_direction", validate_jsonrpc({**BASE, "method": "roots/list"}, direction="c2s")),
    ("invalid_result", protocol.validate_response(1, {}, method="tools/list")),
    ("type_mismatch", protocol.validate_field_type("x", 1, "string")),
    ("missing_required_fields", protocol.validate_required_fields({}, ["id"])),
    ("invalid_error_code", protocol.validate_error_code(9999)),
    ("unknown_method", protocol.validate_method_name("nobody/knows")),
    ("unknown_notification", protocol.validate_notification_name("nobody/knows")),
]


@pytest.mark.parametrize(("reason", "outcome"), OTHERS)
def test_the_other_functions_give_the_other_reasons(reason: str, outcome: Outcome) -> None:
    assert outcome.reason == reason
    assert not outcome.ok


def test_all_reasons_of_the_contract_are_shown() -> None:
    contract = (
        "not_map parse_error invalid_jsonrpc_version invalid_message_structure missing_method "
        "invalid_method_type invalid_id_type invalid_params_type both_result_and_error "
        "missing_result_and_error invalid_result_type missing_error_code missing_error_message "
        "invalid_error_code_type invalid_error_code unknown_method unknown_notification "
        "wrong_direction type_mismatch missing_required_fields invalid_params invalid_result"
    )
    shown = {reason for reason, _ in (*MESSAGES, *OTHERS)}
    assert shown == set(contract.split())

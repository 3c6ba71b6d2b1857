"""Which rules a message decides: nothing passes that no message could have broken."""

from __future__ import annotations

import pytest

from mcp_assay.rules import load
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.decided import DecidedRules, deciding
from mcp_assay.rules.engine.slow import kind_of
from mcp_assay.spec.catalogue import CATALOGUE
from tests.rules.examples import values

SINGLE = [
    (rule, example)
    for rule in load("message").values()
    for example in values(rule.bad)
    if isinstance(example.value, dict) and not rule.id.startswith("BATCH")
]


def test_a_rule_is_decided_by_every_message_that_can_break_it() -> None:
    for rule, example in SINGLE:
        kind = kind_of(example.value)
        method = example.value.get("method", example.method)
        named = method if isinstance(method, str) else None
        assert rule.id in deciding(example.revision, kind, named), example


def test_a_ping_decides_nothing_about_tools() -> None:
    decided_rules = DecidedRules()
    SessionChecker("2025-11-25", decided=decided_rules).check(
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    )
    decided = decided_rules.decided()
    assert {"JSONRPC-002", "JSONRPC-005", "SCHEMA-003", "META-011"} <= decided
    assert not {"CALL-001", "PAGE-001", "ELIC-001", "JSONRPC-014", "BATCH-002"} & decided


def test_an_answer_decides_the_rules_of_the_request_it_answers() -> None:
    decided_rules = DecidedRules()
    checker = SessionChecker("2025-11-25", decided=decided_rules)
    checker.check(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', "c2s")
    before = decided_rules.decided()
    checker.check(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}', "s2c")
    assert "PAGE-001" not in before
    assert "PAGE-001" in decided_rules.decided()


def test_an_error_decides_the_rules_of_errors() -> None:
    decided_rules = DecidedRules()
    checker = SessionChecker("2025-11-25", decided=decided_rules)
    checker.check(b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}', "s2c")
    assert {"JSONRPC-014", "JSONRPC-015", "ELIC-008"} <= decided_rules.decided()


def test_conversations_share_a_decided_rules() -> None:
    decided_rules = DecidedRules()
    SessionChecker("2024-11-05", decided=decided_rules).check(
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    )
    SessionChecker("2025-03-26", decided=decided_rules).check(b"[]")
    assert "BATCH-002" in decided_rules.decided()


def test_only_rules_of_the_catalogue_are_decided() -> None:
    everything = {
        rule
        for method in ("tools/call", "sampling/createMessage", None)
        for kind in ("request", "result", "error")
        for rule in deciding("2025-11-25", kind, method)
    }
    assert everything <= CATALOGUE.keys()


@pytest.mark.parametrize("method", ["notifications/com.example/saved", "tools/list"])
def test_a_message_without_an_id_decides_nothing_about_the_ids_of_requests(method: str) -> None:
    decided_rules = DecidedRules()
    message = f'{{"jsonrpc":"2.0","method":"{method}"}}'.encode()
    SessionChecker("2025-11-25", decided=decided_rules).check(message)
    assert "JSONRPC-002" in decided_rules.decided()
    assert not {"JSONRPC-004", "JSONRPC-005"} & decided_rules.decided()

"""What a finding says: all members of the contract, a steady fingerprint, nothing secret."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.protocol import Session, validate_jsonrpc
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import Example
from mcp_assay.rules.engine.slow import Setting, asked_by, judge
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.wire.reader import Reading
from tests.robustness.hostile import call_with
from tests.rules.examples import values

MEMBERS: Final = (
    "rule name severity subject message pointer where revision statement url reason details "
    "evidence fix cause count examples fingerprint"
)
BASE: Final = {"jsonrpc": "2.0", "id": 1}


BAD_EXAMPLES: Final = [
    example
    for rule in load("message").values()
    for example in values(rule.bad)
    if isinstance(example.value, dict | list)
]


def found_in(example: Example) -> list[Finding]:
    setting = Setting(
        revision=example.revision,
        direction=example.direction,
        request_of=asked_by(example.method, example.revision),
    )
    return judge(Reading(example.value), setting)


def answered(method: str, result: Any, direction: str = "c2s") -> list[Finding]:
    """What is found in a result that answers this method."""
    session = Session("2025-11-25")
    back = "s2c" if direction == "c2s" else "c2s"
    session.feed(direction, {**BASE, "method": method})
    return session.feed(back, {**BASE, "result": result})


def test_a_finding_has_all_members_of_the_contract() -> None:
    found = [(example, one) for example in BAD_EXAMPLES for one in found_in(example)]
    assert len(found) >= len(BAD_EXAMPLES)
    for example, one in found:
        reported = msgspec.json.decode(msgspec.json.encode(one))
        assert set(reported) == set(MEMBERS.split())
        assert reported["rule"] in CATALOGUE
        assert reported["name"] == reported["name"].lower().replace(" ", "-")
        assert reported["severity"] in ("error", "warning", "info")
        assert reported["subject"] in ("client", "server", None)
        assert reported["message"].endswith((".", "?"))
        assert reported["pointer"] == "" or reported["pointer"].startswith("/")
        assert reported["revision"] == example.revision
        assert reported["statement"] == CATALOGUE[one.rule].statement
        assert reported["url"].startswith("https://")
        assert isinstance(reported["reason"], str)
        assert isinstance(reported["fix"], str)
        assert reported["cause"].startswith(one.rule)
        assert (reported["count"], reported["examples"], reported["where"]) == (1, [], {})
        assert len(reported["fingerprint"]) == 16
        assert set(reported["fingerprint"]) <= set("0123456789abcdef")


def test_evidence_is_small() -> None:
    evidence = [one.evidence or "" for example in BAD_EXAMPLES for one in found_in(example)]
    assert any(evidence)
    assert [text for text in evidence if len(text) > 60] == []


def fingerprint(message: Any, **options: Any) -> str:
    (one,) = validate_jsonrpc(message, **options).findings
    return one.fingerprint


def test_the_same_fault_has_the_same_fingerprint() -> None:
    message = {**BASE, "method": "tools/call", "params": {"name": 7}}
    same = {
        fingerprint(message),
        fingerprint(msgspec.json.encode(message)),
        fingerprint(b"\n\n  " + msgspec.json.encode(message)),
        fingerprint({**message, "id": "another"}),
        fingerprint({**message, "params": {"name": [1], "arguments": {"secret": "tea"}}}),
    }
    assert len(same) == 1


def test_neither_indexes_nor_freely_chosen_names_change_a_fingerprint() -> None:
    blocks = [{"type": "text", "text": 1}, {"type": "text", "text": 2}]
    first, second = answered("tools/call", {"content": blocks})
    assert first.pointer != second.pointer
    assert first.fingerprint == second.fingerprint
    assert first.cause == second.cause
    arguments = ({"city": 1}, {"8f14e45f": 1})
    prompts = (
        {**BASE, "method": "prompts/get", "params": {"name": "x", "arguments": one}}
        for one in arguments
    )
    assert len({fingerprint(message) for message in prompts}) == 1
    calls = (call_with(b'{"%b":NaN}' % name) for name in (b"city", b"8f14e45f"))
    assert len({fingerprint(message) for message in calls}) == 1


def test_the_text_of_the_other_side_does_not_change_a_fingerprint() -> None:
    messages = ({**BASE, "method": f"unheard-of/{text}"} for text in ("tea", "coffee"))
    assert len({fingerprint(message) for message in messages}) == 1
    errors = ({**BASE, "error": {"code": 1, "message": f"{text}\n"}} for text in ("tea", "coffee"))
    assert len({fingerprint(message) for message in errors}) == 1


def test_another_place_rule_method_or_sender_has_another_fingerprint() -> None:
    call = {**BASE, "method": "tools/call"}
    different = [
        fingerprint({**call, "params": {"name": 7}}),
        fingerprint({**call, "params": {"name": "x", "arguments": 7}}),
        fingerprint({**call, "params": {"name": "x", "_meta": 7}}),
        fingerprint({**BASE, "method": "prompts/get", "params": {"name": 7}}),
        fingerprint({**BASE, "method": "ping", "jsonrpc": "1.0"}),
        fingerprint({**BASE, "method": "ping", "jsonrpc": "1.0"}, direction="c2s"),
        fingerprint({**BASE, "method": "ping", "jsonrpc": "1.0"}, direction="s2c"),
        fingerprint(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}'),
        fingerprint(b'{"jsonrpc":"2.0","id":1,"method":"ping"} x'),
    ]
    assert len(set(different)) == len(different)


TOKEN: Final = "ghp_" + "a1B2" * 9
SECRETS: Final[list[Any]] = [
    {**BASE, "method": "resources/read", "params": {"uri": f"no uri {TOKEN}"}},
    {**BASE, "method": "logging/setLevel", "params": {"level": TOKEN}},
    {"jsonrpc": TOKEN, "id": 1, "method": "ping"},
    {**BASE, "error": {"code": TOKEN, "message": f"{TOKEN}\n"}},
    {
        "jsonrpc": "2.0",
        "method": "notifications/message",
        "params": {"level": "info", "data": {"token": TOKEN, "password": "hunter2"}},
    },
    {**BASE, "method": "prompts/get", "params": {"name": "x", "arguments": {"password": 123456}}},
]


@pytest.mark.parametrize("message", SECRETS)
def test_a_secret_is_not_repeated(message: Any) -> None:
    found = validate_jsonrpc(message).findings
    assert found
    for one in found:
        reported = msgspec.json.encode(one).decode()
        assert TOKEN not in reported
        assert "hunter2" not in reported
        assert "123456" not in reported


def test_a_long_value_is_cut() -> None:
    uri = "no uri " * 1000
    (one,) = validate_jsonrpc({**BASE, "method": "resources/read", "params": {"uri": uri}}).findings
    assert one.evidence is not None
    assert len(one.evidence) < 60
    assert len(one.message) < 120


@pytest.mark.parametrize(
    ("value", "evidence"),
    [
        (7, "7"),
        (True, "true"),
        (None, "null"),
        ([1, 2], "an array of 2 items"),
        ({"a": 1}, "an object of 1 member"),
        (10**30, "a very large number"),
    ],
)
def test_evidence_reports_what_stands_there(value: Any, evidence: str) -> None:
    (one,) = validate_jsonrpc({**BASE, "method": "tools/call", "params": {"name": value}}).findings
    assert one.evidence == evidence


def test_what_is_missing_has_no_evidence() -> None:
    (one,) = validate_jsonrpc({**BASE, "method": "tools/call", "params": {}}).findings
    assert one.evidence is None
    assert one.pointer == "/params/name"


@pytest.mark.parametrize(
    ("direction", "method", "subject"),
    [
        ("c2s", "tools/call", "client"),
        ("s2c", "tools/call", "server"),
        (None, "tools/call", "client"),
        (None, "roots/list", "server"),
        (None, "ping", None),
    ],
)
def test_the_subject_is_the_sender_as_far_as_it_can_be_known(
    direction: str | None, method: str, subject: str | None
) -> None:
    message = {"jsonrpc": "1.0", "id": 1, "method": method, "params": {"name": "x"}}
    found = validate_jsonrpc(message, direction=direction).findings
    assert {one.subject for one in found if one.rule == "JSONRPC-002"} == {subject}


def test_the_answer_to_a_request_is_its_receivers() -> None:
    assert {one.subject for one in answered("tools/list", {})} == {"server"}
    assert {one.subject for one in answered("roots/list", {}, "s2c")} == {"client"}

"""Nesting, size, long numbers and many faults: judged as far as the limits go, and said so."""

from __future__ import annotations

from typing import Any, Final

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.protocol import Session, validate_jsonrpc
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.faults import MOST_CHARACTERS, MOST_KEPT
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25, REVISIONS
from mcp_assay.wire.notes import MAX_DEPTH, MAX_MESSAGE_BYTES
from tests.robustness.hostile import assert_well_formed, call_with, judged, rules

LEVELS: Final = 100_000
PING: Final = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":'

DEEP: Final = {
    "as argument": call_with(b"[" * LEVELS + b"]" * LEVELS),
    "as objects": call_with(b'{"a":' * LEVELS + b"1" + b"}" * LEVELS),
    "in _meta": PING + b'{"_meta":{"com.example/x":' + b"[" * LEVELS + b"]" * LEVELS + b"}}}",
    "as params": PING + b'{"a":' * LEVELS + b"1" + b"}" * (LEVELS + 1),
    "as result": b'{"jsonrpc":"2.0","id":1,"result":'
    + b'{"a":' * LEVELS
    + b"1"
    + b"}" * (LEVELS + 1),
    "as error": b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x","data":'
    + b"[" * LEVELS
    + b"]" * LEVELS
    + b"}}",
    "as id": b'{"jsonrpc":"2.0","method":"ping","id":' + b"[" * LEVELS + b"]" * LEVELS + b"}",
    "as method": b'{"jsonrpc":"2.0","id":1,"method":' + b"[" * LEVELS + b"]" * LEVELS + b"}",
    "alone": b"[" * LEVELS + b"]" * LEVELS,
}


@pytest.mark.parametrize("where", DEEP)
def test_nesting_beyond_the_limit_is_a_limit_and_the_rest_is_judged(where: str) -> None:
    found = validate_jsonrpc(DEEP[where]).findings
    assert_well_formed(found)
    limits = [one for one in found if one.rule == "LIMIT-001"]
    assert [(one.severity, one.pointer.count("/")) for one in limits] == [("warning", MAX_DEPTH)]


@pytest.mark.parametrize("opened", [b"[", b'{"a":', b'[{"a":'])
def test_nesting_that_is_never_closed_is_a_fault_of_syntax(opened: bytes) -> None:
    for raw in (opened * LEVELS, call_with(opened * LEVELS)):
        assert rules(validate_jsonrpc(raw).findings) == [("JSONRPC-001", "")]


@pytest.mark.parametrize("levels", [200, 255, 256, 300, MAX_DEPTH - 3])
@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_nesting_within_the_limit_is_fine_in_both_checks(levels: int, revision: str) -> None:
    assert judged(call_with(b"[" * levels + b"]" * levels), revision) == []


def test_other_faults_of_a_deep_message_are_found() -> None:
    deep = DEEP["as argument"].replace(b'"name":"save"', b'"name":7')
    assert ("SCHEMA-001", "/params/name") in rules(validate_jsonrpc(deep).findings)


def test_python_values_nested_without_end_are_cut() -> None:
    value: list[Any] = []
    for _ in range(LEVELS):
        value = [value]
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"arguments": {"a": value}},
    }
    assert [one.rule for one in judged(message)] == ["LIMIT-001", "SCHEMA-001"]


LONG: Final = b"9" * 5_000


@pytest.mark.parametrize("number", [LONG, b"-" + LONG, LONG + b".5", b"1e400", b"-1E+999"])
def test_a_number_beyond_all_bounds_is_a_warning(number: bytes) -> None:
    assert rules(judged(call_with(number))) == [("JSONRPC-020", "/params/arguments/a")]


@pytest.mark.parametrize(
    ("message", "pointer"),
    [
        (b'{"jsonrpc":"2.0","id":%b,"method":"ping"}', "/id"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":%b,"message":"x"}}', "/error/code"),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":%b}}}',
            "/params/_meta/progressToken",
        ),
        (
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%b}}',
            "/params/requestId",
        ),
    ],
)
@pytest.mark.parametrize("digits", [b"9" * 20, b"9" * 309, LONG, b"-" + LONG])
def test_a_long_integer_is_an_integer_wherever_it_stands(
    message: bytes, pointer: str, digits: bytes
) -> None:
    found = judged(message % digits)
    expected = [("JSONRPC-020", pointer)]
    within_a_double = len(digits) < 309
    assert rules(found) == ([] if within_a_double and pointer == "/error/code" else expected)


@pytest.mark.parametrize("ttl", [10**30, 10**4000])
def test_a_long_integer_is_an_integer_as_a_python_value(ttl: int) -> None:
    params = {"name": "save", "task": {"ttl": ttl}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert {one.severity for one in judged(message)} <= {"warning"}


def test_a_message_beyond_the_size_limit_is_not_judged() -> None:
    too_long = call_with(b'"%b"' % (b"a" * MAX_MESSAGE_BYTES))
    assert rules(judged(too_long)) == [("LIMIT-002", "")]
    assert rules(judged(too_long.decode())) == [("LIMIT-002", "")]


def test_a_value_that_no_message_could_hold_is_not_judged() -> None:
    shared = ["x" * 1000] * 1000
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": [shared] * 1000}}
    assert rules(judged(message)) == [("LIMIT-002", "")]


def test_a_message_just_within_the_size_limit_is_judged() -> None:
    room = MAX_MESSAGE_BYTES - len(call_with(b'""'))
    message = call_with(b'"%b"' % (b"a" * room))
    assert len(message) == MAX_MESSAGE_BYTES
    checker = SessionChecker(R2025_11_25)
    assert [list(checker.check(message, "c2s")) for _ in range(3)] == [[]] * 3


def test_many_small_items_are_judged() -> None:
    block = b'{"type":"text","text":"tea"},'
    content = block * ((MAX_MESSAGE_BYTES - 200) // len(block))
    checker = SessionChecker(R2025_11_25)
    checker.check(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}', "c2s")
    assert list(checker.check(_result(b'"content":[%b]' % content[:-1]), "s2c")) == []


def _result(members: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":1,"result":{%b}}' % members


def many(members: bytes, item: bytes, count: int, method: str = "tools/list") -> list[Finding]:
    """What is said about a result with so many of these items."""
    session = Session(R2025_11_25)
    session.feed("c2s", {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": "x"}})
    found = session.feed("s2c", _result(members % b",".join([item] * count)))
    assert_well_formed(found)
    return found


@pytest.mark.parametrize("count", [MOST_KEPT - 1, MOST_KEPT, MOST_KEPT + 1, 200_000])
def test_at_most_so_many_errors_are_listed_and_the_rest_is_counted(count: int) -> None:
    found = many(b'"tools":[%b]', b"0", count)
    listed = [one for one in found if one.rule == "SCHEMA-002"]
    assert len(listed) == min(count, MOST_KEPT)
    limits = [one for one in found if one.rule == "LIMIT-003"]
    unlisted = count - len(listed)
    assert [one.details for one in limits] == ([{"unlisted": unlisted}] if unlisted else [])


def test_errors_are_not_crowded_out_by_warnings() -> None:
    block = b'{"type":"text","text":"tea","Annotations":{}}'
    found = many(b'"content":[%b,0]', block, 3 * MOST_KEPT, "tools/call")
    assert [one.pointer for one in found if one.severity == "error"] == [
        f"/result/content/{3 * MOST_KEPT}"
    ]
    assert sum(one.rule == "LINT-001" for one in found) == MOST_KEPT


@pytest.mark.parametrize(
    "item", [b"{}", b"7", b"null", b'{"jsonrpc":"2.0","id":1,"method":"nobody/knows"}']
)
def test_a_batch_of_faulty_messages_is_bounded_too(item: bytes) -> None:
    batch = b"[%b]" % b",".join([item] * 20_000)
    found = SessionChecker(R2025_03_26).check(batch, "c2s")
    assert_well_formed(found)
    assert len(found) <= 2 * MOST_KEPT + 1
    assert found[-1].rule == "LIMIT-003"


def test_places_with_absurdly_long_names_do_not_multiply() -> None:
    name = "k" * 2 * MOST_CHARACTERS
    params = {"name": "x", "arguments": {name: [float("nan")] * 1000}}
    found = validate_jsonrpc({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    assert rules(found.findings) == [
        ("JSONRPC-019", f"/params/arguments/{name}/0"),
        ("LIMIT-003", ""),
    ]
    assert sum(len(one.message) for one in found.findings) < 1000


@pytest.mark.parametrize(
    "name", ["x" * 100_000, "\ud800", "\x00", "notifications/" + "/" * 50_000, "a" * 64, ""]
)
def test_a_hostile_method_name_is_unknown_and_no_more(name: str) -> None:
    for id in ({"id": 1}, {}):
        found = judged({"jsonrpc": "2.0", "method": name, **id})
        assert "SCHEMA-003" in {one.rule for one in found} or "JSONRPC-008" in {
            o.rule for o in found
        }
        assert all(len(one.message) < 300 for one in found)


@pytest.mark.parametrize("method", [None, 7, 1.5, True, [], {}, ["ping"], {"ping": 1}])
def test_a_method_that_is_no_string_is_said_to_be_none(method: Any) -> None:
    found = judged({"jsonrpc": "2.0", "id": 1, "method": method})
    assert rules(found) == [("JSONRPC-006", "/method")]

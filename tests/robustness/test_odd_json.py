"""JSON beyond what everybody reads alike: said, and the rest of the message is still checked."""

from __future__ import annotations

from typing import Final

import pytest

from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25, REVISIONS
from tests.robustness.hostile import call_with, judged, rules

ARGUMENT: Final = "/params/arguments/a"

ODD: Final = {
    b'"\\ud800"': ("JSONRPC-020", ARGUMENT, "warning"),
    b'"x\\udc00y"': ("JSONRPC-020", ARGUMENT, "warning"),
    b'"\\ude00\\ud83d"': ("JSONRPC-020", ARGUMENT, "warning"),
    b'{"\\ud800":1}': ("JSONRPC-020", f"{ARGUMENT}/\ud800", "warning"),
    b"1e400": ("JSONRPC-020", ARGUMENT, "warning"),
    b"-1e400": ("JSONRPC-020", ARGUMENT, "warning"),
    b"9" * 5000: ("JSONRPC-020", ARGUMENT, "warning"),
    b"[1,1e400]": ("JSONRPC-020", f"{ARGUMENT}/1", "warning"),
    b"NaN": ("JSONRPC-019", ARGUMENT, "error"),
    b"Infinity": ("JSONRPC-019", ARGUMENT, "error"),
    b"-Infinity": ("JSONRPC-019", ARGUMENT, "error"),
    b'{"x":1,"x":1}': ("JSONRPC-018", f"{ARGUMENT}/x", "warning"),
    b'{"x":1,"\\u0078":2}': ("JSONRPC-018", f"{ARGUMENT}/x", "warning"),
    b'[0,{"":1,"":2}]': ("JSONRPC-018", f"{ARGUMENT}/1/", "warning"),
}
"""Odd values, each with the finding about it."""


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_an_odd_value_is_found_at_its_place(odd: bytes, revision: str) -> None:
    found = judged(call_with(odd), revision)
    assert [(one.rule, one.pointer, one.severity) for one in found] == [ODD[odd]]


@pytest.mark.parametrize("odd", ODD)
def test_the_rest_of_an_odd_message_is_still_checked(odd: bytes) -> None:
    faulty = call_with(odd).replace(b'"id":1', b'"id":true').replace(b'"name":"save"', b'"Name":""')
    assert rules(judged(faulty)) == [
        ODD[odd][:2],
        ("JSONRPC-004", "/id"),
        ("LINT-001", "/params/Name"),
        ("SCHEMA-001", "/params/name"),
    ]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', [""]),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]} x', [""]),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}{}', [""]),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}\n\n1', ["", ""]),
    ],
)
def test_text_around_a_message_is_found_and_the_message_checked(
    raw: bytes, expected: list[str]
) -> None:
    assert rules(judged(raw)) == [
        *(("JSONRPC-019", pointer) for pointer in expected),
        ("JSONRPC-007", "/params"),
    ]


@pytest.mark.parametrize("space", [b" ", b"\n", b"\t\r\n ", b" " * 1000])
def test_white_space_around_a_message_is_nothing(space: bytes) -> None:
    message = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert judged(space + message + space) == []


@pytest.mark.parametrize(
    ("raw", "line", "column", "offset"),
    [
        (b'{"a":1,\n "b" 2}', 2, 6, 13),
        (b'{"jsonrpc":"caf\xe9"}', 1, 16, 15),
        (b'{"x":"\xc3\xa9\xc3\xa9",\n\n"x":1}', 3, 1, 14),
        (b'{"a":NaN}', 1, 6, 5),
    ],
)
def test_a_finding_about_the_text_says_line_column_and_offset(
    raw: bytes, line: int, column: int, offset: int
) -> None:
    where = judged(raw)[0].where
    assert (where.line, where.column, where.offset) == (line, column, offset)


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b" ", b"{", b"}", b'{"a"}', b"{'a':1}", b'{"a":1,}', b"[1,]", b"01", b"1.", b".5"),
        *(
            b"+1",
            b'"\t"',
            b'"\\x"',
            b'"\\u12"',
            b"nul",
            b"TRUE",
            b"\xff",
            b'"\xed\xa0\x80"',
            b"\x00",
        ),
        b"// x\n{}",
    ],
)
def test_what_is_no_json_is_said_once(raw: bytes) -> None:
    assert rules(judged(raw)) == [("JSONRPC-001", "")]


@pytest.mark.parametrize("raw", [b"null", b"true", b"1", b'"x"', b"1.5", b"1e400", b'"\\ud800"'])
def test_json_that_is_no_object_is_no_message(raw: bytes) -> None:
    assert ("JSONRPC-003", "") in rules(judged(raw))


def test_duplicates_in_members_of_a_batch_are_found() -> None:
    raw = b'[{"jsonrpc":"2.0","id":1,"method":"ping","id":1},{"jsonrpc":"2.0","id":2,"method":"x"}]'
    assert rules(judged(raw, R2025_03_26)) == [
        ("JSONRPC-018", "/0/id"),
        ("SCHEMA-003", "/1/method"),
    ]


def test_all_findings_of_a_message_are_reported_in_the_order_of_their_stages() -> None:
    raw = (
        b'{"id":1.0,"method":"tools/call","x":1,"params":{"arguments":[],"task":{"ttl":"1"},'
        b'"_meta":{"progressToken":null,"com..x/y":1},"a":1,"a":2}}'
    )
    assert rules(judged(raw, R2025_11_25)) == [
        ("JSONRPC-018", "/params/a"),
        ("JSONRPC-004", "/id"),
        ("JSONRPC-002", "/jsonrpc"),
        ("JSONRPC-017", "/x"),
        ("META-002", "/params/_meta/com..x~1y"),
        ("META-011", "/params/_meta/progressToken"),
        ("SCHEMA-001", "/params/arguments"),
        ("SCHEMA-001", "/params/name"),
        ("SCHEMA-001", "/params/task/ttl"),
    ]


def test_envelope_faults_come_before_those_of_the_method_and_those_before_the_rest() -> None:
    found = judged({"jsonrpc": "1.0", "id": 1, "method": "roots/list", "params": {"_meta": 1}})
    assert rules(found) == [
        ("JSONRPC-002", "/jsonrpc"),
        ("SCHEMA-004", "/method"),
        ("META-001", "/params/_meta"),
    ]

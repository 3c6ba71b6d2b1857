"""Members that an object names twice."""

from __future__ import annotations

import orjson
import pytest

from mcp_assay.wire.duplicates import has_duplicate_members
from tests.wire.naive import NaiveReader
from tests.wire.texts import texts


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"{}", False),
        (b'{"a":1,"b":2}', False),
        (b'{"a":1,"a":1}', True),
        (b' { "a" : 1 , "b" : 2 } ', False),
        (b'[{"a":1},{"a":1}]', False),
        (b'{"a":1,"\\u0061":2}', True),
        (b'{"a":"\\u003a","b":2}', False),
        (b'{"a":":","a":"\\u003a\\u003A"}', True),
        (b'{"a":1,"a":"\\u003a"}', True),
        (b'{"a":"\\\\u003a","b":1.0e1}', False),
        (b'{"a":{"b":[{"c":1,"c":2}]}}', True),
        (b'{"a":18446744073709551616, "b":1}', False),
        (b"[" * 300 + b'{"a":1,"a":2}' + b"]" * 300, True),
        (b"[" * 300 + b'{"a":1,"b":2}' + b"]" * 300, False),
        (b"[" * 1023 + b'{"a":1,"a":2}' + b"]" * 1023, True),
        (b"[" * 1023 + b'{"a":1,"b":2}' + b"]" * 1023, False),
    ],
)
def test_a_repeated_member_is_found_however_it_is_written(raw: bytes, expected: bool) -> None:
    assert has_duplicate_members(raw, orjson.loads(raw)) is expected


def test_the_answer_is_that_of_a_plain_reader() -> None:
    wrong = []
    repeated = 0
    for text in texts(5, 50_000):
        raw = text.encode()
        expected = NaiveReader(text).read().names_a_member_twice()
        repeated += expected
        if has_duplicate_members(raw, orjson.loads(raw)) != expected:
            wrong.append(text)
    assert wrong == []
    assert repeated > 1000


@pytest.mark.parametrize("raw", [b"", b"[1", b"\xff", b'{"a":1}'])
def test_a_value_that_does_not_belong_to_the_text_does_no_harm(raw: bytes) -> None:
    assert has_duplicate_members(raw, {"other": [1]}) is False
    assert has_duplicate_members(raw, object()) is False

"""Arrays and objects are taken apart by their brackets, whatever stands inside."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.wire.locations import elements, member, value_at

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(VALUES), st.sampled_from([None, 2]))
def test_elements_are_the_texts_of_the_items(items: list[Any], indent: int | None) -> None:
    text = json.dumps(items, indent=indent).encode()
    assert [json.loads(text[start:end]) for start, end in elements(text)] == items


@given(st.dictionaries(st.text(), VALUES), VALUES)
def test_a_member_is_found_by_its_name(others: dict[str, Any], value: Any) -> None:
    others.pop("message", None)
    text = json.dumps({**others, "message": value, "end": 1}).encode()
    span = member(text, b"message")
    assert span is not None
    assert json.loads(text[slice(*span)]) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"message":{"a":"\\ud800"},"dir":"c2s"}', b'{"a":"\\ud800"}'),
        (b'{"dir":"c2s","message":[NaN, 1e999 ] }', b"[NaN, 1e999 ]"),
        (b'{ "message" :\t"}, \\" {" , "dir":1}', b'"}, \\" {"'),
        (b'{"message":' + b"[" * 50_000 + b"]" * 50_000 + b"}", b"[" * 50_000 + b"]" * 50_000),
    ],
)
def test_text_that_parsers_refuse_is_still_taken_apart(text: bytes, message: bytes) -> None:
    span = member(text, b"message")
    assert span is not None
    assert text[slice(*span)] == message


@pytest.mark.parametrize("text", [b"", b"1", b'"message"', b'{"a":{"message":1}}', b"[]", b"{"])
def test_a_member_that_is_not_there_is_none(text: bytes) -> None:
    assert member(text, b"message") is None


def test_strings_that_never_end_are_passed_in_linear_time() -> None:
    assert member(b'{"' + b'\\"' * 500_000, b"message") is None


LINE = b' [ "c2s", {"a" : [10, [ ], {"0":"x", "b":null}], "a":1, "e\\u0301":2} , 7 ]\n'


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((), LINE.strip()),
        ((b"0",), b'"c2s"'),
        ((b"2",), b"7"),
        ((b"1", b"a"), b'[10, [ ], {"0":"x", "b":null}]'),
        ((b"1", b"a", b"0"), b"10"),
        ((b"1", b"a", b"1"), b"[ ]"),
        ((b"1", b"a", b"2", b"0"), b'"x"'),
        ((b"1", b"a", b"2", b"b"), b"null"),
        ((b"3",), None),
        ((b"-1",), None),
        ((b"a",), None),
        ((b"", b"a"), None),
        ((b"1", b"b"), None),
        ((b"1", b"0"), None),
        ((b"1", b"a", b"1", b"0"), None),
        ((b"1", b"a", b"0", b"0"), None),
        ((b"2", b"0"), None),
    ],
)
def test_a_value_is_found_by_names_of_members_and_numbers_of_elements(
    path: tuple[bytes, ...], value: bytes | None
) -> None:
    for text in (LINE, LINE.strip()):
        span = value_at(text, path)
        assert (text[slice(*span)] if span else None) == value


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"[1,2", [b"1"]),
        (b"[1,[2", [b"1"]),
        (b"[1,[2]", [b"1"]),
        (b'[1,"2', [b"1"]),
        (b"[1,[2}},3]", [b"1", b"[2}"]),
        (b"[1,{},]", [b"1", b"{}"]),
        (b"[ ]", []),
        (b"[1] [2]", [b"1"]),
    ],
)
def test_what_is_complete_of_a_broken_array_is_taken_apart(text: bytes, found: list[bytes]) -> None:
    assert [text[start:end] for start, end in elements(text)] == found

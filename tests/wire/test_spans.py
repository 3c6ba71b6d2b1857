"""Arrays and objects are taken apart by their brackets, whatever stands inside."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.wire.locations import elements, member

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

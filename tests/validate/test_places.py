"""Findings get the line and column of what they are about."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.validate.places import Cursor, TextPlace, placed

PRETTY = b"""{
  "jsonrpc": "2.0",
  "id": 1, "method": "tools/call",
  "params": {"name": 5, "arguments": [], "a/b": {"~": null}}
}"""


def judged(text: bytes, **place: Any) -> list[Finding]:
    return placed(SessionChecker().check(text), text, TextPlace(file="f", **place))


def test_a_value_is_placed_by_its_pointer() -> None:
    spots = {f.pointer: (f.where.line, f.where.column) for f in judged(PRETTY)}
    assert spots["/params/name"] == (4, 22)
    assert spots["/params/arguments"] == (4, 38)


def test_a_missing_value_is_placed_at_what_should_hold_it() -> None:
    (found,) = judged(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}')
    assert (found.pointer, found.where.column) == ("/params/name", 56)


def test_the_place_of_the_text_moves_the_first_line_only() -> None:
    spots = {f.pointer: (f.where.line, f.where.column) for f in judged(PRETTY, line=7, column=11)}
    assert spots["/params/name"] == (10, 22)
    one_line = b'{"jsonrpc":"2.0","id":null,"method":"ping"}'
    assert judged(one_line, line=7, column=11)[0].where.column == 33


def test_columns_count_characters() -> None:
    text = '{"jsonrpc":"2.0","method":"ping","é€😀":1,"id":null}'.encode()
    spots = {f.pointer: f.where.column for f in judged(text)}
    assert spots["/id"] == text.decode().index("null") + 1


def test_text_that_is_not_in_the_file_as_it_is_has_the_place_of_its_string() -> None:
    (found,) = judged(b"{\n\n oops", line=3, column=9, verbatim=False)
    assert (found.where.line, found.where.column) == (3, 9)


def test_a_fault_of_the_text_shows_what_stands_there() -> None:
    (found,) = judged(b"Server ready, 3 notes loaded")
    assert found.evidence == '"Server ready, 3 notes loaded"'


@pytest.mark.parametrize("before", [0, 30, 900])
def test_no_part_of_a_secret_nearby_is_shown(before: int) -> None:
    secret = "sk-" + "abcd1234" * 4
    text = f'{{"jsonrpc":"2.0","key":"{secret}{" " * before}", oops'.encode()
    for found in judged(text):
        assert "abcd1234" not in (found.evidence or "")


def test_the_cursor_counts_lines_and_characters() -> None:
    text = "aé\n€b\n\nc".encode()
    cursor = Cursor(text)
    marks = {letter: cursor.at(text.index(letter.encode())) for letter in "aébc"}
    assert marks == {"a": (1, 1), "é": (1, 2), "b": (2, 2), "c": (4, 1)}


def test_the_cursor_needs_time_in_proportion_to_the_text() -> None:
    text = b"[" + b"{}," * 100_000 + b"{}]"
    cursor = Cursor(text)
    assert [cursor.at(offset)[1] for offset in range(1, len(text), 3)][-1] == len(text) - 2

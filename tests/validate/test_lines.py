"""Lines come out whole whatever the blocks were, and their running numbers lead back to them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.model.finding import Where
from mcp_assay.validate.lines import Numbering, lines, pieces

TEXTS = st.lists(st.binary(max_size=6)).map(b"\n".join)


@given(TEXTS, st.integers(min_value=1, max_value=20))
def test_blocks_of_any_size_give_the_same_lines(text: bytes, size: int) -> None:
    expected = text.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    assert list(lines(pieces(text, size), longest=len(text) + size)) == expected


@given(TEXTS, st.integers(min_value=1, max_value=4))
def test_none_stands_for_each_line_that_is_too_long(text: bytes, longest: int) -> None:
    whole = lines(pieces(text), longest=len(text) + 1)
    expected = [line if line is not None and len(line) <= longest else None for line in whole]
    assert list(lines(pieces(text, longest), longest)) == expected


def test_a_line_of_a_hundred_megabytes_is_dropped_while_it_is_read() -> None:
    block = b"x" * 100_000

    def blocks() -> Iterator[bytes]:
        yield from (block for _ in range(1_000))
        yield b"\nshort\n"

    tracemalloc.start()
    try:
        assert list(lines(blocks(), longest=1_000_000)) == [None, b"short"]
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()


def test_every_line_of_every_input_is_found_again() -> None:
    numbering = Numbering()
    numbers = {}
    for file, length in {"a": 3, "b": 0, "c": 2}.items():
        numbering.begin(file)
        numbers[numbering.last] = Where(file=file)
        for line in range(1, length + 1):
            numbers[numbering.of(file, line)] = Where(file=file, line=line)
    assert list(numbers) == sorted(numbers)
    assert {number: numbering.where(number) for number in numbers} == numbers


def test_an_input_that_was_not_announced_begins_with_its_first_line() -> None:
    numbering = Numbering()
    first, second = numbering.of("a", 7), numbering.of("b", 1)
    assert numbering.where(first, "s") == Where(file="a", line=7, session="s")
    assert numbering.where(second) == Where(file="b", line=1)


def test_what_comes_next_is_the_input_itself_or_the_line_behind_the_last() -> None:
    numbering = Numbering()
    numbering.begin("a")
    assert numbering.where(numbering.next()) == Where(file="a")
    numbering.of("a", 5)
    assert numbering.where(numbering.next()) == Where(file="a", line=6)


def test_a_number_before_all_inputs_is_nowhere() -> None:
    assert Numbering().where(0, "s") == Where(session="s")

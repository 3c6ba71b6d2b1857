"""Lines come out whole whatever the blocks were, and a line too long costs no memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.intake.lines import lines, pieces

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

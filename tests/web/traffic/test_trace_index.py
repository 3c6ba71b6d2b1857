"""The lines of a file are found by their numbers, however long they are and wherever they lie."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.web.traffic import trace_index
from mcp_assay.web.traffic.trace_index import BLOCK, FileLine, TraceIndex

SMALL = 16
"""Bytes of a block in these tests."""


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_index, "BLOCK", SMALL)
    monkeypatch.setattr(trace_index, "PIECE", 3 * SMALL)
    monkeypatch.setattr(trace_index, "LONGEST_LINE", 6 * SMALL)
    monkeypatch.setattr(trace_index, "BEGINNING", 5)


def lines_of(text: bytes) -> list[FileLine]:
    """What the index must say: lines as Python cuts them."""
    cut = text.split(b"\n")
    whole = cut if cut[-1] else cut[:-1]
    return [
        FileLine(number, one if len(one) <= 6 * SMALL else one[:5], len(one))
        for number, one in enumerate(whole, 1)
    ]


def found(index: TraceIndex) -> list[FileLine]:
    return [line for chunk in range(index.chunks) for line in index.lines_in(chunk)]


SIZES = st.lists(st.integers(0, 8 * SMALL), max_size=40)


@given(SIZES, st.booleans())
def test_every_line_is_found_with_its_number(sizes: list[int], ends: bool) -> None:
    text = b"\n".join(b"x" * size for size in sizes) + (b"\n" if ends else b"")
    with TemporaryFile() as file:
        file.write(text)
        file.flush()
        index = TraceIndex(file)
        while index.extend():
            assert index.seen <= len(text)
        expected = lines_of(text)
        assert found(index) == expected
        assert index.lines == len(expected)
        for line in expected:
            chunk = index.chunk_of(line.number)
            assert line.number in index.numbers_in(chunk)
            assert line in list(index.lines_in(chunk))
        assert index.chunks <= len(text) // SMALL + 2


@given(SIZES, SIZES)
def test_what_is_added_later_is_found_too(sizes: list[int], more: list[int]) -> None:
    begun = b"".join(b"x" * size + b"\n" for size in sizes) + b"half"
    rest = b"y\n" + b"".join(b"z" * size + b"\n" for size in more)
    with TemporaryFile() as file:
        file.write(begun)
        file.flush()
        index = TraceIndex(file)
        while index.extend():
            pass
        assert found(index) == lines_of(begun)
        file.write(rest)
        file.flush()
        assert not index.is_complete
        while index.extend():
            pass
        assert found(index) == lines_of(begun + rest)


def test_a_line_that_was_not_seen_to_its_end_is_none_yet(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b"one\n" + b"x" * 4 * SMALL + b"\n")
    with path.open("rb", buffering=0) as file:
        index = TraceIndex(file)
        assert index.extend()
        assert not index.is_complete
        assert [line.text for line in found(index)] == [b"one"]


def test_few_places_are_kept_of_a_large_file() -> None:
    assert (1 << 30) // BLOCK * 16 <= 1 << 16

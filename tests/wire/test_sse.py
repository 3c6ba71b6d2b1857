"""Server-sent events are read as the standard has it, however the stream is cut into chunks."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable, Iterator
from itertools import chain, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_assay.wire.sse import (
    BLANK_LINES,
    NO_EVENT,
    Event,
    EventBlock,
    EventStream,
    read_event,
)

MIXED = st.lists(
    st.sampled_from(
        [b"\r", b"\n", b"\r\n", b"data: ", b"data", b":", b"id: 1", b"x", b"\xff", b"retry:5"]
    )
).map(b"".join)


def blocks(chunks: Iterable[bytes], longest: int = 1000) -> list[EventBlock]:
    stream = EventStream(longest)
    return list(chain.from_iterable(map(stream.feed, chunks)))


def events(*chunks: bytes) -> list[Event]:
    return [block.event for block in blocks(chunks) if block.event and block.event != NO_EVENT]


def singly(text: bytes) -> list[bytes]:
    return [text[place : place + 1] for place in range(len(text))]


def by_the_standard(text: bytes) -> Iterator[Event]:
    """Line by line as the standard describes it, for comparison; whole streams only."""
    lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    begun: list[bytes] = []
    for line in lines[:-1]:
        if line:
            begun.append(line)
        else:
            yield read_event(b"\n".join(begun))
            begun = []


@pytest.mark.parametrize(
    ("block", "event"),
    [
        (b"data: {}\n\n", Event(data=b"{}")),
        (b"data:{}\n\n", Event(data=b"{}")),
        (b"data:  {}\n\n", Event(data=b" {}")),
        (b"data: a\ndata: b\n\n", Event(data=b"a\nb")),
        (b"data: a\rdata: b\r\r", Event(data=b"a\nb")),
        (b"data\n\n", Event(data=b"")),
        (b"id: 7\ndata:\n\n", Event(data=b"", id="7")),
        (b"event: message\r\ndata: {}\r\n\r\n", Event(data=b"{}", event="message")),
        (b"event: a\nevent: b\ndata: x\n\n", Event(data=b"x", event="b")),
        (b"id\ndata: x\n\n", Event(data=b"x", id="")),
        (b"id: a\x00b\ndata: x\n\n", Event(data=b"x")),
        (b"retry: 3000\n\n", Event(retry=3000)),
        (b"retry: soon\nretry: -1\nretry: \xc2\xb2\n\n", NO_EVENT),
        (b"retry: " + b"9" * 5000 + b"\n\n", NO_EVENT),
        (b": still here\n\n", NO_EVENT),
        (b"\n\n", NO_EVENT),
        (b"Data: x\n data: y\nother: z\n\n", NO_EVENT),
        (b"data: \xff\xfe\n\n", Event(data=b"\xff\xfe")),
        (b"event: \xff\ndata: x\n\n", Event(data=b"x", event="\ufffd")),
        (b"data: a\x0bb\xe2\x80\xa8c\n\n", Event(data=b"a\x0bb\xe2\x80\xa8c")),
    ],
)
def test_a_block_is_read_as_the_standard_has_it(block: bytes, event: Event) -> None:
    assert read_event(block) == event


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_an_event_comes_out_with_the_blank_line_that_ends_it(end: bytes) -> None:
    stream = EventStream()
    assert stream.feed(b"data: 1" + end) == []
    (block,) = stream.feed(end)
    assert block == EventBlock(
        b"data: 1" + end + end, Event(data=b"1"), len(b"data: 1" + end + end)
    )


@pytest.mark.parametrize("blank", [b"\n\n", b"\r\r", b"\n\r\n", b"\r\n\r\n"])
def test_a_blank_line_at_the_very_beginning_is_a_block_of_its_own(blank: bytes) -> None:
    assert EventStream().feed(blank + b"data: 1\n\n") == [
        EventBlock(blank, NO_EVENT, len(blank)),
        EventBlock(b"data: 1\n\n", Event(data=b"1"), 9),
    ]


@pytest.mark.parametrize("size", range(6))
def test_a_block_ends_exactly_where_there_is_one_of_the_blank_lines(size: int) -> None:
    for text in map(b"".join, product((b"\r", b"\n", b"x"), repeat=size)):
        assert bool(EventStream().feed(text)) is any(blank in text for blank in BLANK_LINES)


def test_a_line_feed_after_the_carriage_return_that_ended_an_event_is_no_event() -> None:
    assert events(b"data: 1\r\n\r", b"\ndata: 2\n", b"\n") == [Event(data=b"1"), Event(data=b"2")]


def test_only_a_byte_order_mark_at_the_very_beginning_is_skipped() -> None:
    assert events(b"\xef\xbb\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n") == [Event(data=b"1")]


def test_an_event_without_its_blank_line_stays_pending() -> None:
    stream = EventStream()
    assert len(stream.feed(b"data: 1\n\ndata: 2\n")) == 1
    assert stream.pending == b"data: 2\n"


@given(MIXED, st.integers(0, 2**32))
def test_the_cut_into_chunks_changes_nothing(text: bytes, seed: int) -> None:
    random, rest, chunks = Random(seed), text, list[bytes]()
    while rest:
        size = random.randint(1, 4)
        chunks.append(rest[:size])
        rest = rest[size:]
    expected = [event for event in by_the_standard(text) if event != NO_EVENT]
    assert events(*chunks) == events(text) == expected


@given(MIXED)
def test_the_blocks_and_what_is_pending_are_the_stream(text: bytes) -> None:
    stream = EventStream()
    found = list(chain.from_iterable(map(stream.feed, singly(text))))
    assert b"".join(block.raw for block in found) + stream.pending == text


@pytest.mark.parametrize("whole", [True, False])
def test_a_block_that_is_too_long_is_reported_and_the_next_one_read(whole: bool) -> None:
    text = b"data: " + b"x" * 1000 + b"\n\n"
    short = b"data: 2\n\n"
    found = blocks([text + short] if whole else singly(text + short))
    assert [(block.event, block.size) for block in found] == [
        (None, len(text)),
        (Event(data=b"2"), len(short)),
    ]
    assert found[0].raw == text[:1000]


def test_the_longest_block_that_is_allowed_is_read() -> None:
    text = b"data: " + b"x" * 992 + b"\n\n"
    assert [block.event is None for block in blocks([text])] == [False]
    assert [block.event is None for block in blocks([b"y" + text])] == [True]


def test_what_is_left_out_of_a_very_long_event_counts() -> None:
    stream = EventStream(longest=100)
    begun = b"data: " + b"x" * 200
    assert stream.feed(begun) == []
    stream.skip(5000)
    assert stream.pending == begun[:100]
    assert stream.feed(b"y\n\ndata: 2\n\n") == [
        EventBlock(begun[:100], None, len(begun) + 5000 + 3),
        EventBlock(b"data: 2\n\n", Event(data=b"2"), 9),
    ]
    assert stream.pending == b""


def test_an_event_is_too_long_with_what_is_left_out_of_it() -> None:
    for skipped, event in ((91, Event(data=b"1")), (92, None)):
        stream = EventStream(longest=100)
        stream.skip(skipped)
        assert stream.feed(b"data: 1\n\n") == [EventBlock(b"data: 1\n\n", event, skipped + 9)]


def test_an_endless_event_costs_no_memory() -> None:
    stream = EventStream(longest=1 << 16)
    chunk = b"data: " + b"x" * (1 << 16) + b"\n"
    tracemalloc.start()
    for _ in range(200):
        assert stream.feed(chunk) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * len(chunk)
    assert [block.size for block in stream.feed(b"\n")] == [200 * len(chunk) + 1]

"""The copy for the validator is bounded, is never waited for, and says what is missing."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.client.frames import Frame, FrameKind
from mcp_assay.client.stdio_frames import BoundedLines, StdioLines
from mcp_assay.model.entry import Direction, Entry
from mcp_assay.proxy.pipes import PIECE, Outlet, Pump
from mcp_assay.proxy.tap import Tap, read_batches, read_text
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from tests.patience import LONGEST

STALLED_SECONDS = 0.2
"""A pipe that takes nothing for so long takes nothing any more."""


def frame(
    payload: bytes = b"", kind: FrameKind = "bytes", direction: Direction = "c2s", missing: int = 0
) -> Frame:
    facts = {"frames": missing, "bytes": missing} if missing else None
    return Frame(kind=kind, direction=direction, at=1.5, conn="stdio", payload=payload, facts=facts)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for descriptor in (reading, writing):
        try:
            os.close(descriptor)
        except OSError:
            continue


def test_frames_arrive_in_order_behind_the_preamble_and_end_with_how_it_ended(
    pipe: tuple[int, int],
) -> None:
    tap = Tap(pipe[1], b"preamble")
    sent = [frame(b"one"), frame(b"two", direction="s2c"), frame(kind="end")]
    for one in sent:
        tap.put(one)
    tap.close("server exit 0")
    with open(pipe[0], "rb", closefd=False) as stream:
        assert read_text(stream) == b"preamble"
        *received, over = [one for batch in read_batches(stream) for one in batch]
    assert received == sent
    assert over.kind == "over"
    assert over.facts == {"how": "server exit 0", "dropped": 0}


def test_a_slow_validator_makes_nobody_wait_and_is_reported_what_it_missed(
    pipe: tuple[int, int],
) -> None:
    tap = Tap(pipe[1], b"", most=1000, patience=0)
    for _ in range(10_000):
        tap.put(frame(b"x" * 1000))
    tap.close("server exit 0")
    with open(pipe[0], "rb", closefd=False) as stream:
        read_text(stream)
        received = [one for batch in read_batches(stream) for one in batch]
    reported = sum((one.facts or {}).get("frames", 0) for one in received if one.kind == "dropped")
    kept = sum(one.kind == "bytes" for one in received)
    assert received[-1].facts is not None
    assert kept + reported + received[-1].facts["dropped"] >= 10_000
    assert kept < 10_000


def test_a_validator_that_is_gone_makes_nobody_wait(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])
    tap = Tap(pipe[1], b"preamble")
    for _ in range(1000):
        tap.put(frame(b"x" * 100_000))
    tap.close("server exit 0")


def test_a_frame_that_breaks_off_is_the_end(tmp_path: Path) -> None:
    file = tmp_path / "frames"
    file.write_bytes(b"\0\0\0\x10half")
    with file.open("rb") as stream:
        assert list(read_batches(stream)) == []


def lines(*frames: Frame) -> list[Entry]:
    assembled = StdioLines()
    return [received for one in frames for received in assembled.feed(one)]


@pytest.mark.parametrize(
    ("frames", "texts"),
    [
        ([frame(b"one\ntwo\n")], [b"one", b"two"]),
        ([frame(b"o"), frame(b"ne"), frame(b"\n")], [b"one"]),
        ([frame(b"\n \n\r\none\r\n")], [b"one\r"]),
        ([frame(b"half")], []),
        ([frame(b"half"), frame(kind="end")], [b"half", None]),
        ([frame(b"c2s "), frame(b"s2c\n", direction="s2c"), frame(b"one\n")], [b"s2c", b"c2s one"]),
        (
            [frame(b"be"), frame(kind="dropped", missing=3), frame(b"hind\none\n")],
            [None, b"one"],
        ),
        ([frame(b"be"), frame(kind="dropped", missing=1), frame(b"hi"), frame(b"nd\n")], [None]),
        ([frame(b"be"), frame(kind="big", missing=99), frame(b"one\n")], [None, b"one"]),
    ],
)
def test_lines_are_put_together_from_pieces(frames: list[Frame], texts: list[bytes | None]) -> None:
    assert [received.text for received in lines(*frames)] == texts


def test_what_is_missing_and_what_was_too_long_is_reported() -> None:
    missed, skipped = lines(frame(kind="dropped", missing=3), frame(kind="big", missing=1 << 25))
    assert missed.lost == 3
    assert skipped.unread == 1 << 25


def test_of_a_line_that_is_too_long_the_middle_is_left_out() -> None:
    cut = BoundedLines(longest=10)
    (line,) = cut.feed(b"0123456789" + b"x" * 1000 + b"y" * 256 + b"\n")
    assert line == (b"0123456789" + b"y" * 256, 1266)
    assert list(cut.feed(b"short\n")) == [(b"short", 5)]


def pumped(said: Path) -> list[Frame]:
    """The frames that forwarding the bytes of a file puts on the tap."""
    put: list[Frame] = []
    outlet = Outlet(os.open(os.devnull, os.O_WRONLY))
    Pump("c2s", os.open(said, os.O_RDONLY), outlet, put.append).run()
    return put


@pytest.mark.parametrize("ending", [b"", b"\n", b"\ntwo\n", b"\ntwo\nhalf"])
def test_a_message_too_long_to_be_judged_is_counted_not_copied(
    ending: bytes, tmp_path: Path
) -> None:
    size = MAX_MESSAGE_BYTES + 3_000_000
    said = tmp_path / "said"
    said.write_bytes(b"one\n" + b"x" * size + ending)
    frames = pumped(said)
    received = lines(*frames)
    after = [part for part in ending.split(b"\n")[1:] if part]
    assert [one.text for one in received] == [b"one", None, *after, None]
    assert [one.unread for one in received if one.unread] == [size]
    assert sum(len(one.payload) for one in frames) <= MAX_MESSAGE_BYTES + 2 * PIECE


def test_a_reader_that_does_not_read_stops_the_writer() -> None:
    source, said = os.pipe()
    received, sink = os.pipe()
    pump = Pump("s2c", source, Outlet(sink), lambda _: None)
    pump.start()
    os.set_blocking(said, False)
    written = 0
    while select.select([], [said], [], STALLED_SECONDS)[1]:
        written += os.write(said, b"x" * PIECE)
    assert written <= 4 * PIECE
    os.close(said)
    with open(received, "rb") as stream:
        assert len(stream.read()) == written
    pump.join(LONGEST)

"""The validator gets a copy of each exchange, without what it could not judge anyway."""

from __future__ import annotations

from random import Random

import pytest

from mcp_assay.client.http_frames import HttpMessages
from mcp_assay.client.http_sessions import Request
from mcp_assay.proxy.http_copies import Copies
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from tests.proxy.http_peers import Listened

HEAD = Request(exchange=1, conn="a", method="GET", path="/mcp", headers={}, is_endpoint=True)
PIECE = b"x" * (1 << 20)


def copied(*pieces: bytes, **headers: str) -> Listened:
    """What the validator gets of a response in these pieces."""
    tap = Listened()
    copies = Copies(tap, HEAD)
    copies.end("c2s", whole=True)
    copies.response(200, {name.replace("_", "-"): value for name, value in headers.items()})
    for piece in pieces:
        copies.piece("s2c", piece)
    copies.end("s2c", whole=True)
    return tap


def received(tap: Listened) -> list[tuple[bytes | None, int]]:
    """The messages in a response, and the sizes of those that were too long."""
    messages = HttpMessages()
    reported = [one for frame in tap.frames for one in messages.feed(frame)]
    return [(one.text, one.unread) for one in reported if one.text is not None or one.unread]


def test_of_a_body_that_is_too_long_the_size_is_reported() -> None:
    tap = copied(*[PIECE] * 100, content_type="application/json")
    assert len(tap.body("s2c")) == MAX_MESSAGE_BYTES
    assert received(tap) == [(None, 100 << 20)]


def test_of_an_event_that_is_too_long_the_size_is_reported_and_the_next_one_is_whole() -> None:
    pieces = (b"data: 1\n\nda", b"ta: ", *[PIECE] * 100, b"\n", b"\nda", b"ta: 2\n\n")
    tap = copied(*pieces, content_type="text/event-stream")
    assert len(tap.body("s2c")) < MAX_MESSAGE_BYTES + 2 * len(PIECE)
    assert received(tap) == [(b"1", 0), (None, (100 << 20) + 8), (b"2", 0)]


def test_a_packed_stream_is_reported_to_its_end() -> None:
    tap = copied(*[PIECE] * 20, content_type="text/event-stream", content_encoding="br")
    assert len(tap.body("s2c")) == 20 << 20


@pytest.mark.parametrize("seed", range(20))
def test_a_stream_of_short_events_is_reported_byte_by_byte(seed: int) -> None:
    random = Random(seed)
    pieces = [bytes(random.choices(b"\r\nda:x", k=random.randint(1, 5))) for _ in range(200)]
    assert copied(*pieces, content_type="text/event-stream").body("s2c") == b"".join(pieces)


def test_each_end_is_reported_once() -> None:
    tap = Listened()
    copies = Copies(tap, HEAD)
    copies.piece("c2s", b"abc")
    copies.end("c2s", whole=True)
    copies.cut()
    copies.cut()
    ends = [(frame.direction, frame.facts) for frame in tap.frames if frame.kind == "end"]
    assert ends == [
        ("c2s", {"whole": True, "size": 3}),
        ("s2c", {"whole": False, "size": 0}),
    ]

"""Content codings: what is packed rightly is read; what is not is told, and never "too long"."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from typing import TypeAlias

import pytest

from mcp_assay.client.content_codings import Unpacker
from mcp_assay.client.http_responses import HttpAnswer
from mcp_assay.model.ending import Ending
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES
from tests.truth.http_peer import EVENTS, JSON, connected, response, run
from tests.truth.test_endings import answers

Pack: TypeAlias = Callable[[bytes], bytes]
MESSAGE = b'{"jsonrpc": "2.0", "id": 1, "result": {"content": []}}'
COMMENT = b": hi\n\n"


def bare_deflate(text: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush()


def flushed(text: bytes) -> bytes:
    """As servers pack a stream: what there is goes out before the end."""
    packer = zlib.compressobj(wbits=31)
    begun = packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)
    return begun + packer.flush()


def with_wrong_sum(text: bytes) -> bytes:
    packed = gzip.compress(text)
    return packed[:-8] + bytes(4) + packed[-4:]


READ: dict[str, tuple[str, Pack]] = {
    "gzip": ("gzip", gzip.compress),
    "in large letters": ("GZIP", gzip.compress),
    "by its old name": ("x-gzip", gzip.compress),
    "flushed on the way": ("gzip", flushed),
    "several members": ("gzip", lambda it: gzip.compress(it[:9]) + gzip.compress(it[9:])),
    "an empty member at the end": ("gzip", lambda it: gzip.compress(it) + gzip.compress(b"")),
    "deflate": ("deflate", zlib.compress),
    "deflate without a header": ("deflate", bare_deflate),
    "not packed": ("identity", bytes),
    "no name": ("", bytes),
    "packed once of two": ("identity, gzip", gzip.compress),
    "packed twice": ("deflate, gzip", lambda it: gzip.compress(zlib.compress(it))),
}
GARBLED: dict[str, tuple[str, Pack, str]] = {
    "not packed": ("gzip", bytes, "does not have"),
    "packed as zlib": ("gzip", zlib.compress, "does not have"),
    "packed as gzip": ("deflate", gzip.compress, "does not have"),
    "another sum": ("gzip", with_wrong_sum, "does not have"),
    "unpacked only once": ("gzip, gzip", gzip.compress, "does not have"),
    "the end is missing": ("gzip", lambda it: gzip.compress(it)[:-9], "ends before"),
    "only the beginning": ("gzip", lambda it: gzip.compress(it)[:5], "ends before"),
    "one byte": ("deflate", lambda it: zlib.compress(it)[:1], "ends before"),
    "the second member is torn": (
        "gzip",
        lambda it: gzip.compress(it[:9]) + gzip.compress(it[9:])[:-9],
        "ends before",
    ),
    "more behind it": ("gzip", lambda it: gzip.compress(it) + b"garbage", "more data"),
    "zeros behind it": ("gzip", lambda it: gzip.compress(it) + bytes(20), "more data"),
    "more behind zlib": ("deflate", lambda it: zlib.compress(it) + b"garbage", "more data"),
    "brotli": ("br", bytes, "not supported"),
    "zstd": ("zstd", bytes, "not supported"),
    "one of two": ("gzip, br", gzip.compress, "not supported"),
    "a charset": ("utf-8", bytes, "not supported"),
    "a hundred times": (", ".join(["gzip"] * 100), gzip.compress, "not supported"),
}


def fed(coding: str, body: bytes, type: str, piece: int) -> tuple[bytes | None, Ending, str, int]:
    """The text, the ending, its words and what was unread of a response that came in pieces."""
    headers = {"Content-Type": type, "Content-Encoding": coding}
    answer = HttpAnswer(1, "http", 200, headers)
    entries = list(answer.begin())
    for start in range(0, len(body), piece):
        entries += answer.feed(body[start : start + piece])
    entries.append(answer.end(is_whole=True))
    end = answer.ending()
    text = next((one.text for one in entries if one.text is not None), None)
    return text, end.kind, end.detail, max(one.unread for one in entries)


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
@pytest.mark.parametrize("name", READ)
def test_what_is_packed_rightly_is_read(name: str, piece: int) -> None:
    coding, pack = READ[name]
    assert fed(coding, pack(MESSAGE), JSON, piece)[::3] == (MESSAGE, 0)
    events = COMMENT + b"data: " + MESSAGE + b"\n\n"
    assert fed(coding, pack(events), EVENTS, piece)[::3] == (MESSAGE, 0)


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
@pytest.mark.parametrize("name", GARBLED)
def test_what_is_not_is_told_and_not_called_too_long(name: str, piece: int) -> None:
    coding, pack, words = GARBLED[name]
    text, ending, detail, unread = fed(coding, pack(MESSAGE), JSON, piece)
    assert (text, ending, unread) == (None, "wrong_encoding", 0)
    assert words in detail
    assert f'"{coding.lower()}"' in detail or len(coding) > 100
    _, ending, detail, unread = fed(coding, pack(b"data: " + MESSAGE), EVENTS, piece)
    assert (ending, words in detail, unread) == ("wrong_encoding", True, 0)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("type", [JSON, EVENTS])
def test_what_unpacks_to_very_much_is_too_long_and_its_size_is_that(type: str, times: int) -> None:
    body = b"data: " + bytes(b"x" * (MAX_MESSAGE_BYTES + 9))
    for _ in range(times):
        body = gzip.compress(body)
    text, ending, _, unread = fed(", ".join(["gzip"] * times), body, type, 1 << 16)
    assert (text, ending) == (None, "over_limit")
    assert unread > MAX_MESSAGE_BYTES


def test_a_long_page_is_named_with_the_size_that_is_too_long() -> None:
    packs = answers(
        lambda it: response(
            200, gzip.compress(b" " * (3 << 20) + it), Content_Type=JSON, Content_Encoding="gzip"
        )
    )

    async def main() -> None:
        async with connected(tools__list=packs) as (connection, _):
            listing = await connection.list_all("tools")
        assert "a page of 3,145,8" in (listing.cut or "")

    run(main())


def test_nothing_is_unpacked_without_need() -> None:
    assert Unpacker("identity").is_plain
    assert not Unpacker("identity, br").is_plain
    assert Unpacker("gzip").is_complete
    assert Unpacker("gzip").torn == ""

"""Packed files: to the last byte, cut ones as far as they go, bombs in little memory."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import pytest
import zstandard

from mcp_assay.validate.lines import Damaged, unpacked

LINES = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % number for number in range(3_000))
NOISE = Random(1).randbytes(300_000)
SKIPPABLE = b"\x50\x2a\x4d\x18\x05\x00\x00\x00hello"
LARGEST_BLOCK = 1 << 18

Pack: TypeAlias = Callable[[bytes], bytes]


def zstd(content: bytes, **options: Any) -> bytes:
    return zstandard.ZstdCompressor(**options).compress(content)


def zstd_unsized(content: bytes) -> bytes:
    packer = zstandard.ZstdCompressor(write_checksum=True).compressobj()
    return packer.compress(content) + packer.flush()


def read(packed: bytes) -> tuple[bytes, str | None]:
    """What comes out, and why no more does."""
    out = []
    try:
        for block in unpacked(io.BufferedReader(io.BytesIO(packed))):
            assert len(block) <= LARGEST_BLOCK
            out.append(block)
    except Damaged as damage:
        return b"".join(out), str(damage)
    return b"".join(out), None


@pytest.mark.parametrize(
    ("packed", "content"),
    [
        (b"", b""),
        (LINES, LINES),
        (gzip.compress(LINES, mtime=0), LINES),
        (gzip.compress(b"", mtime=0), b""),
        (gzip.compress(NOISE, mtime=0), NOISE),
        (gzip.compress(LINES, mtime=0) + gzip.compress(NOISE), LINES + NOISE),
        (gzip.compress(LINES, mtime=0) + b"\0" * 512, LINES),
        (zstd(LINES), LINES),
        (zstd(NOISE), NOISE),
        (zstd(b""), b""),
        (zstd(b"x" * 100), b"x" * 100),
        (zstd(LINES, write_checksum=True), LINES),
        (zstd(LINES, write_content_size=False), LINES),
        (zstd_unsized(LINES), LINES),
        (zstd(LINES) + zstd_unsized(NOISE) + zstd(b"end"), LINES + NOISE + b"end"),
        (SKIPPABLE + zstd(LINES) + SKIPPABLE + zstd(b"end"), LINES + b"end"),
    ],
)
def test_the_content_comes_out_whole(packed: bytes, content: bytes) -> None:
    assert read(packed) == (content, None)


@pytest.mark.parametrize("pack", [gzip.compress, zstd, zstd_unsized])
@pytest.mark.parametrize("missing", [1, 3, 5, 50, 1_000])
def test_of_a_cut_file_the_beginning_comes_out(pack: Pack, missing: int) -> None:
    content, why = read(pack(NOISE)[:-missing])
    assert why == "its compressed data is truncated"
    assert NOISE.startswith(content)


def test_a_zstd_file_cut_between_blocks_is_noticed() -> None:
    content, why = read(zstd(NOISE)[: -(len(NOISE) % (1 << 17)) - 3])
    assert (len(content), why) == (2 << 17, "its compressed data is truncated")


@pytest.mark.parametrize("cut", range(1, 18))
def test_a_zstd_head_that_is_cut_is_noticed(cut: int) -> None:
    assert read(zstd(b"first") + zstd(LINES, write_checksum=True)[:cut])[1] is not None


def test_what_stands_behind_the_packed_part_is_reported() -> None:
    content, why = read(gzip.compress(LINES, mtime=0) + b"more")
    assert (content, why) == (LINES, "extra data follows the compressed data")
    content, why = read(zstd(LINES) + b"more than that")
    assert content == LINES
    assert why is not None
    assert why.startswith("its compressed data is corrupt")


@pytest.mark.parametrize("pack", [gzip.compress, zstd_unsized])
def test_damage_in_the_middle_is_reported(pack: Pack) -> None:
    packed = bytearray(pack(LINES))
    packed[len(packed) // 2] ^= 0xFF
    why = read(bytes(packed))[1]
    assert why is not None
    assert why.startswith("its compressed data")


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_bomb_costs_little_memory(pack: Pack) -> None:
    bomb = pack(bytes(100_000_000))
    assert len(bomb) < 120_000
    tracemalloc.start()
    try:
        size = sum(map(len, unpacked(io.BufferedReader(io.BytesIO(bomb)))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (size, peak < 5_000_000) == (100_000_000, True)

"""Packed bytes -> the bytes themselves, block by block: gzip and zstd, known by their content.

However well something is packed, no more than one block of it is in memory at a time.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import Final

from mcp_assay.intake.lines import BLOCK

GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
LONGEST_MAGIC: Final = 4
GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
"""How zlib is told to expect the head and the tail of a gzip file."""
PADDING: Final = b"\0"
"""What may stand behind the last part of a gzip file."""

LARGEST_WINDOW: Final = 1 << 27
"""How far back zstd may refer: what its own command allows without being asked."""
SKIPPABLE: Final = range(0x184D2A50, 0x184D2A60)
"""The numbers that begin a zstd frame which holds no data."""
SINGLE_SEGMENT, CHECKSUM = 0x20, 0x04
CHECKSUM_BYTES: Final = 4
DICTIONARY_BYTES: Final = (0, 1, 2, 4)
SIZE_BYTES: Final = (0, 2, 4, 8)
RUN_LENGTH: Final = 1
"""The kind of block that is one byte, often."""

CUT: Final = "its packed data ends too early"


class Damaged(Exception):
    """An input whose rest cannot be read; its text says why."""


def unpacked(stream: BufferedReader) -> Iterator[bytes]:
    """The content of the stream in blocks; raises Damaged behind the last one that is whole."""
    beginning = stream.peek(LONGEST_MAGIC)
    unpack = next((how for magic, how in UNPACKERS.items() if beginning.startswith(magic)), _plain)
    try:
        yield from unpack(stream)
    except OSError as fault:
        raise Damaged(fault.strerror or str(fault)) from None


def _plain(stream: BufferedReader) -> Iterator[bytes]:
    return iter(lambda: stream.read1(BLOCK), b"")


def _gunzipped(stream: BufferedReader) -> Iterator[bytes]:
    """The members of a gzip file, one behind the other."""
    packed = stream.read1(BLOCK)
    while packed:
        if not packed.startswith(GZIP_MAGIC[: len(packed)]):
            raise Damaged("something else stands behind its packed data")
        member = zlib.decompressobj(GZIP_FORMAT)
        try:
            yield from _inflated(member, packed, stream)
        except zlib.error:
            raise Damaged("its packed data is damaged") from None
        packed = member.unused_data.lstrip(PADDING) or stream.read1(BLOCK).lstrip(PADDING)


def _inflated(member: zlib._Decompress, packed: bytes, stream: BufferedReader) -> Iterator[bytes]:
    """One member of a gzip file; `packed` is its beginning."""
    while not member.eof:
        block = member.decompress(packed, BLOCK)
        if block:
            yield block
        packed = member.unconsumed_tail
        if not packed and len(block) < BLOCK and not member.eof:
            packed = stream.read1(BLOCK)
            if not packed:
                raise Damaged(CUT)


def _unzstd(stream: BufferedReader) -> Iterator[bytes]:
    """The frames of a zstd file; only one block goes in at a time, so little comes out."""
    from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415  seldom needed

    decompressor = ZstdDecompressor(max_window_size=LARGEST_WINDOW)
    while magic := stream.read(LONGEST_MAGIC):
        if int.from_bytes(magic, "little") in SKIPPABLE:
            _skip(stream)
            continue
        frame = decompressor.decompressobj()
        try:
            frame.decompress(magic)
            for part in _parts_of_frame(stream):
                if block := frame.decompress(part):
                    yield block
        except ZstdError as fault:
            raise Damaged(f"its packed data is damaged ({fault})") from None


def _skip(stream: BufferedReader) -> None:
    left = int.from_bytes(_exactly(stream, 4), "little")
    while left:
        left -= len(_exactly(stream, min(left, BLOCK)))


def _parts_of_frame(stream: BufferedReader) -> Iterator[bytes]:
    """The head of a zstd frame, its blocks one by one, and its checksum, if it has one."""
    descriptor = _exactly(stream, 1)
    flags = descriptor[0]
    yield descriptor + _exactly(stream, _rest_of_head(flags))
    is_last = False
    while not is_last:
        head = _exactly(stream, 3)
        number = int.from_bytes(head, "little")
        is_last, kind, size = bool(number & 1), number >> 1 & 3, number >> 3
        yield head + _exactly(stream, 1 if kind == RUN_LENGTH else size)
    if flags & CHECKSUM:
        yield _exactly(stream, CHECKSUM_BYTES)


def _rest_of_head(flags: int) -> int:
    """How many bytes follow the flags of a frame: its window, its dictionary and its size."""
    window = 0 if flags & SINGLE_SEGMENT else 1
    size = SIZE_BYTES[flags >> 6] or int(bool(flags & SINGLE_SEGMENT))
    return window + DICTIONARY_BYTES[flags & 3] + size


def _exactly(stream: BufferedReader, size: int) -> bytes:
    found = stream.read(size)
    if len(found) < size:
        raise Damaged(CUT)
    return found


UNPACKERS: Final[dict[bytes, Callable[[BufferedReader], Iterator[bytes]]]] = {
    GZIP_MAGIC: _gunzipped,
    ZSTD_MAGIC: _unzstd,
    **{number.to_bytes(LONGEST_MAGIC, "little"): _unzstd for number in SKIPPABLE},
}
"""How what begins so is unpacked."""

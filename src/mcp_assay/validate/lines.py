"""Blocks of bytes -> lines in bounded memory; packed bytes are unpacked on the way."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BufferedReader
from typing import Final

from mcp_assay.model.finding import Where

BLOCK = 1 << 18
"""How much is read at a time: large enough to be fast, small enough to stay in the cache."""


MOST_LINES: Final = 1 << 40
"""So many numbers are kept for the lines of each input, where several are read in turn."""


def lines(blocks: Iterable[bytes], longest: int) -> Iterator[bytes | None]:
    """Each line without its newline; None in place of a line of more than `longest` bytes.

    A block must not be larger than `longest`, so that only lines across blocks need measuring.
    """
    begun = _Begun(longest)
    for block in blocks:
        first, newline, rest = block.partition(b"\n")
        begun.add(first)
        if newline:
            yield begun.end()
            *whole, last = rest.split(b"\n")
            yield from whole
            begun.add(last)
    if begun.size:
        yield begun.end()


def pieces(text: bytes, size: int = BLOCK) -> Iterator[bytes]:
    """The text in blocks of at most `size` bytes."""
    return (text[start : start + size] for start in range(0, len(text), size))


class _Begun:
    """The part of a line that has been seen so far, dropped once it is too long."""

    __slots__ = ("longest", "parts", "size")

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, part: bytes) -> None:
        self.size += len(part)
        if self.size <= self.longest:
            self.parts.append(part)
        else:
            self.parts.clear()

    def end(self) -> bytes | None:
        line = b"".join(self.parts) if self.size <= self.longest else None
        self.parts.clear()
        self.size = 0
        return line


class Numbering:
    """Numbers lines in the order of the inputs; an input itself has the number before its lines."""

    def __init__(self, ranks: Mapping[str, int] | None = None) -> None:
        self._ranks = ranks or {}
        """The places of inputs among all inputs, where not all are read here."""
        self._starts: list[int] = []
        self._files: list[str] = []
        self.file = ""
        self.start = 0
        """The number of the present input, which is that before its first line."""
        self.last = 0
        """The last number that was given."""
        self._kept_free = 0
        """The last number that is kept for inputs which are read in turn."""

    def begin(self, file: str) -> None:
        """Begin with the next input."""
        rank = self._ranks.get(file)
        self.file = file
        self.last = max(self.last, self._kept_free) + 1 if rank is None else rank * MOST_LINES
        self.start = self.last
        at = bisect_right(self._starts, self.last)
        self._starts.insert(at, self.last)
        self._files.insert(at, file)

    def begin_together(self, files: Iterable[str]) -> list[int]:
        """Begin with several inputs at once, whose lines are read in turn: where each starts."""
        starts = []
        for file in files:
            self.begin(file)
            starts.append(self.start)
            self._kept_free = self.start + MOST_LINES
        return starts

    def resume(self, file: str, start: int, line: int) -> int:
        """Go on with one of several inputs; the number of its line."""
        self.file, self.start, self.last = file, start, start + line
        return self.last

    def of(self, file: str, line: int) -> int:
        """The number of a line of the present input, or of a new one."""
        if self.file != file or not self._files:
            self.begin(file)
        number = self.start + line
        self.reach(number)
        return number

    def reach(self, number: int) -> None:
        """Note that the lines up to this number have been seen."""
        self.last = max(self.last, number)

    def next(self) -> int:
        """The number of the line that would come now, or of an input without any."""
        if self.last != self.start:
            self.last += 1
        return self.last

    def where(self, number: int, session: str | None = None) -> Where:
        """The file and the line that have the number."""
        index = bisect_right(self._starts, number) - 1
        if index < 0:
            return Where(session=session)
        line = number - self._starts[index]
        return Where(file=self._files[index], line=line or None, session=session)


GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGIC: Final = b"\x28\xb5\x2f\xfd"
LONGEST_MAGIC: Final = 4
GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
"""How zlib is reported to expect the head and the tail of a gzip file."""
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

CUT: Final = "its compressed data is truncated"


class Unreadable(Exception):
    """An input that cannot be read; its text says why and what to do."""


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
            raise Damaged("extra data follows the compressed data")
        member = zlib.decompressobj(GZIP_FORMAT)
        try:
            yield from _inflated(member, packed, stream)
        except zlib.error:
            raise Damaged("its compressed data is corrupt") from None
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
            raise Damaged(f"its compressed data is corrupt ({fault})") from None


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

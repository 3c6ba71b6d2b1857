"""A trace file of any size, read in pieces: never more of it in memory than a page needs."""

from __future__ import annotations

import os
import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import IO, Final, TypeAlias

from mcp_assay.proxy.feed_news import FoundNews
from mcp_assay.proxy.tap import write_all
from mcp_assay.validate.lines import LONGEST_MAGIC, UNPACKERS, Damaged, Unreadable, unpacked
from mcp_assay.validate.sources import opened
from mcp_assay.web.traffic.filters import TrafficFilter, is_plain, is_plain_json
from mcp_assay.web.traffic.row_pages import ROWS, RowPage, WholeMessage, whole_message
from mcp_assay.web.traffic.rows import LineReader, ReadLine, TrafficRow, unread_row
from mcp_assay.web.traffic.trace_index import PIECE, FileLine, TraceIndex

MOST_SCANNED: Final = 1 << 24
"""Bytes of a file that one request looks through; the next one goes on behind them."""
MOST_UNPACKED: Final = 4 << 30
"""Bytes of a packed file that are unpacked, into a temporary file."""
EASIER: Final = 8
"""To see that nothing in a chunk is wanted takes so many times less than to read its lines."""
FoundLines: TypeAlias = Mapping[int, tuple[FoundNews, ...]]


class TraceFile:
    """The lines of a file as rows, read by any number of threads while it is still looked through.

    Raises Unreadable where there is no such file.
    """

    def __init__(self, path: str, *, most_unpacked: int = MOST_UNPACKED) -> None:
        self.path: Final = os.path.abspath(path)
        self.title: Final = os.path.basename(self.path)
        self.found: FoundLines = {}
        """What was found, by the number of its line; replaced as a whole."""
        self.problem = ""
        """Why not all of it can be shown, in a sentence."""
        self._unpacking: Iterator[bytes] | None = None
        self._file: Final = self._opened(most_unpacked)
        self.index = TraceIndex(self._file)

    def _opened(self, most: int) -> IO[bytes]:
        """The file, or the one into which it will be unpacked: only there can one go back."""
        with opened(self.path) as stream:
            is_packed = stream.peek(LONGEST_MAGIC).startswith(tuple(UNPACKERS))
        if not is_packed:
            return open(self.path, "rb", buffering=0)
        self._unpacking = self._unpacked(most)
        return tempfile.TemporaryFile("w+b", buffering=0)

    @property
    def is_ready(self) -> bool:
        """Whether all of it was looked through."""
        return self._unpacking is None and self.index.is_complete

    def go_on(self) -> bool:
        """Unpack and look through the next piece; whether there was any."""
        if self._unpacking is not None and not self._unpack():
            self._unpacking = None
        if self.index.size() < self.index.seen:
            self.index = TraceIndex(self._file)  # it was begun anew by whoever writes it
        return self.index.extend() or self._unpacking is not None

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def page_from(self, number: int, wanted: TrafficFilter) -> RowPage:
        """The first rows that are wanted from a number on, or what a bounded look finds."""
        session, last = self._session(wanted), self.index.chunks - 1
        rows: list[TrafficRow] = []
        position, scanned, effort = max(number, 1), 0, 0
        reader: LineReader | None = None
        for chunk in range(self.index.chunk_of(position), last + 1):
            if self._may_have(chunk, wanted):
                reader = reader or self._reader_before(chunk)
                for line in self._lines_of(chunk, reader):
                    if line.row.number < position:
                        continue
                    position = line.row.number + 1
                    if wanted.wants(line, session):
                        rows.append(line.shown())
                    if len(rows) >= ROWS:
                        return _page(rows, number, position, scanned)
            else:
                reader = None
            if chunk < last:  # the last one may grow meanwhile
                position = self.index.numbers_in(chunk).stop
            size = self.index.size_of(chunk)
            scanned += size
            effort += size if reader else size // EASIER
            if effort >= MOST_SCANNED and chunk < last:
                return _page(rows, number, position, scanned)
        return _page(rows, number, 0 if self.is_ready else position, scanned)

    def page_before(self, number: int, wanted: TrafficFilter) -> RowPage:
        """The last rows that are wanted before a number, or what a bounded look finds."""
        session, scanned = self._session(wanted), 0
        rows: list[ReadLine] = []
        lowest = number
        for chunk in range(self.index.chunk_of(number - 1), -1, -1):
            lowest = self.index.numbers_in(chunk).start
            if not self._may_have(chunk, wanted):
                continue
            lines = (line for line in self._rows_of(chunk) if line.row.number < number)
            rows = [line for line in lines if wanted.wants(line, session)] + rows
            scanned += self.index.size_of(chunk)
            if len(rows) >= ROWS:
                rows = rows[-ROWS:]
                lowest = rows[0].row.number
                break
            if scanned >= MOST_SCANNED:
                break
        shown = tuple(line.shown() for line in rows)
        before = lowest if lowest > 1 else 0
        return RowPage(rows=shown, before=before, after=number, scanned=scanned)

    def message(self, number: int) -> WholeMessage | None:
        """The message of a line, None where there is no such line, or a blank one."""
        if not 1 <= number <= self.index.lines:
            return None
        for line in self._rows_of(self.index.chunk_of(number)):
            if line.row.number == number:
                return whole_message(line)
        return None

    def wanted_lines(self, wanted: TrafficFilter) -> Iterator[list[tuple[TrafficRow, bytes]]]:
        """All rows that are wanted with their lines as they stand in the file, a few at a time.

        Lines that are too long to be read are left out.
        """
        session = self._session(wanted)
        reader: LineReader | None = None
        for chunk in range(self.index.chunks):
            if not self._may_have(chunk, wanted):
                reader = None
                continue
            reader = reader or self._reader_before(chunk)
            both = self._both_of(chunk, reader)
            yield [
                (read.row, line.text)
                for line, read in both
                if line.is_whole and wanted.wants(read, session)
            ]

    def _session(self, wanted: TrafficFilter) -> str | None:
        """The session of the message that the filter names."""
        if not wanted.session:
            return None
        message = self.message(wanted.session)
        return message.row.session if message else None

    def _may_have(self, chunk: int, wanted: TrafficFilter) -> bool:
        """Whether a chunk may have what is wanted, as far as that can be told without reading."""
        if wanted.found:
            numbers, found = self.index.numbers_in(chunk), sorted(self.found)
            at = bisect_left(found, numbers.start)
            return at < len(found) and found[at] in numbers
        if not is_plain(wanted.text):
            return True
        text = self.index.bytes_of(chunk)
        return not is_plain_json(text) or wanted.text.lower().encode() in text.lower()

    def _rows_of(self, chunk: int) -> Iterator[ReadLine]:
        return self._lines_of(chunk, self._reader_before(chunk))

    def _reader_before(self, chunk: int) -> LineReader:
        """A reader that knows the requests of the chunk before: they may be answered in this."""
        reader = LineReader()
        for line in self.index.lines_in(chunk - 1) if chunk else ():
            if line.is_whole:
                reader.read(line.number, line.text)
        return reader

    def _lines_of(self, chunk: int, reader: LineReader) -> Iterator[ReadLine]:
        return (read for _, read in self._both_of(chunk, reader))

    def _both_of(self, chunk: int, reader: LineReader) -> Iterator[tuple[FileLine, ReadLine]]:
        """The lines of a chunk that are not blank, and what each holds."""
        found = self.found
        for line in self.index.lines_in(chunk):
            its = found.get(line.number, ())
            if not line.is_whole:
                yield line, unread_row(line.number, line.text, line.size, its)
            elif line.text and not line.text.isspace():
                yield line, reader.read(line.number, line.text, its)

    def _unpack(self) -> bool:
        """Unpack the next piece; whether there was any."""
        done = 0
        try:
            for block in self._unpacking or ():
                write_all(self._file.fileno(), block)
                done += len(block)
                if done >= PIECE:
                    return True
        except (Damaged, Unreadable) as damage:
            self.problem = f"{self.title} is incomplete: {damage}; what could be read is shown."
        except OSError as fault:
            reason = fault.strerror or fault
            self.problem = f"{self.title} could not be unpacked as a whole: {reason}."
        return False

    def _unpacked(self, most: int) -> Iterator[bytes]:
        with opened(self.path) as stream:
            for block in unpacked(stream):
                yield block
                most -= len(block)
                if most <= 0:
                    words = f"only its first {MOST_UNPACKED >> 30} GB, unpacked, are shown"
                    self.problem = f"{self.title} is larger than that: {words}."
                    return


def _page(rows: list[TrafficRow], number: int, after: int, scanned: int) -> RowPage:
    return RowPage(
        rows=tuple(rows), before=number if number > 1 else 0, after=after, scanned=scanned
    )

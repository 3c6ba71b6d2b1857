"""The traffic of one proxy as its news tell it: the latest of it is kept and looked through."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from mcp_assay.proxy.feed_news import (
    FoundLateNews,
    FoundNews,
    MissedNews,
    News,
    OpenedNews,
    PassedNews,
)
from mcp_assay.web.traffic.filters import TrafficFilter
from mcp_assay.web.traffic.row_pages import ROWS, RowPage, WholeMessage, whole_message
from mcp_assay.web.traffic.rows import LineReader, ReadLine

MOST_KEPT: Final = 5_000
"""Messages of one proxy that are kept, the latest ones."""
MOST_BYTES_KEPT: Final = 16 << 20
MOST_SESSIONS: Final = 200
"""Sessions of one proxy that are counted; the others are shown all the same."""
MOST_LATE: Final = 200
"""Findings behind their messages that are kept for pages that are open."""


class KeptLine(Struct):
    """A message that passed; findings may come to it later."""

    line: bytes
    """As a trace has it."""
    read: ReadLine
    passed: int
    """How many messages passed before it, seen or not."""


class SessionTally(Struct):
    """What passed in one session."""

    first: int
    """The number of the first message, by which the session is asked for."""
    messages: int = 0
    errors: int = 0


class LiveTraffic:
    """What is known of the traffic of one proxy."""

    def __init__(self, number: int) -> None:
        self.number: Final = number
        self.title = "server"
        self.began = 0.0
        self.pid = 0
        self.messages = 0
        self.how = ""
        """How it ended, "" as long as it goes on."""
        self.forgotten = 0
        """Messages that were seen and are no longer kept."""
        self.missed = 0
        """Messages that passed and were not seen."""
        self.errors = 0
        self.sessions: Final[dict[str, SessionTally]] = {}
        self.changes = 0
        """Grows with everything that comes."""
        self._kept: Final[deque[KeptLine]] = deque()
        self._size = 0
        self._reader: Final = LineReader()
        self._late: Final[deque[FoundNews]] = deque(maxlen=MOST_LATE)
        self.late_findings = 0
        """So many findings came behind their messages."""
        self._waiting: asyncio.Event = asyncio.Event()

    def take(self, news: News) -> None:
        """Note one thing that the proxy tells."""
        if isinstance(news, PassedNews):
            self._pass(news)
        elif isinstance(news, OpenedNews):
            self.title, self.began, self.pid = news.name, news.began, news.pid
            self.missed += news.forgotten
        elif isinstance(news, MissedNews):
            self.missed += news.count
        elif isinstance(news, FoundLateNews):
            for one in news.found:
                self._find_late(one)
        else:
            self.how = self.how or news.how
        self.wake()

    def end(self, how: str) -> None:
        """Note that nothing more comes."""
        self.how = self.how or how
        self.wake()

    def wake(self) -> None:
        """Let those know who wait for something new."""
        self.changes += 1
        self._waiting.set()
        self._waiting = asyncio.Event()

    async def changed(self, since: int) -> None:
        """Wait until there is something new since so many changes."""
        while self.changes <= since and not self.how:
            await self._waiting.wait()

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes."""
        return bool(self.how)

    @property
    def last(self) -> int:
        """The number of the latest message, 0 where there is none."""
        return self._kept[-1].read.row.number if self._kept else 0

    def late_since(self, count: int) -> list[FoundNews]:
        """The findings that came behind their messages since there were so many, the latest."""
        return (
            list(self._late)[-(self.late_findings - count) :] if self.late_findings > count else []
        )

    def new_lines(self, after: int, wanted: TrafficFilter) -> list[KeptLine]:
        """The messages behind a number that are kept and wanted."""
        session = self._session(wanted)
        new: list[KeptLine] = []
        for line in reversed(self._kept):
            if line.read.row.number <= after:
                break
            if wanted.wants(line.read, session):
                new.append(line)
        return new[::-1]

    def page_from(self, number: int, wanted: TrafficFilter) -> RowPage:
        """The first rows that are wanted from a number on."""
        found = []
        for line in self.lines(wanted):
            if line.read.row.number >= number:
                found.append(line.read)
            if len(found) > ROWS:
                break
        after = found[ROWS].row.number if len(found) > ROWS else 0
        rows = tuple(line.shown() for line in found[:ROWS])
        return RowPage(rows=rows, before=self._before(number), after=after)

    def page_before(self, number: int, wanted: TrafficFilter) -> RowPage:
        """The last rows that are wanted before a number."""
        latest: deque[ReadLine] = deque(maxlen=ROWS)
        for line in self.lines(wanted):
            if line.read.row.number >= number:
                break
            latest.append(line.read)
        rows = tuple(line.shown() for line in latest)
        is_full = len(rows) == ROWS
        before = self._before(rows[0].number) if is_full else 0
        return RowPage(rows=rows, before=before, after=number if number <= self.last else 0)

    def message(self, number: int) -> WholeMessage | None:
        """The message with this number, None where it is not kept any more."""
        for line in self._kept:
            if line.read.row.number == number:
                return whole_message(line.read)
        return None

    def lines(self, wanted: TrafficFilter) -> Iterator[KeptLine]:
        """The messages that are kept and wanted."""
        session = self._session(wanted)
        return (line for line in tuple(self._kept) if wanted.wants(line.read, session))

    def _session(self, wanted: TrafficFilter) -> str | None:
        """The session of the message that the filter names."""
        numbered = (one.read.row for one in self._kept if one.read.row.number == wanted.session)
        meant = next(numbered, None) if wanted.session else None
        return meant.session if meant else None

    def _before(self, number: int) -> int:
        is_more = bool(self._kept) and self._kept[0].read.row.number < number
        return number if is_more else 0

    def _pass(self, news: PassedNews) -> None:
        read = self._reader.read(news.number, news.line.rstrip(b"\n"), news.found)
        if news.beginning:
            read = ReadLine(read.row, news.beginning)
        self._kept.append(KeptLine(news.line, read, self.messages + self.missed))
        self._size += _size(self._kept[-1])
        self.messages += 1
        self._count(read, news.found)
        while len(self._kept) > MOST_KEPT or self._size > MOST_BYTES_KEPT:
            self._size -= _size(self._kept.popleft())
            self.forgotten += 1

    def _count(self, read: ReadLine, found: tuple[FoundNews, ...]) -> None:
        errors = sum(one.severity == "error" for one in found)
        self.errors += errors
        name = read.row.session
        if name not in self.sessions and len(self.sessions) >= MOST_SESSIONS:
            return
        tally = self.sessions.setdefault(name, SessionTally(read.row.number))
        tally.messages += 1
        tally.errors += errors

    def _find_late(self, found: FoundNews) -> None:
        """Put a finding beside its message, if that is still kept."""
        self._late.append(found)
        self.late_findings += 1
        self.errors += found.severity == "error"
        for line in self._kept:
            row = line.read.row
            if row.number == found.number:
                line.read = ReadLine(replace(row, found=(*row.found, found)), line.read.text)
                return


def _size(line: KeptLine) -> int:
    return len(line.line) + len(line.read.text)

"""The sessions that a trace interleaves, each with its own memory, a bounded number alive."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from mcp_assay.findings.collector import Collector
from mcp_assay.findings.tally import Ranking, SessionCount
from mcp_assay.model.entry import UNNAMED, SessionKey
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Limit
from mcp_assay.validate.lines import Numbering
from mcp_assay.validate.live_session import Checker, LiveSession
from mcp_assay.validate.shares import WHOLE, Share

if TYPE_CHECKING:
    from mcp_assay.validate.selection import SessionSelection

MAX_LIVE = 10_000
"""More sessions than this are not followed at once; the one silent for longest is let go."""
MOST_ENDINGS = 10_000
"""Sessions let go whose last findings are kept until it is sure that they do not come back."""
REMEMBERED_BITS = 1 << 23
"""The size of the memory of sessions let go: small enough to have, so large that few collide."""


SESSIONLESS: Final = "bare"
"""The kind of key that holds messages together of which nothing else is known."""
UNSURE: Final = "exchanges"
"""The kind of key that holds lines together which may belong to several sessions."""

Begin: TypeAlias = Callable[[bool, bool], Checker]
"""Begins a session: whether it may be a part of one, and whether it is a session at all."""


class SessionEnding(Struct, frozen=True):
    """A finding that the end of a session gives, and the number of the line it is about."""

    session: LiveSession
    number: int
    finding: Finding


class Sessions:
    """One live session per key, begun when the key is first seen.

    Of several shares each sees all keys, and so the same sessions begin, end and are let go in
    each; but only those of its own share are followed.
    """

    most = MAX_LIVE

    def __init__(
        self,
        begin: Begin,
        collector: Collector,
        numbering: Numbering,
        *,
        partial: bool = False,
        share: Share = WHOLE,
        selection: SessionSelection | None = None,
    ) -> None:
        self._begin = begin
        self._collector = collector
        self._numbering = numbering
        self._live: OrderedDict[SessionKey, LiveSession | None] = OrderedDict()
        self._endings: OrderedDict[SessionKey, tuple[LiveSession, list[SessionEnding]]] = (
            OrderedDict()
        )
        self._gone = _Remembered()
        self._share = share
        self._selection = selection
        self.partial = partial
        self.begun = 0
        self.came_back = 0
        self.forgotten = 0
        self.revisions: set[str] = set()
        self.finished = Ranking()

    def of(self, key: SessionKey, file: str, number: int = 0) -> LiveSession | None:
        """The session of this key, None where it is not to be judged here."""
        if self._selection is not None and not self._selection.has(key):
            return None
        if key in self._live:
            self._live.move_to_end(key)
            return self._live[key]
        session = self._live[key] = self._new(key, file, number)
        if len(self._live) > self.most:
            self._let_go(*self._live.popitem(last=False))
        return session

    def doubt(self, key: SessionKey) -> None:
        """Judge a session from now on as a part: a line of it may be elsewhere."""
        session = self._live.get(key)
        if session is not None:
            session.checker.doubt()
            session.count.partial = True

    def end(self) -> Iterator[SessionEnding]:
        """End all sessions: what there is left to say about each."""
        while self._endings:
            _, (session, endings) = self._endings.popitem(last=False)
            yield from () if session.is_cut else endings
            self._finish(session)
        while self._live:
            _, live = self._live.popitem(last=False)
            if live is not None:
                yield from _endings_of(live)
                self._finish(live)

    def end_where(self, is_over: Callable[[SessionKey], bool]) -> Iterator[SessionEnding]:
        """End the sessions of which it is known that they do not go on."""
        for key in [key for key in self._live if is_over(key)]:
            live = self._live.pop(key)
            if live is not None:
                yield from _endings_of(live)
                self._finish(live)

    def cut(self) -> None:
        """Note that the input broke off: how the present sessions end, nobody knows."""
        for session in self._still_open():
            session.is_cut = session.count.partial = True

    def ranking(self) -> Ranking:
        """What was counted in each session, whether it is over or not."""
        ranking = self.finished.copy()
        for session in self._still_open():
            ranking.add(session.summed_up())
        return ranking

    def spoken(self) -> set[str]:
        """The revisions that were spoken up to now."""
        return self.revisions | {session.checker.revision for session in self._still_open()}

    def limits(self) -> list[Limit]:
        """The limit on live sessions, where it cut something."""
        count = self.came_back + self.forgotten
        if not count:
            return []
        effect = (
            "too many sessions were open at once; rules that span both parts of a split "
            "session are undecided"
        )
        return [Limit(name="live-sessions", value=self.most, count=count, effect=effect)]

    def _still_open(self) -> list[LiveSession]:
        left = (session for session, _ in self._endings.values())
        return [*left, *(live for live in self._live.values() if live is not None)]

    def _new(self, key: SessionKey, file: str, number: int) -> LiveSession | None:
        has_been_here = key in self._gone
        if has_been_here:
            self._come_back(key)
        self.begun += 1
        if self.begun % self._share.of != self._share.index:
            return None
        partial = self.partial or has_been_here or key[0] == UNSURE
        count = SessionCount(key=key[1], file=file, first=number, partial=partial)
        checker = self._begin(partial, key[0] != SESSIONLESS)
        if key[0] == UNSURE:
            checker.doubt()
        name = None if key[0] in UNNAMED else key[1]
        return LiveSession(checker, name, count, self._collector, self._numbering)

    def _come_back(self, key: SessionKey) -> None:
        """What was said at the end of a session does not hold if that was not the end."""
        self.came_back += 1
        if key in self._endings:
            self._finish(self._endings.pop(key)[0])

    def _let_go(self, key: SessionKey, session: LiveSession | None) -> None:
        self._gone.add(key)
        if session is None:
            return
        endings = _endings_of(session)
        if not endings:
            self._finish(session)
            return
        self._endings[key] = (session, endings)
        if len(self._endings) > MOST_ENDINGS:
            self._finish(self._endings.popitem(last=False)[1][0])
            self.forgotten += 1

    def _finish(self, session: LiveSession) -> None:
        self.revisions.add(session.checker.revision)
        self.finished.add(session.summed_up())


def _endings_of(session: LiveSession) -> list[SessionEnding]:
    ends = () if session.is_cut else session.checker.close()
    return [SessionEnding(session, number, finding) for number, finding in ends]


class _Remembered:
    """Keys that were seen, in fixed space: it forgets none, and seldom takes a new one for old."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, key: SessionKey) -> None:
        if not self._bits:
            self._bits = bytearray(REMEMBERED_BITS // 8)
        byte, bit = _spot(key)
        self._bits[byte] |= bit

    def __contains__(self, key: SessionKey) -> bool:
        if not self._bits:
            return False
        byte, bit = _spot(key)
        return bool(self._bits[byte] & bit)


def _spot(key: SessionKey) -> tuple[int, int]:
    number = zlib.crc32("\0".join(key).encode(errors="surrogatepass")) % REMEMBERED_BITS
    return number >> 3, 1 << (number & 7)

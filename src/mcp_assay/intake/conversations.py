"""The conversations that a trace interleaves, each with its own memory, a bounded number alive."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from mcp_assay.intake.shares import WHOLE, Share
from mcp_assay.intake.trace import SessionKey
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Limit
from mcp_assay.report.sessions import Ranking, SessionCount
from mcp_assay.rules.lanes import Lanes

if TYPE_CHECKING:
    from mcp_assay.rules.envelope.lanes import ResponseLanes

MAX_LIVE = 10_000
"""More sessions than this are not followed at once; the one silent for longest is let go."""
MOST_FAREWELLS = 10_000
"""Sessions let go whose last findings are kept until it is sure that they do not come back."""
REMEMBERED_BITS = 1 << 23
"""The size of the memory of sessions let go: small enough to have, so large that few collide."""


SESSIONLESS: Final = frozenset({"bare", "exchanges"})
"""Kinds of keys that hold messages together which may belong to several sessions."""
UNNAMED: Final = SESSIONLESS | {"file"}
"""Kinds of keys that nobody has given as the name of a session."""

Listener: TypeAlias = "Lanes | ResponseLanes"
"""Who judges a conversation: all of it by MCP, or the responses in it by the envelope's profile."""
Begin: TypeAlias = Callable[[bool, bool], Listener]
"""Begins a conversation: whether it may be a part of one, and whether it is a session at all."""


class Followed:
    """A conversation that is followed, and what was counted in it."""

    __slots__ = ("count", "is_cut", "lanes", "name")

    def __init__(self, lanes: Listener, key: SessionKey, count: SessionCount) -> None:
        self.lanes: Final = lanes
        self.count: Final = count
        self.name: Final = None if key[0] in UNNAMED else key[1]
        self.is_cut = False
        """Whether it may go on where nothing was read."""

    def summed_up(self) -> SessionCount:
        """The count, with the revision that was spoken."""
        self.count.revision = self.lanes.revision
        return self.count


class Ending(Struct, frozen=True):
    """A finding that the end of a conversation gives, and the number of the line it is about."""

    followed: Followed
    number: int
    finding: Finding


class Conversations:
    """One Lanes per session key, begun when the key is first seen.

    Of several shares each sees all keys, and so the same sessions begin, end and are let go in
    each; but only those of its own share are followed.
    """

    most = MAX_LIVE

    def __init__(
        self,
        begin: Begin,
        *,
        partial: bool = False,
        share: Share = WHOLE,
    ) -> None:
        self._begin = begin
        self._live: OrderedDict[SessionKey, Followed | None] = OrderedDict()
        self._farewells: OrderedDict[SessionKey, tuple[Followed, list[Ending]]] = OrderedDict()
        self._gone = _Remembered()
        self._share = share
        self.partial = partial
        self.begun = 0
        self.came_back = 0
        self.forgotten = 0
        self.revisions: set[str] = set()
        self.finished = Ranking()

    def of(self, key: SessionKey, file: str, number: int = 0) -> Followed | None:
        """The conversation of this key, None where it belongs to another share."""
        if key in self._live:
            self._live.move_to_end(key)
            return self._live[key]
        followed = self._live[key] = self._new(key, file, number)
        if len(self._live) > self.most:
            self._let_go(*self._live.popitem(last=False))
        return followed

    def end(self) -> Iterator[Ending]:
        """End all conversations: what there is left to say about each."""
        while self._farewells:
            _, (followed, farewell) = self._farewells.popitem(last=False)
            yield from () if followed.is_cut else farewell
            self._finish(followed)
        while self._live:
            _, live = self._live.popitem(last=False)
            if live is not None:
                yield from _farewell(live)
                self._finish(live)

    def cut(self) -> None:
        """Note that the input broke off: how the present conversations end, nobody knows."""
        for followed in self._still_open():
            followed.is_cut = followed.count.partial = True

    def ranking(self) -> Ranking:
        """What was counted in each conversation, whether it is over or not."""
        ranking = self.finished.copy()
        for followed in self._still_open():
            ranking.add(followed.summed_up())
        return ranking

    def spoken(self) -> set[str]:
        """The revisions that were spoken up to now."""
        return self.revisions | {followed.lanes.revision for followed in self._still_open()}

    def limits(self) -> list[Limit]:
        """The limit on live sessions, where it cut something."""
        count = self.came_back + self.forgotten
        if not count:
            return []
        effect = (
            "sessions were let go while others were followed, and went on later; what needs both "
            "parts is undecided"
        )
        return [Limit(name="live-sessions", value=self.most, count=count, effect=effect)]

    def _still_open(self) -> list[Followed]:
        left = (followed for followed, _ in self._farewells.values())
        return [*left, *(live for live in self._live.values() if live is not None)]

    def _new(self, key: SessionKey, file: str, number: int) -> Followed | None:
        has_been_here = key in self._gone
        if has_been_here:
            self._come_back(key)
        self.begun += 1
        if self.begun % self._share.of != self._share.index:
            return None
        partial = self.partial or has_been_here
        count = SessionCount(key=key[1], file=file, first=number, partial=partial)
        return Followed(self._begin(partial, key[0] not in SESSIONLESS), key, count)

    def _come_back(self, key: SessionKey) -> None:
        """What was said at the end of a session does not hold if that was not the end."""
        self.came_back += 1
        if key in self._farewells:
            self._finish(self._farewells.pop(key)[0])

    def _let_go(self, key: SessionKey, followed: Followed | None) -> None:
        self._gone.add(key)
        if followed is None:
            return
        farewell = _farewell(followed)
        if not farewell:
            self._finish(followed)
            return
        self._farewells[key] = (followed, farewell)
        if len(self._farewells) > MOST_FAREWELLS:
            self._finish(self._farewells.popitem(last=False)[1][0])
            self.forgotten += 1

    def _finish(self, followed: Followed) -> None:
        self.revisions.add(followed.lanes.revision)
        self.finished.add(followed.summed_up())


def _farewell(followed: Followed) -> list[Ending]:
    ends = () if followed.is_cut else followed.lanes.close()
    return [Ending(followed, number, finding) for number, finding in ends]


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

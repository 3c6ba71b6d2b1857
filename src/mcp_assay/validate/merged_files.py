"""Files whose times overlap -> their lines in one order: by time, no answer before its request.

Clocks differ, and may be corrected beforehand. Where an answer would come before its request all
the same, which another file has, its file is taken to be slow, and waits. Where that does not help,
the order of a session cannot be told.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from mcp_assay.model.entry import Direction, SessionKey
from mcp_assay.session.correlation import OTHER_SIDE
from mcp_assay.session.ids import Id
from mcp_assay.validate.file_order import ReadLine
from mcp_assay.validate.session_router import TracedLine
from mcp_assay.validate.trace import NotUnderstood

MOST_OPEN: Final = 8
"""Files that are read at once; a further one is opened when one of them has ended."""
WINDOW_LINES: Final = 500
WINDOW_BYTES: Final = 1 << 19
"""How far each file is read ahead, to find the request of an answer."""
MOST_REMEMBERED: Final = 10_000
"""Requests that wait, and sessions whose latest line is known."""

Key = TypeVar("Key")
Value = TypeVar("Value")
_Asked: TypeAlias = tuple[SessionKey, Direction, Id]


class MergedLine(Struct, frozen=True):
    """A line of one of the files: which of them, and its number there from 1."""

    file: int
    number: int
    text: bytes | None
    """None stands for a line that is too long."""


class _Ahead(Struct, frozen=True):
    """A line that was read ahead: its own time, and what it asks and answers."""

    line: MergedLine
    at: float | None = None
    key: SessionKey | None = None
    asks: tuple[_Asked, ...] = ()
    answers: tuple[_Asked, ...] = ()


class _FileAhead:
    """One file, as far as it is read, and how much later its clock must be taken to be."""

    def __init__(
        self, index: int, lines: Iterator[bytes | None], read: ReadLine, behind: float
    ) -> None:
        self.index: Final = index
        self.window: Final[deque[_Ahead]] = deque()
        self.asked: Final[Counter[_Asked]] = Counter()
        """The requests in the window."""
        self.is_whole = False
        """Whether the window reaches to the end of the file."""
        self.behind = behind
        """Seconds by which its clock is known to be slow."""
        self._lines: Final = enumerate(lines, 1)
        self._read: Final = read
        self._latest = float("-inf")
        self._bytes = 0

    @property
    def time(self) -> float:
        """When its next line came, never before the one that went before."""
        at = self.window[0].at
        return self._latest if at is None else max(self._latest, at + self.behind)

    def fill(self) -> bool:
        """Read ahead; tell whether there is any line left."""
        while not self.is_whole and len(self.window) < WINDOW_LINES:
            if self.window and self._bytes >= WINDOW_BYTES:
                break
            number, text = next(self._lines, (0, b""))
            if not number:
                self.is_whole = True
                break
            ahead = self._ahead(MergedLine(self.index, number, text))
            self.window.append(ahead)
            self.asked.update(ahead.asks)
            self._bytes += len(text or b"")
        return bool(self.window)

    def take(self) -> _Ahead:
        """The next line."""
        self._latest = self.time
        ahead = self.window.popleft()
        self.asked.subtract(ahead.asks)
        self._bytes -= len(ahead.line.text or b"")
        return ahead

    def wait_for(self, asked: _Asked, other: _FileAhead) -> None:
        """Take the clock to be so slow that the next line is not before a request of another."""
        request = next((one for one in other.window if asked in one.asks), None)
        if request is not None and request.at is not None:
            self.behind += max(0.0, request.at + other.behind - self.time)

    def _ahead(self, line: MergedLine) -> _Ahead:
        try:
            entry = self._read(line.text) if line.text else None
        except NotUnderstood:
            entry = None
        if entry is None:
            return _Ahead(line)
        key, way = entry.session, entry.direction
        if key is None:
            return _Ahead(line, entry.at)
        traced = TracedLine.of(entry)
        asks = tuple((key, way, id) for id in traced.asks)
        answers = tuple((key, OTHER_SIDE[way], id) for id in traced.answers)
        return _Ahead(line, entry.at, key, asks, answers)


class MergedFiles:
    """The lines of several files in one order.

    `untold` has the sessions whose lines may have come in another order.
    """

    def __init__(
        self,
        files: list[Iterator[bytes | None]],
        read: ReadLine,
        corrections: Sequence[float] = (),
    ) -> None:
        self.untold: Final[set[SessionKey]] = set()
        behind = corrections or [0.0] * len(files)
        self._coming: Final = deque(
            _FileAhead(n, lines, read, behind[n]) for n, lines in enumerate(files)
        )
        self._open: Final[list[_FileAhead]] = []
        self._waiting: Final[OrderedDict[_Asked, None]] = OrderedDict()
        self._latest: Final[OrderedDict[SessionKey, tuple[float, int]]] = OrderedDict()

    def __iter__(self) -> Iterator[MergedLine]:
        while self._fill():
            file = self._next()
            time = file.time
            yield self._noted(file.take(), time)

    def _fill(self) -> bool:
        """Read all open files ahead, and open further ones in place of those that have ended."""
        self._open[:] = [file for file in self._open if file.fill()]
        while self._coming and len(self._open) < MOST_OPEN:
            file = self._coming.popleft()
            if file.fill():
                self._open.append(file)
        return bool(self._open)

    def _next(self) -> _FileAhead:
        """The file with the earliest line that waits for no request in another."""
        by_time = sorted(self._open, key=self._place)
        for file in by_time:
            if not self._must_wait(file):
                return file
        self._doubt(by_time[0].window[0].key)
        return by_time[0]

    def _place(self, file: _FileAhead) -> tuple[float, bool, int]:
        """When the next line of a file comes: of one moment, answers that are waited for first."""
        is_awaited = any(asked in self._waiting for asked in file.window[0].answers)
        return file.time, not is_awaited, file.index

    def _must_wait(self, file: _FileAhead) -> bool:
        ahead = file.window[0]
        for asked in ahead.answers:
            if asked in self._waiting or file.asked[asked] > 0:
                continue
            other = next((one for one in self._open if one.asked[asked] > 0), None)
            if other is not None:
                file.wait_for(asked, other)
                return True
            if self._coming or not all(one.is_whole for one in self._open if one is not file):
                self._doubt(ahead.key)
        return False

    def _noted(self, ahead: _Ahead, time: float) -> MergedLine:
        """Note what was asked and answered, and where the order of two files is not sure."""
        key, index = ahead.key, ahead.line.file
        is_answer = any(asked in self._waiting for asked in ahead.answers)
        if key is not None:
            latest, last_file = self._latest.get(key, (time, index))
            is_unsure = last_file != index and (ahead.at is None or time <= latest)
            self._doubt(key if is_unsure and not is_answer else None)
            _remember(self._latest, key, (max(time, latest), index))
        for asked in ahead.asks:
            _remember(self._waiting, asked, None)
        for asked in ahead.answers:
            self._waiting.pop(asked, None)
        return ahead.line

    def _doubt(self, key: SessionKey | None) -> None:
        if key is not None:
            self.untold.add(key)


def _remember(kept: OrderedDict[Key, Value], key: Key, value: Value) -> None:
    kept[key] = value
    if len(kept) > MOST_REMEMBERED:
        kept.popitem(last=False)

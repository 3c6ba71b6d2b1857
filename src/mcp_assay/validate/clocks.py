"""Files whose times overlap -> how wrong their clocks are, by what was asked in one and answered
in another.

No answer comes before its request. A request in one file and its answer in another say how slow
the clock of the second must be at least; answers that go the other way, if only through further
files, say how slow it can be at most, and the middle is taken. Clocks that may agree stay as they
are.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from mcp_assay.model.entry import Direction, Entry, SessionKey
from mcp_assay.session.correlation import OTHER_SIDE
from mcp_assay.session.ids import Id
from mcp_assay.validate.file_order import ReadLine
from mcp_assay.validate.session_router import TracedLine
from mcp_assay.validate.trace import NotUnderstood

MOST_UNMATCHED: Final = 10_000
"""Requests and answers of each file whose other half may be in another one."""

Asked: TypeAlias = tuple[SessionKey, Direction, Id]
"""A request: its session, who sent it, and its id."""
Key = TypeVar("Key")
Bounds: TypeAlias = dict[tuple[int, int], float]
"""By two files, the least seconds that must be added to the second clock, seen from the first."""


class Halves(Struct, frozen=True):
    """When requests came whose answers are in other files, and answers whose requests are."""

    requests: OrderedDict[Asked, float]
    answers: OrderedDict[Asked, float]

    def note(self, entry: Entry) -> None:
        """Note what an entry asks and answers."""
        key, way = entry.session, entry.direction
        if key is None or entry.at is None:
            return
        traced = TracedLine.of(entry)
        for id in traced.asks:
            _note(self.requests, (key, way, id), entry.at)
        for id in traced.answers:
            asked = key, OTHER_SIDE[way], id
            if self.requests.pop(asked, None) is None:
                _note(self.answers, asked, entry.at)


def clock_corrections(files: Sequence[Iterable[bytes | None]], read: ReadLine) -> list[float]:
    """The seconds that are to be added to the times of each file."""
    bounds = _bounds([_halves(lines, read) for lines in files])
    return corrections_within(len(files), bounds)


def corrections_within(files: int, bounds: Bounds) -> list[float]:
    """The seconds that are to be added to the times of each file, by what some pairs say."""
    corrections = [0.0] * files
    for part in _connected(files, bounds):
        within = {pair: least for pair, least in bounds.items() if pair[0] in part}
        if any(least > 0 for least in within.values()):
            for index, seconds in _middles(part, within).items():
                corrections[index] = seconds
    return corrections


def _halves(lines: Iterable[bytes | None], read: ReadLine) -> Halves:
    found = Halves(OrderedDict(), OrderedDict())
    for line in lines:
        try:
            entry = read(line) if line else None
        except NotUnderstood:
            continue
        if entry is not None:
            found.note(entry)
    return found


def _note(kept: OrderedDict[Asked, float], asked: Asked, at: float) -> None:
    kept[asked] = at
    if len(kept) > MOST_UNMATCHED:
        kept.popitem(last=False)


def _bounds(halves: Sequence[Halves]) -> Bounds:
    return bounds_between([one.requests for one in halves], [one.answers for one in halves])


def bounds_between(
    requests: Sequence[Mapping[Key, float]], answers: Sequence[Mapping[Key, float]]
) -> Bounds:
    """What the requests and the answers of files say of their clocks."""
    asked_in = {asked: index for index, one in enumerate(requests) for asked in one}
    bounds: Bounds = {}
    for second, one in enumerate(answers):
        for asked, at in one.items():
            first = asked_in.get(asked, second)
            if first != second:
                ahead = requests[first][asked] - at
                bounds[first, second] = max(bounds.get((first, second), ahead), ahead)
    return bounds


def _connected(files: int, bounds: Bounds) -> list[list[int]]:
    """The files in parts, between which nothing is known."""
    part = list(range(files))
    for first, second in bounds:
        kept, joined = part[first], part[second]
        part = [kept if one == joined else one for one in part]
    found: dict[int, list[int]] = {}
    for index, one in enumerate(part):
        found.setdefault(one, []).append(index)
    return list(found.values())


def _middles(part: Sequence[int], bounds: Bounds) -> dict[int, float]:
    """For each file the middle between the least and the most, as seen from the first file."""
    least = _longest_ways(part[0], part, bounds)
    back = {(second, first): ahead for (first, second), ahead in bounds.items()}
    most = {index: -ahead for index, ahead in _longest_ways(part[0], part, back).items()}
    return {
        index: (least.get(index, most[index]) + most[index]) / 2 if index in most else least[index]
        for index in part
        if index in most or index in least
    }


def _longest_ways(start: int, part: Sequence[int], bounds: Bounds) -> dict[int, float]:
    """The sum of bounds on the way from one file to each; clocks that jump make some too long."""
    ways = {start: 0.0}
    for _ in part:
        longer = {
            second: ways[first] + ahead
            for (first, second), ahead in sorted(bounds.items(), key=_by_length)
            if first in ways and ways[first] + ahead > ways.get(second, float("-inf"))
        }
        longer.pop(start, None)
        if not longer:
            break
        ways |= longer
    return ways


def _by_length(bound: tuple[tuple[int, int], float]) -> tuple[float, tuple[int, int]]:
    return bound[1], bound[0]

"""Indexes of all files -> batches: what to read together, and which sessions are judged there.

Files are read in the order of the contract, in groups: those whose times overlap and that share
sessions, directly or through others, are merged line by line. A batch is some groups that follow
one another. It owns the sessions that begin in it, and reads later groups only for these. Sessions
that go over very many batches are judged apart, so that nothing is read again and again.

All of this follows from the archive alone, never from who works on it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct

from mcp_assay.archive.file_index import KEYS, FileIndex
from mcp_assay.archive.wrong_clocks import corrected_spans
from mcp_assay.validate.file_order import TimeSpans, overlapping, reading_groups

SMALLEST_BATCH: Final = 64_000_000
LARGEST_BATCH: Final = 512_000_000
"""Bytes to begin with in one batch, unpacked; a single group may be larger."""
BATCHES: Final = 32
"""So many batches are aimed at between these sizes."""
MOST_BATCHES_READ: Final = 3
"""A session that goes on over more batches than this is judged apart."""
FIRST_RANK: Final = 1
PLACES: Final = "I"
"""How places of groups are packed."""


class FileGroup(Struct, frozen=True):
    """One file or several that are merged: its place, and the files with their ranks."""

    place: int
    files: tuple[str, ...]
    ranks: tuple[int, ...]
    size: int


class Batch(Struct, frozen=True):
    """Groups to read, and the sessions in them that are to be judged."""

    groups: tuple[FileGroup, ...]
    home: int
    """So many of the groups are read for all that begins in them, the others for what goes on."""
    packed_owned: bytes | None = None
    """The digests of the sessions that are judged here; None: all."""
    packed_lasts: bytes = b""
    """The place of the last group of each."""
    cuts: tuple[int, ...] = ()
    """Places of groups that are damaged, where they are not read here."""

    @property
    def size(self) -> int:
        """The bytes that must be read."""
        return sum(group.size for group in self.groups)

    @property
    def home_files(self) -> tuple[str, ...]:
        """The files that are read for all that begins in them."""
        return tuple(chain.from_iterable(group.files for group in self.groups[: self.home]))

    def owned(self) -> dict[int, int] | None:
        """The sessions that are judged here, each with the place of its last group; None: all."""
        if self.packed_owned is None:
            return None
        lasts = array(PLACES, self.packed_lasts)
        return dict(zip(array(KEYS, self.packed_owned), lasts, strict=True))


class ArchivePlan(Struct, frozen=True):
    """All batches of an archive, in the order of what they begin with."""

    batches: list[Batch]
    piece: int
    """Bytes that one worker should have at a time."""

    @property
    def files(self) -> list[str]:
        """All files in the order of reading."""
        ranked = {
            rank: name
            for batch in self.batches
            for group in batch.groups
            for rank, name in zip(group.ranks, group.files, strict=True)
        }
        return [ranked[rank] for rank in sorted(ranked)]

    def shares(self, batch: Batch, workers: int) -> int:
        """How many workers share the sessions of a batch: each of them reads all of it."""
        wanted = batch.size // self.piece if batch.size > 2 * self.piece else 1
        if batch.packed_owned is not None:
            wanted = min(wanted, len(batch.packed_owned) // array(KEYS).itemsize)
        return max(1, min(wanted, workers))


def plan_of_one(name: str, size: int) -> ArchivePlan:
    """The plan for a file alone: no other has lines of its sessions."""
    group = FileGroup(0, (name,), (FIRST_RANK,), size)
    return ArchivePlan([Batch((group,), 1)], SMALLEST_BATCH)


def plan_of(indexes: Sequence[FileIndex]) -> ArchivePlan:
    """The plan for files that were looked through."""
    by_name = {index.name: index for index in indexes}
    groups = _groups(by_name)
    size = min(max(sum(one.size for one in groups) // BATCHES, SMALLEST_BATCH), LARGEST_BATCH)
    spread = _Spread(groups, by_name)
    spread.cut_into(_pieces(groups, size))
    damaged = [one.place for one in groups if _is_damaged(one, by_name)]
    return ArchivePlan([_batch(groups, found, damaged) for found in spread.parts()], size)


def _is_damaged(group: FileGroup, indexes: Mapping[str, FileIndex]) -> bool:
    return any(indexes[name].state == "damaged" for name in group.files)


def _groups(indexes: Mapping[str, FileIndex]) -> list[FileGroup]:
    """All groups in the order of reading."""
    spans = corrected_spans(indexes)
    ordered = reading_groups(list(indexes), spans)
    ranks = {name: rank for rank, name in enumerate(chain.from_iterable(ordered), FIRST_RANK)}
    finer = [part for group in ordered for part in _sharing(group, indexes, spans)]
    finer.sort(key=lambda group: ranks[group[0]])
    return [
        FileGroup(
            place,
            tuple(group),
            tuple(ranks[name] for name in group),
            sum(indexes[name].size for name in group),
        )
        for place, group in enumerate(finer)
    ]


def _sharing(
    group: list[str], indexes: Mapping[str, FileIndex], spans: TimeSpans
) -> list[list[str]]:
    """Files whose times overlap, apart where they have no session in common."""
    if len(group) == 1:
        return [group]
    timed = {name: span for name in group if (span := spans[name]) is not None}
    parts = _connected({name: indexes[name].keys() for name in group})
    return [finer for part in parts for finer in overlapping(part, timed)]


def _connected(keys: Mapping[str, Iterable[int]]) -> Iterator[list[str]]:
    """The names in parts that have no key in common, each in the order that was given."""
    above = {name: name for name in keys}

    def root(name: str) -> str:
        while above[name] != name:
            above[name] = name = above[above[name]]
        return name

    first: dict[int, str] = {}
    for name, its in keys.items():
        for key in its:
            above[root(name)] = root(first.setdefault(key, name))
    parts: dict[str, list[str]] = {}
    for name in keys:
        parts.setdefault(root(name), []).append(name)
    yield from parts.values()


def _pieces(groups: Iterable[FileGroup], size: int) -> list[int]:
    """The number of the batch that each group begins in."""
    numbers: list[int] = []
    number = filled = 0
    for group in groups:
        if filled >= size:
            number, filled = number + 1, 0
        numbers.append(number)
        filled += group.size
    return numbers


class _BatchDraft(Struct):
    """A batch as it is made up."""

    home: list[int]
    others: set[int]
    owned: dict[int, int]


class _Spread:
    """Where each session begins and ends, and so which batch reads which groups."""

    def __init__(self, groups: Sequence[FileGroup], indexes: Mapping[str, FileIndex]) -> None:
        self._keys: Final = [
            set(chain.from_iterable(indexes[name].keys() for name in group.files))
            for group in groups
        ]
        self._first: Final[dict[int, int]] = {}
        self._last: Final[dict[int, int]] = {}
        self._parts: Final = defaultdict[int, _BatchDraft](lambda: _BatchDraft([], set(), {}))
        self._far: Final = _BatchDraft([], set(), {})
        for place, keys in enumerate(self._keys):
            for key in keys:
                self._first.setdefault(key, place)
                self._last[key] = place

    def cut_into(self, batch_of: Sequence[int]) -> None:
        """Give each session to the batch that it begins in, or to the one of those that go far."""
        for place, number in enumerate(batch_of):
            self._parts[number].home.append(place)
        far: set[int] = set()
        for key, first in self._first.items():
            last = self._last[key]
            if batch_of[last] - batch_of[first] > MOST_BATCHES_READ:
                far.add(key)
                self._far.owned[key] = last
            else:
                self._parts[batch_of[first]].owned[key] = last
        for place, keys in enumerate(self._keys):
            if not far.isdisjoint(keys):
                self._far.others.add(place)
            for key in keys - far:
                number = batch_of[self._first[key]]
                if number != batch_of[place]:
                    self._parts[number].others.add(place)

    def parts(self) -> Iterator[_BatchDraft]:
        """All batches, that of the sessions which go far at the end."""
        yield from (self._parts[number] for number in sorted(self._parts))
        if self._far.owned:
            yield self._far


def _batch(groups: Sequence[FileGroup], part: _BatchDraft, damaged: Sequence[int]) -> Batch:
    places = [*part.home, *sorted(part.others)]
    owned = sorted(part.owned.items())
    return Batch(
        tuple(groups[place] for place in places),
        len(part.home),
        array(KEYS, [key for key, _ in owned]).tobytes(),
        array(PLACES, [last for _, last in owned]).tobytes(),
        tuple(place for place in damaged if place not in places),
    )

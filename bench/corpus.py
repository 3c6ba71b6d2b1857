"""The corpus of the benchmarks: realistic messages of one revision, some of them broken.

The same seed always gives the same bytes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bench.traffic.conversation import REVISION, Direction, Draft, Kind, converse
from bench.traffic.faults import FAULTS, Fault
from bench.traffic.material import Material
from bench.traffic.styles import Balance

__all__ = ["BROKEN_SHARE", "MESSAGES", "REVISION", "SEED", "Corpus", "Line", "build", "write"]

MESSAGES: Final = 20_000
SEED: Final = 20251125
BROKEN_SHARE: Final = 0.05


class Line(NamedTuple):
    """One message as bytes, who sent it, what it is and which fault was planted in it."""

    raw: bytes
    direction: Direction
    kind: Kind
    method: str
    fault: str | None


class Corpus(NamedTuple):
    """The messages, the seed they come from, and the file they were written to."""

    lines: list[Line]
    seed: int
    file: Path


def build(count: int = MESSAGES, seed: int = SEED, first_id: int = 1) -> list[Line]:
    """`count` messages in the order of their sessions; ids are unique, counted from `first_id`."""
    rng = Random(seed)
    drafts = _drafts(Material(rng), count, first_id)
    broken = _plant(drafts, round(count * BROKEN_SHARE), rng)
    balance = Balance()
    return [_line(draft, broken.get(index), balance, rng) for index, draft in enumerate(drafts)]


def write(lines: Iterable[Line], path: Path) -> Path:
    """Write the messages as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line.raw + b"\n" for line in lines))
    return path


def _drafts(material: Material, count: int, first_id: int) -> list[Draft]:
    ids = itertools.count(first_id)
    sessions = (converse(material, session, ids) for session in itertools.count())
    return list(itertools.islice(itertools.chain.from_iterable(sessions), count))


def _plant(drafts: list[Draft], count: int, rng: Random) -> dict[int, Fault]:
    """Choose the messages to break: at most one of a request and its response.

    Without its request nobody can tell what a response should look like.
    """
    fitting = {fault.name: _shuffled_fits(drafts, fault, rng) for fault in FAULTS}
    deck = [fault for fault in FAULTS for _ in range(fault.weight)]
    rng.shuffle(deck)
    planted: dict[int, Fault] = {}
    touched: set[int] = set()
    for fault in itertools.islice(itertools.cycle(deck), 4 * count):
        index = _next_untouched(fitting[fault.name], drafts, touched)
        if index is not None and len(planted) < count:
            planted[index] = fault
            touched.add(_exchange(drafts[index]))
    return planted


def _next_untouched(candidates: list[int], drafts: list[Draft], touched: set[int]) -> int | None:
    while candidates:
        index = candidates.pop()
        if _exchange(drafts[index]) not in touched:
            return index
    return None


def _exchange(draft: Draft) -> int:
    return id(draft.answers or draft)


def _shuffled_fits(drafts: list[Draft], fault: Fault, rng: Random) -> list[int]:
    fits = [index for index, draft in enumerate(drafts) if fault.fits(draft)]
    rng.shuffle(fits)
    return fits


def _line(draft: Draft, fault: Fault | None, balance: Balance, rng: Random) -> Line:
    if fault is not None:
        draft = fault.spoil(draft)
    raw = balance.write((draft.session, draft.direction), draft.message)
    if fault is not None and fault.rewrite is not None:
        raw = fault.rewrite(raw, rng)
    return Line(raw, draft.direction, draft.kind, draft.method, fault.name if fault else None)

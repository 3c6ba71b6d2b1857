"""Archives on a simulated cluster: the real plan of made-up indexes, and the turns of its tasks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from msgspec import Struct

from bench.simulation.cluster import Ending, Faults, Load, Rates, Simulated, SimulatedCluster
from mcp_assay.archive.file_index import KEYS, FileIndex
from mcp_assay.archive.plan import ArchivePlan, plan_of
from mcp_assay.engine.turns import TaskTurns
from mcp_assay.validate.file_order import TimeSpan

FILE_SIZE: Final = 256_000_000
SESSIONS: Final = 100
"""Sessions of a file; a smaller number than real files have leaves the plan as it is."""
OPEN: Final = 10
"""Sessions of a file that go on in the next one."""
KEY_BITS: Final = 64
TROUBLED: Final = Faults(lost_per_hour=0.5, stragglers=0.02)


class Pace(Struct, frozen=True):
    """Bytes in a second, of one worker."""

    looked_through: float
    judged: float


class TurnsOfTasks:
    """The engine's turns."""

    def __init__(self, tasks: Iterable[Load]) -> None:
        self._turns: Final = TaskTurns[Load](tasks)
        self.take: Final = self._turns.take

    def end(self, index: int, ending: Ending) -> bool:
        """Note that a try of a task is over."""
        return self._turns.end(index, is_lost=ending == "lost")


def indexes(size: int, seed: int = 0) -> Iterator[FileIndex]:
    """Rotated files of one gateway."""
    rng = Random(seed)
    open_keys: list[int] = []
    for number in range(max(1, size // FILE_SIZE)):
        keys = open_keys + [rng.getrandbits(KEY_BITS) for _ in range(SESSIONS - len(open_keys))]
        open_keys = rng.sample(keys, OPEN)
        span = TimeSpan(float(number), number + 1.0)
        packed = array(KEYS, sorted(keys)).tobytes()
        yield FileIndex(f"gateway.{number}.jsonl", FILE_SIZE, span, packed_keys=packed)


def simulated_archive(
    size: int,
    workers: int,
    pace: Pace,
    rates: Rates,
    faults: Faults = TROUBLED,
    *,
    seed: int = 0,
) -> Simulated:
    """Both passes over an archive, on so many workers."""
    files = list(indexes(size, seed))
    first = [Load(one.size / pace.looked_through, one.size) for one in files]
    found = [
        SimulatedCluster(workers, rates, faults, seed + number).run(TurnsOfTasks(tasks))
        for number, tasks in enumerate((first, _judging(plan_of(files), workers, pace)))
    ]
    return _together(*found)


def _judging(plan: ArchivePlan, workers: int, pace: Pace) -> Iterator[Load]:
    """The tasks of the second pass: each share of a batch reads all of it, and judges its part.

    What is read on for the sessions that began before is read past, but for a little.
    """
    for batch in plan.batches:
        home = sum(group.size for group in batch.groups[: batch.home])
        shares, reading = plan.shares(batch, workers), batch.size / pace.looked_through
        judging = home / pace.judged - home / pace.looked_through
        yield from [Load(reading + judging / shares, batch.size)] * shares


def _together(first: Simulated, second: Simulated) -> Simulated:
    return Simulated(
        first.workers,
        first.seconds + second.seconds,
        second.done,
        first.given_up + second.given_up,
        first.worked + second.worked,
        first.wasted + second.wasted,
    )

"""A cluster by a simulated clock: what a scheduler, workers, a store and chance make of tasks.

What is given out, and what again, is decided by the code that decides it for real clusters.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import count
from math import inf
from random import Random
from typing import Final, Literal, Protocol, TypeAlias

from msgspec import Struct

HOUR: Final = 3600.0
Ending: TypeAlias = Literal["done", "lost", "passing"]
"""How a try ends: with a result, with its worker, or for a reason that passes."""
PASSED: Final = 0.3
"""The part of a job after which a reason that passes, such as a registry that is away, ends it."""


class Rates(Struct, frozen=True):
    """How fast the two are that there is one of."""

    scheduled: float
    """Tasks that the scheduler hands out in a second."""
    recorded: float
    """Results that the client records, or merges, in a second."""
    read: float = inf
    """Bytes that the store of an archive gives in a second, to all workers together."""


class Load(Struct, frozen=True):
    """A task: how long a worker works on it, and the bytes that it reads meanwhile."""

    seconds: float
    size: float = 0.0


class Faults(Struct, frozen=True):
    """What goes wrong, as chance has it; nothing does by default."""

    lost_per_hour: float = 0.0
    """How often a worker is lost while it works."""
    restart_seconds: float = 60.0
    """How long it takes until another is there in its place."""
    stragglers: float = 0.0
    """The share of tasks that take `slowness` times as long."""
    slowness: float = 5.0
    passing: float = 0.0
    """The share of tries that end early, for a reason that passes."""
    store_every: float = 0.0
    """Every so many seconds the history is slow for `store_slow`, then away for `store_away`."""
    store_away: float = 60.0
    store_slow: float = 240.0
    store_factor: float = 10.0


class Decisions(Protocol):
    """What is decided by the code under simulation."""

    def take(self, workers: int) -> tuple[int, Load] | None:
        """The next task; None where none may begin now."""

    def end(self, index: int, ending: Ending) -> bool:
        """Note that a try is over; whether there will be another."""


class Simulated(Struct):
    """What came of it, in seconds of the simulated clock, those of all workers added up."""

    workers: int
    seconds: float = 0.0
    done: int = 0
    given_up: int = 0
    worked: float = 0.0
    """On tries that gave a result."""
    wasted: float = 0.0
    """On tries that gave none, and until lost workers were there again."""

    @property
    def busy(self) -> float:
        """The share of the workers' time that gave results."""
        return self.worked / max(self.seconds * self.workers, 1e-9)

    @property
    def waste(self) -> float:
        """The share of the work that was for nothing."""
        return self.wasted / max(self.worked + self.wasted, 1e-9)


class SimulatedCluster:
    """One scheduler, some workers and one client that records; every run has chances of its own."""

    def __init__(self, workers: int, rates: Rates, faults: Faults, seed: int = 0) -> None:
        self._rates: Final = rates
        self._faults: Final = faults
        self._rng: Final = Random(seed)
        self._found: Final = Simulated(workers)
        self._coming: Final[list[tuple[float, int, Callable[[], None]]]] = []
        self._numbers: Final = count()
        self._ready: Final[deque[tuple[int, Load]]] = deque()
        self._idle = workers
        self._now = self._scheduler_free = self._client_free = 0.0

    def run(self, decisions: Decisions) -> Simulated:
        """Let all be done."""
        self._decisions = decisions
        self._give_out()
        while self._coming:
            self._now, _, happen = heapq.heappop(self._coming)
            happen()
        return self._found

    def _at(self, moment: float, happen: Callable[[], None]) -> None:
        heapq.heappush(self._coming, (moment, next(self._numbers), happen))

    def _give_out(self) -> None:
        """The client hands to the scheduler what may begin, and this takes it one by one."""
        while (given := self._decisions.take(self._found.workers)) is not None:
            self._scheduler_free = max(self._now, self._scheduler_free) + 1 / self._rates.scheduled
            self._at(self._scheduler_free, partial(self._begin, given))

    def _begin(self, given: tuple[int, Load]) -> None:
        self._ready.append(given)
        self._assign()

    def _assign(self) -> None:
        """Give idle workers what is ready."""
        while self._idle and self._ready:
            self._idle -= 1
            self._work(*self._ready.popleft())

    def _work(self, index: int, load: Load) -> None:
        faults, rng = self._faults, self._rng
        seconds = load.seconds * (faults.slowness if rng.random() < faults.stragglers else 1)
        readers = self._found.workers - self._idle
        seconds = max(seconds, load.size * readers / self._rates.read)
        is_passing = rng.random() < faults.passing
        if is_passing:
            seconds *= PASSED
        life = rng.expovariate(faults.lost_per_hour / HOUR) if faults.lost_per_hour else seconds + 1
        if life < seconds:
            self._found.wasted += life + faults.restart_seconds
            self._at(self._now + life, partial(self._tell, index, "lost"))
            self._at(self._now + life + faults.restart_seconds, self._free)
            return
        self._found.wasted += seconds if is_passing else 0.0
        self._found.worked += 0.0 if is_passing else seconds
        ending: Ending = "passing" if is_passing else "done"
        self._at(self._now + seconds, partial(self._tell, index, ending))
        self._at(self._now + seconds, self._free)

    def _free(self) -> None:
        self._idle += 1
        self._assign()

    def _tell(self, index: int, ending: Ending) -> None:
        """The client takes results one by one: what gave none is only noted."""
        begin = max(self._now, self._client_free)
        self._client_free = self._recorded(begin) if ending == "done" else begin
        self._at(self._client_free, partial(self._end, index, ending))

    def _recorded(self, begin: float) -> float:
        """When a result is in the store whose turn it is at a moment."""
        faults, seconds = self._faults, 1 / self._rates.recorded
        if not faults.store_every:
            return begin + seconds
        phase = begin % faults.store_every
        back = faults.store_every - faults.store_away
        slow = back - faults.store_slow
        if phase >= back:
            begin += faults.store_every - phase
        return begin + seconds * (faults.store_factor if phase >= slow else 1)

    def _end(self, index: int, ending: Ending) -> None:
        again = self._decisions.end(index, ending)
        self._found.done += ending == "done"
        self._found.given_up += ending != "done" and not again
        self._found.seconds = self._now
        self._give_out()

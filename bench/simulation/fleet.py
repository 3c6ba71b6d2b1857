"""Fleets on a simulated cluster: measured times of jobs, in the order that FleetSchedule gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Final

from bench.simulation.cluster import Ending, Faults, Load, Rates, Simulated, SimulatedCluster
from bench.simulation.job_times import JobTime
from mcp_assay.engine.tasks import WAIT
from mcp_assay.engine.turns import TaskTurns
from mcp_assay.fleet.run import LIVES
from mcp_assay.fleet.schedule import FleetSchedule, Planned

REMOTE: Final = 0.1
"""The share of servers that run at a host of somebody else."""
HOSTS: Final = 200
"""So many such hosts; the n-th has a share of 1/n of the first one's."""
TROUBLED: Final = Faults(
    lost_per_hour=0.5,
    stragglers=0.02,
    passing=0.02,
    store_every=1800.0,
)


class FleetDecisions:
    """A fleet's schedule and the engine's turns, put together as a run of a fleet does it."""

    def __init__(self, schedule: FleetSchedule[Load]) -> None:
        self._schedule: Final = schedule
        self._given: Final[list[int]] = []
        """The place of each try in the schedule."""
        self._turns: Final = TaskTurns[Load](self._jobs(), ahead=1, most_runs=LIVES)
        self.take: Final = self._turns.take

    def end(self, index: int, ending: Ending) -> bool:
        """Note that a try of a job is over."""
        if self._turns.end(index, is_lost=ending == "lost"):
            return True
        return self._schedule.end(self._given[index], is_passing=ending == "passing")

    def _jobs(self) -> Iterator[Any]:
        while not self._schedule.is_over:
            taken = self._schedule.take()
            if taken is None:
                yield WAIT
            else:
                self._given.append(taken[0])
                yield taken[1]


def fleet(
    servers: int, times: Sequence[JobTime], remote: float = REMOTE, seed: int = 0
) -> Iterator[Planned[Load]]:
    """So many servers with times that were measured, some of them at hosts that several share."""
    rng = Random(seed)
    installed, running = [one.seconds for one in times], [one.assessed for one in times]
    weights = list(accumulate(1 / n for n in range(1, HOSTS + 1)))
    for _ in range(servers):
        is_remote = rng.random() < remote
        host = rng.choices(range(HOSTS), cum_weights=weights)[0] if is_remote else None
        yield Planned(Load(rng.choice(running if is_remote else installed)), host)


def simulated_fleet(
    servers: int,
    workers: int,
    times: Sequence[JobTime],
    rates: Rates,
    faults: Faults = TROUBLED,
    *,
    remote: float = REMOTE,
    seed: int = 0,
) -> Simulated:
    """A fleet on so many workers."""
    schedule = FleetSchedule(fleet(servers, times, remote, seed))
    return SimulatedCluster(workers, rates, faults, seed).run(FleetDecisions(schedule))

"""How well `mcp-assay assess` keeps its limits of time and memory, server by server."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, Final, NamedTuple

from bench.bars import LEAST_CUT, MEMORY_OF_HTTP, MEMORY_OF_STDIO, OVERRUN, Bar
from bench.tables import table
from tests.assess.run_costs import RunCost, cost_of
from tests.servers.catalogue import catalogue
from tests.servers.planting import Planted

MAX_TIME: Final = 4.0
"""Seconds: few servers are through by then, and the whole catalogue takes some twenty minutes."""


class Measured(NamedTuple):
    """One server, and what assessing it cost."""

    planted: Planted
    cost: RunCost
    max_time: float

    @property
    def overrun(self) -> float:
        """Seconds after the limit; below zero where the run was through before."""
        return self.cost.seconds - self.max_time

    @property
    def memory(self) -> Bar:
        """What is promised about memory."""
        return MEMORY_OF_HTTP if self.planted.over_http else MEMORY_OF_STDIO


class LimitsOptions(NamedTuple):
    """What is measured: servers by name, or a share of all of them, and with which limit."""

    names: Sequence[str] = ()
    sample: int | None = None
    seed: int = 0
    max_time: float = MAX_TIME
    at_once: int = 1


def limits(options: LimitsOptions) -> tuple[str, dict[str, Any]]:
    """A row for every server with its overrun and its memory, the worst of each below."""
    with ThreadPoolExecutor(options.at_once) as pool:
        costs = list(pool.map(lambda one: _measured(one, options.max_time), _chosen(options)))
    heading = ["server", "exit", "overrun s", OVERRUN.words(), "MB", "promised", "kept"]
    figures = {
        one.planted.name: {
            "exit": one.cost.code,
            "overrun": round(one.overrun, 2),
            "megabytes": round(one.cost.megabytes, 1),
        }
        for one in costs
    }
    return f"{table(heading, [_row(one) for one in costs])}\n\n{_worst(costs)}", figures


def _measured(planted: Planted, max_time: float) -> Measured:
    return Measured(planted, cost_of(planted, max_time), max_time)


def _chosen(options: LimitsOptions) -> list[Planted]:
    """The servers that are named; else all, or a sample of them."""
    servers = [one for one in catalogue() if not options.names or one.name in options.names]
    if unknown := {*options.names} - {one.name for one in servers}:
        raise SystemExit(f"no such server: {', '.join(sorted(unknown))}")
    if options.sample is None or options.sample >= len(servers):
        return servers
    return Random(options.seed).sample(servers, options.sample)


def _row(one: Measured) -> list[str]:
    return [
        one.planted.name,
        str(one.cost.code),
        f"{one.overrun:.1f}",
        OVERRUN.verdict(one.overrun),
        f"{one.cost.megabytes:.0f}",
        one.memory.words(),
        one.memory.verdict(one.cost.megabytes),
    ]


def _worst(costs: Sequence[Measured]) -> str:
    """What counts in the end: the worst of all, and how many runs were really cut."""
    rows = [
        ("overrun s", OVERRUN, [one.overrun for one in costs]),
        *(
            (f"MB {name}", bar, [one.cost.megabytes for one in costs if one.memory is bar])
            for name, bar in (("on stdio", MEMORY_OF_STDIO), ("over HTTP", MEMORY_OF_HTTP))
        ),
    ]
    cut = sum(one.overrun > 0 for one in costs) / max(1, len(costs))
    shown = [
        [name, f"{max(seen):.1f}", bar.words(), bar.verdict(max(seen))]
        for name, bar, seen in rows
        if seen
    ]
    shown.append(["share of runs cut", f"{cut:.2f}", LEAST_CUT.words(), LEAST_CUT.verdict(cut)])
    return table([f"worst of {len(costs)} servers", "seen", "promised", "kept"], shown)

"""Plans past this machine: fleets and archives on up to 1,000 workers, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from bench.simulation import archive, fleet
from bench.simulation.archive import Pace, simulated_archive
from bench.simulation.cluster import HOUR, Faults, Rates, Simulated
from bench.simulation.fleet import simulated_fleet
from bench.simulation.job_times import JobTime, job_times
from bench.simulation.rates import STORE, pace_of_workers, records_per_second, tasks_per_second
from bench.tables import table

WORKERS: Final = (10, 30, 100, 300, 1_000)
SERVERS: Final = 10_000
GIGABYTE: Final = 10**9
SIZES: Final = (10 * GIGABYTE, 100 * GIGABYTE, 1_000 * GIGABYTE)
NIGHT: Final = 8
"""Hours."""
ENOUGH: Final = 1.1
"""Twice the workers that bring less than this are more than one store and scheduler serve."""
MOST: Final = 32_000
PER_WORKER: Final = 10
"""Servers of each worker where the largest fleet is sought."""
HISTORY: Final = "SQLite"
HEAD: Final = ("workers", "hours", "an hour", "hours", "an hour", "busy", "for nothing")


class Inputs(Struct, frozen=True):
    """All that is replayed, and how fast the scheduler, the store and the workers are."""

    times: list[JobTime]
    fleet: Rates
    archive: Rates
    pace: Pace


def simulation(folder: Path) -> tuple[str, dict[str, Any]]:
    """Measured rates, and what they come to on many machines."""
    folder.mkdir(parents=True, exist_ok=True)
    scheduled, recorded = tasks_per_second(), records_per_second(folder)
    pace, merged = pace_of_workers()
    inputs = Inputs(
        job_times(), Rates(scheduled, recorded[HISTORY]), Rates(scheduled, merged, STORE), pace
    )
    parts = [_rates(inputs, recorded), *tables(inputs), largest(inputs)]
    return "\n\n".join(text for text, _ in parts), {
        name: its for _, figures in parts for name, its in figures.items()
    }


def tables(inputs: Inputs) -> Iterable[tuple[str, dict[str, Any]]]:
    """A fleet, and archives of several sizes, on 10 to 1,000 workers."""

    def servers(workers: int, faults: Faults) -> Simulated:
        return simulated_fleet(SERVERS, workers, inputs.times, inputs.fleet, faults)

    text, figures = _table(servers, fleet.TROUBLED, SERVERS, "servers")
    yield f"{SERVERS:,} servers; {text}", {"fleet": figures}
    for size in SIZES:

        def bytes_of(workers: int, faults: Faults, size: int = size) -> Simulated:
            return simulated_archive(size, workers, inputs.pace, inputs.archive, faults)

        gigabytes = size // GIGABYTE
        text, figures = _table(bytes_of, archive.TROUBLED, gigabytes, "GB")
        yield f"{gigabytes:,} GB; {text}", {f"archive of {gigabytes} GB": figures}


def _table(
    simulated: Callable[[int, Faults], Simulated], faults: Faults, amount: int, unit: str
) -> tuple[str, dict[str, Any]]:
    rows, figures = [], {}
    for workers in WORKERS:
        smooth, troubled = simulated(workers, Faults()), simulated(workers, faults)
        figures[str(workers)] = {"nothing fails": asdict(smooth), "failures": asdict(troubled)}
        shares = f"{troubled.busy:.0%}", f"{troubled.waste:.1%}"
        rows.append((f"{workers:,}", *_pace(smooth, amount), *_pace(troubled, amount), *shares))
    title = f"hours and {unit} an hour where nothing fails, then with failures"
    return f"{title}\n\n{table(HEAD, rows)}", figures


def _pace(found: Simulated, amount: float) -> tuple[str, str]:
    hours = found.seconds / HOUR
    return f"{hours:.2f}", f"{amount / hours:,.0f}"


def largest(inputs: Inputs) -> tuple[str, dict[str, Any]]:
    """The largest fleet and archive that one store and one scheduler serve in a night."""

    def servers_per_hour(workers: int) -> float:
        number = PER_WORKER * workers
        found = simulated_fleet(number, workers, inputs.times, inputs.fleet, remote=0.0)
        return found.done * HOUR / found.seconds

    def gigabytes_per_hour(workers: int) -> float:
        size = SIZES[-1]
        found = simulated_archive(size, workers, inputs.pace, inputs.archive)
        return size / GIGABYTE * HOUR / found.seconds

    rows, figures = [], {}
    for unit, rate in (("servers", servers_per_hour), ("GB", gigabytes_per_hour)):
        workers, hourly = _most(rate, WORKERS[0])
        figures[unit] = {"workers": workers, "an hour": hourly}
        rows.append((unit, f"{workers:,}", f"{hourly:,.0f}", f"{NIGHT * hourly:,.0f}"))
    heads = ("the largest", "workers of use", "an hour", f"in {NIGHT} hours")
    return table(heads, rows), {"largest": figures}


def _most(rate: Callable[[int], float], workers: int) -> tuple[int, float]:
    """The workers beyond which twice as many bring hardly more, and what they do."""
    done = rate(workers)
    while workers < MOST:
        twice = rate(2 * workers)
        if twice < ENOUGH * done:
            break
        workers, done = 2 * workers, twice
    return workers, done


def _rates(inputs: Inputs, recorded: dict[str, float]) -> tuple[str, dict[str, Any]]:
    times, pace = inputs.times, inputs.pace
    rows: Sequence[tuple[str, str]] = [
        ("servers measured", str(len(times))),
        ("seconds to prepare, mean", f"{mean(one.prepared for one in times):.1f}"),
        ("seconds to assess, mean", f"{mean(one.assessed for one in times):.1f}"),
        ("tasks of the scheduler, in 1 s", f"{inputs.fleet.scheduled:.0f}"),
        *((f"reports recorded in {kind}, in 1 s", f"{one:.0f}") for kind, one in recorded.items()),
        ("batches merged by the client, in 1 s", f"{inputs.archive.recorded:.0f}"),
        ("MB looked through by a worker, in 1 s", f"{pace.looked_through / 1e6:.1f}"),
        ("MB judged by a worker, in 1 s", f"{pace.judged / 1e6:.1f}"),
        ("MB of the store, in 1 s (assumed)", f"{inputs.archive.read / 1e6:.0f}"),
    ]
    return table(("rate", "value"), rows), {"rates": dict(rows)}

"""Fleets under test: what is in them, a run of each, and what is left of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.engine import TaskEngine, opened_engine
from mcp_assay.engine.address import engine_choice
from mcp_assay.fleet.entry import Fleet, FleetEntry, Program
from mcp_assay.fleet.job import JobLimits, JobOptions
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.record import FleetRecord
from mcp_assay.fleet.run import FleetRun
from mcp_assay.history.location import located
from mcp_assay.history.questions import all_servers
from mcp_assay.history.store import Store
from tests.patience import LONGEST

ROOT: Final = Path(__file__).resolve().parents[2]
CATALOGUE: Final = str(ROOT / "tests" / "servers")
FAULTS: Final = str(ROOT / "tests" / "fleet" / "faulty_server.py")
QUICK: Final = {"max_calls": 1, "max_time": 60.0}
MARK: Final = "MARK_OF_A_TEST"
"""All processes of a test have this variable, apart from servers: those have the mark in a word."""


def server(name: str) -> FleetEntry:
    """A server of the catalogue."""
    command = (sys.executable, CATALOGUE, name)
    return FleetEntry(name=name, origin=Program(command=command), digest=name)


def faulty(fault: str, *words: str) -> FleetEntry:
    """A server with a fault that is not one of its answers."""
    command = (sys.executable, FAULTS, fault, os.environ.get(MARK, ""), *words)
    return FleetEntry(name=fault, origin=Program(command=command))


def fleet_of(*entries: FleetEntry) -> Fleet:
    """A fleet of these servers."""
    return Fleet(file="fleet.toml", name="fleet", entries=entries)


def options(*, has_sandbox: bool = False, **limits: Any) -> JobOptions:
    """Quick jobs with limits."""
    limited = replace(JobLimits(seconds=LONGEST), **limits)
    return JobOptions(has_sandbox=has_sandbox, limits=limited, assessing=QUICK)


@contextmanager
def engine_named(name: str, workers: int = 2) -> Iterator[TaskEngine]:
    """An engine as it is named on a command line."""
    with opened_engine(engine_choice(name), workers, is_apart=True) as engine:
        yield engine


@contextmanager
def stored(folder: Path, more: str = "") -> Iterator[Store]:
    """A history in a folder."""
    with closing(Store(located(f"sqlite:///{folder}/history.db{more}"))) as store:
        yield store


def ran(
    store: Store, fleet: Fleet, its: JobOptions, engine: TaskEngine, *, resume: bool = False
) -> dict[str, ServerOutcome]:
    """What became of the servers of a fleet, after one command."""
    run = FleetRun(fleet, its, FleetRecord(store, fleet.name, resume=resume))
    run.run(engine)
    assert not run.is_interrupted
    return by_name(run.outcomes())


def by_name(outcomes: Iterator[ServerOutcome]) -> dict[str, ServerOutcome]:
    """Each outcome once."""
    found: dict[str, ServerOutcome] = {}
    for one in outcomes:
        assert one.name not in found
        assert (one.report is None) != (one.reason is None), "a verdict, or a reason for none"
        found[one.name] = one
    return found


def kinds(outcomes: Mapping[str, ServerOutcome]) -> dict[str, str | None]:
    """The kind of reason of each server, None where it has a report."""
    return {name: one.reason.kind if one.reason else None for name, one in outcomes.items()}


def recorded(store: Store) -> dict[str, int]:
    """How many runs the history has of each server."""
    with store.reading() as connection:
        return {one.name: one.runs for one in all_servers(connection).servers}


def require_nothing_left(mark: str) -> None:
    """Wait until no process has the mark; fail where one stays."""
    end = monotonic() + LONGEST
    while left := marked(mark):
        assert monotonic() < end, f"these survive: {left}"
        sleep(0.1)


def marked(mark: str) -> Sequence[str]:
    """The commands of the processes that have a mark, without this one."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit() and int(place.name) != os.getpid():
            try:
                command = (place / "cmdline").read_bytes()
                if mark.encode() in command or mark.encode() in (place / "environ").read_bytes():
                    found.append(command.replace(b"\0", b" ").decode(errors="replace"))
            except OSError:
                continue  # it has ended
    return [one for one in found if one]

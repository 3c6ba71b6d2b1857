"""A fleet on two workers: how long it takes beside single runs, and what each job costs besides."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, Final

from msgspec import Struct

from bench import child
from bench.bars import FLEET_OVERHEAD, FLEET_TIME
from bench.published.servers import servers_of
from bench.tables import table
from tests.servers.catalogue import catalogue

DEFAULT_SERVERS: Final = 200
PUBLISHED: Final = 10
"""One server in so many is a published one, whose package is installed."""
WORKERS: Final = 2
OPTIONS: Final = ("--max-time", "60", "--fail-on", "never")
CATALOGUE: Final = str(Path(__file__).parents[1] / "tests" / "servers")
FAULTS: Final[dict[str, dict[str, Any]]] = {
    "fault-no-such-program": {"command": ["there-is-no-such-program"]},
    "fault-says-nothing": {"command": ["sleep", "600"]},
    "fault-ends-at-once": {"command": ["false"]},
    "fault-no-value": {"command": ["true"], "env": ["THERE_IS_NO_SUCH_VARIABLE"]},
}
"""Servers that are none, beside those of the catalogue."""


class FleetFigures(Struct, frozen=True, kw_only=True):
    """What a fleet took, and what its servers take one by one."""

    servers: int
    without_verdict: int
    fleet_seconds: float
    single_seconds: float
    overhead_seconds: float
    """Of a server, from when a worker has it until it is recorded, beyond what it takes itself."""


def fleet(wanted: int | None, seed: int) -> tuple[str, dict[str, Any]]:
    """A table of the times, and the same as figures."""
    tables = _servers(wanted or DEFAULT_SERVERS, seed)
    with TemporaryDirectory() as folder:
        figures = _figures(tables, Path(folder))
    ratio = figures.fleet_seconds / figures.single_seconds
    overhead = figures.overhead_seconds
    rows = [
        ["servers", str(figures.servers), "", ""],
        ["without a verdict", str(figures.without_verdict), "", ""],
        ["single runs, s", f"{figures.single_seconds:.1f}", "", ""],
        [f"fleet on {WORKERS} workers, s", f"{figures.fleet_seconds:.1f}", "", ""],
        ["as part of single runs", f"{ratio:.2f}", FLEET_TIME.words(), FLEET_TIME.verdict(ratio)],
        [
            "overhead of a job, s",
            f"{overhead:.2f}",
            FLEET_OVERHEAD.words(),
            FLEET_OVERHEAD.verdict(overhead),
        ],
    ]
    return table(["", "measured", "promised", ""], rows), {"fleet": figures}


def _servers(wanted: int, seed: int) -> dict[str, dict[str, Any]]:
    """Servers of the catalogue, published ones and faults, mixed."""
    listed = servers_of("scored").items()
    plain = [(name, one) for name, one in listed if not (one.env or one.prepare or one.files)]
    packages: dict[str, dict[str, Any]] = {
        name: {"package": f"{one.source}:{one.package or name}"}
        for name, one in plain
        if len(one.command) == 1
    }
    chosen = dict(list(packages.items())[: wanted // PUBLISHED])
    chosen |= dict(list(FAULTS.items())[: max(1, wanted // PUBLISHED)])
    planted = [one.name for one in catalogue() if not one.over_http]
    for name in Random(seed).sample(planted, min(len(planted), wanted - len(chosen))):
        chosen[name] = {"command": [sys.executable, CATALOGUE, name]}
    names = Random(seed).sample(sorted(chosen), len(chosen))
    return {name: chosen[name] for name in names}


def _figures(tables: dict[str, dict[str, Any]], folder: Path) -> FleetFigures:
    path = folder / "fleet.toml"
    path.write_text("".join(_table(name, one) for name, one in tables.items()))
    store = f"--history=sqlite:///{folder}/history.db"
    words = ("fleet", "run", str(path), store, "--format", "json", *OPTIONS)
    fleet_run = (*words, "--jobs", str(WORKERS))
    _timed(fleet_run)  # packages are in the cache after it, as they are for single runs
    seconds, overhead, report = _fleet_run(fleet_run)
    timings = report["timing"]["servers"]
    assessed = [one for one in timings if one["run"] is not None]
    return FleetFigures(
        servers=len(timings),
        without_verdict=len(timings) - len(assessed),
        fleet_seconds=seconds,
        single_seconds=sum(_single(store, one["name"]) for one in assessed),
        overhead_seconds=overhead,
    )


def _fleet_run(words: tuple[str, ...]) -> tuple[float, float, dict[str, Any]]:
    """The seconds of a run, those of a job beyond its own work, and the report."""
    began = time.perf_counter()
    begun: dict[str, float] = {}
    more: list[float] = []
    with TemporaryFile() as out:
        process = subprocess.Popen(
            child.mcp_assay(*words), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE
        )
        assert process.stderr is not None
        for line in process.stderr:
            event = json.loads(line)
            if event["event"] == "server_begin":
                begun[event["server"]] = time.perf_counter()
            elif event["event"] == "server_end" and event["verdict"] != "not_assessed":
                lasted = time.perf_counter() - begun[event["server"]]
                more.append(lasted - event["seconds"])
        process.wait()
        seconds = time.perf_counter() - began
        out.seek(0)
        return seconds, mean(more), json.load(out)


def _table(name: str, entry: dict[str, Any]) -> str:
    pairs = "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
    return f"[servers.{json.dumps(name)}]\n{pairs}\n"


def _single(store: str, name: str) -> float:
    """How long a run of one server takes, by itself, with the command that the fleet had."""
    shown = _timed(("history", "show", name, store, "--format", "json"))[1]
    command = json.loads(shown)["server"]["command"]
    return _timed(("assess", "--sandbox", "--no-input", *OPTIONS, "--", *command))[0]


def _timed(words: tuple[str, ...]) -> tuple[float, str]:
    """The seconds that a command takes, and its standard output."""
    began = time.perf_counter()
    ended = subprocess.run(
        child.mcp_assay(*words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return time.perf_counter() - began, ended.stdout

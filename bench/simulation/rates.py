"""What a simulation is fed with, measured here: a scheduler, a store, and the pace of workers."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import zstandard

from bench.archive import rotated_archive
from bench.history import stores
from bench.simulation.archive import Pace
from mcp_assay.archive.batch import BatchTask, judge_batch
from mcp_assay.archive.file_index import IndexTask, index_file
from mcp_assay.archive.plan import plan_of
from mcp_assay.engine import opened_engine
from mcp_assay.engine.address import engine_choice
from mcp_assay.history.identity import named
from mcp_assay.history.location import located
from mcp_assay.history.recorder import new_run, record
from mcp_assay.history.store import Store
from mcp_assay.report.as_json import to_json
from mcp_assay.report.report_file import read_report
from mcp_assay.validate.options import Options
from mcp_assay.validate.run import Run
from mcp_assay.validate.shares import Share
from mcp_assay.validate.workers import absorb
from tests.history.runs import a_report

TASKS: Final = 1_000
WORKERS: Final = 2
RECORDED: Final = 60
ABSORBED: Final = 10
SIZE: Final = 64_000_000
STORE: Final = 1.25e9
"""Bytes that an object store gives in a second, over 10 Gbit/s: the one rate that is assumed."""
TOOLS: Final = 10


def tasks_per_second() -> float:
    """What one scheduler and one client hand out and take back, on a real cluster."""
    with opened_engine(engine_choice("dask"), WORKERS) as engine:
        _exhaust(engine.run(abs, range(TASKS // 10)))
        begun = time.perf_counter()
        _exhaust(engine.run(abs, range(TASKS)))
        return TASKS / (time.perf_counter() - begun)


def records_per_second(folder: Path) -> dict[str, float]:
    """Reports that one client unpacks and records, by the kind of store."""
    report = a_report(tools={f"tool {at}": "fully_working" for at in range(TOOLS)})
    packed = zstandard.compress(to_json(report).encode())
    found = {}
    with stores(folder) as each:
        for kind, url in each:
            store = Store(located(url))
            begun = time.perf_counter()
            for number in range(RECORDED):
                read = read_report(zstandard.decompress(packed))
                record(store, new_run(named(f"server {number}"), read))
            found[kind] = RECORDED / (time.perf_counter() - begun)
            store.close()
    return found


def pace_of_workers() -> tuple[Pace, float]:
    """Bytes in a second of one worker, and results that one client merges in a second.

    Both of CPU time: what else the machine does is no part of it.
    """
    with TemporaryDirectory() as folder:
        files = sorted(map(str, rotated_archive(Path(folder) / "archive", SIZE).iterdir()))
        begun = time.process_time()
        plan = plan_of([index_file(IndexTask(name)) for name in files])
        looked_through = time.process_time()
        (batch,) = plan.batches
        part = judge_batch(BatchTask(batch, Options(partial=True), Share()))
        judged = time.process_time()
        for _ in range(ABSORBED):
            absorb(Run(Options(partial=True)), part.found)
        merged = time.process_time()
    pace = Pace(SIZE / (looked_through - begun), SIZE / (judged - looked_through))
    return pace, ABSORBED / (merged - judged)


def _exhaust(outcomes: Iterable[object]) -> None:
    for _ in outcomes:
        pass

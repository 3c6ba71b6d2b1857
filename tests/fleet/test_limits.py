"""A job that takes too much ends with that reason, and nothing of it stays."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.fleet.runs import (
    MARK,
    engine_named,
    faulty,
    fleet_of,
    kinds,
    options,
    ran,
    recorded,
    require_nothing_left,
    server,
    stored,
)
from tests.worlds import world

__all__ = ["world"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists processes")
FAULTS = {
    "eat": "over_memory",
    "write": "over_disk",
    "fork": "over_processes",
}
LIMITS: Final[dict[str, Any]] = {
    "memory_bytes": 400 << 20,
    "disk_bytes": 64 << 20,
    "processes": 64,
}


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    monkeypatch.setenv(MARK, str(tmp_path))
    return str(tmp_path)


def test_a_job_that_takes_too_much_ends_with_that_reason(mark: str, tmp_path: Path) -> None:
    fleet = fleet_of(*map(faulty, FAULTS), server("handshake-only"))
    with stored(tmp_path) as store, engine_named("local", 4) as engine:
        found = kinds(ran(store, fleet, options(**LIMITS), engine))
        assert recorded(store) == {"handshake-only": 1}
    assert found == {**FAULTS, "handshake-only": None}
    require_nothing_left(mark)


def test_a_job_that_hangs_ends_with_its_time(mark: str, tmp_path: Path) -> None:
    fleet = fleet_of(faulty("hang"))
    with stored(tmp_path) as store, engine_named("local", 1) as engine:
        assert kinds(ran(store, fleet, options(seconds=3), engine)) == {"hang": "over_time"}
    require_nothing_left(mark)
    assert not [one for one in Path("/var/tmp").glob("mcp-assay-world-*") if _is_of(one, mark)]


def _is_of(folder: Path, mark: str) -> bool:
    """Whether the job of a folder has the mark of a test."""
    job = folder / "job"
    return job.exists() and mark in job.read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("world")
def test_one_in_a_world_ends_with_that_reason_or_with_what_came_of_it(
    mark: str, tmp_path: Path
) -> None:
    """A world gives no more, so that a server may end before it is seen to take too much."""
    fleet = fleet_of(*map(faulty, FAULTS), server("handshake-only"))
    with stored(tmp_path) as store, engine_named("local", 2) as engine:
        found = ran(store, fleet, options(has_sandbox=True, **LIMITS), engine)
    require_nothing_left(mark)
    assert found.pop("handshake-only").report
    assert kinds(found)["eat"] == "over_memory"
    for name, one in found.items():
        is_over = one.reason is not None and one.reason.kind == FAULTS[name]
        assert is_over or (one.report and one.report.summary.outcome == "incomplete")

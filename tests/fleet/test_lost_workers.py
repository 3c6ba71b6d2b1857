"""Whoever dies in the middle of a job: every server ends with one run, or with one reason."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.fleet.entry import FleetEntry
from tests.engine.cluster import dask_cluster
from tests.fleet.runs import (
    CATALOGUE,
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

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists processes")


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    monkeypatch.setenv(MARK, str(tmp_path))
    return str(tmp_path)


@pytest.fixture(params=["local", "dask"])
def engine_name(request: pytest.FixtureRequest, mark: str, tmp_path: Path) -> Iterator[str]:
    assert mark
    if request.param == "local":
        yield "local"
        return
    with dask_cluster(tmp_path / "cluster") as place:
        yield f"dask://{place}"


def killing_once(mark: str) -> FleetEntry:
    """A server that kills the first worker that has its job."""
    return faulty("kill-once", f"{mark}/killed", CATALOGUE, "handshake-only")


def test_a_job_that_kills_its_worker_is_set_aside_and_the_others_are_done(
    engine_name: str, mark: str, tmp_path: Path
) -> None:
    fleet = fleet_of(faulty("kill", ""), server("handshake-only"), killing_once(mark))
    with stored(tmp_path) as store, engine_named(engine_name) as engine:
        found = ran(store, fleet, options(), engine)
        assert kinds(found) == {"kill": "worker_lost", "handshake-only": None, "kill-once": None}
        reason = found["kill"].reason
        assert reason is not None
        assert reason.text.endswith("2 times on the same task")
        assert recorded(store) == {"handshake-only": 1, "kill-once": 1}
        again = ran(store, fleet, options(), engine, resume=True)
        assert kinds(again) == kinds(found), "a server that kills workers is let be"
        assert recorded(store) == {"handshake-only": 1, "kill-once": 1}
    assert Path(mark, "killed").exists()


def test_no_process_of_a_lost_worker_survives(mark: str, tmp_path: Path) -> None:
    with stored(tmp_path) as store, engine_named("local") as engine:
        found = ran(store, fleet_of(faulty("kill", "")), options(), engine)
    assert kinds(found) == {"kill": "worker_lost"}
    require_nothing_left(mark)

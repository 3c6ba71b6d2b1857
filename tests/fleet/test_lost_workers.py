"""Whoever dies in the middle of a job: every server ends with one run, or with one reason."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_assay.fleet.entry import FleetEntry
from mcp_assay.fleet.outcome import ServerOutcome
from mcp_assay.fleet.progress import FleetSilence
from mcp_assay.fleet.record import FleetRecord
from mcp_assay.fleet.run import FleetRun
from tests.engine.cluster import HOST, dask_cluster, free_port, start_scheduler, start_worker
from tests.fleet.runs import (
    CATALOGUE,
    MARK,
    by_name,
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
from tests.patience import LONGEST

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


@pytest.mark.slow
def test_what_a_scheduler_forgot_when_it_was_restarted_is_done_again(
    mark: str, tmp_path: Path
) -> None:
    place = f"{HOST}:{free_port()}"
    parts = [start_scheduler(tmp_path, place), start_worker(tmp_path, place)]
    names = ("handshake-only", "no-arguments", "null-cursor")
    try:
        with stored(tmp_path) as store, engine_named(f"dask://{place}") as engine:
            run = FleetRun(fleet_of(*map(server, names)), options(), FleetRecord(store, "fleet"))

            class Restarting(FleetSilence):
                def end(self, outcome: ServerOutcome) -> None:
                    if len(parts) == 2:
                        for part in parts:
                            part.kill()
                            part.wait()
                        parts.append(start_scheduler(tmp_path, place))
                        parts.append(start_worker(tmp_path, place))

            run.listener = Restarting()
            run.run(engine)
            found = by_name(run.outcomes())
            assert kinds(found) == dict.fromkeys(names)
            assert recorded(store) == dict.fromkeys(names, 1)
    finally:
        for part in parts:
            part.terminate()
            part.wait(LONGEST)
    require_nothing_left(mark)


def test_no_process_of_a_lost_worker_survives(mark: str, tmp_path: Path) -> None:
    with stored(tmp_path) as store, engine_named("local") as engine:
        found = ran(store, fleet_of(faulty("kill", "")), options(), engine)
    assert kinds(found) == {"kill": "worker_lost"}
    require_nothing_left(mark)

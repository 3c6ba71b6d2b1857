"""The simulated cluster: what is given comes out, and each limit shows in the time it takes."""

from __future__ import annotations

import pytest

from bench.published.servers import servers
from bench.simulation.archive import Pace, TurnsOfTasks, indexes, simulated_archive
from bench.simulation.cluster import Faults, Load, Rates, Simulated, SimulatedCluster
from bench.simulation.fleet import TROUBLED as TROUBLED_FLEET
from bench.simulation.fleet import FleetDecisions, simulated_fleet
from bench.simulation.job_times import JobTime, job_times
from bench.simulation.section import Inputs, largest, tables
from mcp_assay.archive.plan import plan_of
from mcp_assay.fleet.schedule import FleetSchedule, Planned

AT_ONCE = Rates(1e9, 1e9)
SMOOTH = Faults()
TIMES = [JobTime("a", 2.0, 8.0), JobTime("b", 5.0, 15.0)]
PACE = Pace(500e6, 20e6)


def turns(*seconds: float, workers: int = 1, rates: Rates = AT_ONCE) -> Simulated:
    return SimulatedCluster(workers, rates, SMOOTH).run(TurnsOfTasks(map(Load, seconds)))


def test_workers_share_the_work() -> None:
    assert turns(3, 4, 5).seconds == pytest.approx(12)
    found = turns(*[10.0] * 12, workers=4)
    assert found.seconds == pytest.approx(30)
    assert (found.done, found.given_up, found.wasted) == (12, 0, 0)
    assert found.busy == pytest.approx(1)


def test_a_scheduler_and_a_store_bound_what_workers_bring() -> None:
    quick = [0.001] * 500
    assert turns(*quick, workers=100, rates=Rates(10, 1e9)).seconds == pytest.approx(50, rel=0.01)
    assert turns(*quick, workers=100, rates=Rates(1e9, 5)).seconds == pytest.approx(100, rel=0.01)


def test_a_store_that_is_away_delays_what_comes_meanwhile() -> None:
    faults = Faults(store_every=100, store_away=10, store_slow=20, store_factor=5)
    cluster = SimulatedCluster(1, Rates(1e9, 2), faults)
    assert [cluster._recorded(at) for at in (0, 69, 70, 89, 90, 95, 100)] == [
        pytest.approx(at) for at in (0.5, 69.5, 72.5, 91.5, 102.5, 102.5, 100.5)
    ]


def test_servers_of_one_host_are_assessed_two_at_a_time() -> None:
    schedule = FleetSchedule([Planned(Load(10.0), "host") for _ in range(20)])
    found = SimulatedCluster(50, AT_ONCE, SMOOTH).run(FleetDecisions(schedule))
    assert found.seconds == pytest.approx(100)


def test_a_server_whose_worker_was_lost_does_not_keep_its_host_from_others() -> None:
    jobs = [Planned(Load(1.0), host) for host in ("a", "a", None)]
    decisions = FleetDecisions(FleetSchedule(jobs, per_host=1))
    assert [decisions.take(9), decisions.take(9), decisions.take(9)] == [
        (0, Load(1.0)),
        (1, Load(1.0)),
        None,
    ]
    assert decisions.end(0, "lost")
    assert decisions.take(9) == (0, Load(1.0)), "at once, for its host is busy with it"
    assert not decisions.end(0, "done")
    assert decisions.take(9) == (2, Load(1.0))


def test_each_server_is_done_or_given_up_whatever_is_lost() -> None:
    faults = Faults(lost_per_hour=60, stragglers=0.1, passing=0.1, store_every=100)
    found = simulated_fleet(400, 20, TIMES, Rates(100, 50), faults)
    assert found.done + found.given_up == 400
    assert found.given_up > 0
    assert 0 < found.waste < 1
    assert found == simulated_fleet(400, 20, TIMES, Rates(100, 50), faults)
    assert found != simulated_fleet(400, 20, TIMES, Rates(100, 50), faults, seed=1)


def test_failures_cost_time_and_lose_nothing_that_is_tried_again() -> None:
    smooth = simulated_fleet(300, 10, TIMES, AT_ONCE, SMOOTH)
    troubled = simulated_fleet(300, 10, TIMES, AT_ONCE, TROUBLED_FLEET)
    assert smooth.seconds < troubled.seconds
    assert smooth.done == troubled.done + troubled.given_up == 300


def test_an_archive_is_cut_as_the_plan_says() -> None:
    size = 4_000_000_000
    plan = plan_of(list(indexes(size)))
    found = simulated_archive(size, 8, PACE, AT_ONCE, SMOOTH)
    assert found.done == sum(plan.shares(batch, 8) for batch in plan.batches) > 8
    alone = simulated_archive(size, 1, PACE, AT_ONCE, SMOOTH)
    assert alone.seconds > 5 * found.seconds
    narrow = Rates(1e9, 1e9, read=40e6)
    assert simulated_archive(size, 8, PACE, narrow, SMOOTH).seconds > 1.5 * size / 40e6


def test_the_times_that_are_replayed_were_measured_on_known_servers() -> None:
    times = job_times()
    assert len(times) >= 10
    assert {one.server for one in times} <= servers().keys()
    assert all(one.prepared > 0 and one.assessed > 0 for one in times)


def test_the_tables_name_the_rows_that_are_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.simulation.section.SERVERS", 200)
    monkeypatch.setattr("bench.simulation.section.SIZES", (2 * 10**9,))
    monkeypatch.setattr("bench.simulation.section.MOST", 40)
    inputs = Inputs(TIMES, Rates(50, 100), Rates(50, 100), PACE)
    fleet, archive = tables(inputs)
    assert list(fleet[1]["fleet"]) == ["10", "30", "100", "300", "1000"]
    assert "2 GB; hours and GB an hour where nothing fails" in archive[0]
    text, figures = largest(inputs)
    assert figures["largest"]["servers"]["workers"] == 40
    assert "in 8 hours" in text

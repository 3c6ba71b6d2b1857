"""Which server is assessed next, and which is tried again."""

from __future__ import annotations

from mcp_assay.fleet.schedule import FleetSchedule, Planned


def taken(schedule: FleetSchedule[str]) -> list[str]:
    """All jobs that may begin now."""
    found = []
    while (it := schedule.take()) is not None:
        found.append(it[1])
    return found


def test_jobs_keep_their_order() -> None:
    assert taken(FleetSchedule([Planned(name) for name in "abc"])) == ["a", "b", "c"]


def test_a_busy_host_lets_others_go_first() -> None:
    jobs = [Planned("a", "x"), Planned("b", "x"), Planned("c", "x"), Planned("d", "y")]
    schedule = FleetSchedule(jobs, per_host=2)
    assert taken(schedule) == ["a", "b", "d"]
    assert not schedule.end(0)
    assert taken(schedule) == ["c"]


def test_a_reason_that_may_pass_is_tried_again_behind_the_others() -> None:
    schedule = FleetSchedule([Planned("a"), Planned("b")], tries=2)
    place, _ = schedule.take() or (-1, "")
    assert schedule.end(place, is_passing=True)
    assert taken(schedule) == ["b", "a"]
    assert not schedule.end(place, is_passing=True), "two tries are all"
    assert not schedule.is_over, "b is under way"
    assert not schedule.end(1)
    assert schedule.is_over

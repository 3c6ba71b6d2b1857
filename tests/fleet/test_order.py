"""Which servers are to be done, in which order, and how long that may take."""

from __future__ import annotations

from typing import Any

from mcp_assay.fleet.entry import FleetEntry, Program
from mcp_assay.fleet.job import Reason
from mcp_assay.fleet.order import UNKNOWN_SECONDS, estimate, plan_of
from mcp_assay.fleet.record import reason_text
from mcp_assay.history.fleet_runs import FleetServerRow

DAYS = [f"2026-01-0{day}T00:00:00Z" for day in range(1, 8)]


def entry(name: str, digest: str = "same") -> FleetEntry:
    return FleetEntry(name=name, origin=Program(command=(name,)), digest=digest)


def row(name: str, day: int = 1, **more: Any) -> FleetServerRow:
    return FleetServerRow(**{"name": name, "digest": "same", "at": DAYS[day], "run_id": 7, **more})


def test_the_new_go_before_the_changed_and_those_before_the_oldest() -> None:
    entries = [entry("young"), entry("old"), entry("changed", "other"), entry("new")]
    assessed = {"young": row("young", 5), "old": row("old", 2), "changed": row("changed", 6)}
    plan = plan_of(entries, {}, assessed)
    assert [one.name for one in plan.to_do] == ["new", "changed", "old", "young"]
    assert not plan.done


def test_what_was_assessed_since_then_is_left_out_unless_it_has_changed() -> None:
    entries = [entry("young"), entry("old"), entry("changed", "other"), entry("new")]
    assessed = {"young": row("young", 5), "old": row("old", 2), "changed": row("changed", 6)}
    plan = plan_of(entries, {}, assessed, since=DAYS[5])
    assert [one.name for one in plan.to_do] == ["new", "changed", "old"]
    assert plan.done == {"young": assessed["young"]}


def test_what_is_settled_is_not_done_again() -> None:
    passing = Reason(kind="not_prepared", text="the registry was away", is_passing=True)
    for_good = Reason(kind="needs_build", text="it has no wheel")
    known = {
        "done": row("done"),
        "changed": row("changed"),
        "away": row("away", run_id=None, reason=reason_text(passing)),
        "sources": row("sources", run_id=None, reason=reason_text(for_good)),
    }
    entries = [entry("done"), entry("changed", "other"), entry("away"), entry("sources")]
    plan = plan_of(entries, known, {})
    assert {one.name for one in plan.to_do} == {"changed", "away"}
    assert set(plan.done) == {"done", "sources"}


def test_the_unknown_are_taken_to_be_like_the_others() -> None:
    entries = [entry("a"), entry("b"), entry("c"), entry("new")]
    seconds = {"a": (1.0, 9.0), "b": (0.0, 20.0), "c": (0.0, 60.0)}
    assessed = {
        name: row(name, prepared_seconds=first, assessed_seconds=second)
        for name, (first, second) in seconds.items()
    }
    found = estimate(entries, assessed, workers=2)
    assert (found.servers, found.unknown, found.worker_seconds) == (4, 1, 110)
    assert found.seconds == 60, "no run is shorter than its longest server"
    assert estimate(entries, assessed, workers=1).seconds == 110
    assert estimate(entries[3:], {}, workers=2).seconds == UNKNOWN_SECONDS
    assert estimate([], {}, workers=2).seconds == 0

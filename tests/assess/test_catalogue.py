"""Every server of the catalogue, assessed: what is planted in it is told, and nothing else."""

from __future__ import annotations

from tests.assess.open_truths import OPEN
from tests.assess.running import assessed, shortcomings
from tests.servers.catalogue import catalogue, named
from tests.servers.processes import UNREACHED


def test_what_is_planted_is_told_and_correct_servers_are_not_blamed() -> None:
    told = assessed(catalogue())
    missed = [one.planted for one in told if shortcomings(one) and one.planted.name not in OPEN]
    again = assessed(missed, at_once=1)  # on a busy machine a call may have come too late
    assert {one.planted.name: shortcomings(one) for one in again if shortcomings(one)} == {}
    told_now = {one.planted.name for one in told if not shortcomings(one)}
    assert OPEN & told_now == frozenset(), "these are no longer open"
    assert sum(one.planted.correct for one in told) >= 10
    unmet = [one.planted.name for one in told if one.report.revision is None]
    assert not [name for name in unmet if named(name).exit_code != UNREACHED]


def test_every_open_truth_is_one_of_the_catalogue() -> None:
    assert {planted.name for planted in catalogue()} >= OPEN

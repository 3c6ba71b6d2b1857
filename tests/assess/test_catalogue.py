"""Every server of the catalogue, assessed: what is planted in it is told, and nothing else."""

from __future__ import annotations

from tests.assess.running import assessed, shortcomings
from tests.servers.catalogue import catalogue, named
from tests.servers.processes import UNREACHED


def test_what_is_planted_is_told_and_correct_servers_are_not_blamed() -> None:
    told = assessed(catalogue())
    missed = [one.planted for one in told if shortcomings(one)]
    again = assessed(missed, at_once=1)  # on a busy machine a call may have come too late
    assert {one.planted.name: shortcomings(one) for one in again if shortcomings(one)} == {}
    assert sum(one.planted.correct for one in told) >= 10
    unmet = [one.planted.name for one in told if one.report.revision is None]
    assert not [name for name in unmet if named(name).exit_code != UNREACHED]

"""Every server of the catalogue, assessed: what is planted in it is reported, and nothing else."""

from __future__ import annotations

from tests.assess.running import assessed_fairly, shortcomings
from tests.assess.test_limits import CUT
from tests.servers.catalogue import catalogue, named
from tests.servers.processes import UNREACHED


def test_what_is_planted_is_reported_and_correct_servers_are_not_blamed() -> None:
    assert {named(name).name for name in CUT} == {*CUT}, "these are held to the same in test_limits"
    reported = assessed_fairly(one for one in catalogue() if one.name not in CUT)
    assert {one.planted.name: shortcomings(one) for one in reported if shortcomings(one)} == {}
    assert sum(one.planted.correct for one in reported) >= 10
    unmet = [one.planted.name for one in reported if one.report.revision is None]
    assert not [name for name in unmet if named(name).exit_code != UNREACHED]

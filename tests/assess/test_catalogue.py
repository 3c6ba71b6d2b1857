"""Every server of the catalogue, assessed: what is planted in it is reported, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from tests.assess.running import assessed_fairly, shortcomings
from tests.assess.test_limits import CUT
from tests.servers.catalogue import catalogue, named
from tests.servers.planting import Planted
from tests.servers.processes import UNREACHED

SAMPLED = 64
"""Of so many servers, `make test` assesses one."""
LEAST_CORRECT = 10


def hold_to_their_truths(servers: Iterable[Planted]) -> None:
    reported = assessed_fairly(servers)
    assert reported
    assert {one.planted.name: shortcomings(one) for one in reported if shortcomings(one)} == {}
    unmet = [one.planted.name for one in reported if one.report.revision is None]
    assert not [name for name in unmet if named(name).exit_code != UNREACHED]


def others() -> list[Planted]:
    """The servers that reach no limit."""
    return [one for one in catalogue() if one.name not in CUT]


def test_a_sample_of_the_catalogue() -> None:
    hold_to_their_truths(others()[::SAMPLED])


def test_the_whole_catalogue() -> None:
    assert {named(name).name for name in CUT} == {*CUT}, "these are held to the same in test_limits"
    assert sum(one.correct for one in others()) >= LEAST_CORRECT
    hold_to_their_truths(others())

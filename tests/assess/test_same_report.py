"""The same seed gives the same report, byte for byte apart from its timing."""

from __future__ import annotations

import re

from tests.assess.weighed import run, weigh_all
from tests.servers.catalogue import catalogue

TIMING = re.compile(r'  "timing": \{[^}]*\}\n')

ENOUGH = 8


def untimed(report: str) -> str:
    """A report without when it was made, and how long that took."""
    without, found = TIMING.subn("", report)
    assert found == 1
    return without


def test_two_assessments_of_a_correct_server_are_byte_identical() -> None:
    correct = [one for one in catalogue() if one.correct and not one.over_http]
    chosen = correct[:: len(correct) // ENOUGH][:ENOUGH]
    assert len(chosen) == ENOUGH
    first, second = weigh_all(chosen), weigh_all(chosen)
    differing = [
        one.name
        for one, other in zip(first, second, strict=True)
        if (one.code, untimed(one.out)) != (other.code, untimed(other.out))
    ]
    assert differing == []


def test_two_demos_are_byte_identical() -> None:
    first, second = (run("demo", "demo", "--format", "json") for _ in range(2))
    assert untimed(first.out) == untimed(second.out)
    assert '"findings": [\n' in first.out

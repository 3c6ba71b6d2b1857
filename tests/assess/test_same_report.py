"""The same seed gives the same report, byte for byte apart from its timing."""

from __future__ import annotations

from tests.assess.in_a_row import reports_of
from tests.assess.weighed import run
from tests.servers.catalogue import catalogue

TIMING = '\n  "timing": {\n'
"""How the last member of a report begins."""

ENOUGH = 8


def untimed(report: str) -> str:
    """A report without when it was made, and how long that took."""
    without, timing, _ = report.partition(TIMING)
    assert timing
    return without


def test_two_assessments_of_a_correct_server_are_byte_identical() -> None:
    correct = [one for one in catalogue() if one.correct and not one.over_http]
    chosen = correct[:: len(correct) // ENOUGH][:ENOUGH]
    assert len(chosen) == ENOUGH
    first, second = reports_of([tuple(one.name for one in chosen)] * 2)
    assert first.keys() == second.keys() == {one.name for one in chosen}
    differing = [name for name in first if _reported(first[name]) != _reported(second[name])]
    assert differing == []


def _reported(report: tuple[str, str]) -> tuple[str, str]:
    out, code = report
    return untimed(out), code


def test_two_demos_are_byte_identical() -> None:
    first, second = (run("demo", "demo", "--format", "json") for _ in range(2))
    assert untimed(first.out) == untimed(second.out)
    assert '"findings": [\n' in first.out

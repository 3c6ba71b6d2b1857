"""A sample of the sessions: the same ones in every run, and the report says that it is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_assay.validate.selection import SessionSample
from tests.archive.gateways import rotated
from tests.archive.judged import BackwardsEngine, in_batches


def test_a_sample_is_stated_and_does_not_depend_on_who_works(
    tmp_path: Path, cut_into: Callable[[int], None]
) -> None:
    files = rotated(tmp_path, files=8, sessions=200, calls=3)
    sample = SessionSample(25)
    found = in_batches(files, sample=sample)
    judged = found["summary"]["sessions"]
    assert 30 < judged < 70
    assert found["options"]["sample"] == "25%"
    assert found["limits"] == [
        {
            "name": "sample",
            "value": judged,
            "count": 200 - judged,
            "effect": "a sample of 25% of the sessions was judged, chosen by their keys and seed "
            "0; nothing is known about the others",
        }
    ]
    cut_into(1)
    assert in_batches(files, sample=sample, engine=BackwardsEngine(3)) == found
    assert in_batches(files[:1], sample=sample)["options"]["sample"] == "25%"


def test_the_sessions_of_a_sample_are_whole_and_another_seed_chooses_others(tmp_path: Path) -> None:
    files = rotated(tmp_path, files=4, sessions=40, calls=3)
    chosen = []
    for seed in (0, 1):
        found = in_batches(files, sample=SessionSample(30, seed))
        assert {one["messages"] for one in found["sessions"]} == {9}
        assert found["findings"] == []
        chosen.append({one["key"] for one in found["sessions"]})
    assert chosen[0] != chosen[1]


@pytest.mark.parametrize("percent", [0.5, 10, 100])
def test_a_sample_has_about_as_many_sessions_as_it_says(percent: float) -> None:
    sample = SessionSample(percent, 7)
    chosen = sum(sample.has(("session", f"s{number}")) for number in range(10_000))
    assert abs(chosen - 100 * percent) < 100

"""The tables of tests/kinds.py name what exists: a renamed test would leave its table unseen."""

from __future__ import annotations

import pytest

from tests.kinds import LIVE, ONE_IN, SLOW, TOGETHER, stays_together
from tools.consoles import ROOT

TESTS = ROOT / "tests"
MODULE_FIXTURE = '\n@pytest.fixture(scope="module")'


@pytest.mark.parametrize("place", [*LIVE, *SLOW, *ONE_IN, *sorted(TOGETHER)])
def test_a_place_exists(place: str) -> None:
    path, _, function = place.partition("::")
    found = TESTS / path
    assert found.exists()
    assert not function or f"def {function}(" in found.read_text("utf-8")


def test_files_that_share_a_fixture_stay_together() -> None:
    sharing = [
        path.relative_to(TESTS).as_posix()
        for path in TESTS.rglob("test_*.py")
        if MODULE_FIXTURE in path.read_text("utf-8")
    ]
    assert len(sharing) > 10
    assert [path for path in sharing if not stays_together(path)] == []

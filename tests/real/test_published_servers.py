"""Published servers in a disposable world, against what readers say about their tools.

`python -m bench --published` does the same with all of them.
"""

from __future__ import annotations

import pytest

from bench.published.runs import PublishedOptions, ServerRun, run_server
from bench.published.score import PROVEN, changed_something, is_false_green, is_wrong_red
from tests.worlds import why_no_world

SERVERS = ("kazuph-mcp-taskmanager", "mcp-math", "hn-mcp", "open-meteo-mcp-server")
"""Tools that depend on each other, that compute, some without and all without their network."""
LEAST_PROVEN = 0.8


@pytest.fixture(scope="module", params=SERVERS)
def run(request: pytest.FixtureRequest) -> ServerRun:
    if why := why_no_world():
        pytest.skip(why)
    return run_server(request.param, PublishedOptions())


def test_nothing_is_said_of_a_tool_that_its_readers_deny(run: ServerRun) -> None:
    rows = run.rows()
    assert rows
    assert [row for row in rows if is_false_green(row) or is_wrong_red(row)] == []
    assert [row.tool for row in rows if not row.is_called] == []
    works = [row.status in PROVEN for row in rows if row.label.label == "works"]
    assert sum(works) >= LEAST_PROVEN * len(works)


def test_what_is_likely_to_read_changes_nothing(run: ServerRun) -> None:
    assert run.likely is not None
    assert [row for row in run.rows() if changed_something(row)] == []

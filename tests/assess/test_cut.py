"""A run that is cut keeps what it found before."""

from __future__ import annotations

import asyncio
import os
import sys

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.client.target import Command, allowed
from tests.assess.running import SERVERS
from tests.patience import LONGEST

TIMES = (5.0, 20.0, 80.0)
"""Seconds until a run is cut; on a busy machine the first ones end before the first call."""


def cut_after(seconds: float) -> Assessment:
    """An assessment of a server that never answers one of the calls."""
    command = (sys.executable, str(SERVERS), "one-input-never-returns")
    target = Command(command=command, environment=allowed(os.environ, {}))
    run = Assessment(target, AssessOptions(timeout=LONGEST, max_time=seconds))
    asyncio.run(run.run())
    return run


def test_calls_that_were_made_before_time_ran_out_are_in_the_report() -> None:
    run = next((one for one in map(cut_after, TIMES) if one.report().calls), None)
    assert run is not None
    assert run.state.ending.cut_after == run.options.max_time
    assert run.state.is_incomplete
    report = run.report()
    assert report.summary.outcome == "incomplete"
    assert [limit.name for limit in report.limits] == ["max-time"]

"""A run that is cut keeps what it found before."""

from __future__ import annotations

import asyncio
import os
import sys

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.drive.target import Command
from mcp_assay.transport.environment import allowed
from tests.assess.running import SERVERS


def test_calls_that_were_made_before_time_ran_out_are_in_the_report() -> None:
    command = (sys.executable, str(SERVERS), "one-input-never-returns")
    target = Command(command=command, environment=allowed(os.environ, {}))
    run = Assessment(target, AssessOptions(timeout=300.0, max_time=5.0))
    asyncio.run(run.run())
    report = run.report()
    assert run.dossier.is_cut
    assert run.dossier.is_incomplete
    assert report.summary.outcome == "incomplete"
    assert report.calls
    assert [limit.name for limit in report.limits] == ["max-time"]

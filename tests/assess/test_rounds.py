"""Tools share the time: each gets its first calls before any gets the rest of its own."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.assess.known_outcomes import MOST_FURTHER
from mcp_assay.assess.tool_calls import MOST_SHRINKS
from mcp_assay.assess.tool_runner import PROVEN_CALLS
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.report import Report
from tests.assess.running import SERVERS

PATIENT = AssessOptions(timeout=30.0, max_time=900.0, calls="all", select=("RESP", "SCEN"))
CONFIRMED = 1
"""Calls by which a breakdown is seen again in a fresh process."""


def assessed(name: str, options: AssessOptions = PATIENT) -> tuple[Report, int]:
    """The report on a server of the catalogue, and how many calls were really made."""
    command = (sys.executable, str(SERVERS), name)
    run = Assessment(Command(command=command, environment=allowed(os.environ, {})), options)
    asyncio.run(run.run())
    assert run.state.connection is not None
    timeline = run.state.connection.observations.timeline
    sent = [one for one in timeline.messages() if one.what.startswith("tools/call")]
    return run.report(), len(sent)


@pytest.fixture(scope="module")
def six() -> Report:
    return assessed("six-readers")[0]


def test_every_tool_has_its_first_calls_before_any_has_its_last(six: Report) -> None:
    order = sorted((call.number, call.tool) for call in six.calls)
    names = [name for _, name in order]
    firsts = [
        [at for at, it in enumerate(names) if it == name][PROVEN_CALLS - 1]
        for name in set(names)
        if names.count(name) >= PROVEN_CALLS
    ]
    sixth = min(
        [at for at, it in enumerate(names) if it == name][PROVEN_CALLS]
        for name in set(names)
        if names.count(name) > PROVEN_CALLS
    )
    assert len(firsts) == 6
    assert max(firsts) < sixth


def test_what_another_tool_changed_between_the_rounds_is_no_chance(six: Report) -> None:
    assert {tool.status for tool in six.tools} == {"fully_working"}
    assert "RESP-008" not in {finding.rule for finding in six.findings}


def test_two_runs_tell_the_same(six: Report) -> None:
    again, _ = assessed("six-readers")
    assert [(one.tool, one.number) for one in again.calls] == [
        (one.tool, one.number) for one in six.calls
    ]
    assert [tool.called for tool in again.tools] == [tool.called for tool in six.tools]


def test_a_tool_that_crashes_slowly_is_called_few_times() -> None:
    report, sent = assessed("five-tools-of-the-sdk")
    called = {tool.name: tool.called for tool in report.tools}
    crashed = ("average_rating", "get_loan")
    assert max(called[name] for name in crashed) <= MOST_FURTHER + 2
    spared = [tool.coverage.not_reached for tool in report.tools if tool.name in crashed]
    assert all("further calls were skipped" in " ".join(gaps) for gaps in spared)
    assert {called[name] for name in called if name not in crashed} >= {51}
    most = len(report.calls) + len(crashed) * (CONFIRMED + MOST_SHRINKS // 2)
    assert sent <= most


def test_fifty_tools_without_their_service_are_called_few_times_each() -> None:
    report, sent = assessed("unreachable-fifty-tools")
    assert {tool.status for tool in report.tools} == {"connectivity_only"}
    assert max(tool.called for tool in report.tools) <= MOST_FURTHER + 2
    assert sent <= 50 * 9

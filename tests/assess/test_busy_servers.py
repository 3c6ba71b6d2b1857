"""A server that is still busy is not judged: nobody is blamed for a queue, or for a wait."""

from __future__ import annotations

import pytest

from mcp_assay.model.report import Report
from tests.assess.running import assessed_fairly, shortcomings
from tests.servers.catalogue import named

QUEUES = ("queue-behind-a-call", "http-queue")
WAITS = ("waits-as-long-as-asked", "waits-by-design")


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """What an assessment says of these servers, each of which is held to its truth."""
    reported = assessed_fairly(map(named, (*QUEUES, *WAITS)), at_once=2)
    assert {one.planted.name: shortcomings(one) for one in reported if shortcomings(one)} == {}
    return {one.planted.name: one.report for one in reported}


@pytest.mark.parametrize("name", QUEUES)
def test_only_the_call_that_is_never_answered_is_blamed(
    reports: dict[str, Report], name: str
) -> None:
    blamed = [one.where.tool for one in reports[name].findings if one.rule.startswith("RESP-")]
    assert set(blamed) == {"find_archive"}
    waiting = [one for one in reports[name].calls if one.tool == "find_book"]
    assert waiting
    assert {one.trouble for one in waiting} <= {None, "accepted"}


def test_over_http_what_waits_is_undecided_with_the_reason(reports: dict[str, Report]) -> None:
    tools = {tool.name: tool for tool in reports["http-queue"].tools}
    assert tools["find_book"].obstacle == "server_busy"
    gaps = tools["find_book"].coverage.not_reached
    assert any("still busy with a call of another tool" in gap for gap in gaps)
    assert tools["find_book"].called <= 4


def test_a_tool_that_may_wait_waits_as_short_as_it_can(reports: dict[str, Report]) -> None:
    report = reports["waits-as-long-as-asked"]
    given = [float(one.arguments["seconds"]) for one in report.calls if one.valid]
    assert len(given) >= 5
    assert max(given) <= 1


def test_a_tool_that_waits_too_long_is_unproven_with_the_reason(
    reports: dict[str, Report],
) -> None:
    tool = next(it for it in reports["waits-by-design"].tools if it.name == "wait_for_delivery")
    assert (tool.status, tool.obstacle) == ("unproven", "waits")

"""Every limit that cut something is in the report, and what could not be read is never a pass."""

from __future__ import annotations

import pytest

from mcp_assay.report.as_text import full_text
from mcp_assay.text.lines import as_plain_text
from tests.assess.running import Reported, assessed, assessed_fairly, shortcomings
from tests.servers.catalogue import named

CUT = {
    "pages-without-end": "list-pages",
    "cursor-loops": "list-loops",
    "ten-thousand-tools": "undecoded-pages",
    "many-small-objects": "undecoded-messages",
    "line-above-16-mib": "undecoded-messages",
    "just-decoded-objects": "kept-answers",
    "endless-questions": "server-requests",
    "floods-stderr": "stderr-bytes",
    "dies-at-every-call": "server-starts",
}
"""The limit that each server makes us reach. The test of the whole catalogue leaves them to us."""


@pytest.fixture(scope="module")
def reported() -> dict[str, Reported]:
    """What an assessment says of each of these servers."""
    return {one.planted.name: one for one in assessed_fairly(map(named, CUT), at_once=3)}


def test_what_is_planted_is_reported(reported: dict[str, Reported]) -> None:
    assert {name: shortcomings(one) for name, one in reported.items()} == {name: [] for name in CUT}
    assert None not in {one.report.revision for one in reported.values()}


@pytest.mark.parametrize(("name", "limit"), CUT.items())
def test_a_limit_that_cut_something_is_reported(
    reported: dict[str, Reported], name: str, limit: str
) -> None:
    report = reported[name].report
    (found,) = [one for one in report.limits if one.name == limit]
    assert found.count >= 1
    assert found.value >= 1
    assert found.effect
    assert found.effect in " ".join(as_plain_text(full_text(report)).split())


def test_a_list_of_tools_that_could_not_be_read_is_no_pass(reported: dict[str, Reported]) -> None:
    report = reported["ten-thousand-tools"].report
    assert (report.summary.tools_listed, report.summary.outcome) == (0, "incomplete")


@pytest.mark.parametrize("name", ["many-small-objects", "line-above-16-mib"])
def test_a_tool_is_not_blamed_for_answers_that_were_not_decoded(
    reported: dict[str, Reported], name: str
) -> None:
    report = reported[name].report
    assert "undecided" in {call.outcome for call in report.calls if call.valid}
    assert "no_content" not in {call.trouble for call in report.calls}
    gaps = report.tools[0].coverage.not_reached
    assert "Results that were too long to decode are not decided." in gaps


def test_tools_that_were_not_called_after_the_last_start_are_not_blamed(
    reported: dict[str, Reported],
) -> None:
    tools = reported["dies-at-every-call"].report.tools
    left = [tool for tool in tools if tool.status == "not_called"]
    assert 1 <= len(left) < len(tools)
    assert {tool.reason for tool in left} == {"the server was gone before it was called"}


def test_a_death_is_reported_with_its_exit_code(reported: dict[str, Reported]) -> None:
    findings = reported["dies-at-every-call"].report.findings
    deaths = [one.message for one in findings if one.rule == "RESP-010"]
    assert deaths
    assert all("crashed with exit code 5" in message for message in deaths)


def test_noise_on_standard_output_is_reported_with_its_text_and_line() -> None:
    (banner,) = assessed([named("banner-on-stdout")])
    (noise,) = [one for one in banner.report.findings if one.rule == "STDIO-001"]
    assert "Small library server v1.0 is ready" in noise.message
    assert noise.where.line == 2

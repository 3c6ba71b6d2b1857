"""The way from the command line to the verdict on a call is short, and leads downhill."""

from __future__ import annotations

import pytest

from tools.walk import ASSESS_DEMO, VERDICTS, Step, Walk, as_text, walks

MOST_FRAMES = 20
MOST_CHANGES = 4
FEW_CALLS = (*ASSESS_DEMO[:1], "--max-calls", "6", *ASSESS_DEMO[1:])


@pytest.fixture(scope="module")
def walked() -> set[Walk]:
    return walks(FEW_CALLS)


def test_every_kind_of_verdict_was_seen(walked: set[Walk]) -> None:
    ends = {f"{walk.steps[-1].module}.{walk.steps[-1].function}" for walk in walked}
    assert ends == VERDICTS
    assert {walk.steps[0] for walk in walked} == {Step("mcp_assay.cli.main", "main")}


def test_the_way_to_a_verdict_is_short(walked: set[Walk]) -> None:
    longest = max(walked, key=lambda walk: len(walk.steps))
    assert len(longest.steps) <= MOST_FRAMES, as_text(longest)


def test_the_way_to_a_verdict_leads_through_few_folders_and_downhill(walked: set[Walk]) -> None:
    for walk in walked:
        assert len(walk.changes) <= MOST_CHANGES, as_text(walk)
        assert walk.uphill == [], as_text(walk)


def test_a_step_uphill_is_noticed() -> None:
    modules = ("cli.main", "cli.assess", "assess.tool_runner", "client.connection", "assess.state")
    walk = Walk(tuple(Step(f"mcp_assay.{name}", "f") for name in modules))
    assert walk.changes == [("cli", "assess"), ("assess", "client"), ("client", "assess")]
    assert walk.uphill == [("client", "assess")]
    assert as_text(walk).splitlines()[-3:] == [
        "frames 5",
        "folder changes 3 (cli > assess, assess > client, client > assess)",
        "uphill 1",
    ]

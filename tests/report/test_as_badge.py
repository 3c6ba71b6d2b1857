"""A badge tells the score or the verdict, as a picture or for shields.io."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from mcp_assay.cli.reports import save
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import Report
from mcp_assay.report.as_badge import to_badge, to_shield
from tests.report.reports import report


def run(outcome: RunOutcome, score: int | None) -> Report:
    made = report("x")
    return replace(made, summary=replace(made.summary, outcome=outcome, score=score))


@pytest.mark.parametrize(
    ("outcome", "score", "message", "color"),
    [
        ("pass", 100, "100/100", "brightgreen"),
        ("pass", 80, "80/100", "green"),
        ("pass", 60, "60/100", "yellow"),
        ("pass", 0, "0/100", "orange"),
        ("pass", None, "passed", "green"),
        ("fail", 80, "failed · 80/100", "red"),
        ("incomplete", None, "incomplete", "lightgrey"),
    ],
)
def test_it_says_how_good_the_server_is(
    outcome: RunOutcome, score: int | None, message: str, color: str
) -> None:
    shield = json.loads(to_shield(run(outcome, score)))
    assert shield == {
        "schemaVersion": 1,
        "label": "mcp-assay",
        "message": message,
        "color": color,
    }
    picture = ET.fromstring(to_badge(run(outcome, score)))
    assert picture.get("aria-label") == f"mcp-assay: {message}"


def test_the_name_of_the_file_says_which(tmp_path: Path) -> None:
    for name, start in (("badge.svg", "<svg"), ("badge.json", "{")):
        save(run("pass", 90), "badge", str(tmp_path / name))
        assert (tmp_path / name).read_text("utf-8").startswith(start)

"""Events say, line by line, what the report says in the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator
from msgspec.structs import replace

import mcp_assay.report
from mcp_assay.model.baseline import BaselineEntry, Overdue
from mcp_assay.model.report import BaselineOutcome, Report, ToolVersion
from mcp_assay.model.tool import CallRow
from mcp_assay.report.as_json import to_json
from mcp_assay.report.as_jsonl import ACCEPTED, LEFT_OUT, EventLines, to_jsonl
from mcp_assay.validate.event_files import EventFiles
from tests.report.reports import NASTY, finding, report

SCHEMA = Path(next(iter(mcp_assay.report.__path__))) / "events.schema.json"
TOOL = ToolVersion(name="mcp-assay", version="0.1.0")


def read(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def reported(findings: list[int], of: Report) -> list[dict[str, Any]]:
    """The events of a run in which the findings of these numbers were reported while it went on."""
    lines: list[str] = []
    events = EventLines(TOOL, lines.append)
    for number in findings:
        events.find(finding("x", number=number))
    events.conclude(of)
    return read("".join(lines))


def left(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The findings that were reported and not withdrawn."""
    gone = {event["number"] for event in events if event["event"] == "withdrawn"}
    return [it["finding"] for it in events if it["event"] == "finding" and it["number"] not in gone]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_every_event_is_one_line_in_the_schema_that_ships(text: str) -> None:
    schema = Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    overdue = [Overdue(entry=BaselineEntry(fingerprint="0" * 16, rule="RESP-004"), why="stale")]
    called = CallRow(number=1, tool=text, scenario=text, arguments={}, outcome="passed")
    whole = replace(report(text), calls=[called], baseline=BaselineOutcome(overdue=overdue))
    events = read(to_jsonl(whole))
    assert [error for event in events for error in schema.iter_errors(event)] == []
    kinds = list(dict.fromkeys(event["event"] for event in events))
    assert kinds == [
        *("begin", "connected", "call", "finding", "tool", "limit", "overdue", "check", "summary"),
    ]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_findings_are_those_of_the_json_report(text: str) -> None:
    assert left(read(to_jsonl(report(text)))) == json.loads(to_json(report(text)))["findings"]


@pytest.mark.parametrize("early", [[], [1], [1, 2], [1, 1, 2], [1, 2, 7]])
def test_what_was_reported_early_and_what_comes_late_are_together_the_report(
    early: list[int],
) -> None:
    kept = report("x", [finding("x", number=number) for number in (1, 1, 2, 3)])
    events = reported(early, kept)
    expected = json.loads(to_json(kept))["findings"]
    assert sorted(map(str, left(events))) == sorted(map(str, expected))
    assert events[-1]["event"] == "summary"


def test_a_finding_that_is_not_in_the_report_is_withdrawn_with_the_reason() -> None:
    accepted = BaselineOutcome(accepted=[finding("x", number=2)])
    events = reported([1, 2, 3], replace(report("x", [finding("x", number=1)]), baseline=accepted))
    gone = [(it["number"], it["reason"]) for it in events if it["event"] == "withdrawn"]
    assert gone == [(2, ACCEPTED), (3, LEFT_OUT)]


def test_each_event_is_in_the_file_before_the_next_one_happens(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with EventFiles([str(path)]) as events:
        events.find(finding("a fault", number=1))
        assert [event["event"] for event in read(path.read_text("utf-8"))] == ["begin", "finding"]


def test_a_file_that_cannot_be_written_ends_nothing_and_is_reported(tmp_path: Path) -> None:
    lines: list[str] = []
    good, bad = tmp_path / "events.jsonl", tmp_path / "missing" / "events.jsonl"
    full = Path("/dev/full")
    paths = [str(path) for path in (bad, good, full) if path != full or full.exists()]
    with EventFiles(paths, lines.append) as events:
        events.conclude(report("x"))
    assert list(events.faults) == [path for path in paths if path != str(good)]
    assert good.read_text("utf-8") == "".join(lines)

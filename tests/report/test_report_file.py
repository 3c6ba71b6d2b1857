"""A text that is no report of ours is refused in a sentence, whatever it holds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_assay.model.report import Report
from mcp_assay.report.as_json import to_json
from mcp_assay.report.report_file import MOST_DEPTH, WrongReport, read_report
from tests.drift.small_reports import finding, made

HEAD = b'{"schema": "mcp-assay/report/1", "x": '


def nested(depth: int) -> bytes:
    return HEAD + b"[" * depth + b"]" * depth + b"}"


def changed(**members: Any) -> bytes:
    return json.dumps({**json.loads(to_json(made())), **members}).encode()


def test_what_is_written_is_read_back() -> None:
    report = made(finding())
    again: Report = read_report(to_json(report).encode())
    assert again == report


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is not an mcp-assay JSON report (Input data was truncated)"),
        (b"[]", "is not an mcp-assay JSON report (Expected `object`, got `array`)"),
        (b"\xff{}", "is not an mcp-assay JSON report (JSON is malformed"),
        (b"{}", "it has no schema, not 'mcp-assay/report/1'"),
        (b'{"schema": {"a": "\\u001b[31m"}}', "\\\\x1b[31m"),
        (b'{"schema": "mcp-assay/baseline/1"}', "it has the schema 'mcp-assay/baseline/1'"),
        (b'{"schema": "mcp-assay/report/2"}', "has the format mcp-assay/report/2; this version"),
        (HEAD + b"1}", "missing required field"),
        (nested(MOST_DEPTH), f"nested deeper than {MOST_DEPTH} levels"),
        (nested(100_000), f"nested deeper than {MOST_DEPTH} levels"),
        (HEAD + b'"' + b'\\"[' * 100_000, "Input data was truncated"),
        (changed(tools=[{"name": "find"}]), "status"),
        (changed(tools=[{"name": "find", "status": "great"}]), "great"),
        (changed(surface={"tools": 1}), "tools"),
        (changed(surface={"definitions": {"tools": {}}}), "definitions.tools"),
        (changed(findings=[{"rule": 1}]), "findings[0]"),
    ],
)
def test_what_is_no_report_is_refused_in_a_sentence(text: bytes, words: str) -> None:
    with pytest.raises(WrongReport) as refusal:
        read_report(text)
    assert words in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_brackets_in_texts_are_not_counted() -> None:
    assert read_report(changed(consent={"[": '\\"' + "[{" * 1000})).consent


def test_rows_of_earlier_and_later_versions_are_read() -> None:
    few = {"name": "find", "status": "broken"}
    call = {"number": 1, "tool": "find", "scenario": "x", "arguments": {}, "outcome": "passed"}
    later = {**call, "ending": "reset", "trouble": "evicted", "mood": []}
    text = changed(tools=[few, {**few, "hints": {"readOnlyHint": "open"}}], calls=[call, later])
    report = read_report(text)
    assert [row.called for row in report.tools] == [0, 0]
    assert report.tools[1].hints == {"readOnlyHint": "open"}
    assert [row.ending for row in report.calls] == ["answered", "reset"]

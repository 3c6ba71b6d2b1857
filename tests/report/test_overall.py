"""The report on several servers: what they share is reported once, whatever their names say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema_rs import Draft202012Validator
from msgspec.structs import replace

import mcp_assay.report
from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import Report, Summary, Timing, ToolVersion
from mcp_assay.model.reports import Reports, SkippedServer
from mcp_assay.report.as_markdown import LARGEST
from mcp_assay.report.overall import overall, shared_causes, with_files
from mcp_assay.report.overall_formats import WRITERS
from mcp_assay.report.overall_text import named, overall_lines, overall_text
from mcp_assay.text.lines import as_plain_text
from tests.report.reports import NASTY, finding, report

SCREEN = """\
INCOMPLETE  3 servers: 1 passed, 1 failed, 1 incomplete
      2 errors, 2 warnings · 3 of 3 tools called, 0 succeeded
      mcp.json

  server  verdict     tools  called  ok  errors  warnings
  books   PASS            1       1   0       0         1
  films   FAIL            1       1   0       2         1
  gone    INCOMPLETE      -       -   -       0         0
    Could not reach the server: it died.

Skipped: old (disabled in the configuration)

error     RESP-004 a-name                  2  films
warning   JSONRPC-005 a-name (FastMCP)     2  books, films

Next: mcp-assay assess --config mcp.json --server films
"""


def server(outcome: RunOutcome, *findings: Finding, **changes: Any) -> Report:
    """A report with this verdict."""
    one = report("text", list(findings))
    summary: Summary = replace(one.summary, outcome=outcome, reason=changes.pop("reason", None))
    return replace(one, summary=summary, **changes)


def built_with(framework: str | None, severity: Severity = "warning") -> Finding:
    return replace(finding("text", severity), details={"framework": framework})


def on_all(**reports: Report) -> Reports:
    return overall(
        "mcp.json",
        reports,
        tool=ToolVersion(name="mcp-assay", version="1"),
        command="assess",
        options={"jobs": 2},
        skipped=[SkippedServer(name="old", reason="disabled in the configuration")],
        timing=Timing(started="2026-01-01T00:00:00Z", seconds=1.0),
    )


def three() -> Reports:
    crash = finding("text", "error", tool="find")
    return on_all(
        books=server("pass", built_with("FastMCP")),
        films=server("fail", built_with("FastMCP"), crash, crash),
        gone=server("incomplete", revision=None, reason="Could not reach the server: it died."),
    )


def test_the_screen_has_a_row_per_server_and_a_line_per_cause() -> None:
    assert as_plain_text(overall_text(three())) == SCREEN


def test_verbose_adds_the_report_on_each_server() -> None:
    text = as_plain_text(overall_text(three(), verbose=True))
    assert [line for line in text.splitlines() if line.startswith("== ")] == [
        "== books",
        "== films",
        "== gone",
    ]


def test_quiet_is_one_line_per_finding_behind_its_server() -> None:
    lines = as_plain_text(overall_lines(three())).splitlines()
    assert [line.split(":")[0] for line in lines] == ["books", "films", "films", "films"]


def test_findings_share_a_cause_where_rule_severity_and_framework_are_the_same() -> None:
    causes = shared_causes(
        {
            "a": server("pass", built_with("FastMCP"), built_with(None)),
            "b": server("pass", built_with("FastMCP"), built_with("other")),
            "c": server("fail", built_with(None, "error")),
        }
    )
    assert [(one.severity, one.framework, one.servers) for one in causes] == [
        ("error", None, ["c"]),
        ("warning", "FastMCP", ["a", "b"]),
        ("warning", None, ["a"]),
        ("warning", "other", ["b"]),
    ]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (("pass", "pass"), "pass"),
        (("pass", "fail"), "fail"),
        (("fail", "incomplete"), "incomplete"),
    ],
)
def test_the_verdict_is_the_worst_of_all(outcomes: tuple[RunOutcome, ...], expected: str) -> None:
    reports = {str(number): server(one) for number, one in enumerate(outcomes)}
    assert on_all(**reports).summary.outcome == expected


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    path = Path(next(iter(mcp_assay.report.__path__))) / "reports.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))


def test_the_json_is_valid_in_the_schema_that_ships(schema: Draft202012Validator) -> None:
    whole = json.loads(WRITERS["json"](three()))
    assert list(schema.iter_errors(whole)) == []
    del whole["causes"]
    assert not schema.is_valid(whole)


def test_a_file_stands_for_a_report(schema: Draft202012Validator) -> None:
    reported = json.loads(WRITERS["json"](with_files(three(), {"books": "each/books.json"})))
    assert list(schema.iter_errors(reported)) == []
    books, films, _ = reported["servers"]
    assert (books["file"], books["report"]) == ("each/books.json", None)
    assert films["file"] is None
    assert films["report"]["summary"] == films["summary"]


@pytest.mark.parametrize("name", NASTY, ids=range(len(NASTY)))
@pytest.mark.parametrize("format", WRITERS)
def test_every_form_is_well_formed_whatever_a_server_is_called(format: str, name: str) -> None:
    text = WRITERS[format](on_all(**{name: report(name), "other": server("pass")}))
    text.encode()
    assert "\x1b" not in text
    if format == "junit":
        suites = ET.fromstring(text.encode())
        assert int(suites.get("tests", "0")) == len(list(suites.iter("testcase")))
    elif format not in ("markdown", "html"):
        json.loads(text)


@pytest.mark.parametrize("name", NASTY, ids=range(len(NASTY)))
def test_no_name_of_a_server_is_markup(name: str) -> None:
    lines = WRITERS["markdown"](on_all(**{name: server("pass")})).splitlines()
    (row,) = [line for line in lines if "| PASS | 1 |" in line]
    assert re.sub(r"\\.", "", row).count("|") == 9
    assert not re.search(r"(?<!\\)[\[`*_~]", row)
    assert not any("<script" in line for line in lines)


def test_junit_has_the_verdict_on_each_server_and_suites_under_its_name() -> None:
    suites = ET.fromstring(WRITERS["junit"](three()))
    verdicts = {case.get("name"): [part.tag for part in case] for case in suites[0]}
    assert verdicts == {"books": [], "films": ["failure"], "gone": ["error"]}
    assert {str(suite.get("name")).split(":")[0] for suite in suites[1:]} == {*verdicts}


def test_sarif_has_a_run_with_an_id_of_its_own_for_each_server() -> None:
    runs = json.loads(WRITERS["sarif"](three()))["runs"]
    ids = [run["automationDetails"]["id"] for run in runs]
    assert ids == ["mcp-assay/books/", "mcp-assay/films/", "mcp-assay/gone/"]
    assert [len(run["results"]) for run in runs] == [1, 3, 0]


def test_markdown_leaves_out_details_that_no_summary_can_hold() -> None:
    many = [finding("x" * 1000, "error", number) for number in range(600)]
    text = WRITERS["markdown"](on_all(a=server("fail", *many), b=server("fail", *many)))
    assert len(text) < LARGEST + 10_000
    assert "The details of b are omitted" in text


@pytest.mark.parametrize(
    ("number", "of", "shown"),
    [
        (1, 1, "s0"),
        (2, 2, "s0, s1"),
        (3, 4, "s0, s1, s2"),
        (4, 4, "all 4 servers"),
        (14, 20, ", ".join(f"s{n}" for n in range(12)) + " and 2 more"),
    ],
)
def test_servers_are_named_where_it_is_not_all_of_them(number: int, of: int, shown: str) -> None:
    assert named([f"s{n}" for n in range(number)], of) == shown


def test_many_servers_stand_in_lines_that_fit_and_long_last_words_are_shortened() -> None:
    names = [f"a-rather-long-name-{number}" for number in range(9)]
    reason = f"It died: {'frame ' * 100}. The module x is missing."
    whole = on_all(
        **{name: server("pass", built_with(None)) for name in names},
        gone=server("incomplete", revision=None, reason=reason),
    )
    lines = as_plain_text(overall_text(whole)).splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert all(name in " ".join(lines[14:]) for name in names)
    row = next(number for number, line in enumerate(lines) if line.startswith("  gone"))
    reported = " ".join(line.strip() for line in lines[row + 1 : row + 6])
    assert reported.startswith("It died: frame frame")
    assert " … " in reported
    assert "The module x is missing." in reported

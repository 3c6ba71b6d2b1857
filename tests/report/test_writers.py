"""Every writer's output is well formed and holds every finding, whatever text a server chose."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Report
from mcp_assay.report import as_sarif
from mcp_assay.report.as_markdown import LARGEST
from mcp_assay.report.as_text import full_text
from mcp_assay.report.formats import BADGE, POLICY, TEXT, WRITERS, written
from mcp_assay.text.lines import as_plain_text
from mcp_assay.text.safe import plain
from tests.report.reports import NASTY, finding, report
from tests.report.schemas import JUNIT, RECORDS, SARIF

TEXTS = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(NASTY)
FORMS = (TEXT, *WRITERS)
WHOLE = ("json", "jsonl", "policy")
"""The forms that leave nothing out, however long it is."""
LONGEST = 3_000_000
"""Characters that any other form may have, however long the texts are."""
TESTS = ("call", "calls", "listed", "whole", "must_keep", "Repeat", "Path")
"""All that a test file of ours calls."""


def in_form(text: str, form: str, findings: list[Finding] | None = None) -> str:
    found = [*report(text).findings, typed(text)] if findings is None else findings
    return shown(report(text, found), form)


def shown(reported: Report, form: str) -> str:
    return as_plain_text(full_text(reported)) if form == TEXT else written(reported, form)


def typed(text: str) -> Finding:
    """A finding with a call that can be made again."""
    one = finding(text, "error", 4, tool=text, call=2)
    repeat = f"mcp-assay assess --only {shlex.quote(text)} --args '{{}}' -- server"
    return replace(one, details={"repeat": repeat, "smallest": {text: text}})


def json_lines(text: str) -> None:
    assert text.endswith("\n")
    assert all(json.loads(line)["event"] for line in text.splitlines())


def sarif(text: str) -> None:
    jsonschema_rs.Draft202012Validator(SARIF, validate_formats=True).validate(json.loads(text))
    for run in json.loads(text)["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def junit(text: str) -> None:
    root = ET.fromstring(text.encode())
    for element in root.iter():
        known, own = JUNIT[element.tag], set(element.attrib)
        assert set(known.required.split()) <= own
        assert own <= {*known.required.split(), *known.optional.split()}
        assert {child.tag for child in element} <= set(known.children.split())
    for suite in (root, *root.iter("testsuite")):
        assert suite.attrib["tests"] == str(len(list(suite.iter("testcase"))))
        assert suite.attrib["failures"] == str(len(list(suite.iter("failure"))))
    for suite in root.iter("testsuite"):
        assert suite.attrib["skipped"] == str(len(list(suite.iter("skipped"))))


def markdown(text: str) -> None:
    for line in text.splitlines():
        assert "<script" not in re.sub("`+.*`+", "", line)
        assert not line.startswith("# ")
    assert len([line for line in text.splitlines() if line.startswith("| ")]) == 2


def test_file(text: str) -> None:
    """The file holds imports, one value, and functions that do one thing; all else is text."""
    head, *body = ast.parse(text).body
    assert isinstance(head, ast.Expr)
    assert isinstance(head.value, ast.Constant)
    assert {type(it) for it in body} <= {ast.ImportFrom, ast.Assign, ast.FunctionDef}
    for function in (it for it in body if isinstance(it, ast.FunctionDef)):
        assert re.fullmatch("test_[a-z0-9_]+", function.name)
        assert [type(it) for it in function.body] == [ast.Expr, ast.Expr]
    calls = [it.func for it in ast.walk(ast.parse(text)) if isinstance(it, ast.Call)]
    names = {it.attr if isinstance(it, ast.Attribute) else getattr(it, "id", "") for it in calls}
    assert names <= set(TESTS)


test_file.__test__ = False  # type: ignore[attr-defined]
READERS: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "jsonl": json_lines,
    "junit": junit,
    "sarif": sarif,
    "markdown": markdown,
    "pytest": test_file,
}
"""Who reads each form, and says so where it is not well formed."""


@settings(max_examples=40, deadline=None)
@given(TEXTS)
def test_every_form_is_well_formed_whatever_a_server_says(text: str) -> None:
    for form in WRITERS:
        reported = in_form(text, form)
        reported.encode()
        assert reported == "\n".join(map(plain, reported.split("\n"))), form
        if reader := READERS.get(form):
            reader(reported)


@settings(max_examples=20, deadline=None)
@given(TEXTS)
def test_every_finding_is_in_every_form_that_has_findings(text: str) -> None:
    for form in WRITERS.keys() - {BADGE, POLICY}:
        reported = in_form(text, form)
        key = "Message {}" if form == "markdown" else "{:016x}"
        assert [n for n in (1, 2, 3, 4) if key.format(n) not in reported] == [], form


@pytest.mark.parametrize(
    "text", ["x" * 10_000_000, "\x1b" * 100_000, "é\ud800" * 3_000], ids=["x", "escape", "lone"]
)
def test_a_text_without_end_is_cut(text: str) -> None:
    reported = report(text, [*report(text).findings, typed(text)])
    for form in (form for form in FORMS if form not in WHOLE):
        assert len(shown(reported, form)) < LONGEST, form


@pytest.mark.parametrize("form", WHOLE)
def test_what_holds_everything_grows_no_faster_than_its_texts(form: str) -> None:
    short, long = (len(in_form("\x1b" * size, form)) for size in (50_000, 100_000))
    assert long < 2.1 * short


def test_junit_has_a_suite_for_each_tool_and_each_family() -> None:
    root = ET.fromstring(written(report("x"), "junit"))
    names = [suite.attrib["name"] for suite in root.iter("testsuite")]
    assert names == ["tool x", "rules JSONRPC", "rules PING"]


def test_junit_passes_only_what_was_shown() -> None:
    cases = ET.fromstring(written(report("x"), "junit")).iter("testcase")
    assert {case.attrib["name"] for case in cases if not list(case)} == {"JSONRPC-001"}


def test_sarif_knows_results_again_though_they_be_many_of_one_kind() -> None:
    twice = [finding("x", number=1), finding("x", number=1), finding("x", number=2)]
    (run,) = json.loads(in_form("x", "sarif", twice))["runs"]
    prints = [one["partialFingerprints"] for one in run["results"]]
    assert [one["mcpAssay/v1"][-1] for one in prints] == ["1", "1", "2"]
    hashes = [one["primaryLocationLineHash"][-3:] for one in prints]
    assert hashes == ["1:1", "1:2", "2:1"]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("traces/a b.jsonl", "traces/a%20b.jsonl"),
        ("C:\\traces\\a.jsonl", "C%3A/traces/a.jsonl"),
        ("/var/a.jsonl", "file:///var/a.jsonl"),
        ("<stdin>", "mcp-server"),
    ],
)
def test_sarif_shows_the_place_in_a_trace(file: str, uri: str) -> None:
    found = [finding("x", file=file, line=3, column=4)]
    (run,) = json.loads(in_form("x", "sarif", found))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": uri},
        "region": {"startLine": 3, "startColumn": 4},
    }


def test_sarif_makes_no_link_of_what_a_server_says() -> None:
    (run,) = json.loads(in_form("[click](https://evil.invalid)", "sarif"))["runs"]
    reported = [*run["results"], *run["invocations"][0]["toolExecutionNotifications"]]
    assert ["](" in one["message"]["text"] for one in reported] == [False] * 5


def test_sarif_has_more_runs_where_one_holds_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    assert RECORDS["run"]["properties"]["results"]["maxItems"] == as_sarif.MOST_RESULTS
    monkeypatch.setattr(as_sarif, "MOST_RESULTS", 2)
    text = in_form("x", "sarif", [finding("x", number=number) for number in range(5)])
    sarif(text)
    runs = json.loads(text)["runs"]
    assert [len(run["results"]) for run in runs] == [2, 2, 1]
    ids = [run.get("automationDetails", {}).get("id") for run in runs]
    assert ids == [None, "mcp-assay/1/", "mcp-assay/2/"]


def test_sarif_knows_rules_that_are_not_about_mcp() -> None:
    unreadable = replace(finding("x"), rule="ENV-001", url="")
    (run,) = json.loads(in_form("x", "sarif", [unreadable]))["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["ENV-001"]


@pytest.mark.parametrize("text", ["[x](http://a.invalid)", "@someone", "![i](x)", "a | b", "<b>"])
def test_markdown_shows_what_it_would_otherwise_obey(text: str) -> None:
    (line,) = [it for it in in_form(text, "markdown").splitlines() if "Message 3" in it]
    assert text not in line


def test_markdown_fits_a_step_summary_and_says_what_it_left_out() -> None:
    many = [finding("y" * 1900, "error", number, tool="x") for number in range(2000)]
    reported = in_form("x", "markdown", many)
    assert len(reported) < LARGEST + 1000
    assert "is omitted" in reported

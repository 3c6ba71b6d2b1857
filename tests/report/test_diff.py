"""A comparison is written for people, programs and services, and obeys no server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator
from msgspec.structs import replace

import mcp_assay.report
from mcp_assay.compare import Comparison, compare
from mcp_assay.report.diff_formats import DIFF_WRITERS
from mcp_assay.report.diff_text import diff_text, short_diff
from mcp_assay.text.lines import as_plain_text
from mcp_assay.text.safe import plain
from tests.drift.small_reports import definition, finding, made, row, surface
from tests.report.reports import NASTY
from tests.report.reports import report as nasty_report

OLD = made(
    finding("RESP-004", "find", severity="warning", message="It failed."),
    finding("TOOL-013", "seek", message="A $ref leads nowhere."),
    finding("CALL-003", "stats", message="The total is a string."),
    surface=surface(definition("find"), definition("seek"), definition("stats")),
    tools={"find": "fully_working", "seek": "broken", "stats": "unproven"},
    outcomes={"LIFE-008": "skipped"},
)
NEW = replace(
    made(
        finding("RESP-004", "find", message="It failed."),
        finding("JSONRPC-005", None, message="The id is null."),
        finding("LIFE-008", None, message="It answers too early."),
        surface=surface(
            definition("find", inputSchema={"type": "object", "required": ["q"]}),
            definition("seek"),
            definition("stats"),
        ),
        options={"deny": ["stats"]},
    ),
    tools=[
        row("find", "partially_working"),
        row("seek", "fully_working"),
        row("stats", "not_called", "excluded by --deny"),
    ],
)
SCREEN = """\
WORSE  1 new error, 1 error that OLD did not check, 1 graver finding, 1 tool
       worse, 1 breaking change
       besides 1 tool no longer called, 1 changed finding, 1 finding not
       checked, 1 tool better, 1 finding fixed
  notes notes
  surface f206ecde52db → 9493dfb14652
  Note: --deny: not set → stats.

New findings
  error  JSONRPC-005 a-name
    The id is null.
  error  LIFE-008 a-name
    It answers too early.
    OLD did not check this: its rule was excluded.

Tools
  worse  find  Changed from working to partly working.
  no longer called  stats
    Changed from unproven to not called (excluded by --deny).
  better  seek  Changed from broken to working.

Definitions
  breaking  /tools/find/inputSchema/required
    In the inputSchema of the tool 'find', 'q' is now required.
    It breaks clients that call it as before.

Changed findings
  error  RESP-004 a-name  find
    It failed.
    Severity changed from warning to error.

Not checked this time
  error  CALL-003 a-name  stats  Its tool was not called.

Fixed
  error  TOOL-013 a-name  seek

Next: mcp-assay explain JSONRPC-005
"""


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    path = Path(next(iter(mcp_assay.report.__path__))) / "diff.schema.json"
    return Draft202012Validator(json.loads(path.read_text("utf-8")))


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(OLD, NEW)


def test_the_screen_says_the_worst_first(comparison: Comparison) -> None:
    assert as_plain_text(diff_text(comparison)) == SCREEN


def test_two_equal_reports_are_one_line() -> None:
    text = as_plain_text(diff_text(compare(OLD, OLD)))
    assert text == "SAME  no finding, tool or definition differs\n"
    assert as_plain_text(short_diff(compare(OLD, OLD))) == ""


def test_the_short_form_is_one_line_per_difference(comparison: Comparison) -> None:
    lines = as_plain_text(short_diff(comparison)).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        *("new", "new", "tool", "tool", "tool", "definition", "changed", "not checked", "fixed")
    ]


def test_new_findings_that_do_not_make_it_worse_are_counted_too() -> None:
    new = made(finding(), finding(severity="warning", key=2), finding(severity="info", key=3))
    text = as_plain_text(diff_text(compare(made(), new)))
    assert text.startswith("WORSE  1 new error\n       besides 1 new warning, 1 new note\n")


def test_of_many_differences_only_some_are_shown_unless_all_are_wanted() -> None:
    many = made(*(finding(key=number) for number in range(30)))
    shown = as_plain_text(diff_text(compare(made(), many)))
    assert "and 10 more (--verbose shows all)" in shown
    whole = as_plain_text(diff_text(compare(made(), many), verbose=True))
    assert whole.count("RESP-004 a-name") == 30


def test_a_hash_that_differs_without_a_visible_reason_is_said() -> None:
    assert OLD.surface
    other = replace(OLD.surface, sha256="0" * 64)
    subject = replace(OLD.subject, surface_sha256="0" * 64)
    comparison = compare(OLD, replace(OLD, surface=other, subject=subject))
    text = as_plain_text(diff_text(comparison))
    assert text.startswith("CHANGED  definitions changed\n")
    assert "The hash of the definitions differs" in text


def test_the_json_form_is_valid_in_its_schema(
    comparison: Comparison, schema: Draft202012Validator
) -> None:
    document = json.loads(DIFF_WRITERS["json"](comparison))
    assert list(schema.iter_errors(document)) == []
    assert document["schema"] == "mcp-assay/diff/1"
    assert [it["finding"]["rule"] for it in document["findings"]["new"]] == [
        "JSONRPC-005",
        "LIFE-008",
    ]
    del document["summary"]
    assert not schema.is_valid(document)


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_no_text_of_a_server_breaks_a_form(text: str, schema: Draft202012Validator) -> None:
    nasty = replace(nasty_report(text), surface=surface(definition(text)), options={"deny": [text]})
    for old, new in ((OLD, nasty), (nasty, OLD)):
        comparison = compare(old, new)
        screen = as_plain_text(diff_text(comparison, verbose=True))
        assert all(line == plain(line) for line in screen.split("\n"))
        assert list(schema.iter_errors(json.loads(DIFF_WRITERS["json"](comparison)))) == []
        written = DIFF_WRITERS["markdown"](comparison)
        assert "<script" not in written
        assert not re.search(r"(?<!\\)\]\(", written)
        assert written.count("<details") == written.count("</details>")

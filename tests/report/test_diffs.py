"""A comparison of several servers is written for people and programs, and obeys no server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator

import mcp_assay.report
from mcp_assay.compare import Comparisons, Several, compare_all
from mcp_assay.report.diff_formats import DIFFS_WRITERS
from mcp_assay.report.diffs_text import diffs_text, short_diffs
from mcp_assay.text.lines import as_plain_text
from mcp_assay.text.safe import plain
from tests.drift.small_reports import finding, made
from tests.report.reports import NASTY
from tests.report.reports import report as nasty_report

CLEAN, FAULTY = made(), made(finding(message="It failed."))
OLD = Several(
    reports={"books": CLEAN, "notes": FAULTY, "diary": CLEAN, "drafts": CLEAN},
    skipped={"weather": "switched off"},
)
NEW = Several(
    reports={"books": FAULTY, "notes": CLEAN, "diary": CLEAN, "weather": CLEAN},
    skipped={"drafts": "disabled in the configuration"},
)
SCREEN = """\
WORSE  3 servers: 1 worse, 1 changed, 1 the same; 1 added; 1 removed

  books    worse    1 new error
  notes    changed  1 finding fixed
  diary    same
  weather  added    it was switched off
  drafts   removed  disabled in the configuration

books
  WORSE  1 new error
    notes notes
    surface 65b71178fafa

  New findings
    error  RESP-004 a-name  find
      It failed.

  Next: mcp-assay explain RESP-004

notes
  CHANGED  1 finding fixed
    notes notes
    surface 65b71178fafa

  Fixed
    error  RESP-004 a-name  find
"""
SHORT = """\
books: new: error RESP-004 a-name  find  It failed.
notes: fixed: error RESP-004 a-name  find
weather: added
drafts: removed
"""


@pytest.fixture(scope="module")
def comparisons() -> Comparisons:
    return compare_all(OLD, NEW)


def test_the_screen_has_a_row_per_server_and_then_what_differs(comparisons: Comparisons) -> None:
    assert as_plain_text(diffs_text(comparisons)) == SCREEN
    assert as_plain_text(short_diffs(comparisons)) == SHORT


def test_two_equal_runs_are_one_line() -> None:
    text = as_plain_text(diffs_text(compare_all(OLD, OLD)))
    assert text == "SAME  4 servers: 4 the same\n"
    nobody = Several(reports={})
    assert as_plain_text(diffs_text(compare_all(nobody, nobody), verbose=True)) == (
        "SAME  no server in either of them\n"
    )


def test_notes_that_hold_for_all_servers_stand_above_them() -> None:
    other = made(options={"seed": 7})
    new = Several(reports={"books": other, "notes": made(finding(), options={"seed": 7})})
    text = as_plain_text(diffs_text(compare_all(OLD, new)))
    assert text.count("Note: --seed: 0 → 7.") == 1
    assert DIFFS_WRITERS["markdown"](compare_all(OLD, new)).count("seed: 0 → 7") == 1


def test_the_json_form_is_valid_by_the_schema_that_ships(comparisons: Comparisons) -> None:
    path = Path(next(iter(mcp_assay.report.__path__))) / "diffs.schema.json"
    schema = Draft202012Validator(json.loads(path.read_text("utf-8")))
    document = json.loads(DIFFS_WRITERS["json"](comparisons))
    assert list(schema.iter_errors(document)) == []
    assert document["schema"] == "mcp-assay/diffs/1"


def test_markdown_has_a_row_per_server_and_folds_the_rest(comparisons: Comparisons) -> None:
    text = DIFFS_WRITERS["markdown"](comparisons)
    assert text.startswith("## WORSE 3 servers: 1 worse")
    assert "| drafts | removed | disabled in the configuration |" in text
    assert text.count("<details") == text.count("</details>") == 4


@pytest.mark.parametrize("name", NASTY)
def test_no_name_is_obeyed(name: str) -> None:
    new = Several(reports={name: nasty_report(name, [finding(message=name)])})
    found = compare_all(Several(reports={name: CLEAN, f"{name}!": CLEAN}), new)
    screen = as_plain_text((*diffs_text(found, verbose=True), *short_diffs(found)))
    assert all(line == plain(line) for line in screen.split("\n"))
    written = DIFFS_WRITERS["markdown"](found)
    assert "<script" not in written
    assert not re.search(r"(?<!\\)\]\(", written)
    assert written.count("<details") == written.count("</details>")
    json.loads(DIFFS_WRITERS["json"](found))

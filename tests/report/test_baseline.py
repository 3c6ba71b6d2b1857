"""A baseline accepts what is known, and an expired entry is reported."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator
from msgspec.structs import replace

import mcp_assay.report
from mcp_assay.model.baseline import Baseline, BaselineEntry, BaselineRun
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Limit, Report
from mcp_assay.model.tool import ToolRow
from mcp_assay.report.baseline import WrongBaseline, accepted, read_baseline, write_baseline
from tests.report.reports import finding, report

TODAY = date(2026, 11, 16)
CRASH = finding("x", "error", 1, tool="find")
ODD = finding("x", "warning", 2)


def run(*findings: Finding, **changes: Any) -> Report:
    """A report with these findings; `find` was called and its rules were decided."""
    made = report("find", list(findings))
    checks = [replace(made.checks[0], rule=rule) for rule in ("RESP-004", "JSONRPC-005")]
    decided = replace(made, checks=checks, limits=[], options={"fail_on": "error", "max_calls": 50})
    return replace(decided, **changes)


def known(*entries: BaselineEntry, seed: int = 0) -> Baseline:
    return Baseline(run=BaselineRun(seed=seed, max_calls=50), entries=list(entries))


def entry(of: Finding, **more: Any) -> BaselineEntry:
    return BaselineEntry(fingerprint=of.fingerprint, rule=of.rule, tool=of.where.tool, **more)


def overdue(made: Report) -> list[tuple[str, str]]:
    assert made.baseline is not None
    return [(it.why, it.entry.rule) for it in made.baseline.overdue]


def test_a_known_finding_is_accepted_and_not_lost() -> None:
    made = accepted(run(CRASH, ODD), known(entry(CRASH)), TODAY)
    assert made.findings == [ODD]
    assert (made.summary.outcome, made.summary.errors, made.summary.warnings) == ("pass", 0, 1)
    assert made.baseline is not None
    assert made.baseline.accepted == [CRASH]


def test_a_new_finding_still_fails() -> None:
    other = finding("x", "error", 9, tool="find")
    assert accepted(run(CRASH, other), known(entry(CRASH)), TODAY).summary.outcome == "fail"


def test_an_entry_that_does_not_occur_any_more_is_stale_and_fails_the_run() -> None:
    made = accepted(run(), known(entry(CRASH)), TODAY)
    assert overdue(made) == [("stale", "RESP-004")]
    assert made.summary.outcome == "fail"


@pytest.mark.parametrize(
    "changes",
    [
        {"checks": []},
        {"seed": 7},
        {"options": {"fail_on": "error", "max_calls": 5}},
        {"tools": [ToolRow(name="find", status="not_called")]},
        {"limits": [Limit(name="max-findings", value=1, count=1, effect="cut")]},
    ],
    ids=["rule left out", "other seed", "other budget", "not called", "findings cut"],
)
def test_an_entry_is_not_stale_where_this_run_could_not_have_found_it(changes: Any) -> None:
    assert overdue(accepted(run(**changes), known(entry(CRASH)), TODAY)) == []


def test_an_entry_about_no_tool_is_stale_whatever_the_seed() -> None:
    made = accepted(run(seed=7), known(entry(ODD)), TODAY)
    assert overdue(made) == [("stale", "JSONRPC-005")]


def test_what_the_definitions_decide_is_stale_though_nothing_was_called() -> None:
    listed = replace(finding("x", "error", 3, tool="find"), rule="TOOL-013")
    away = run(seed=7, tools=[ToolRow(name="find", status="not_called")])
    decided = replace(away, checks=[replace(away.checks[0], rule="TOOL-013")])
    assert overdue(accepted(decided, known(entry(listed)), TODAY)) == [("stale", "TOOL-013")]


def test_an_answer_that_other_calls_may_not_show_is_not_stale() -> None:
    broken = replace(finding("x", "error", 4, tool="find"), rule="CALL-003")
    other = run(seed=7)
    decided = replace(other, checks=[replace(other.checks[0], rule="CALL-003")])
    assert overdue(accepted(decided, known(entry(broken)), TODAY)) == []


@pytest.mark.parametrize(("day", "fails"), [("2026-11-16", False), ("2026-11-15", True)])
def test_an_entry_is_accepted_up_to_its_last_day(day: str, fails: bool) -> None:
    made = accepted(run(CRASH), known(entry(CRASH, expires=day)), TODAY)
    assert overdue(made) == ([("expired", "RESP-004")] if fails else [])
    assert made.findings == ([CRASH] if fails else [])


def test_a_written_baseline_accepts_the_run_that_it_was_written_for() -> None:
    made = run(ODD, CRASH)
    baseline = read_baseline(write_baseline(made, Baseline()).encode())
    assert accepted(made, baseline, TODAY).findings == []
    assert [it.rule for it in baseline.entries] == ["JSONRPC-005", "RESP-004"]


def test_writing_it_again_keeps_reasons_and_drops_only_what_was_decided() -> None:
    before = known(entry(CRASH, reason="upstream bug", expires="2027-01-01"), entry(ODD))
    away = replace(run(CRASH), checks=[])
    text = write_baseline(away, before)
    after = read_baseline(text.encode())
    assert [(it.rule, it.reason) for it in after.entries] == [
        ("JSONRPC-005", ""),
        ("RESP-004", "upstream bug"),
    ]
    assert [it.rule for it in read_baseline(write_baseline(run(), before).encode()).entries] == []


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ([], "baseline"),
        ({"schema": "other"}, "baseline"),
        ({"schema": "mcp-assay/baseline/1", "entry": []}, "entry"),
        (
            {
                "schema": "mcp-assay/baseline/1",
                "entries": [{"fingerprint": "a", "rule": "X", "expires": "soon"}],
            },
            "soon",
        ),
    ],
)
def test_what_is_no_baseline_is_refused_in_a_sentence(value: Any, word: str) -> None:
    with pytest.raises(WrongBaseline, match=word):
        read_baseline(json.dumps(value).encode())


def test_a_run_that_failed_by_something_else_still_fails() -> None:
    failed = replace(run().summary, outcome="fail", errors=0, warnings=0)
    made = accepted(run(summary=failed), known(), TODAY)
    assert made.summary.outcome == "fail"


def test_an_incomplete_run_makes_no_entry_stale() -> None:
    cut = replace(run().summary, outcome="incomplete")
    assert overdue(accepted(run(summary=cut), known(entry(CRASH)), TODAY)) == []


def test_writing_it_with_another_seed_forgets_what_that_one_does_not_find() -> None:
    assert read_baseline(write_baseline(run(), known(entry(CRASH), seed=7)).encode()).entries == []


def test_the_schema_that_ships_with_the_package_describes_what_is_written() -> None:
    path = Path(next(iter(mcp_assay.report.__path__))) / "baseline.schema.json"
    schema = Draft202012Validator(json.loads(path.read_text("utf-8")))
    written = json.loads(write_baseline(run(CRASH, ODD), known(entry(CRASH, expires="2027-01-01"))))
    assert list(schema.iter_errors(written)) == []
    written["entries"][0]["fingerprnt"] = "misspelt"
    assert not schema.is_valid(written)


def test_of_two_known_tools_the_one_that_is_fixed_leaves_the_other_known() -> None:
    both = [CRASH, finding("x", "error", 2, tool="list")]
    baseline = read_baseline(write_baseline(run(*both), Baseline()).encode())
    assert [one.tool for one in baseline.entries] == ["find", "list"]
    made = accepted(run(both[1]), baseline, TODAY)
    assert (made.findings, overdue(made)) == ([], [("stale", "RESP-004")])

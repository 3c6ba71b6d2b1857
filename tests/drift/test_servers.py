"""Two runs on several servers are compared by the names of the servers."""

from __future__ import annotations

from typing import Any

from mcp_assay.compare import Comparisons, Several, compare_all
from mcp_assay.model.report import Report
from tests.drift.small_reports import finding, made

CLEAN = made()
FAULTY = made(finding())


def several(skipped: dict[str, str] | None = None, **reports: Report) -> Several:
    return Several(reports=reports, skipped=skipped or {})


def compared(old: Several, new: Several, **options: Any) -> Comparisons:
    return compare_all(old, new, **options)


def test_each_server_is_held_against_the_one_of_its_name() -> None:
    old = several(notes=CLEAN, books=FAULTY, diary=CLEAN)
    found = compared(old, several(books=CLEAN, notes=FAULTY, diary=CLEAN))
    outcomes = [(one.name, one.comparison and one.comparison.summary.outcome)
                for one in found.servers]  # fmt: skip
    assert outcomes == [("books", "changed"), ("notes", "worse"), ("diary", "same")]
    summary = found.summary
    assert (summary.servers, summary.worse, summary.changed, summary.same) == (3, 1, 1, 1)
    assert (summary.outcome, summary.regressions) == ("worse", ["notes: 1 new error"])


def test_two_equal_runs_are_the_same() -> None:
    both = several(notes=CLEAN, books=FAULTY)
    assert compared(both, both).summary.outcome == "same"
    assert compared(several(), several()).summary.outcome == "same"


def test_a_server_that_is_gone_is_said_and_is_not_worse() -> None:
    new = several(notes=CLEAN, skipped={"books": "disabled in the configuration"})
    found = compared(several(notes=CLEAN, books=FAULTY), new)
    assert (found.summary.outcome, found.summary.removed) == ("changed", 1)
    gone = found.servers[-1]
    assert (gone.name, gone.change, gone.comparison) == ("books", "removed", None)
    assert gone.reason == "disabled in the configuration"


def test_what_a_new_server_shows_is_new() -> None:
    found = compared(several(), several(books=FAULTY, notes=CLEAN))
    assert (found.summary.outcome, found.summary.added) == ("worse", 2)
    assert found.summary.regressions == ["books: 1 new error"]
    assert found.summary.worse == 0, "it was not there to become worse"
    books, notes = found.servers
    assert books.comparison is not None
    assert [one.finding.rule for one in books.comparison.findings.new] == ["RESP-004"]
    assert not books.comparison.drift
    assert notes.comparison is not None
    assert notes.comparison.summary.outcome == "same"


def test_rules_and_severities_are_chosen_as_for_one_server() -> None:
    old, new = several(books=CLEAN), several(books=FAULTY)
    assert compared(old, new, ignore=["RESP"]).summary.outcome == "same"
    assert compared(old, new, fail_on="never").summary.outcome == "changed"


def test_what_is_noted_of_all_servers_is_noted_once() -> None:
    other = made(options={"seed": 7})
    found = compared(several(a=CLEAN, b=CLEAN), several(a=other, b=made(options={"seed": 7,
                     "max_calls": 9})))  # fmt: skip
    assert found.notes == ["--seed: 0 → 7."]
    notes = [one.comparison.notes for one in found.servers if one.comparison]
    assert notes == [[], ["--max-calls: 50 → 9."]]
    alone = compared(several(a=CLEAN), several(a=other))
    assert (alone.notes, len(alone.servers)) == ([], 1)

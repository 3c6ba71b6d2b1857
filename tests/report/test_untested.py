"""What a report says was not tested, and what would test it."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from msgspec.structs import replace

from mcp_assay.assess.examples import examples_in, require_examples
from mcp_assay.model.report import Offer, Report
from mcp_assay.model.scenario import COMPARED
from mcp_assay.model.tool import (
    CALLED_NO_MORE,
    CALLED_NO_MORE_BEFORE,
    EARLIER_REASONS,
    NotCalled,
    ToolRow,
)
from mcp_assay.report.untested import remedy_for, untested, would_prove
from mcp_assay.text.lines import as_plain_text
from tests.report.test_assessment import call, report, tool


def reported(of: Report) -> str:
    return as_plain_text(untested(of))


def tables(screen: str) -> dict[str, Any]:
    """The lines that are to be written down, read as TOML."""
    lines = [line.strip() for line in screen.splitlines() if line.startswith("      ")]
    return tomllib.loads("\n".join(lines))


def asking(name: str, status: str = "unproven", **wanted: Any) -> ToolRow:
    return tool(name, status, 2, 0, 2, 0, coverage={"asked_of_client": wanted})


def test_a_tool_that_was_refused_an_answer_is_helped_by_an_answer() -> None:
    screen = reported(
        report(
            "incomplete",
            asking("suggest", sampling={"text": "Yes."}),
            asking("folder", "broken", roots={"uris": ["file:///tmp"]}),
            asking("shelf", elicitation={"action": "accept", "content": {"the shelf": "A 3"}}),
        )
    )
    written = tables(screen)
    require_examples(written)
    answers = examples_in(written, {}).answers
    assert answers["sampling/createMessage"]["content"]["text"] == "Yes."
    assert answers["elicitation/create"]["content"] == {"the shelf": "A 3"}
    assert answers["roots/list"] == {"roots": [{"uri": "file:///tmp"}]}
    assert "valid = " not in screen


def test_tools_that_want_the_same_are_named_together_and_those_that_succeeded_not_at_all() -> None:
    fine = tool("fine", "fully_working", 2, 2, 0, 0, coverage={"asked_of_client": {"roots": {}}})
    screen = reported(report("pass", asking("a", roots={}), asking("b", roots={}), fine))
    assert "a, b: never succeeded" in screen
    assert screen.count("[roots]") == 1
    assert "fine" not in screen


def test_a_form_that_nobody_has_seen_is_to_be_seen_next_time() -> None:
    blank = {"action": "accept", "content": {}}
    assert "The next run" in reported(report("pass", asking("a", elicitation=blank)))


@pytest.mark.parametrize("beginning", [CALLED_NO_MORE, CALLED_NO_MORE_BEFORE])
def test_a_tool_that_changed_needs_to_be_allowed(beginning: str) -> None:
    gaps = {"not_reached": [f"{beginning}destructive."]}
    changed = tool("a b", "fully_working", 1, 1, 0, 0, coverage=gaps)
    assert "--allow 'a b'" in reported(report("pass", changed))


def test_tools_that_lack_their_dependencies_are_not_asked_for_other_arguments_alone() -> None:
    statuses = {"a": "unproven", "b": "connectivity_only", "c": "unproven"}
    tools = [tool(name, status, 9, 0, 0, 9) for name, status in statuses.items()]
    fine = tool("d", "partially_working", 9, 8, 0, 1, coverage={"succeeded": 8})
    calls = [replace(call(name, {}), trouble="environment") for name in "abd"]
    compared = replace(call("c", {}, COMPARED), trouble="environment")
    screen = reported(report("incomplete", *tools, fine, calls=[*calls, compared]))
    assert "b, a: never succeeded: a dependency was unavailable" in screen
    assert screen.count("never succeeded") == 2
    assert "c: never succeeded: every valid call returned an error. If other arguments" in screen


def unread(reason: str, uri: str = "books://{shelf}/{isbn}") -> Offer:
    return Offer(name="the book", uri=uri, status="not_called", reason=reason, findings=[])


def test_a_template_without_values_is_helped_by_values() -> None:
    blank = unread('no value is known for "shelf"; give one')
    written = tables(reported(report("pass", templates=[blank])))
    require_examples(written)
    assert written == {"tools": {"the book": {"values": {"shelf": ["..."], "isbn": ["..."]}}}}


def test_a_template_that_was_left_out_is_read_without_the_option() -> None:
    two = [unread("excluded by --calls none"), unread("excluded by --calls none", "b://{x}")]
    screen = reported(report("pass", templates=two))
    assert "2 templates (excluded by --calls none): remove --calls none" in screen


OF_0_1_0 = {
    "no readOnlyHint": "--allow a",
    "destructiveHint: true": "--allow a",
    "its name says 'delete'": "--allow a",
    "its name mixes alphabets": "--allow a",
    "left out by --deny": "remove --deny a",
    "calls are switched off": "remove --calls none",
    "nothing is called in a dry run": "remove --dry-run",
    "left out by --only": "remove --only",
    "left out by --calls none": "remove --calls none",
    "left out by --dry-run": "remove --dry-run",
    "reading took as much of --max-time as it may": "--max-time 240",
    "the tools change too often": "--allow a",
    "not listed again": "--allow a",
    "no longer listed": "keep it listed during the run",
    "time ran out before": "--max-time 240",
    "the run was interrupted before": "let the run finish",
    "the server was gone before": "--only a",
}
"""All reasons that 0.1.0 wrote and knew a remedy for."""


@pytest.mark.parametrize(("reason", "remedy"), OF_0_1_0.items())
def test_the_reasons_of_older_reports_are_understood(reason: str, remedy: str) -> None:
    assert remedy_for(tool("a", "not_called", reason=reason), report("pass")) == remedy


@pytest.mark.parametrize("kind", EARLIER_REASONS)
def test_an_earlier_reason_is_of_one_kind_alone(kind: NotCalled) -> None:
    for reason in EARLIER_REASONS[kind]:
        assert NotCalled.read(f"{reason}: more") is kind
        assert not any(reason.startswith(one.value) for one in NotCalled)


def test_a_template_that_0_1_0_could_not_fill_in_is_helped_by_values() -> None:
    blank = unread("it refused the values that were tried")
    assert "was not read. Add values for it" in reported(report("pass", templates=[blank]))


@pytest.mark.parametrize("kind", NotCalled)
def test_each_reason_is_known_again_by_its_beginning_alone(kind: NotCalled) -> None:
    assert NotCalled.read(f"{kind.value}: more") is kind
    assert NotCalled.read(f"not {kind.value}") is None
    assert [one for one in NotCalled if one.value.startswith(kind.value)] == [kind]


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        ("no readOnlyHint", "--allow 'a b'"),
        ("its name says 'drop'", "--allow 'a b'"),
        ("time ran out before", "--max-time 240"),
        ("nobody knows why", ""),
    ],
)
def test_the_remedy_follows_from_the_reason(reason: str, remedy: str) -> None:
    one = tool("a b", "not_called", reason=reason)
    assert remedy_for(one, report("pass", one)) == remedy


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (tool("a b", "not_called", reason=NotCalled.NO_HINT.value), "--allow 'a b'"),
        (tool("a", "not_called", reason=NotCalled.DENIED.value), "remove --deny a"),
        (tool("a", "unproven", 3, 0, 0, 3, obstacle="rejected"), "[tools.a] in mcp-assay.toml"),
        (tool("a", "unproven", 3, 0, 0, 3, obstacle="waits"), "Raise --timeout"),
        (tool("a", "unproven", 3, 3, 0, 0, obstacle="same_result"), "depend on the arguments"),
        (tool("a", "connectivity_only", 3, 0, 3, 0, obstacle="dependency"), "network access"),
        (tool("a", "fully_working", 3, 3, 0, 0), None),
        (tool("a", "broken", 3, 0, 3, 0, obstacle="broken_down"), None),
    ],
)
def test_each_unproven_tool_says_what_would_prove_it(row: ToolRow, words: str | None) -> None:
    said = would_prove(row, report("incomplete", row))
    assert (said is None) == (words is None)
    assert (words or "") in (said or "")

"""Bugs that one wrapper hides are findings of their own."""

from __future__ import annotations

from typing import Any

from mcp_assay.model.finding import Finding
from mcp_assay.rules.behaviour.results import MOST_BUGS
from mcp_assay.rules.behaviour.rule import called, judge_tool_run, tool_run_of
from mcp_assay.spec.revisions import DEFAULT_REVISION


def crash(raised: tuple[str, str] | None, pointer: str = "/values") -> dict[str, Any]:
    known: dict[str, Any] = {"raised": raised} if raised else {}
    return called(trouble="crashed", pointer=pointer, **known)


def crashes(*calls: dict[str, Any]) -> list[Finding]:
    run = tool_run_of({"tool": {"name": "stats"}, "calls": list(calls)})
    return [one for one in judge_tool_run(run, DEFAULT_REVISION) if one.rule == "RESP-004"]


EMPTY = ("ZeroDivisionError: division by zero", "notes.py:8 in mean")
LONG = ("KeyError: 'aaaa'", "notes.py:12 in label")


def test_two_bugs_are_two_findings_each_with_its_calls() -> None:
    first, second = crashes(crash(EMPTY), crash(LONG, "/label"), crash(EMPTY))
    assert (first.message, second.message) == (
        'Tool "stats" crashed on valid arguments (2 of 3 calls).',
        'Tool "stats" crashed on valid arguments (1 of 3 calls).',
    )
    assert first.fingerprint != second.fingerprint


def test_one_bug_is_one_finding_whatever_its_message_names() -> None:
    assert len(crashes(crash(LONG), crash(("KeyError: 'b'", LONG[1])))) == 1


def test_the_first_bug_is_known_by_what_it_was_known_by_before() -> None:
    (plain,) = crashes(crash(None))
    assert crashes(crash(EMPTY), crash(LONG))[0].fingerprint == plain.fingerprint


def test_a_fingerprint_holds_no_words_of_the_server() -> None:
    one = crashes(crash(EMPTY), crash(LONG, "/label"))
    other = crashes(crash(("E: x", "a.py:1 in a")), crash(("F: y", "b.py:2 in b"), "/label"))
    assert [it.fingerprint for it in one] == [it.fingerprint for it in other]


def test_bugs_in_the_same_argument_are_told_apart_and_their_number_is_bounded() -> None:
    many = [crash((f"E{number}: x", f"a.py:{number} in a")) for number in range(MOST_BUGS + 3)]
    found = crashes(*many)
    assert len({one.fingerprint for one in found}) == len(found) == MOST_BUGS

"""The validation of calls is judged by several tools, and kept only where all were asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcp_assay.model.probe import Ask, OpenStep, Reply, Step
from mcp_assay.rules import load
from mcp_assay.rules.probe.rule import ArgumentSample, Known
from mcp_assay.rules.probe.tool_validation import MOST_TOOLS, RULES, answers

load("probe")
READS = {"readOnlyHint": True}
NAMES = tuple(f"show_{name}" for name in "abcdefgh")
BATCHES = {"supported": True, "batchValidation": True, "maxBatchSize": 6}
Odd = Callable[[str, dict[str, Any]], Reply | None]
"""What is odd about a server: its reply to a call, None where nothing is."""


def known(*names: str, announced: dict[str, Any] | None = None, **more: Any) -> Known:
    """A server with tools that read, one that adds, and one that validates."""
    tools = [{"name": name, "annotations": READS} for name in (*names, "list_notes")]
    samples = {name: ArgumentSample(valid={"id": 1}, invalid={"id": "x"}) for name in names}
    given: dict[str, Any] = {
        "capabilities": {"tools": {}, "experimental": {"toolValidation": announced or BATCHES}},
        "tools": [*tools, {"name": "add_note"}, {"name": "validate"}],
        "callable": [*names, "list_notes", "add_note", "validate"],
        "samples": {
            **samples,
            "list_notes": ArgumentSample(valid={}),
            "add_note": ArgumentSample(valid={}),
        },
    }
    return Known(**{**given, **more})


def verdict(valid: bool) -> dict[str, Any]:
    return {"valid": valid, "errors": [] if valid else ["The id must be a number."]}


class Notes:
    """A server that validates calls; one thing about it may be odd."""

    def __init__(self, odd: Odd) -> None:
        self._odd, self._notes = odd, 0

    def reply(self, step: Step) -> Reply:
        """What comes of a call."""
        assert isinstance(step, Ask)
        params = dict(step.params or {})
        name, given = params["name"], params["arguments"]
        if (odd := self._odd(name, given)) is not None:
            return odd
        if name == "validate" and "calls" in given:
            results = [verdict(it["arguments"] in ({"id": 1}, {})) for it in given["calls"]]
            return Reply(result={"structuredContent": {"results": results}})
        if name == "validate":
            said = verdict(given["arguments"] in ({"id": 1}, {}))
            return Reply(result={"structuredContent": said})
        self._notes += name == "add_note"
        words = f"{self._notes} notes" if name == "list_notes" else "Done."
        return Reply(result={"content": [{"type": "text", "text": words}]})


def said_of(server: Known, odd: Odd = lambda *_: None) -> tuple[dict[str, str], list[str]]:
    """What becomes of the rules that are not kept, and the tools that were asked about alone."""
    notes, dialogue, asked = Notes(odd), answers(server), list[str]()
    try:
        step = next(dialogue)
        while True:
            params = dict(step.params or {}) if isinstance(step, Ask) else {}
            asked += [params["arguments"]["tool"]] if "tool" in params.get("arguments", {}) else []
            step = dialogue.send(notes.reply(step))
    except StopIteration as end:
        said = {it.rule: it.outcome if isinstance(it, OpenStep) else "broken" for it in end.value}
        return said, list(dict.fromkeys(asked))


def about(tool: str, given: dict[str, Any]) -> bool:
    return given.get("tool") == tool


def test_a_good_validation_keeps_all_rules_over_several_kinds_of_tools() -> None:
    said, asked = said_of(known(*NAMES))
    assert said == {}
    assert len(asked) == MOST_TOOLS
    assert {"show_a", "list_notes", "add_note"} <= {*asked}


LIES: dict[str, tuple[str, Odd]] = {
    "no verdict on one of them": (
        "TVAL-002",
        lambda _, it: Reply(result={"content": []}) if about("show_b", it) else None,
    ),
    "an error for one of them": (
        "TVAL-002",
        lambda _, it: Reply(error={"code": -32603}) if about("add_note", it) else None,
    ),
    "one is always valid": (
        "TVAL-003",
        lambda _, it: (
            Reply(result={"structuredContent": verdict(True)}) if about("show_b", it) else None
        ),
    ),
    "one is declared invalid, and taken": (
        "TVAL-005",
        lambda _, it: (
            Reply(result={"structuredContent": verdict(False)}) if about("list_notes", it) else None
        ),
    ),
    "one is declared valid, and refused": (
        "TVAL-005",
        lambda name, _: (
            Reply(result={"content": [], "isError": True}) if name == "show_b" else None
        ),
    ),
    "a batch of several tools is answered for the first": (
        "TVAL-006",
        lambda _, it: (
            Reply(result={"structuredContent": {"results": [verdict(True)] * 6}})
            if "calls" in it
            else None
        ),
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_one_of_several_tools_is_found(lie: str) -> None:
    rule, odd = LIES[lie]
    said, _ = said_of(known("show_a", "show_b"), odd)
    assert said[rule] == "broken"


SILENT = Reply(ending="timed_out")


@pytest.mark.parametrize(
    ("odd", "left_open"),
    [
        (lambda _, it: SILENT if about("show_b", it) else None, {"TVAL-002", "TVAL-003"}),
        (lambda _, it: SILENT if "calls" in it else None, {"TVAL-006"}),
        (lambda name, _: SILENT if name == "show_b" else None, {"TVAL-005"}),
        (lambda name, _: SILENT if name == "list_notes" else None, {"TVAL-007"}),
        (lambda _, it: SILENT if about("add_note", it) else None, {"TVAL-007"}),
        (lambda name, _: SILENT if name == "add_note" else None, {"TVAL-005", "TVAL-007"}),
        (lambda *_: SILENT, {*RULES}),
    ],
)
def test_what_was_not_answered_leaves_its_rules_open(odd: Odd, left_open: set[str]) -> None:
    said, _ = said_of(known("show_a", "show_b"), odd)
    assert {said.get(rule) for rule in left_open} <= {"undecided", "not_testable"}
    assert "broken" not in said.values()


@pytest.mark.parametrize(
    ("changes", "rule", "outcome"),
    [
        ({"announced": {"supported": True}}, "TVAL-006", "not_declared"),
        ({"callable": ["show_a"]}, "TVAL-002", "not_testable"),
        ({"callable": ["validate"]}, "TVAL-003", "not_testable"),
        ({"callable": ["validate", "list_notes"]}, "TVAL-003", "not_testable"),
        ({"callable": ["validate", "add_note"]}, "TVAL-007", "not_testable"),
        ({"callable": ["validate", "show_a", "add_note"]}, "TVAL-007", "undecided"),
    ],
)
def test_what_cannot_be_asked_is_not_kept(changes: dict[str, Any], rule: str, outcome: str) -> None:
    said, _ = said_of(known("show_a", **changes))
    assert said[rule] == outcome

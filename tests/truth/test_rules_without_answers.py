"""A rule about calls passes only where a call was answered that could have broken it."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_assay.rules import load
from mcp_assay.rules.behaviour.rule import (
    DONE,
    called,
    decided_by,
    example,
    judge_tool_run,
    tool_run_of,
)
from mcp_assay.rules.behaviour.rule import RULES as BEHAVIOUR
from mcp_assay.spec.revisions import DEFAULT_REVISION

load("behaviour")
ENDED = {"RESP-009", "RESP-010", "SCEN-001", "SCEN-002"}
"""The rules that any call shows, whatever came of it."""
LEAKS = {"LEAK-001", "LEAK-002", "LEAK-003"}
ANSWERED = {*ENDED, *LEAKS, "RESP-007"}
REFUSED = {"content": [{"type": "text", "text": "There is no such note."}], "isError": True}
ERROR = {"code": -32602, "message": "There is no such note."}
BOTH = {"content": [{"type": "text", "text": '{"id": 1}'}], "structuredContent": {"id": 1}}


def decided(*calls: dict[str, Any]) -> set[str]:
    """The rules that these calls decide."""
    return decided_by([tool_run_of(example(*calls).value)])


@pytest.mark.parametrize(
    "lost",
    [
        {"ending": "timed_out", "trouble": "timed_out"},
        {"ending": "died", "trouble": "died"},
        {"trouble": "no_content"},
        {"error": ERROR, "denied": "HTTP status 401", "trouble": "environment"},
    ],
)
def test_calls_without_an_answer_decide_nothing_about_answers(lost: dict[str, Any]) -> None:
    names = ("happy path", "the same call again", "required, but missing", "wrong type", "value a")
    calls = [called(name=name, valid=name == "happy path", **lost) for name in names]
    assert decided(*calls) == ENDED


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        (called(result=DONE), {"RESP-001", "RESP-003", "RESP-014", "RESP-004"}),
        (called(result=BOTH), {"RESP-001", "RESP-003", "RESP-014", "RESP-004", "RESP-006"}),
        (called(result=REFUSED), {"RESP-001", "RESP-004", "RESP-011", "RESP-013"}),
        (called(error=ERROR), {"RESP-001", "RESP-004", "RESP-011"}),
        (called(result=REFUSED, valid=False), {"RESP-005", "RESP-011", "RESP-013"}),
        (called(result=DONE, valid=False), {"RESP-003", "RESP-014", "RESP-005"}),
        (called(result=REFUSED, trouble="environment"), {"RESP-011", "RESP-013"}),
        (
            called(result=REFUSED, valid=False, name="required, but missing"),
            {"RESP-005", "RESP-011", "RESP-013", "DRIFT-004", "CALL-007"},
        ),
        (
            called(
                result=REFUSED, valid=False, name="required, but missing", trouble="environment"
            ),
            {"RESP-011", "RESP-013"},
        ),
        (
            called(result=DONE, name="the same call again"),
            {"RESP-001", "RESP-003", "RESP-014", "RESP-004", "RESP-008", "RESP-012"},
        ),
        (
            called(result=REFUSED, name="the same call again"),
            {"RESP-001", "RESP-004", "RESP-011", "RESP-013"},
        ),
    ],
)
def test_an_answer_decides_what_it_could_have_broken(call: dict[str, Any], shown: set[str]) -> None:
    assert decided(call) == ANSWERED | shown


def test_no_calls_decide_nothing() -> None:
    assert decided() == set()
    assert {rule.id for rule in BEHAVIOUR} >= ANSWERED


LOSSES = {"RESP-009", "RESP-010"}


@pytest.mark.parametrize(
    ("call", "broken"),
    [
        (called(valid=None, outcome="undecided", ending="died"), {"RESP-010"}),
        (called(valid=None, outcome="undecided", ending="timed_out"), {"RESP-009"}),
        (called(valid=True, trouble="died", ending="died"), {"RESP-010"}),
        (called(valid=False, trouble="died", ending="died"), {"RESP-010"}),
        (called(valid=True, trouble="timed_out", ending="timed_out"), {"RESP-009"}),
        (called(valid=False, trouble="timed_out", ending="timed_out"), {"RESP-009"}),
        (called(valid=None, outcome="undecided", result=DONE), set()),
        (called(valid=None, outcome="undecided", result=REFUSED), set()),
        (called(valid=None, outcome="undecided", ending="over_limit"), set()),
        (called(valid=None, outcome="undecided", ending="cancelled"), set()),
        (called(valid=True, outcome="undecided", ending="cancelled"), set()),
        (called(valid=False, result=REFUSED), set()),
    ],
)
def test_who_crashes_or_is_silent_is_told_whatever_the_arguments_were(
    call: dict[str, Any], broken: set[str]
) -> None:
    found = judge_tool_run(tool_run_of(example(call).value), DEFAULT_REVISION)
    assert {one.rule for one in found} & LOSSES == broken

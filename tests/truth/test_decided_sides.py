"""A rule that binds one side is decided by what that side sends, and by nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest

from mcp_assay.model.entry import Direction
from mcp_assay.rules import load
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.decided import DecidedRules, deciding
from mcp_assay.rules.engine.rule import SessionExample, Step
from mcp_assay.rules.engine.slow import kind_of
from mcp_assay.session.correlation import OTHER_SIDE
from mcp_assay.spec.catalogue import CATALOGUE, SENDERS
from tests.rules.examples import values
from tests.truth.traces import INITIALIZE, INITIALIZED, READY, ask, ask_now, tell, tell_now

Message = dict[str, Any]
SIDES: Final[dict[str, Direction]] = {"client": "c2s", "server": "s2c"}


def decided(*lines: tuple[Direction | None, Any], revision: str | None = None) -> frozenset[str]:
    """The rules that these lines of a session decide."""
    rules = DecidedRules()
    checker = SessionChecker(revision, decided=rules, sessions=True)
    for place, (way, message) in enumerate(lines):
        checker.check(json.dumps(message).encode(), way, place)
    return rules.decided() | rules.session_rules


def note(method: str, **params: Any) -> Message:
    return {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}


OPENED: Final = (("c2s", INITIALIZE), ("s2c", INITIALIZED), ("c2s", READY))
LOG: Final = note("message", level="info", data="hi")
BATCH: Final = [ask(1, "ping"), ask(2, "ping")]
CALL: Final = ask(5, "tools/call", {"name": "find_book", "arguments": {}})
CASES: Final[dict[str, tuple[str, tuple[tuple[Direction, Any], ...]]]] = {
    "a log message": ("CAP-004", (*OPENED, ("s2c", LOG))),
    "a log message of 2026-07-28": ("LOG-006", (("c2s", ask_now(1, "ping")), ("s2c", LOG))),
    "an opening": ("LIFE-002", (("c2s", INITIALIZE),)),
    "a batch": ("BATCH-003", (("c2s", BATCH),)),
    "a request of 2026-07-28": ("META-007", (("c2s", ask_now(1, "tools/list")),)),
    "a result of 2026-07-28": (
        "META-010",
        (("c2s", ask_now(1, "tools/list")), ("s2c", tell_now(1, {"tools": []}))),
    ),
    "a sampling request": (
        "SAMP-001",
        (*OPENED, ("s2c", ask(9, "sampling/createMessage", {"messages": [], "maxTokens": 1}))),
    ),
    "an elicitation": (
        "ELIC-001",
        (*OPENED, ("s2c", ask(9, "elicitation/create", {"message": "?", "requestedSchema": {}}))),
    ),
    "the answer to a call": ("CALL-001", (*OPENED, ("c2s", CALL), ("s2c", tell(5, {})))),
}
"""A rule that the last line decides, where the right side sends it."""


@pytest.mark.parametrize("name", CASES)
def test_the_side_that_a_rule_binds_decides_it(name: str) -> None:
    rule, lines = CASES[name]
    revision = "2025-03-26" if name == "a batch" else None
    assert rule in decided(*lines, revision=revision)
    assert rule not in decided(*lines[:-1], revision=revision)


@pytest.mark.parametrize("name", CASES)
def test_the_other_side_does_not(name: str) -> None:
    rule, lines = CASES[name]
    *before, (way, message) = lines
    if before and before[-1][1].get("id") == message_id(message) and "method" not in message:
        before[-1] = (OTHER_SIDE[before[-1][0]], before[-1][1])  # whom the answer is for
    revision = "2025-03-26" if name == "a batch" else None
    assert rule not in decided(*before, (OTHER_SIDE[way], message), revision=revision)


def message_id(message: Any) -> object:
    return message.get("id") if isinstance(message, dict) else None


def one_sided() -> Iterator[tuple[str, Any]]:
    for rule in load("message").values():
        if CATALOGUE[rule.id].subject != "both" and not rule.id.startswith("BATCH"):
            yield from ((rule.id, example) for example in values(rule.bad))


def test_what_can_break_a_rule_decides_it_from_one_side_alone() -> None:
    """Every message in the examples of every rule about messages that binds one side."""
    seen = 0
    for rule, example in one_sided():
        if not isinstance(example.value, dict):
            continue
        method = example.value.get("method", example.method)
        about = example.revision, kind_of(example.value), method
        right = SIDES[str(CATALOGUE[rule].subject)]
        assert rule in deciding(*about, right), example
        assert rule not in deciding(*about, OTHER_SIDE[right]), example
        assert rule in deciding(*about, None), example
        seen += 1
    assert seen > 50


def flipped() -> Iterator[tuple[tuple[Step, ...], int, bool]]:
    """Sessions of the examples in which one message comes from the wrong side."""
    for rule in load("session").values():
        for example in [*rule.good(), *rule.bad()]:
            if isinstance(example, SessionExample):
                for place, step in enumerate(example.steps):
                    if step.message is not None:
                        yield example.steps, place, example.partial


BY_PEER: Final = {"LIFE-006"}
"""Rules that the message which ends their time shows to be kept: it comes from the other side."""


def test_a_message_from_the_wrong_side_decides_nothing_about_the_right_one() -> None:
    for steps, wrong, partial in flipped():
        rules = DecidedRules()
        checker = SessionChecker(decided=rules, sessions=True, partial=partial)
        for place, step in enumerate(steps[: wrong + 1]):
            is_wrong = place == wrong
            way = OTHER_SIDE[step.direction] if is_wrong else step.direction
            before = set(rules.session_rules)
            show(checker, step, way, place)
            if is_wrong and not step.delivery.is_over_http:
                new = rules.session_rules - before - BY_PEER
                assert all(CATALOGUE[it].subject in ("both", SENDERS[way]) for it in new), new


def show(checker: SessionChecker, step: Step, way: Direction, place: int) -> None:
    if step.message is None:
        checker.hear(way, place, step.delivery)
        return
    is_text = isinstance(step.message, bytes)
    text = step.message if is_text else json.dumps(step.message).encode()
    checker.check(text, way, place, step.delivery)

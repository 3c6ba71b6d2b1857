"""Every rule's own conversations: good ones are silent, bad ones give what they announce."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules import load
from mcp_assay.rules.lanes import Lanes
from mcp_assay.rules.reach import Ledger
from mcp_assay.rules.rule import END, Rule, Script, Step

RULES = load()
GOOD = [
    pytest.param(rule, example, id=f"{rule.id}-good-{index}")
    for rule in RULES.values()
    for index, example in enumerate(rule.good_talks)
]
BAD = [
    pytest.param(rule, example, id=f"{rule.id}-bad-{index}")
    for rule in RULES.values()
    for index, example in enumerate(rule.bad_talks)
]


def played(script: Script, ledger: Ledger | None = None) -> Iterator[tuple[int, Finding]]:
    """Each finding of the conversation with the step at which it is made."""
    lanes = Lanes(sessions=True, partial=script.partial, ledger=ledger)
    for index, step in enumerate(script.steps):
        for finding in heard(lanes, step, index):
            yield index, finding
    for _, finding in lanes.close():
        yield END, finding


def heard(lanes: Lanes, step: Step, place: int) -> list[Finding]:
    if step.message is None:
        return list(lanes.hear(step.direction, place, step.line))
    text = step.message if isinstance(step.message, bytes) else json.dumps(step.message).encode()
    return list(lanes.check(text, step.direction, place, step.line))


@pytest.mark.parametrize(("rule", "script"), GOOD)
def test_nothing_is_said_about_a_good_conversation(rule: Rule, script: Script) -> None:
    assert [(at, one.rule, one.pointer, one.message) for at, one in played(script)] == []


@pytest.mark.parametrize(("rule", "script"), BAD)
def test_a_bad_conversation_gives_exactly_the_findings_it_announces(
    rule: Rule, script: Script
) -> None:
    seen = {(at, one.rule, one.pointer) for at, one in played(script)}
    assert seen == {(script.at, rule.id, script.pointer), *script.also}


def test_the_conversations_of_one_run_are_judged_as_each_would_be_alone() -> None:
    scripts = [one for rule in RULES.values() for one in (*rule.good_talks, *rule.bad_talks)]
    together, left_open = Ledger(), Counter[tuple[str, str]]()
    for script in [*scripts, *reversed(scripts)]:
        alone = Ledger()
        assert list(played(script, together)) == list(played(script, alone))
        left_open.update(alone.left_open)
    assert together.left_open == left_open


@pytest.mark.parametrize(("rule", "script"), BAD)
def test_a_session_finding_has_words_a_link_and_a_reason(rule: Rule, script: Script) -> None:
    for _, one in played(script):
        assert one.message.endswith((".", "?"))
        assert one.url.startswith("https://")
        assert one.statement
        assert one.reason
        assert one.subject is not None


@pytest.mark.parametrize(("rule", "script"), GOOD)
def test_a_whole_good_conversation_decides_the_rule(rule: Rule, script: Script) -> None:
    ledger = Ledger()
    list(played(script, ledger))
    if script is rule.good_talks[0]:
        assert rule.id in ledger.session_rules

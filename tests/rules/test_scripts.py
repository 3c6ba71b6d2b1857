"""Every rule's own conversations: good ones are silent, bad ones give what they announce."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules import load
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.rule import END, Rule, SessionExample, Step
from tests.rules.examples import sessions

RULES = load("session")
GOOD = [
    pytest.param(rule, example, id=f"{rule.id}-good-{index}")
    for rule in RULES.values()
    for index, example in enumerate(sessions(rule.good))
]
BAD = [
    pytest.param(rule, example, id=f"{rule.id}-bad-{index}")
    for rule in RULES.values()
    for index, example in enumerate(sessions(rule.bad))
]


def played(
    script: SessionExample, decided_rules: DecidedRules | None = None
) -> Iterator[tuple[int, Finding]]:
    """Each finding of the conversation with the step at which it is made."""
    checker = SessionChecker(sessions=True, partial=script.partial, decided=decided_rules)
    for index, step in enumerate(script.steps):
        for finding in received(checker, step, index):
            yield index, finding
    for _, finding in checker.close():
        yield END, finding


def received(checker: SessionChecker, step: Step, place: int) -> list[Finding]:
    if step.message is None:
        return list(checker.hear(step.direction, place, step.delivery))
    text = step.message if isinstance(step.message, bytes) else json.dumps(step.message).encode()
    return list(checker.check(text, step.direction, place, step.delivery))


@pytest.mark.parametrize(("rule", "script"), GOOD)
def test_nothing_is_said_about_a_good_conversation(rule: Rule, script: SessionExample) -> None:
    assert [(at, one.rule, one.pointer, one.message) for at, one in played(script)] == []


@pytest.mark.parametrize(("rule", "script"), BAD)
def test_a_bad_conversation_gives_exactly_the_findings_it_announces(
    rule: Rule, script: SessionExample
) -> None:
    seen = {(at, one.rule, one.pointer) for at, one in played(script)}
    assert seen == {(script.at, rule.id, script.pointer), *script.also}


def test_the_conversations_of_one_run_are_judged_as_each_would_be_alone() -> None:
    scripts = [
        one for rule in RULES.values() for one in (*sessions(rule.good), *sessions(rule.bad))
    ]
    together, left_open = DecidedRules(), Counter[tuple[str, str]]()
    for script in [*scripts, *reversed(scripts)]:
        alone = DecidedRules()
        assert list(played(script, together)) == list(played(script, alone))
        left_open.update(alone.left_open)
    assert together.left_open == left_open


def test_a_session_finding_has_words_a_link_and_a_reason() -> None:
    bad = [script for rule in RULES.values() for script in sessions(rule.bad)]
    found = [one for script in bad for _, one in played(script)]
    assert len(found) >= len(bad)
    for one in found:
        assert one.message.endswith((".", "?")), one
        assert one.url.startswith("https://"), one
        assert one.statement, one
        assert one.reason, one
        assert one.subject is not None, one


@pytest.mark.parametrize(("rule", "script"), GOOD)
def test_a_whole_good_conversation_decides_the_rule(rule: Rule, script: SessionExample) -> None:
    decided_rules = DecidedRules()
    list(played(script, decided_rules))
    if script == rule.good()[0]:
        assert rule.id in decided_rules.session_rules

"""Every rule that probes decide is broken by its bad replies and kept by its good ones."""

from __future__ import annotations

import pytest

from mcp_assay.client.connection import HARMED
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import Example, Rule
from mcp_assay.rules.probe.reads import DECIDED
from mcp_assay.rules.probe.rule import DIALOGUES, PROBES, example_of, findings, replayed
from tests.rules.examples import values

KNOWN = load()
GOOD = [(KNOWN[id], example) for id in DIALOGUES for example in values(KNOWN[id].good)]
BAD = [(KNOWN[id], example) for id in DIALOGUES for example in values(KNOWN[id].bad)]


def ids(pairs: list[tuple[Rule, Example]]) -> list[str]:
    return [f"{rule.id}-{number}" for number, (rule, _) in enumerate(pairs)]


def reported(rule: Rule, example: Example) -> list[str]:
    """What is said about a rule when a server replies as in the example."""
    known, replies = example_of(example.value)
    _, verdicts = replayed(DIALOGUES[rule.id], known, replies)
    return [one.message for one in findings(verdicts, known.revision) if one.rule == rule.id]


@pytest.mark.parametrize(("rule", "example"), GOOD, ids=ids(GOOD))
def test_good_replies_are_not_blamed(rule: Rule, example: Example) -> None:
    assert reported(rule, example) == []


@pytest.mark.parametrize(("rule", "example"), BAD, ids=ids(BAD))
def test_bad_replies_are_reported_in_one_sentence(rule: Rule, example: Example) -> None:
    (message,) = reported(rule, example)
    assert message[0].isupper()
    assert message.endswith(".")


def test_every_rule_that_a_probe_decides_has_words_and_examples() -> None:
    decided = {HARMED, *DECIDED, *(rule for probe in PROBES for rule in probe.decides)}
    assert decided <= KNOWN.keys()
    assert DIALOGUES.keys() <= decided


def test_every_probe_says_what_it_asks() -> None:
    assert [probe.decides for probe in PROBES if not probe.start.__doc__] == []

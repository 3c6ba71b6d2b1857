"""Every rule's own examples: good ones are silent, bad ones give exactly what is announced."""

from __future__ import annotations

import json
from typing import SupportsBytes

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules import load
from mcp_assay.rules.engine import Setting, judge
from mcp_assay.rules.rule import Example, Rule
from mcp_assay.spec.catalogue import CATALOGUE, applies
from mcp_assay.wire.reading import read

RULES = load()
GOOD = [
    pytest.param(example, id=f"{rule.id}-good-{index}")
    for rule in RULES.values()
    for index, example in enumerate(rule.good)
]
BAD = [
    pytest.param(rule, example, id=f"{rule.id}-bad-{index}")
    for rule in RULES.values()
    for index, example in enumerate(rule.bad)
]


def findings(example: Example) -> list[Finding]:
    text = example.message
    raw = bytes(text) if isinstance(text, SupportsBytes) else json.dumps(text).encode()
    setting = Setting(
        revision=example.revision,
        direction=example.direction,
        method_of=lambda message: example.method,
    )
    return judge(read(raw), setting)


@pytest.mark.parametrize("example", GOOD)
def test_nothing_is_said_about_a_good_example(example: Example) -> None:
    assert [(one.rule, one.pointer, one.message) for one in findings(example)] == []


@pytest.mark.parametrize(("rule", "example"), BAD)
def test_a_bad_example_gives_exactly_the_findings_it_announces(
    rule: Rule, example: Example
) -> None:
    seen = {(one.rule, one.pointer) for one in findings(example)}
    assert seen == {(rule.id, example.pointer), *example.also}


@pytest.mark.parametrize(("rule", "example"), BAD)
def test_a_finding_has_words_a_link_and_a_reason(rule: Rule, example: Example) -> None:
    for one in findings(example):
        assert one.message.endswith((".", "?"))
        assert one.url.startswith("https://")
        assert one.statement
        assert one.reason
        assert len(one.fingerprint) == 16


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_examples_belong_to_revisions_that_have_the_rule(rule: Rule) -> None:
    assert all(applies(rule.id, example.revision) for example in rule.bad)


def test_every_rule_that_a_message_shows_is_registered() -> None:
    shown = {id for id, entry in CATALOGUE.items() if "message" in entry.observable}
    assert shown - RULES.keys() == set()


def test_names_are_unique_and_kebab_case() -> None:
    names = [rule.name for rule in RULES.values()]
    assert len(names) == len(set(names))
    assert all(name == name.lower() and " " not in name and "_" not in name for name in names)

"""Examples of the rules about definitions: good ones are silent, bad ones give what they say."""

from __future__ import annotations

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules import load
from mcp_assay.rules.definition.linter import lint
from mcp_assay.rules.definition.surface import surface_of
from mcp_assay.rules.engine.rule import Example, Rule
from mcp_assay.spec.catalogue import CATALOGUE
from tests.rules.examples import values

RULES = list(load("definition").values())
GOOD = [(rule, example) for rule in RULES for example in values(rule.good)]
BAD = [(rule, example) for rule in RULES for example in values(rule.bad)]


def findings(example: Example) -> list[Finding]:
    return lint(surface_of(example.value), example.revision)


def test_every_rule_that_definitions_show_is_registered() -> None:
    shown = {id for id, entry in CATALOGUE.items() if "definitions" in entry.observable}
    assert {rule.id for rule in RULES} == shown


@pytest.mark.parametrize(("rule", "example"), GOOD, ids=lambda part: getattr(part, "id", ""))
def test_nothing_is_said_about_a_good_definition(rule: Rule, example: Example) -> None:
    assert [(one.rule, one.pointer, one.message) for one in findings(example)] == []


@pytest.mark.parametrize(("rule", "example"), BAD, ids=lambda part: getattr(part, "id", ""))
def test_a_bad_definition_gives_exactly_the_findings_it_announces(
    rule: Rule, example: Example
) -> None:
    seen = {(one.rule, one.pointer) for one in findings(example)}
    assert seen == {(rule.id, example.pointer), *example.also}


@pytest.mark.parametrize(("rule", "example"), BAD, ids=lambda part: getattr(part, "id", ""))
def test_a_finding_has_a_sentence_a_link_a_reason_and_a_way_out(
    rule: Rule, example: Example
) -> None:
    for one in findings(example):
        assert one.message[0].isupper() or one.message[0].isdigit()
        assert one.message.endswith(".")
        assert one.url.startswith("https://")
        assert one.subject == "server"
        assert one.reason
        assert one.fix
        assert len(one.fingerprint) == 16

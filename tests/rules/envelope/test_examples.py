"""The examples of every rule of the profile: good ones are silent, bad ones give what they say."""

from __future__ import annotations

import json

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.rules import load
from mcp_assay.rules.engine.rule import BROKEN, Example, Rule
from mcp_assay.rules.envelope.checker import judge_response, judge_text
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.spec.revisions import R2024_11_05, R2025_03_26, between
from mcp_assay.wire.reader import read
from tests.rules.examples import values

RULES = list(load("envelope").values())
GOOD = [(rule, example) for rule in RULES for example in values(rule.good)]
BAD = [(rule, example) for rule in RULES for example in values(rule.bad)]


def findings(example: Example) -> list[Finding]:
    message = example.value
    reading = read(message if isinstance(message, bytes) else json.dumps(message).encode())
    return judge_text(reading) + judge_response(reading.value, reading).findings


def test_every_rule_that_a_response_shows_is_registered() -> None:
    shown = {id for id, entry in CATALOGUE.items() if "response" in entry.observable}
    assert {rule.id for rule in RULES} == shown


@pytest.mark.parametrize(("rule", "example"), GOOD, ids=lambda part: getattr(part, "id", ""))
def test_nothing_is_said_about_a_good_response(rule: Rule, example: Example) -> None:
    assert [(one.rule, one.pointer, one.message) for one in findings(example)] == []


@pytest.mark.parametrize(("rule", "example"), BAD, ids=lambda part: getattr(part, "id", ""))
def test_a_bad_response_gives_exactly_the_findings_it_announces(
    rule: Rule, example: Example
) -> None:
    seen = {(one.rule, one.pointer) for one in findings(example)}
    assert seen == {(rule.id, example.pointer), *example.also}


@pytest.mark.parametrize(("rule", "example"), BAD, ids=lambda part: getattr(part, "id", ""))
def test_a_finding_says_what_it_breaks_in_details_and_in_words(
    rule: Rule, example: Example
) -> None:
    assert rule.breaks is not None
    for one in findings(example):
        if one.rule == rule.id:
            assert one.details == {"breaks": rule.breaks}
            assert one.message.endswith(f"that breaks {BROKEN[rule.breaks]}.")
            assert one.subject == "server"
            assert one.reason
            assert one.fix


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_an_error_breaks_the_profile_and_what_breaks_mcp_alone_is_none(rule: Rule) -> None:
    if CATALOGUE[rule.id].severity == "error":
        assert rule.breaks in ("profile", "both")
    if rule.breaks == "mcp":
        assert CATALOGUE[rule.id].severity == "warning"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_link_leads_to_a_section_that_a_revision_does_not_have(rule: Rule) -> None:
    for revision in between(R2024_11_05, R2025_03_26):
        assert "structured-content" not in CATALOGUE[rule.id].url(revision)

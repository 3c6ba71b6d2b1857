"""Every rule about effects fires on its bad records and is silent on its good ones."""

from __future__ import annotations

import pytest

from mcp_assay.rules import load
from mcp_assay.rules.behaviour.effect_rule import effect_rules, judge_effects, record_of
from mcp_assay.rules.engine.rule import Example, Rule
from mcp_assay.spec.revisions import DEFAULT_REVISION
from tests.rules.examples import values

KNOWN = load()
REGISTERED = [KNOWN[rule.id] for rule in effect_rules()]
GOOD = [(rule, example) for rule in REGISTERED for example in values(rule.good)]
BAD = [(rule, example) for rule in REGISTERED for example in values(rule.bad)]


def ids(pairs: list[tuple[Rule, Example]]) -> list[str]:
    return [f"{rule.id}-{number}" for number, (rule, _) in enumerate(pairs)]


@pytest.mark.parametrize(("rule", "example"), GOOD, ids=ids(GOOD))
def test_a_good_record_is_not_blamed(rule: Rule, example: Example) -> None:
    found = judge_effects(record_of(example.value), DEFAULT_REVISION)
    assert rule.id not in {finding.rule for finding in found}


@pytest.mark.parametrize(("rule", "example"), BAD, ids=ids(BAD))
def test_a_bad_record_is_found_once(rule: Rule, example: Example) -> None:
    record = record_of(example.value)
    found = [one for one in judge_effects(record, DEFAULT_REVISION) if one.rule == rule.id]
    (finding,) = found
    assert finding.where.tool == (None if record.tool is None else record.name)
    assert finding.message.endswith(".")
    assert finding.fix


def test_there_are_the_rules_of_the_list() -> None:
    numbers = [*range(1, 14), 15]
    assert sorted(rule.id for rule in effect_rules()) == [f"EFF-{one:03}" for one in numbers]

"""Every rule about calls fires on its bad tool runs and is silent on its good ones."""

from __future__ import annotations

import pytest

from mcp_assay.rules import load
from mcp_assay.rules.behaviour.rule import RULES, judge_tool_run, tool_run_of
from mcp_assay.rules.engine.rule import Example, Rule
from mcp_assay.spec.revisions import DEFAULT_REVISION
from tests.rules.examples import values

KNOWN = load()
REGISTERED = [KNOWN[rule.id] for rule in RULES]
GOOD = [(rule, example) for rule in REGISTERED for example in values(rule.good)]
BAD = [(rule, example) for rule in REGISTERED for example in values(rule.bad)]


def ids(pairs: list[tuple[Rule, Example]]) -> list[str]:
    return [f"{rule.id}-{number}" for number, (rule, _) in enumerate(pairs)]


@pytest.mark.parametrize(("rule", "example"), GOOD, ids=ids(GOOD))
def test_a_good_tool_run_is_not_blamed(rule: Rule, example: Example) -> None:
    found = judge_tool_run(tool_run_of(example.value), DEFAULT_REVISION)
    assert rule.id not in {finding.rule for finding in found}


@pytest.mark.parametrize(("rule", "example"), BAD, ids=ids(BAD))
def test_a_bad_tool_run_is_found_at_its_call(rule: Rule, example: Example) -> None:
    (finding,) = [
        finding
        for finding in judge_tool_run(tool_run_of(example.value), DEFAULT_REVISION)
        if finding.rule == rule.id
    ]
    call = int(example.pointer.rpartition("/")[2]) + 1 if example.pointer else None
    assert finding.where.call == call
    assert finding.where.tool == example.value["tool"]["name"]
    assert finding.message.endswith(".")


def test_two_tools_with_the_same_fault_have_different_fingerprints() -> None:
    bad = dict(values(KNOWN["RESP-004"].bad)[0].value)
    other = {**bad, "tool": {"name": "other"}}
    one, two = (
        next(
            f for f in judge_tool_run(tool_run_of(value), DEFAULT_REVISION) if f.rule == "RESP-004"
        )
        for value in (bad, other)
    )
    assert one.fingerprint != two.fingerprint

"""Rules about effects are passed only where what could have broken them was looked at."""

from __future__ import annotations

import sys
from pathlib import Path

from mcp_assay.assess.assessment import AssessOptions, assess
from mcp_assay.client.target import Command, allowed
from mcp_assay.rules.behaviour.effect_rule import effect_rules

DEMO = (sys.executable, "-m", "mcp_assay.demo_server")


def test_without_a_world_no_rule_about_effects_is_tested(tmp_path: Path) -> None:
    options = AssessOptions(max_calls=2)
    report = assess(
        Command(command=DEMO, environment=allowed({"HOME": str(tmp_path)}, {})), options
    )
    seen = {one.rule: (one.outcome, one.reason) for one in report.checks}
    why = ("not_testable", "only a disposable world shows what calls do: --sandbox")
    assert {rule.id: seen[rule.id] for rule in effect_rules()} == {
        rule.id: why for rule in effect_rules()
    }

"""Conversations played through the checks: what is said about them, and what is left open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.rules.engine.rule import Step
from mcp_assay.rules.engine.samples import kept
from tests.rules.test_scripts import played

JUNK: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    "",
    "text",
    [],
    [None],
    {},
    {"a": {"b": []}},
)
"""A value of every JSON type."""


def reported(
    *parts: Step | Iterable[Step], rules: str, partial: bool = False
) -> list[tuple[int, str]]:
    """The step and rule of each finding, of those rules whose ids begin so."""
    script = kept(*parts, partial=partial)
    wanted = tuple(rules.split())
    return [(at, one.rule) for at, one in played(script) if one.rule.startswith(wanted)]


def left_open(*parts: Step | Iterable[Step], partial: bool = False) -> set[str]:
    """The rules that could not be judged."""
    decided_rules = DecidedRules()
    list(played(kept(*parts, partial=partial), decided_rules))
    return {rule for rule, _ in decided_rules.left_open}


def decided(*parts: Step | Iterable[Step], partial: bool = False) -> set[str]:
    """The rules about conversations that were judged."""
    decided_rules = DecidedRules()
    list(played(kept(*parts, partial=partial), decided_rules))
    return decided_rules.session_rules

"""Conversations played through the lanes: what is said about them, and what is left open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.rules.reach import Ledger
from mcp_assay.rules.rule import Step
from mcp_assay.rules.scripts import talk
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


def told(*parts: Step | Iterable[Step], rules: str, partial: bool = False) -> list[tuple[int, str]]:
    """The step and rule of each finding, of those rules whose ids begin so."""
    script = talk(*parts, partial=partial)
    wanted = tuple(rules.split())
    return [(at, one.rule) for at, one in played(script) if one.rule.startswith(wanted)]


def left_open(*parts: Step | Iterable[Step], partial: bool = False) -> set[str]:
    """The rules that could not be judged."""
    ledger = Ledger()
    list(played(talk(*parts, partial=partial), ledger))
    return {rule for rule, _ in ledger.left_open}


def decided(*parts: Step | Iterable[Step], partial: bool = False) -> set[str]:
    """The rules about conversations that were judged."""
    ledger = Ledger()
    list(played(talk(*parts, partial=partial), ledger))
    return ledger.session_rules

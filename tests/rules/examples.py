"""The examples of rules by what they show: one value, or a whole session."""

from __future__ import annotations

from mcp_assay.rules.engine.rule import Example, Examples, Rule, SessionExample


def values(examples: Examples) -> list[Example]:
    return [one for one in examples() if isinstance(one, Example)]


def sessions(examples: Examples) -> list[SessionExample]:
    return [one for one in examples() if isinstance(one, SessionExample)]


def without_examples(rules: list[Rule]) -> list[str]:
    """The rules of which nothing shows what they forbid, or what they allow."""
    return [rule.id for rule in rules if not (rule.good() and rule.bad())]

"""What a run judges by: the rules of MCP, or those of the response envelope."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcp_assay.intake.faults import INPUT_RULES
from mcp_assay.intake.options import PROFILES, Profile
from mcp_assay.report.selection import names
from mcp_assay.rules.engine import NOTE_RULES
from mcp_assay.spec.catalogue import CATALOGUE, Entry
from mcp_assay.spec.rule_table.envelope import ENVELOPE_RULES

KNOWN_RULES: Final = CATALOGUE | {id: rule.entry for id, rule in INPUT_RULES.items()}
"""Every rule that a finding of a validation can name."""

_OF_RESPONSES: Final = frozenset(rule.id for rule in ENVELOPE_RULES)
_OF_BOTH: Final = frozenset((*INPUT_RULES, *NOTE_RULES.values(), "LIMIT-003"))
"""The rules about the input and its text, whatever it says."""

NOT_TESTABLE: Final = frozenset(rule.id for rule in ENVELOPE_RULES if "probe" in rule.observable)
"""The rules about software that makes or checks responses: no file of responses can show them."""


def rules_of(profile: Profile) -> dict[str, Entry]:
    """The rules that a run under this profile can find broken; ValueError names the profiles."""
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; allowed: {', '.join(PROFILES)}")
    of_mcp = KNOWN_RULES.keys() - _OF_RESPONSES
    wanted = of_mcp if profile == "mcp" else _OF_RESPONSES | _OF_BOTH
    return {id: entry for id, entry in KNOWN_RULES.items() if id in wanted}


def require_selectable(select: Iterable[str], profile: Profile) -> None:
    """Raise ValueError where the names are all of rules that this profile does not judge by."""
    selected = tuple(select)
    judged = rules_of(profile).keys() - NOT_TESTABLE
    if selected and not any(names(text, rule) for text in selected for rule in judged):
        listed = ", ".join(selected)
        raise ValueError(f"--profile {profile} judges by no rule that --select {listed} names")

"""One number for a server: how much of it is proven to work, less what is wrong with it.

docs/reports.md has the formula for people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from mcp_assay.model.finding import DECIDED_BY, Finding, Severity
from mcp_assay.model.tool import ToolRow
from mcp_assay.model.verdict import ToolStatus

BEST: Final = 100
LEAST_CALLED: Final = 0.5
"""Below this share of tools that were called there is no score: too little is known."""
WORTH: Final[Mapping[ToolStatus, float]] = {
    "fully_working": 1.0,
    "partially_working": 0.7,
    "connectivity_only": 0.4,
    "unproven": 0.4,
    "not_called": 0.4,
    "broken": 0.0,
}
"""What a tool counts by its status."""
COST: Final[Mapping[Severity, int]] = {"error": 5, "warning": 1, "info": 0}
"""What each rule that is broken takes away, whatever the number of tools that break it."""
MOST_COST: Final[Mapping[Severity, int]] = {"error": 30, "warning": 10, "info": 0}
"""What all rules of a severity take away together at most."""


def score_of(tools: Sequence[ToolRow], findings: Iterable[Finding]) -> int | None:
    """The score from 0 to 100; None where fewer than half of the tools were called."""
    called = sum(tool.status != "not_called" for tool in tools)
    if not tools or called < LEAST_CALLED * len(tools):
        return None
    proven = BEST * sum(WORTH[tool.status] for tool in tools) / len(tools)
    return max(round(proven - _cost(findings)), 0)


def _cost(findings: Iterable[Finding]) -> int:
    """What findings take away; what a library decides says nothing about the author."""
    own = [one for one in findings if DECIDED_BY not in (one.details or {})]
    rules = {severity: {one.rule for one in own if one.severity == severity} for severity in COST}
    return sum(min(COST[one] * len(rules[one]), MOST_COST[one]) for one in COST)

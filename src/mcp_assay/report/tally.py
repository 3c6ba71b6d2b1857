"""Findings as they come in: all are counted, the first ones are kept."""

from __future__ import annotations

from collections import Counter

from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.report import Limit

DEFAULT_MAX_FINDINGS = 10_000
"""How many findings a report holds where nobody says otherwise."""


class Tally:
    """What was found so far; the memory that it needs does not grow without end."""

    def __init__(self, most: int = DEFAULT_MAX_FINDINGS) -> None:
        self.most = most
        self.kept: list[Finding] = []
        self.severities: Counter[Severity] = Counter()
        self.rules: dict[str, set[Severity]] = {}

    def add(self, finding: Finding) -> None:
        """Count the finding and keep it while there is room."""
        self.severities[finding.severity] += 1
        self.rules.setdefault(finding.rule, set()).add(finding.severity)
        if self.has_room:
            self.kept.append(finding)

    @property
    def has_room(self) -> bool:
        """Whether the next finding will be kept."""
        return len(self.kept) < self.most

    def limits(self) -> list[Limit]:
        """The limit on findings, where it cut something."""
        dropped = self.severities.total() - len(self.kept)
        if not dropped:
            return []
        effect = "further findings were counted but are not listed"
        return [Limit(name="max-findings", value=self.most, count=dropped, effect=effect)]

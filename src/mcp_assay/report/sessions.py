"""What was counted in each session; of many sessions the worst are kept."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from mcp_assay.model.finding import Finding, Severity, Subject
from mcp_assay.model.report import SessionSummary

MOST_TOLD = 1_000
"""How many sessions a report tells about."""

CauseKey = tuple[Severity, Subject | None, str]
"""What makes findings one cause: severity, who is at fault, and rule."""


class SessionCount(Struct, kw_only=True):
    """One session as it goes on."""

    key: str
    file: str
    first: int = 0
    """The running number of its first line."""
    partial: bool = False
    messages: int = 0
    errors: int = 0
    warnings: int = 0
    revision: str = ""
    causes: set[CauseKey] = field(default_factory=set)

    def add(self, finding: Finding) -> bool:
        """Count a finding; tell whether its cause is new to this session."""
        if finding.severity == "error":
            self.errors += 1
        elif finding.severity == "warning":
            self.warnings += 1
        cause = cause_of(finding)
        is_new = cause not in self.causes
        self.causes.add(cause)
        return is_new

    def badness(self) -> tuple[int, int, int]:
        """What sorts the worst sessions first, and equal ones as they came."""
        return -self.errors, -self.warnings, self.first

    def summary(self) -> SessionSummary:
        """What a report says about the session."""
        return SessionSummary(
            key=self.key,
            file=self.file,
            messages=self.messages,
            errors=self.errors,
            warnings=self.warnings,
            revision=self.revision,
            partial=self.partial,
        )


def cause_of(finding: Finding) -> CauseKey:
    """What the finding has in common with others that have the same cause."""
    return finding.severity, finding.subject, finding.rule


class Ranking:
    """Sessions that are over, the worst of them kept."""

    def __init__(self, counts: Iterable[SessionCount] = (), most: int = MOST_TOLD) -> None:
        self._counts = list(counts)
        self.most = most

    def add(self, count: SessionCount) -> None:
        """Take in a session in which nothing more will be counted."""
        self._counts.append(count)
        if len(self._counts) > 2 * self.most:
            self._counts = self.worst()

    def worst(self) -> list[SessionCount]:
        """The worst sessions, the very worst first."""
        return sorted(self._counts, key=SessionCount.badness)[: self.most]

    def copy(self) -> Ranking:
        """The same sessions, to be added to."""
        return Ranking(self._counts, self.most)

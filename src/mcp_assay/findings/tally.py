"""Findings counted as they come, in all and per session; those that come first are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from mcp_assay.findings import DEFAULT_MAX_FINDINGS
from mcp_assay.model.finding import Finding, Severity, Subject, Where
from mcp_assay.model.report import Cause, Limit, SessionSummary

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class CauseCount(Struct):
    """How often one cause was seen, in how many sessions, and where first."""

    name: str
    message: str
    number: int
    first: Where
    findings: int = 0
    sessions: int = 0


class Tally:
    """What was found so far; the memory that it needs does not grow without end.

    Every finding has the running number of its line. Which findings are kept depends on these
    numbers alone, not on the order in which they come.
    """

    def __init__(self, most: int = DEFAULT_MAX_FINDINGS) -> None:
        self.most = most
        self.severities: Counter[Severity] = Counter()
        self.rules: dict[str, set[Severity]] = {}
        self._causes: dict[CauseKey, CauseCount] = {}
        self._kept: list[tuple[int, Finding]] = []
        self._full_from: int | None = None

    def add(self, finding: Finding, number: int = 0, *, new_to_session: bool = False) -> bool:
        """Count the finding, and keep it while it is one of the first; whether it is kept."""
        self.severities[finding.severity] += 1
        self.rules.setdefault(finding.rule, set()).add(finding.severity)
        self._add_cause(finding, number, new_to_session)
        if not self.has_room(number):
            return False
        self._kept.append((number, finding))
        if len(self._kept) >= 2 * self.most:
            self._cut()
        return True

    def has_room(self, number: int = 0) -> bool:
        """Whether a finding about the line of this number will be kept."""
        if self._full_from is None and len(self._kept) >= self.most:
            self._cut()
        return self._full_from is None or number < self._full_from

    def needs(self, findings: Iterable[Finding], number: int) -> bool:
        """Whether anybody will see where these findings are."""
        return self.has_room(number) or any(self._is_first(one, number) for one in findings)

    def _is_first(self, finding: Finding, number: int) -> bool:
        """Whether no finding of this cause was before the line of this number."""
        known = self._causes.get(cause_of(finding))
        return known is None or number < known.number

    @property
    def kept(self) -> list[Finding]:
        """The findings that are kept, in the order of the inputs."""
        self._cut()
        return [finding for _, finding in self._kept]

    def causes(self) -> list[Cause]:
        """The causes of all findings, the gravest first, then the most frequent."""
        ordered = sorted(self._causes.items(), key=_gravity)
        return [
            Cause(
                severity=severity,
                subject=subject,
                rule=rule,
                name=count.name,
                message=count.message,
                findings=count.findings,
                sessions=count.sessions,
                first=count.first,
            )
            for (severity, subject, rule), count in ordered
        ]

    def merge(self, other: Tally) -> None:
        """Take in what another tally counted in other sessions."""
        self.severities += other.severities
        for rule, severities in other.rules.items():
            self.rules.setdefault(rule, set()).update(severities)
        for key, count in other._causes.items():
            self._merge_cause(key, count)
        self._kept += other._kept
        self._cut()

    def limits(self) -> list[Limit]:
        """The limit on findings, where it cut something."""
        dropped = self.severities.total() - len(self.kept)
        if not dropped:
            return []
        effect = "further findings were counted but not included"
        return [Limit(name="max-findings", value=self.most, count=dropped, effect=effect)]

    def _cut(self) -> None:
        """Keep the first ones; once there are enough, later lines need not be kept."""
        self._kept.sort(key=_number)
        del self._kept[self.most :]
        if len(self._kept) == self.most:
            self._full_from = self._kept[-1][0] if self._kept else 0

    def _add_cause(self, finding: Finding, number: int, new_to_session: bool) -> None:
        count = self._causes.get(cause_of(finding))
        if count is None:
            count = CauseCount(finding.name, finding.message, number, finding.where)
            self._causes[cause_of(finding)] = count
        elif number < count.number:
            count.number, count.first, count.message = number, finding.where, finding.message
        count.findings += 1
        count.sessions += new_to_session

    def _merge_cause(self, key: CauseKey, other: CauseCount) -> None:
        count = self._causes.setdefault(key, other)
        if count is other:
            return
        count.findings += other.findings
        count.sessions += other.sessions
        if other.number < count.number:
            count.number, count.first, count.message = other.number, other.first, other.message


def _number(kept: tuple[int, Finding]) -> int:
    return kept[0]


def _gravity(cause: tuple[CauseKey, CauseCount]) -> tuple[int, int, str, str]:
    (severity, subject, rule), count = cause
    return SEVERITIES.index(severity), -count.findings, rule, subject or ""


MOST_LISTED = 1_000
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

    def __init__(self, counts: Iterable[SessionCount] = (), most: int = MOST_LISTED) -> None:
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

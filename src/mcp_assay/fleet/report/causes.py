"""Findings of many servers -> the causes that they share, however many servers have each."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from mcp_assay.findings.tally import SEVERITIES
from mcp_assay.fleet.report.form import FleetCause
from mcp_assay.model.finding import DECIDED_BY, Finding, Severity
from mcp_assay.text.safe import shorten

MOST_EXAMPLES: Final = 5
"""So many servers of each cause are named."""
MOST_VERSIONS: Final = 10
LONGEST_NAME: Final = 100
"""Characters of the name or the version of a library."""
LONGEST_MESSAGE: Final = 2_000

CauseKey: TypeAlias = tuple[Severity, str, str]


class _Count(Struct):
    """What was counted of one cause, and what the server said of it that is named first."""

    first: Finding
    example: str
    findings: int = 0
    servers: int = 0
    names: list[str] = field(default_factory=list)
    versions: set[str] = field(default_factory=set)


class CauseTable:
    """Takes the findings server by server, and keeps one of each cause."""

    def __init__(self) -> None:
        self._counts: Final[dict[CauseKey, _Count]] = {}

    def add(self, server: str, findings: list[Finding]) -> list[str]:
        """Count the findings of a server; the keys of its causes, the gravest first."""
        found: dict[CauseKey, list[Finding]] = {}
        for finding in findings:
            found.setdefault(_key(finding), []).append(finding)
        for key, same in found.items():
            self._count(key, server, same)
        return [_word(key) for key in sorted(found, key=_gravity)]

    def causes(self) -> list[FleetCause]:
        """All causes, those of most servers first; notes come last."""
        causes = [_cause(key, count) for key, count in self._counts.items()]
        return sorted(causes, key=_rank)

    def _count(self, key: CauseKey, server: str, same: list[Finding]) -> None:
        count = self._counts.setdefault(key, _Count(first=same[0], example=server))
        if server < count.example:
            count.first, count.example = same[0], server
        count.findings += len(same)
        count.servers += 1
        count.names = sorted([*count.names, server])[:MOST_EXAMPLES]
        count.versions.update(version for one in same if (version := _library(one)[1]))
        if len(count.versions) > MOST_VERSIONS:
            count.versions = set(sorted(count.versions)[:MOST_VERSIONS])


def _key(finding: Finding) -> CauseKey:
    return finding.severity, finding.rule, _library(finding)[0]


def _library(finding: Finding) -> tuple[str, str]:
    """The library or the framework that a finding is decided by, and its version."""
    details = finding.details or {}
    told: Any = details.get(DECIDED_BY)
    if not isinstance(told, dict):
        told = {"library": details.get("framework")}
    name, version = (told.get(key) or "" for key in ("library", "version"))
    return shorten(str(name), LONGEST_NAME), shorten(str(version), LONGEST_NAME)


def _gravity(key: CauseKey) -> tuple[int, str, str]:
    severity, rule, library = key
    return SEVERITIES.index(severity), rule, library


def _rank(cause: FleetCause) -> tuple[bool, int, int, str]:
    gravity = SEVERITIES.index(cause.severity)
    return cause.severity == "info", -cause.servers, gravity, cause.key


def _word(key: CauseKey) -> str:
    severity, rule, library = key
    return f"{rule} {severity}" + (f" {library}" if library else "")


def _cause(key: CauseKey, count: _Count) -> FleetCause:
    severity, rule, library = key
    return FleetCause(
        key=_word(key),
        severity=severity,
        rule=rule,
        name=count.first.name,
        library=library or None,
        versions=sorted(count.versions),
        statement=count.first.statement,
        message=shorten(count.first.message, LONGEST_MESSAGE),
        fix=shorten(count.first.fix, LONGEST_MESSAGE) if count.first.fix else None,
        findings=count.findings,
        servers=count.servers,
        examples=count.names,
    )

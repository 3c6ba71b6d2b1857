"""Reports on several servers -> one on all: their verdict, and the findings that share a cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec.structs import replace

from mcp_assay.findings.tally import SEVERITIES
from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import Report, Timing, ToolVersion
from mcp_assay.model.reports import (
    OverallSummary,
    Reports,
    ServerReport,
    SharedCause,
    SkippedServer,
)
from mcp_assay.report.library_findings import library_name

CauseKey: TypeAlias = tuple[Severity, str, str | None]
Found: TypeAlias = tuple[str, Finding]
"""A finding, and the server that has it."""

WORST_FIRST: Final[tuple[RunOutcome, ...]] = ("incomplete", "fail", "pass")
SUMMED: Final = (
    *("errors", "warnings", "infos"),
    *("tools_listed", "tools_called", "tools_succeeded"),
)


def overall(
    config: str,
    reports: Mapping[str, Report],
    *,
    tool: ToolVersion,
    command: Literal["assess", "lint"],
    options: dict[str, Any],
    skipped: Sequence[SkippedServer],
    timing: Timing,
) -> Reports:
    """The report on all servers, in the order in which theirs are given."""
    return Reports(
        tool=tool,
        command=command,
        config=config,
        options=options,
        summary=_summary(list(reports.values())),
        causes=shared_causes(reports),
        servers=[
            ServerReport(name=name, summary=its.summary, report=its)
            for name, its in reports.items()
        ],
        skipped=list(skipped),
        timing=timing,
    )


def with_files(reports: Reports, files: Mapping[str, str]) -> Reports:
    """The same report; what a file holds of a server is named in place of being repeated."""
    servers = [
        replace(one, file=files[one.name], report=None) if one.name in files else one
        for one in reports.servers
    ]
    return replace(reports, servers=servers)


def shared_causes(reports: Mapping[str, Report]) -> list[SharedCause]:
    """What the servers have in common, the gravest first, then what most of them have."""
    groups: dict[CauseKey, list[Found]] = {}
    for found in _all_found(reports):
        groups.setdefault(_key(found[1]), []).append(found)
    return sorted(map(_cause, groups.values()), key=_rank)


def _all_found(reports: Mapping[str, Report]) -> Iterator[Found]:
    for name, report in reports.items():
        yield from ((name, finding) for finding in report.findings)


def _key(finding: Finding) -> CauseKey:
    return finding.severity, finding.rule, _framework(finding)


def _framework(finding: Finding) -> str | None:
    name = (finding.details or {}).get("framework") or library_name(finding)
    return name if isinstance(name, str) and name else None


def _cause(group: Sequence[Found]) -> SharedCause:
    first = group[0][1]
    return SharedCause(
        severity=first.severity,
        rule=first.rule,
        name=first.name,
        framework=_framework(first),
        message=first.message,
        fix=first.fix,
        findings=len(group),
        servers=list(dict.fromkeys(name for name, _ in group)),
    )


def _rank(cause: SharedCause) -> tuple[int, int, str, str]:
    gravity = SEVERITIES.index(cause.severity)
    return gravity, -len(cause.servers), cause.rule, cause.framework or ""


def _summary(reports: Sequence[Report]) -> OverallSummary:
    outcomes = Counter(report.summary.outcome for report in reports)
    sums = {name: sum(getattr(it.summary, name) for it in reports) for name in SUMMED}
    return OverallSummary(
        outcome=next((one for one in WORST_FIRST if outcomes[one]), "incomplete"),
        servers=len(reports),
        passed=outcomes["pass"],
        failed=outcomes["fail"],
        incomplete=outcomes["incomplete"],
        **sums,
    )

"""The findings of two reports -> which are new, fixed, changed, or were not looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.drift.comparison import (
    Aspect,
    ChangedFinding,
    FindingChanges,
    GoneFinding,
    NewFinding,
)
from mcp_assay.drift.decided import (
    INCOMPLETE,
    NOT_LISTED,
    OTHER_CALLS,
    Looked,
    called,
    has_same_calls,
    is_about_definitions,
    is_about_probes,
)
from mcp_assay.drift.surfaces import listed
from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.report import Report

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
"""From the gravest on."""
_INDEX: Final = re.compile(r"/\d+(?=/|$)")

Found: TypeAlias = dict[str, Finding]
"""Findings by their fingerprints."""
Wanted: TypeAlias = Callable[[str], bool]
"""Whether the user wants to hear of a rule."""
Place: TypeAlias = tuple[str, str | None, str, str]


def finding_changes(old: Report, new: Report, wanted: Wanted) -> FindingChanges:
    """How the findings differ. What a baseline accepts is known: neither new nor fixed."""
    before, now = _all(old, wanted), _all(new, wanted)
    gone = {key: it for key, it in _open(old, wanted).items() if key not in now}
    come = {key: it for key, it in _open(new, wanted).items() if key not in before}
    unlooked = _silence(old, new).whys(gone) | _silence(new, old).whys(come)
    moved = list(_moved(_without(gone, unlooked), _without(come, unlooked)))
    both = [(before[key], now[key]) for key in before if key in now]
    paired = {finding.fingerprint for pair in moved for finding in pair}
    changed = [ChangedFinding(old=a, new=b, what=what) for a, b in (*both, *moved)
               if (what := list(_aspects(a, b)))]  # fmt: skip
    left = _by_gravity(_without(gone, paired).values())
    return FindingChanges(
        new=[
            NewFinding(finding=it, not_looked_at=unlooked.get(it.fingerprint))
            for it in _by_gravity(_without(come, paired).values())
        ],
        fixed=[it for it in left if it.fingerprint not in unlooked],
        changed=sorted(changed, key=lambda it: _gravity(it.new)),
        not_looked_at=[
            GoneFinding(finding=it, reason=unlooked[it.fingerprint])
            for it in left
            if it.fingerprint in unlooked
        ],
    )


def _silence(found: Report, other: Report) -> Silence:
    """Why one run may lack what another run has found."""
    is_same = has_same_calls(found, other)
    return Silence(
        other, has_same_calls=is_same, has_same_reach=is_same and called(found) <= called(other)
    )


class Silence:
    """A run that lacks what another run has found: whether it would have found it, too."""

    def __init__(self, other: Report, *, has_same_calls: bool, has_same_reach: bool) -> None:
        surface = listed(other)
        self._names: Final = None if surface is None else surface.hashes
        self._looked: Final = Looked(other)
        self._is_incomplete: Final = (
            other.subject.kind == "server" and other.summary.outcome == "incomplete"
        )
        self._has_same_calls: Final = has_same_calls
        self._has_same_reach: Final = has_same_reach

    def whys(self, findings: Found) -> dict[str, str]:
        """Why some of these could not be in the other report, by their fingerprints."""
        reasons = {key: self.why(it.rule, it.where.tool) for key, it in findings.items()}
        return {key: reason for key, reason in reasons.items() if reason is not None}

    def why(self, rule: str, tool: str | None) -> str | None:
        """Why it could not have found that a rule is broken, by a tool; None where it could."""
        if tool is not None and self._names is not None and tool not in self._names:
            return NOT_LISTED
        if silence := self._looked.why_silent(rule, tool):
            return silence
        if is_about_definitions(rule):
            return None
        if self._is_incomplete:
            return INCOMPLETE
        if tool is not None:
            return None if self._has_same_calls else OTHER_CALLS
        return None if is_about_probes(rule) or self._has_same_reach else OTHER_CALLS


def _all(report: Report, wanted: Wanted) -> Found:
    accepted = report.baseline.accepted if report.baseline else []
    return _folded([*report.findings, *accepted], wanted)


def _open(report: Report, wanted: Wanted) -> Found:
    return _folded(report.findings, wanted)


def _folded(findings: Iterable[Finding], wanted: Wanted) -> Found:
    """Each finding once: the gravest of its repeats, with the number of all of them."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if wanted(finding.rule):
            groups.setdefault(finding.fingerprint, []).append(finding)
    return {
        key: replace(min(group, key=_severity), count=sum(it.count for it in group))
        for key, group in groups.items()
    }


def _moved(gone: Found, come: Found) -> Iterator[tuple[Finding, Finding]]:
    """Findings of one rule at one place that say something else now."""
    before, now = _lonely(gone.values()), _lonely(come.values())
    return ((before[place], now[place]) for place in before if place in now)


def _lonely(findings: Iterable[Finding]) -> Mapping[Place, Finding]:
    """Those that are alone at their places: of several nobody knows which is which."""
    places: dict[Place, list[Finding]] = {}
    for finding in findings:
        places.setdefault(_place(finding), []).append(finding)
    return {place: group[0] for place, group in places.items() if len(group) == 1}


def _place(finding: Finding) -> Place:
    """The rule, who broke it, and where: what is about no tool is distinguished by its cause."""
    subject = finding.where.tool or finding.cause
    return finding.rule, finding.subject, subject, _INDEX.sub("/*", finding.pointer)


def _aspects(old: Finding, new: Finding) -> Iterator[Aspect]:
    if old.severity != new.severity:
        yield "severity"
    if old.count != new.count:
        yield "count"
    if old.message != new.message:
        yield "words"


def _without(findings: Found, left_out: Collection[str]) -> Found:
    return {key: it for key, it in findings.items() if key not in left_out}


def _by_gravity(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=_gravity)


def _gravity(finding: Finding) -> tuple[int, str, str, str]:
    return _severity(finding), finding.where.tool or "", finding.rule, finding.fingerprint


def _severity(finding: Finding) -> int:
    return SEVERITIES.index(finding.severity)

"""Findings that a library decides, as one for people: behind those that the author can change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from mcp_assay.findings.tally import SEVERITIES
from mcp_assay.model.finding import DECIDED_BY, NOWHERE, Finding
from mcp_assay.report.footer import SEVERITY_WORDS
from mcp_assay.rules.engine.findings import fingerprint
from mcp_assay.text.lines import counted
from mcp_assay.text.words import with_article


def is_of_library(finding: Finding) -> bool:
    """Whether a library decides what was found, not the author of the server."""
    return DECIDED_BY in (finding.details or {})


def library_name(finding: Finding) -> str:
    """The library that decides a finding, with its version where that is known."""
    told = _told(finding)
    return " ".join(str(told[key]) for key in ("library", "version") if told.get(key))


def own_first(findings: Sequence[Finding]) -> Iterator[Finding]:
    """The author's own findings, then one for each library, whatever it decides."""
    of_libraries: dict[str, list[Finding]] = {}
    for finding in findings:
        if is_of_library(finding):
            of_libraries.setdefault(library_name(finding), []).append(finding)
        else:
            yield finding
    yield from map(_together, of_libraries.values())


def _together(decided: Sequence[Finding]) -> Finding:
    gravest = min(decided, key=lambda one: SEVERITIES.index(one.severity))
    rules = sorted({one.rule for one in decided})
    return replace(
        gravest,
        message=_sentence(decided),
        pointer="",
        where=NOWHERE,
        evidence=None,
        fix=None,
        details={DECIDED_BY: {**_told(gravest), "rules": rules}},
        count=len(decided),
        examples=[],
        cause=library_name(gravest),
        fingerprint=fingerprint(gravest.rule, gravest.subject, "", "", library_name(gravest)),
    )


def _sentence(decided: Sequence[Finding]) -> str:
    """What a library decides, by what changes it."""
    cures: dict[str, list[str]] = {}
    for one in decided:
        rules = cures.setdefault(_told(one)["cure"], [])
        rules.extend([one.rule] if one.rule not in rules else [])
    parts = (f"{', '.join(rules)}: {cure}" for cure, rules in sorted(cures.items()))
    counts = ", ".join(
        counted(number, SEVERITY_WORDS[severity])
        for severity in SEVERITIES
        if (number := sum(one.severity == severity for one in decided))
    )
    name = library_name(decided[0])
    return f"Decided by {with_article(name)}, not by your code: {counts}. {'; '.join(parts)}."


def _told(finding: Finding) -> dict[str, Any]:
    told: dict[str, Any] = (finding.details or {}).get(DECIDED_BY) or {}
    return told

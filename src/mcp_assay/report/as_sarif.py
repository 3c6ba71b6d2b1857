"""Report -> SARIF 2.1.0: results with places, fingerprints and the rules that they break."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct, field

from mcp_assay.model.finding import Finding, Severity, Where
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import json_line
from mcp_assay.rules import load_rule
from mcp_assay.spec.catalogue import CATALOGUE
from mcp_assay.text.safe import plain, shorten

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}
NO_FILE: Final = "mcp-server"
"""Stands for the server where a finding is in no file: services that show results want one."""
SOURCES: Final = (".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".go", ".sh")
LONGEST: Final = 2000
LONGEST_DESCRIPTION: Final = 1024
MOST_RESULTS: Final = 25_000
"""So many results of a run are accepted by code scanning; the others are in further runs."""


def to_sarif(report: Report) -> str:
    """The report as SARIF."""
    firsts = {finding.rule: finding for finding in reversed(report.findings)}
    rules = [_rule(firsts[rule]) for rule in sorted(firsts)]
    index = {rule: number for number, rule in enumerate(sorted(firsts))}
    results = list(_results(report, index))
    runs = [
        _run(report, rules, results[start : start + MOST_RESULTS], start // MOST_RESULTS)
        for start in range(0, max(1, len(results)), MOST_RESULTS)
    ]
    return json_line({"$schema": SCHEMA, "version": "2.1.0", "runs": runs})


def _run(
    report: Report, rules: list[dict[str, Any]], results: list[SarifResult], part: int
) -> dict[str, Any]:
    driver = {
        "name": report.tool.name,
        "version": report.tool.version,
        "semanticVersion": report.tool.version,
        "rules": rules,
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [_invocation(report)],
        "properties": {"outcome": report.summary.outcome, "seed": report.seed},
    }
    return {**run, "automationDetails": {"id": f"{report.tool.name}/{part}/"}} if part else run


def _invocation(report: Report) -> dict[str, Any]:
    cut = [
        {"level": "warning", "message": _unlinked(f"{it.effect} ({it.name} {it.value})")}
        for it in report.limits
    ]
    done = report.summary.outcome != "incomplete"
    return {"executionSuccessful": done, "toolExecutionNotifications": cut}


def _rule(finding: Finding) -> dict[str, Any]:
    entry, rule = CATALOGUE.get(finding.rule), load_rule(finding.rule)
    words = (rule.why, rule.instead) if rule else ()
    text = "\n\n".join(part for part in (finding.statement, *words) if part)
    severity = entry.severity if entry else finding.severity
    shown_parts = {
        "id": finding.rule,
        "name": finding.name,
        "shortDescription": _description(rule.title if rule else finding.statement),
        "fullDescription": _description(finding.statement),
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": LEVELS[severity]},
        "properties": {"tags": ["mcp", finding.rule.rpartition("-")[0]]},
    }
    return {**shown_parts, "helpUri": finding.url} if finding.url else shown_parts


def _description(text: str) -> SarifText:
    return SarifText(shorten(text, LONGEST_DESCRIPTION))


def _results(report: Report, index: dict[str, int]) -> Iterator[SarifResult]:
    home, seen = _home(report), dict[str, int]()
    for finding in report.findings:
        known = finding.fingerprint
        seen[known] = seen.get(known, 0) + 1
        yield SarifResult(
            rule_id=finding.rule,
            rule_index=index[finding.rule],
            level=LEVELS[finding.severity],
            message=_message(finding),
            locations=(_location(finding.where, finding, home),),
            partial_fingerprints=Prints(known, f"{known}:{seen[known]}"),
            occurrence_count=finding.count,
            related_locations=tuple(
                _location(where, finding, home, number)
                for number, where in enumerate(finding.examples, 1)
            ),
        )


def _message(finding: Finding) -> SarifText:
    """What is wrong, what to do, how it was proven, and how it is repeated."""
    details = finding.details or {}
    repeat, proof = details.get("repeat"), details.get("proof")
    text = f"{finding.message} {finding.fix}" if finding.fix else finding.message
    text = f"{text} Proof: {proof}." if proof else text
    if repeat:
        text = f"{shorten(text, LONGEST)} Repeat: {repeat}"
    return _unlinked(text)


def _unlinked(text: str) -> SarifText:
    """A message in which nothing that a server said becomes a link."""
    return SarifText(_shown(text).replace("](", "] ("))


def _location(where: Where, finding: Finding, home: str, number: int | None = None) -> Location:
    region = Region(max(1, where.line or 1), where.column or None)
    artifact = ArtifactLocation(_uri(where.file) if where.file else home)
    logical: tuple[LogicalLocation, ...] = ()
    if where.tool is not None:
        logical = (_tool(where.tool),)
    elif finding.pointer:
        logical = (LogicalLocation(fully_qualified_name=_shown(finding.pointer)),)
    return Location(
        physical_location=PhysicalLocation(artifact, region), logical_locations=logical, id=number
    )


@lru_cache(maxsize=256)
def _tool(name: str) -> LogicalLocation:
    shown = _shown(name)
    return LogicalLocation(name=shown, fully_qualified_name=f"tools/{shown}", kind="function")


def _home(report: Report) -> str:
    """The file to show findings in that are in none: the server's own, where it is a file."""
    for word in report.subject.command or ():
        if word.endswith(SOURCES) and not word.startswith(("/", "-", "~")):
            return _uri(word)
    return NO_FILE


@lru_cache(maxsize=64)
def _uri(file: str) -> str:
    """The address of a file; standard input and live traffic have none."""
    if file.startswith("<"):
        return NO_FILE
    path = quote(shorten(file, LONGEST).replace("\\", "/"), errors="replace")
    return f"file://{path}" if path.startswith("/") else path


def _shown(text: str) -> str:
    return plain(shorten(text, LONGEST))


class SarifText(Struct, frozen=True, gc=False):
    """A message, or a text of a rule."""

    text: str


class ArtifactLocation(Struct, frozen=True, gc=False):
    """A file."""

    uri: str


class Region(Struct, frozen=True, gc=False, rename="camel", omit_defaults=True):
    """A place in a file, counted from 1."""

    start_line: int
    start_column: int | None = None


class PhysicalLocation(Struct, frozen=True, gc=False, rename="camel"):
    """A place in a file, with the file."""

    artifact_location: ArtifactLocation
    region: Region


class LogicalLocation(
    Struct, frozen=True, gc=False, kw_only=True, rename="camel", omit_defaults=True
):
    """A tool, or a member of a message."""

    name: str | None = None
    fully_qualified_name: str
    kind: str | None = None


class Location(Struct, frozen=True, gc=False, kw_only=True, rename="camel", omit_defaults=True):
    """Where a result is."""

    physical_location: PhysicalLocation
    logical_locations: tuple[LogicalLocation, ...] = ()
    id: int | None = None


class Prints(Struct, frozen=True, gc=False):
    """What a result is known again by: to us, and to code scanning."""

    ours: str = field(name="mcpAssay/v1")
    line_hash: str = field(name="primaryLocationLineHash")


class SarifResult(Struct, frozen=True, gc=False, kw_only=True, rename="camel", omit_defaults=True):
    """One finding."""

    rule_id: str
    rule_index: int
    level: str
    message: SarifText
    locations: tuple[Location, ...]
    partial_fingerprints: Prints
    occurrence_count: int = 1
    related_locations: tuple[Location, ...] = ()

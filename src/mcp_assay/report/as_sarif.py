"""Report -> SARIF 2.1.0: results with places, fingerprints and the rules that they break."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote

from mcp_assay.model.finding import Finding, Severity, Where
from mcp_assay.model.report import Report
from mcp_assay.report.as_json import json_text
from mcp_assay.report.plain import plain, shorten
from mcp_assay.rules import load
from mcp_assay.spec.catalogue import CATALOGUE

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}
FINGERPRINT: Final = "mcpAssay/v1"
NO_FILE: Final = "mcp-server"
"""Stands for the server where a finding is in no file: services that show results want one."""
SOURCES: Final = (".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".go", ".sh")
LONGEST: Final = 2000


def to_sarif(report: Report) -> str:
    """The report as SARIF."""
    rules = sorted({finding.rule for finding in report.findings})
    index = {rule: number for number, rule in enumerate(rules)}
    home = _home(report)
    driver = {
        "name": report.tool.name,
        "version": report.tool.version,
        "semanticVersion": report.tool.version,
        "rules": [_rule(rule, report) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, index, home) for finding in report.findings],
        "invocations": [_invocation(report)],
        "properties": {"outcome": report.summary.outcome, "seed": report.seed},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _invocation(report: Report) -> dict[str, Any]:
    cut = [
        {"level": "warning", "message": {"text": f"{limit.effect} ({limit.name} {limit.value})"}}
        for limit in report.limits
    ]
    done = report.summary.outcome != "incomplete"
    return {"executionSuccessful": done, "toolExecutionNotifications": cut}


def _rule(id: str, report: Report) -> dict[str, Any]:
    entry, rule = CATALOGUE[id], load().get(id)
    title = rule.title if rule else entry.statement
    why, instead = (rule.why, rule.instead) if rule else ("", "")
    text = "\n\n".join(part for part in (entry.statement, why, instead) if part)
    told = {
        "id": id,
        "name": rule.name if rule else id,
        "shortDescription": {"text": title},
        "fullDescription": {"text": entry.statement},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": LEVELS[entry.severity]},
    }
    url = entry.url(report.revision or entry.revisions[-1]) if entry.page else ""
    return {**told, "helpUri": url} if url else told


def _result(finding: Finding, index: dict[str, int], home: str) -> dict[str, Any]:
    result = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [_location(finding.where, finding, home)],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
    }
    if finding.count > 1:
        result["occurrenceCount"] = finding.count
    if finding.examples:
        result["relatedLocations"] = [
            {"id": number, **_location(where, finding, home)}
            for number, where in enumerate(finding.examples, 1)
        ]
    return result


def _message(finding: Finding) -> str:
    repeat = (finding.details or {}).get("repeat")
    parts = [finding.message, finding.fix, f"Repeat: {repeat}" if repeat else None]
    return shorten(" ".join(plain(part) for part in parts if part), LONGEST)


def _location(where: Where, finding: Finding, home: str) -> dict[str, Any]:
    region = {"startLine": max(1, where.line or 1)}
    if where.column:
        region["startColumn"] = where.column
    uri = quote(where.file.replace("\\", "/"), errors="replace") if where.file else home
    physical = {"artifactLocation": {"uri": uri}, "region": region}
    location: dict[str, Any] = {"physicalLocation": physical}
    if where.tool is not None:
        name = shorten(plain(where.tool), LONGEST)
        logical = {"name": name, "fullyQualifiedName": f"tools/{name}", "kind": "function"}
        location["logicalLocations"] = [logical]
    elif finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": plain(finding.pointer)}]
    return location


def _home(report: Report) -> str:
    """The file to show findings in that are in none: the server's own, where it is a file."""
    for word in report.subject.command or ():
        if word.endswith(SOURCES) and not word.startswith(("/", "-", "~")):
            return quote(word.replace("\\", "/"), errors="replace")
    return NO_FILE

"""Small reports, made in memory: a finding here, a tool there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from mcp_assay.compare import Comparison, compare
from mcp_assay.model.finding import Finding, Severity
from mcp_assay.model.report import Check, CheckOutcome, Report
from mcp_assay.model.surface import DefinitionSize, ListedDefinitions, SurfaceSize
from mcp_assay.model.tool import ToolRow
from tests.report.reports import finding as any_finding
from tests.report.reports import report as any_report

OPTIONS = {"fail_on": "error", "max_calls": 50, "seed": 0, "calls": "safe"}
DECIDED = ("RESP-004", "JSONRPC-005", "CALL-003", "TOOL-013", "LIFE-008")


def finding(
    rule: str = "RESP-004",
    tool: str | None = "find",
    severity: Severity = "error",
    key: int = 1,
    **more: Any,
) -> Finding:
    """A finding of a rule about a tool; `key` is what tells it from others."""
    made = any_finding("x", severity, key, tool=tool)
    digits = sha256(f"{rule} {tool} {key}".encode()).hexdigest()[:16]
    return replace(made, rule=rule, pointer="", fingerprint=digits, **more)


def definition(name: str, **members: Any) -> dict[str, Any]:
    """What is listed of a tool."""
    return {"name": name, "inputSchema": {"type": "object"}, **members}


def row(name: str, status: str, reason: str = "a reason") -> ToolRow:
    """What a report says of a tool."""
    return convert({"name": name, "status": status, "reason": reason}, ToolRow)


def surface(*definitions: dict[str, Any], **others: Any) -> SurfaceSize:
    """What a report knows of a surface."""
    digests = [sha256(json.dumps(one).encode()).hexdigest() for one in definitions]
    tools = [
        DefinitionSize(name=one["name"], sha256=digest)
        for one, digest in zip(definitions, digests, strict=True)
    ]
    whole = sha256("".join(sorted(digests)).encode()).hexdigest()
    held = ListedDefinitions(tools=[*definitions], **others)
    return SurfaceSize(sha256=whole, tools=tools, definitions=held)


def made(
    *findings: Finding,
    tools: Mapping[str, str] | None = None,
    outcomes: Mapping[str, CheckOutcome] | None = None,
    options: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Report:
    """A report with these findings; its tools were called, and its rules were decided."""
    its = {"find": "fully_working"} if tools is None else tools
    checked: dict[str, CheckOutcome] = {**dict.fromkeys(DECIDED, "passed"), **(outcomes or {})}
    report = replace(
        any_report("notes", list(findings)),
        tools=[row(name, status) for name, status in its.items()],
        checks=[Check(rule=rule, outcome=outcome) for rule, outcome in checked.items()],
        options={**OPTIONS, **(options or {})},
        surface=surface(*map(definition, its)),
        limits=[],
    )
    report = replace(report, seed=report.options["seed"])
    report = replace(report, **changes)
    known = report.surface.sha256 if report.surface else None
    subject = replace(report.subject, surface_sha256=known)
    return replace(report, subject=subject)


def compared(old: Report, new: Report, **options: Any) -> Comparison:
    """The two, compared."""
    return compare(old, new, **options)

"""Reports for tests of writers: any text of a server, in every place where such text can stand."""

from __future__ import annotations

from typing import Any

from mcp_assay.model.finding import Finding, Severity, Where
from mcp_assay.model.report import (
    Check,
    Limit,
    Report,
    ReportSubject,
    Summary,
    Timing,
    ToolVersion,
)
from mcp_assay.model.tool import Coverage, ToolRow

NASTY = (
    "plain words",
    "\x1b[31mred\x1b[0m \x00\x07\x9b",
    "\u202eevil\u2066 \u200b",
    "lone \ud800 surrogate \udfff",
    "</failure></testcase><script>alert(1)</script>",
    "]]> <![CDATA[ & &amp; &#0; \ufffe",
    "| a | b |\n\n# Title\n- [x](javascript:alert(1)) @someone `code` ![i](http://x.invalid)",
    "```\n~~~ *bold* _em_ <details open> www.x.invalid",
    "\"quotes\" 'and' \\backslashes\\ %s {0} $(x)",
    "",
    "x" * 100_000,
)


def finding(text: str, severity: Severity = "error", number: int = 0, **where: Any) -> Finding:
    """A finding with this text wherever a server has a say."""
    return Finding(
        rule="RESP-004" if where.get("tool") is not None else "JSONRPC-005",
        name="a-name",
        severity=severity,
        subject="server",
        message=f"Message {number}: {text}",
        pointer=f"/{text}",
        where=Where(**where),
        revision="2025-11-25",
        statement="A statement.",
        url="https://modelcontextprotocol.io/specification",
        reason=None,
        details={"repeat": text, "smallest": {text: text}},
        evidence=text,
        fix=text,
        cause="cause",
        fingerprint=f"{number:016x}",
        examples=[Where(tool=text)],
    )


def report(text: str, findings: list[Finding] | None = None) -> Report:
    """A report on a server that says this text everywhere."""
    found = _found(text) if findings is None else findings
    counts = {
        kind: sum(it.severity == kind for it in found) for kind in ("error", "warning", "info")
    }
    return Report(
        tool=ToolVersion(name="mcp-assay", version="0.1.0"),
        subject=ReportSubject(
            kind="server", command=["python", text], server_info={"name": text, "version": text}
        ),
        revision="2025-11-25",
        options={"fail_on": "error"},
        seed=0,
        summary=Summary(
            outcome="fail",
            errors=counts["error"],
            warnings=counts["warning"],
            infos=counts["info"],
            messages=1,
            sessions=1,
            tools_listed=1,
            tools_called=1,
        ),
        findings=found,
        checks=[
            Check(rule="JSONRPC-005", outcome="failed"),
            Check(rule="JSONRPC-001", outcome="passed"),
            Check(rule="PING-001", outcome="undecided", reason=text),
        ],
        tools=[_tool(text)],
        limits=[Limit(name=text, value=1, count=1, effect=text)],
        timing=Timing(started="2026-01-01T00:00:00Z", seconds=1.0),
    )


def _found(text: str) -> list[Finding]:
    return [
        finding(text, "error", 1, tool=text, scenario=text, call=1),
        finding(text, "warning", 2, file=text, line=3, column=4),
        finding(text, "info", 3),
    ]


def _tool(text: str) -> ToolRow:
    return ToolRow(
        name=text,
        status="partially_working",
        reason=text,
        confidence=70.0,
        called=3,
        succeeded=1,
        rejected=1,
        failed=1,
        coverage=Coverage(not_reached=[text], valid_calls=1, invalid_calls=2),
    )

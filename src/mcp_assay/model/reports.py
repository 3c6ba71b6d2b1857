"""The report on several servers, format `mcp-assay/reports/1`: what they share, then each."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from mcp_assay.model.finding import Severity
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import Report, Summary, Timing, ToolVersion

SCHEMA: Literal["mcp-assay/reports/1"] = "mcp-assay/reports/1"


class SharedCause(Struct, frozen=True, kw_only=True):
    """All findings of one rule and severity, of one framework where one is to blame."""

    severity: Severity
    rule: str
    name: str
    framework: str | None = None
    """What the servers are built with, where that does it."""
    message: str
    """What the first of them says."""
    fix: str | None = None
    findings: int
    servers: list[str]
    """Who has it, in the order of the configuration."""


class ServerReport(Struct, frozen=True, kw_only=True):
    """One server: its verdict, and its report or the file that holds it."""

    name: str
    summary: Summary
    file: str | None = None
    """Where its report is, from the folder of this one."""
    report: Report | None = None
    """The report itself, where no file holds it."""


class SkippedServer(Struct, frozen=True, kw_only=True):
    """A server that was not assessed, because its configuration says so."""

    name: str
    reason: str


class OverallSummary(Struct, frozen=True, kw_only=True):
    """The verdict on all servers, and the numbers of all of them together."""

    outcome: RunOutcome
    servers: int
    passed: int
    failed: int
    incomplete: int
    errors: int
    warnings: int
    infos: int
    tools_listed: int
    tools_called: int
    tools_succeeded: int


class Reports(Struct, frozen=True, kw_only=True):
    """Everything that one run found out about the servers of a configuration."""

    schema: Literal["mcp-assay/reports/1"] = SCHEMA
    tool: ToolVersion
    command: Literal["assess", "lint"]
    """What was done with the servers."""
    config: str
    """The file that names them."""
    options: dict[str, Any]
    summary: OverallSummary
    causes: list[SharedCause]
    servers: list[ServerReport]
    """In the order of the configuration."""
    skipped: list[SkippedServer] = field(default_factory=list)
    timing: Timing

"""What the history answers, as programs read it: one record for each question."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.model.finding import Severity
from mcp_assay.model.outcome import RunOutcome

LIST: Literal["mcp-assay/history/1"] = "mcp-assay/history/1"
SERVER: Literal["mcp-assay/history-server/1"] = "mcp-assay/history-server/1"
TOOL: Literal["mcp-assay/history-tool/1"] = "mcp-assay/history-tool/1"
FINDINGS: Literal["mcp-assay/history-findings/1"] = "mcp-assay/history-findings/1"
Statuses: TypeAlias = dict[str, int]
"""How many tools have each status."""


class LastRun(Struct, frozen=True, kw_only=True):
    """The latest run of a server."""

    run: int
    """Its number, by which it is named to other commands."""
    at: str
    command: str
    outcome: RunOutcome
    reason: str | None = None
    """Why it does not show all that it was to show; null where it does."""
    tools: Statuses
    errors: int
    warnings: int


class RunTrend(Struct, frozen=True, kw_only=True):
    """The latest runs of a server, the newest last."""

    outcomes: list[RunOutcome]
    errors: list[int]
    warnings: list[int]


class KnownServer(Struct, frozen=True, kw_only=True):
    """A server that runs are known of."""

    id: int
    name: str
    command: list[str] | None = None
    url: str | None = None
    files: list[str] | None = None
    """The files of messages that stand for it, where no server was named."""
    root: str | None = None
    """The root of the project, where a command or files mean something only there."""
    runs: int
    last: LastRun | None
    trend: RunTrend


class HistoryList(Struct, frozen=True, kw_only=True):
    """All servers, in the order of their names."""

    schema: Literal["mcp-assay/history/1"] = LIST
    servers: list[KnownServer]


class PastRun(Struct, frozen=True, kw_only=True):
    """One run in the history of a server."""

    run: int
    at: str
    command: str
    outcome: RunOutcome
    reason: str | None
    errors: int
    warnings: int
    infos: int
    score: int | None
    confidence: float | None
    tools: Statuses
    version: str | None
    """What the server calls its version."""
    revision: str | None
    surface: str | None
    """The hash of all that it lists."""
    seconds: float | None
    median_ms: float | None
    """The median of the times that calls took."""
    p95_ms: float | None
    """What all but a twentieth of them stay below."""


class ToolTrend(Struct, frozen=True, kw_only=True):
    """A tool over the latest runs, the newest last; null where a run did not list it."""

    name: str
    statuses: list[str | None]
    confidences: list[float | None]
    median_ms: list[float | None]
    p95_ms: list[float | None]


class Approval(Struct, frozen=True, kw_only=True):
    """What somebody has approved of a server: all definitions of one run."""

    run: int
    surface: str | None
    at: str
    who: str
    why: str
    revoked_at: str | None = None
    revoked_by: str | None = None
    revoked_why: str | None = None


class KnownFinding(Struct, frozen=True, kw_only=True):
    """A finding over all runs of a server."""

    server: str
    server_id: int
    fingerprint: str
    rule: str
    name: str
    severity: Severity
    tool: str | None
    message: str
    first_at: str
    first_run: int
    last_at: str
    last_run: int
    since_at: str
    """Since when it is there without a break."""
    fixed_at: str | None
    """When a run would have found it and did not; null while it is there."""
    fixed_run: int | None
    runs: int
    """How many runs found it."""
    comings: int
    """How often it came: more than once where it had been fixed meanwhile."""


class ServerHistory(Struct, frozen=True, kw_only=True):
    """What is known of one server."""

    schema: Literal["mcp-assay/history-server/1"] = SERVER
    server: KnownServer
    approval: Approval | None
    approvals: list[Approval]
    """The latest ones, the newest first, with those that were taken back."""
    surface_approved: bool | None
    """Whether the latest run listed what is approved; null where nothing is."""
    runs: list[PastRun]
    """The latest ones, the newest first."""
    tools: list[ToolTrend]
    findings: list[KnownFinding]
    """Those that are there, the gravest and oldest first."""


class PastToolRun(Struct, frozen=True, kw_only=True):
    """A tool in one run."""

    run: int
    at: str
    status: str
    confidence: float | None
    called: int
    succeeded: int
    definition: str | None
    """The hash of its definition."""
    effects: str | None
    """What its calls did to the machine, where a sandbox saw it."""
    median_ms: float | None
    p95_ms: float | None
    version: str | None
    revision: str | None


class StatusChange(Struct, frozen=True, kw_only=True):
    """A run in which a tool was no longer what it had been, and what else was new in it."""

    run: int
    at: str
    before: str
    now: str
    also: list[str] = field(default_factory=list)


class ToolHistory(Struct, frozen=True, kw_only=True):
    """What is known of one tool."""

    schema: Literal["mcp-assay/history-tool/1"] = TOOL
    server: str
    server_id: int
    tool: str
    changes: list[StatusChange]
    """The newest first."""
    runs: list[PastToolRun]
    """The latest ones, the newest first."""
    findings: list[KnownFinding]


class HistoryFindings(Struct, frozen=True, kw_only=True):
    """Findings by what became of them, of all servers or of one."""

    schema: Literal["mcp-assay/history-findings/1"] = FINDINGS
    since: str
    new: list[KnownFinding]
    """What came since then, and is there; the newest first."""
    fixed: list[KnownFinding]
    """What was fixed since then; the newest first."""
    oldest: list[KnownFinding]
    """What has been there longest."""
    flaky: list[KnownFinding]
    """What was fixed and came back, the most often first."""
    limit: int
    """How many of each were asked for."""
    is_cut: bool = False
    """Whether there are more than were asked for."""

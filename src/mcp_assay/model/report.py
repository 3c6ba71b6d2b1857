"""The report of a run, format `mcp-assay/report/1`: what was judged, how, and what came of it."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.model.baseline import Overdue
from mcp_assay.model.effect import SandboxRow
from mcp_assay.model.entry import Direction
from mcp_assay.model.finding import Finding, Severity, Subject, Where
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.surface import SurfaceSize
from mcp_assay.model.tool import CallRow, ToolRow

SCHEMA: Literal["mcp-assay/report/1"] = "mcp-assay/report/1"

CommandName: TypeAlias = Literal["assess", "lint", "validate"]
SubjectKind: TypeAlias = Literal["server", "trace", "messages"]
CheckOutcome: TypeAlias = Literal[
    "passed", "failed", "warned", "not_declared", "not_testable", "undecided", "skipped"
]

OfferStatus: TypeAlias = Literal[
    "fully_working", "partially_working", "unproven", "broken", "not_called"
]


class ToolVersion(Struct, frozen=True, kw_only=True):
    """Who wrote the report."""

    name: str
    version: str


class ReportSubject(Struct, frozen=True, kw_only=True):
    """What was judged: a server, a trace of conversations, or bare messages."""

    kind: SubjectKind
    command: list[str] | None = None
    url: str | None = None
    server_info: dict[str, Any] | None = None
    surface_sha256: str | None = None


class Summary(Struct, frozen=True, kw_only=True):
    """The verdict and the numbers behind it; findings that were not kept are counted too."""

    outcome: RunOutcome
    score: int | None = None
    """From 0 to 100; None where no tools were called, or fewer than half of them."""
    errors: int
    warnings: int
    infos: int
    messages: int
    sessions: int
    confidence: float | None = None
    tools_listed: int = 0
    tools_called: int = 0
    tools_succeeded: int = 0
    reason: str | None = None
    """Why the run does not show all that it was to show; None where it does."""


class Check(Struct, frozen=True, kw_only=True):
    """What became of one rule of the catalogue in this run."""

    rule: str
    outcome: CheckOutcome
    reason: str | None = None


class Cause(Struct, frozen=True, kw_only=True):
    """All findings of one rule and severity that are the same side's fault, kept or not."""

    severity: Severity
    subject: Subject | None
    rule: str
    name: str
    message: str
    """What the first of them says."""
    findings: int
    sessions: int
    first: Where


class SessionSummary(Struct, frozen=True, kw_only=True):
    """One conversation: what it is known by, where it begins, and what was counted in it."""

    key: str
    file: str
    messages: int
    errors: int
    warnings: int
    revision: str
    partial: bool


class BaselineOutcome(Struct, frozen=True, kw_only=True):
    """What became of the findings that the project accepts."""

    accepted: list[Finding] = field(default_factory=list)
    overdue: list[Overdue] = field(default_factory=list)
    """Entries that expired, or that this run would have found again."""


class Offer(Struct, frozen=True, kw_only=True):
    """A resource, a template or a prompt of a server, and whether it could be had."""

    name: str | None
    uri: str | None = None
    """The URI of a resource, the URI template of a template."""
    status: OfferStatus
    reason: str
    findings: list[str] = field(default_factory=list)
    """The fingerprints of what was found about it."""


MAX_CALLS: Final = "max-calls"
"""The limit that people read of among what was not tested."""


class Limit(Struct, frozen=True, kw_only=True):
    """A limit that cut something, and how often."""

    name: str
    value: int
    count: int
    effect: str


class TimedMessage(Struct, frozen=True, kw_only=True):
    """One message of the conversation with a server, and when it was sent or came."""

    at: float
    """Seconds since the first message."""
    direction: Direction
    what: str
    """Its method, with the name of what is called; of an answer, what it answers."""
    id: str | int | None
    bytes: int
    milliseconds: float | None = None
    """How long an answer took; None for all else."""


class Timing(Struct, frozen=True, kw_only=True):
    """When the run began and how long it took; the only part that differs between equal runs."""

    started: str
    seconds: float
    messages: list[TimedMessage] = field(default_factory=list)
    """What passed between us and a server; of very many only the first."""
    messages_left_out: int = 0
    files_left: list[str] = field(default_factory=list)
    """Files that were not in the working folder before the run; of very many only the first."""
    files_left_out: int = 0


class SandboxHint(Struct, frozen=True, kw_only=True):
    """What a disposable world, which can be made here, would add to a run without one."""

    tools: int
    """How many more tools would be called."""
    command: str
    """What to type."""


class LikelyHint(Struct, frozen=True, kw_only=True):
    """What --calls likely would add to a run without it."""

    tools: int
    """How many more tools would be called."""
    command: str
    """What to type."""


class Report(Struct, frozen=True, kw_only=True):
    """Everything that one run found out."""

    schema: Literal["mcp-assay/report/1"] = SCHEMA
    tool: ToolVersion
    subject: ReportSubject
    revision: str | None
    revisions_offered: list[str] = field(default_factory=list)
    options: dict[str, Any]
    seed: int | None = None
    consent: dict[str, Any] | None = None
    summary: Summary
    findings: list[Finding]
    checks: list[Check]
    causes: list[Cause] = field(default_factory=list)
    sessions: list[SessionSummary] = field(default_factory=list)
    """The worst first; of very many only those."""
    tools: list[ToolRow] = field(default_factory=list)
    resources: list[Offer] = field(default_factory=list)
    templates: list[Offer] = field(default_factory=list)
    prompts: list[Offer] = field(default_factory=list)
    surface: SurfaceSize | None = None
    calls: list[CallRow] = field(default_factory=list)
    sandbox: SandboxRow | None = None
    limits: list[Limit]
    baseline: BaselineOutcome | None = None
    sandbox_hint: SandboxHint | None = None
    """What a disposable world would add; null where nothing would be added, or none can be made."""
    likely_hint: LikelyHint | None = None
    """What --calls likely would add; null where nothing would be added."""
    timing: Timing

    @property
    def command(self) -> CommandName:
        """The command that made it, which the format does not name.

        Only an assessment chooses calls, by a seed; only what lists definitions has a surface.
        """
        if self.seed is not None:
            return "assess"
        return "validate" if self.surface is None else "lint"

    def count(self, severity: Severity) -> int:
        """How many findings of this severity the run made, kept or not."""
        numbers = {"error": "errors", "warning": "warnings", "info": "infos"}
        number: int = getattr(self.summary, numbers[severity])
        return number

"""The report on a fleet, format `mcp-assay/fleet/1`: a row per server, and what servers share."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.fleet.entry import EntryKind
from mcp_assay.fleet.job import ReasonKind
from mcp_assay.model.finding import Severity
from mcp_assay.model.outcome import RunOutcome
from mcp_assay.model.report import ToolVersion
from mcp_assay.model.verdict import ToolStatus

SCHEMA: Literal["mcp-assay/fleet/1"] = "mcp-assay/fleet/1"

FleetVerdict: TypeAlias = Literal["not_assessed", "incomplete", "fail", "pass"]
VERDICTS: Final[tuple[FleetVerdict, ...]] = ("not_assessed", "incomplete", "fail", "pass")
"""The order in which the rows of a report are counted; what failed is listed before the rest."""
UnassessedKind: TypeAlias = ReasonKind | Literal["not_reached", "run_incomplete"]
"""Why a server has no full verdict: what ended its job, or what ended its own run."""
ServerDrift: TypeAlias = Literal["new", "worse", "better", "changed", "same"]


class RowChange(Struct, frozen=True, kw_only=True):
    """How a server differs from what the last run of the fleet said of it."""

    move: ServerDrift
    verdict: FleetVerdict | None = None
    """The verdict then; null where the server is new."""
    version: str | None = None
    """The version then, where it was another one."""
    new_findings: int = 0
    fixed_findings: int = 0
    why: list[str] = field(default_factory=list)
    """What makes it worse, in a few words each."""


class FleetRow(Struct, frozen=True, kw_only=True):
    """One server: its verdict, or the reason why it has none."""

    name: str
    verdict: FleetVerdict
    reason_kind: UnassessedKind | None = None
    reason: str | None = None
    """Why there is no verdict, or no full one."""
    kind: EntryKind | None = None
    """How it is had; null for a wrong entry."""
    package: str | None = None
    """The registry and the name of its package."""
    version: str | None = None
    """Of its package, else what the server itself says."""
    host: str | None = None
    """Where it runs, if that is at an address."""
    score: int | None = None
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    tools_listed: int = 0
    tools_called: int = 0
    tools_succeeded: int = 0
    causes: list[str] = field(default_factory=list)
    """The keys of the causes that it has, the gravest first."""
    change: RowChange | None = None
    """Null where no run of the fleet is known to compare with."""
    file: str | None = None
    """Where its own report is, from the folder of this one."""


class FleetCause(Struct, frozen=True, kw_only=True):
    """All findings of one rule and severity, of one library where a library decides them."""

    key: str
    """The rule, the severity, and the library if there is one."""
    severity: Severity
    rule: str
    name: str
    library: str | None = None
    """What the servers are built with, where that does it."""
    versions: list[str] = field(default_factory=list)
    """Of the library; of very many only the first."""
    statement: str
    message: str
    """What it says of the first of the examples."""
    fix: str | None = None
    findings: int
    servers: int
    examples: list[str]
    """Some servers that have it."""


class ReasonExample(Struct, frozen=True, kw_only=True):
    """A server without a full verdict, and what is said of it alone."""

    name: str
    text: str


class ReasonGroup(Struct, frozen=True, kw_only=True):
    """The servers that have no full verdict for one kind of reason."""

    kind: UnassessedKind
    servers: int
    examples: list[ReasonExample]


class ServerNames(Struct, frozen=True, kw_only=True):
    """How many servers, and the names of the first of them."""

    servers: int = 0
    names: list[str] = field(default_factory=list)


class VersionChange(Struct, frozen=True, kw_only=True):
    """A server of another version than in the last run."""

    name: str
    old: str
    new: str


class FleetChanges(Struct, frozen=True, kw_only=True):
    """What differs from the last run of the fleet."""

    new: ServerNames
    gone: ServerNames
    better: ServerNames
    worse: ServerNames
    changed: ServerNames
    """Neither better nor worse, and not the same."""
    same: int
    unknown: int
    """Of which the last run said nothing, though the fleet had them."""
    versions_changed: int
    versions: list[VersionChange]
    """Of very many only the first."""
    new_findings: int
    fixed_findings: int
    new_causes: list[FleetCause]
    """What was found that the last run did not find, across servers."""
    fixed_causes: list[FleetCause]


class FleetTotals(Struct, frozen=True, kw_only=True):
    """The verdict on the fleet, and the numbers of all servers together."""

    outcome: RunOutcome
    """The worst of all servers; incomplete where one has no verdict."""
    servers: int
    verdicts: dict[FleetVerdict, int]
    left_out: int
    """Entries of the file that the filters do not want."""
    errors: int
    warnings: int
    infos: int
    tools_listed: int
    tools_called: int
    tools_succeeded: int
    tools: dict[ToolStatus, int]
    """How many tools have each status."""
    calls: int
    surface_bytes: int
    tokens_estimated: int
    """Of all definitions that the servers list."""


class TryRow(Struct, frozen=True, kw_only=True):
    """A try that gave nothing, and why."""

    kind: ReasonKind
    text: str


class ServerTiming(Struct, frozen=True, kw_only=True):
    """How the work on one server went this time."""

    name: str
    run: int | None = None
    """Its number in the history."""
    resumed: bool = False
    """Whether an earlier command of this run of the fleet had done it."""
    tries: list[TryRow] = field(default_factory=list)
    """Those that gave nothing."""
    prepared_seconds: float = 0.0
    assessed_seconds: float = 0.0


class FleetTiming(Struct, frozen=True, kw_only=True):
    """When and how the run went; the only part that differs between equal runs."""

    started: str
    seconds: float
    engine: str | None = None
    workers: int | None = None
    last_run: str | None = None
    """When the run began that this one is compared with."""
    prepared_seconds: float
    """The sum of all servers."""
    assessed_seconds: float
    """What all runs would take one after the other, once prepared."""
    resumed: int
    tried_again: int
    """Servers that took more than one try."""
    servers: list[ServerTiming]


class FleetReport(Struct, frozen=True, kw_only=True):
    """Everything that one run found out about a fleet."""

    schema: Literal["mcp-assay/fleet/1"] = SCHEMA
    tool: ToolVersion
    fleet: str
    """The name by which its runs are known in the history."""
    file: str
    """The file that names the servers."""
    options: dict[str, Any]
    totals: FleetTotals
    causes: list[FleetCause]
    """Those of most servers first; notes come last."""
    unassessed: list[ReasonGroup]
    """Why servers have no full verdict, the most frequent reason first."""
    changes: FleetChanges | None = None
    """Null where no run of the fleet is known to compare with."""
    servers: list[FleetRow]
    """The worst first."""
    timing: FleetTiming

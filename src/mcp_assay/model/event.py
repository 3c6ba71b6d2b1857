"""What happens in a run, format `mcp-assay/events/1`: one record for each kind of event."""

from __future__ import annotations

from typing import Any, Final, Literal, Protocol, TypeAlias

from msgspec import Struct

from mcp_assay.model.baseline import Overdue
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Check, Limit, ReportSubject, Summary, ToolVersion
from mcp_assay.model.tool import CallRow, ToolRow
from mcp_assay.model.verdict import ToolStatus

SCHEMA: Literal["mcp-assay/events/1"] = "mcp-assay/events/1"
Phase: TypeAlias = Literal[
    "connecting",
    "listing",
    "probing",
    "reading",
    "calling",
    "comparing",
    "proving",
]
"""What an assessment does, in this order."""


class BeginEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="begin"):
    """The run begins: the first event."""

    schema: Literal["mcp-assay/events/1"] = SCHEMA
    tool: ToolVersion


class ConnectedEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="connected"):
    """The server answered: who it is, and which revision is spoken."""

    server_info: dict[str, Any] | None
    revision: str | None
    revisions_offered: list[str]


class PhaseEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="phase"):
    """Another part of the assessment begins. It is told with --verbose."""

    phase: Phase


class ListedEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="listed"):
    """How many things the server lists of each kind."""

    tools: int
    resources: int
    templates: int
    prompts: int


class PermittedEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="permitted"):
    """Whether a tool may be called, and why."""

    tool: str
    allowed: bool
    reason: str


class CallEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="call"):
    """A call was made and judged; the same object is among the calls of the report."""

    call: CallRow


class ProgressEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="progress"):
    """Calls of a tool were made: what they show up to now. It is told with --verbose."""

    tool: str
    status: ToolStatus
    """Whether it works; calls of others may yet show more."""
    called: int
    succeeded: int
    rejected: int
    failed: int
    unproven: int
    finished: bool
    """Whether no more scenarios of it are tried."""


class FindingEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="finding"):
    """A finding was made; its number counts the findings of the run."""

    number: int
    finding: Finding


class WithdrawnEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="withdrawn"):
    """A finding of this run is not in its report, and why."""

    number: int
    reason: str


class ToolEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="tool"):
    """The verdict on a tool, as in the report."""

    tool: ToolRow


class LimitEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="limit"):
    """A limit cut something."""

    limit: Limit


class OverdueEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="overdue"):
    """An entry of the baseline is stale or has expired."""

    overdue: Overdue


class CheckEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="check"):
    """What became of one rule of the catalogue."""

    check: Check


class SummaryEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="summary"):
    """The run is over: the last event, but for `recorded`."""

    subject: ReportSubject
    revision: str | None
    seed: int | None
    summary: Summary
    started: str
    seconds: float


class RecordedEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="recorded"):
    """The run is in the history. It is told with --verbose."""

    run: int
    """Its number there."""


class FleetBeginEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="fleet_begin"):
    """The work on a fleet begins."""

    servers: int
    """How many it has."""
    dashboard: str | None
    """The address at which the Dask cluster shows what it does; null where there is none."""


class ServerBeginEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="server_begin"):
    """The work on a server of a fleet begins."""

    server: str
    attempt: int
    """Which try it is, from 1."""


class ServerRetryEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="server_retry"):
    """A try gave nothing, and another one follows."""

    server: str
    kind: str
    """Why, as the report on the fleet names it."""
    text: str
    """Why, in a sentence."""


class ServerEndEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="server_end"):
    """A server of a fleet has its verdict, or the reason why it has none."""

    server: str
    verdict: Literal["pass", "fail", "incomplete", "not_assessed"]
    kind: str | None
    """The kind of the reason where there is no full verdict, as in the report on the fleet."""
    text: str | None
    """The reason in a sentence."""
    errors: int
    warnings: int
    seconds: float
    """What preparing and assessing took."""
    resumed: bool
    """Whether an earlier command of the same run of the fleet had done it."""
    done: int
    """How many servers are done now."""
    servers: int
    """How many the fleet has."""


class FleetEndEvent(Struct, frozen=True, kw_only=True, tag_field="event", tag="fleet_end"):
    """The work on a fleet is over: the last event."""

    verdicts: dict[str, int]
    """How many servers have each verdict."""
    seconds: float


Event: TypeAlias = (
    BeginEvent
    | ConnectedEvent
    | PhaseEvent
    | ListedEvent
    | PermittedEvent
    | CallEvent
    | ProgressEvent
    | FindingEvent
    | WithdrawnEvent
    | ToolEvent
    | LimitEvent
    | OverdueEvent
    | CheckEvent
    | SummaryEvent
    | RecordedEvent
    | FleetBeginEvent
    | ServerBeginEvent
    | ServerRetryEvent
    | ServerEndEvent
    | FleetEndEvent
)
"""Everything that happens, in the order in which it may; of a fleet the last five, after begin."""
WITH_VERBOSE: Final = (PhaseEvent, ProgressEvent, RecordedEvent)
"""What only those are told who want to hear of everything."""


class Listener(Protocol):
    """Whoever wants to hear of events as they happen."""

    def emit(self, event: Event) -> None:
        """Hear of any event but a finding."""

    def find(self, finding: Finding) -> None:
        """Hear of a finding."""


class Nobody:
    """Listens to nothing."""

    def emit(self, event: Event) -> None:
        """Hear nothing."""

    def find(self, finding: Finding) -> None:
        """Hear nothing."""

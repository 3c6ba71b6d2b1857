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
)
"""Everything that happens, in the order in which it may."""
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

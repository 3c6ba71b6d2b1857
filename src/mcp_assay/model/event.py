"""What happens in a run, format `mcp-assay/events/1`: one record for each kind of event."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from mcp_assay.model.baseline import Overdue
from mcp_assay.model.finding import Finding
from mcp_assay.model.report import Check, Limit, ReportSubject, Summary, ToolVersion

SCHEMA: Literal["mcp-assay/events/1"] = "mcp-assay/events/1"


class Begin(Struct, frozen=True, kw_only=True, tag_field="event", tag="begin"):
    """The run begins: the first event."""

    schema: Literal["mcp-assay/events/1"] = SCHEMA
    tool: ToolVersion


class Connected(Struct, frozen=True, kw_only=True, tag_field="event", tag="connected"):
    """The server answered: who it is, and which revision is spoken."""

    server_info: dict[str, Any] | None
    revision: str | None
    revisions_offered: list[str]


class Listed(Struct, frozen=True, kw_only=True, tag_field="event", tag="listed"):
    """How many things the server lists of each kind."""

    tools: int
    resources: int
    templates: int
    prompts: int


class Permitted(Struct, frozen=True, kw_only=True, tag_field="event", tag="permitted"):
    """Whether a tool may be called, and why."""

    tool: str
    allowed: bool
    reason: str


class Called(Struct, frozen=True, kw_only=True, tag_field="event", tag="call"):
    """A call was made and judged; the same object is among the calls of the report."""

    call: dict[str, Any]


class Found(Struct, frozen=True, kw_only=True, tag_field="event", tag="finding"):
    """A finding was made; its number counts the findings of the run."""

    number: int
    finding: Finding


class Withdrawn(Struct, frozen=True, kw_only=True, tag_field="event", tag="withdrawn"):
    """A finding of this run is not in its report, and why."""

    number: int
    reason: str


class Tried(Struct, frozen=True, kw_only=True, tag_field="event", tag="tool"):
    """The verdict on a tool, as in the report."""

    tool: dict[str, Any]


class Limited(Struct, frozen=True, kw_only=True, tag_field="event", tag="limit"):
    """A limit cut something."""

    limit: Limit


class Outdated(Struct, frozen=True, kw_only=True, tag_field="event", tag="overdue"):
    """An entry of the baseline is stale or has expired."""

    overdue: Overdue


class Checked(Struct, frozen=True, kw_only=True, tag_field="event", tag="check"):
    """What became of one rule of the catalogue."""

    check: Check


class Ended(Struct, frozen=True, kw_only=True, tag_field="event", tag="summary"):
    """The run is over: the last event."""

    subject: ReportSubject
    revision: str | None
    seed: int | None
    summary: Summary
    started: str
    seconds: float


Event: TypeAlias = (
    Begin
    | Connected
    | Listed
    | Permitted
    | Called
    | Found
    | Withdrawn
    | Tried
    | Limited
    | Outdated
    | Checked
    | Ended
)
"""Everything that happens, in the order in which it may."""


class Listener(Protocol):
    """Whoever wants to hear of events as they happen."""

    def tell(self, event: Event) -> None:
        """Hear of any event but a finding."""

    def find(self, finding: Finding) -> None:
        """Hear of a finding."""


class Nobody:
    """Listens to nothing."""

    def tell(self, event: Event) -> None:
        """Hear nothing."""

    def find(self, finding: Finding) -> None:
        """Hear nothing."""

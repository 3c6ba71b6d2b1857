"""A call of a tool as it really went, and all calls of one tool together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from mcp_assay.model.effect import Effects
from mcp_assay.model.ending import Ending, is_overloaded
from mcp_assay.model.scenario import Gap, PlannedPlace, Scenario
from mcp_assay.model.tool import ProposedAnnotations
from mcp_assay.model.verdict import Evidence, ScenarioVerdict, SignKind, ValidationResult


class Raised(Struct, frozen=True):
    """An exception that standard error shows: what was raised, and the author's frame above it."""

    what: str
    place: str = ""

    @property
    def bug(self) -> tuple[str, str]:
        """What stays the same whatever the arguments were: the class, and the place."""
        return self.what.partition(":")[0], self.place

    def __str__(self) -> str:
        return f"{self.what} ({self.place})" if self.place else self.what


class CallResult(Struct, frozen=True, kw_only=True):
    """What came back from a server, or how it ended without."""

    ending: Ending = "answered"
    result: Any = None
    """The result of the call; None where an error or nothing came."""
    error: dict[str, Any] | None = None
    """The JSON-RPC error that came instead of a result, or what stands for one."""
    denied: str = ""
    """The HTTP status that refused whoever calls, and the scope it asks for, in words."""
    status: int | None = None
    """The HTTP status that it came with."""
    detail: str = ""
    """More about an ending without an answer, in our own words, as a clause."""
    stderr: str = ""
    """What the server wrote to its standard error meanwhile."""
    raised: Raised | None = None
    """The innermost exception that it shows."""
    exit_code: int | None = None
    """The exit code of a server that died; below zero the number of the signal that ended it."""
    unread: int = 0
    """The bytes of an answer that was too long to be decoded."""
    is_queued: bool = False
    """Whether it may only have waited behind a call of another tool that was given up."""
    fate: str = ""
    """What became of the server where it died, as the verb of a sentence."""
    text: bytes = b""
    """The message as it came, as far as it is shown to people."""
    seconds: float = 0.0
    """How long it took; no report tells it, as it differs from run to run."""

    @property
    def is_overloaded(self) -> bool:
        """Whether the server, or what stands before it, had no room for the call."""
        return is_overloaded(self.ending, self.status)


class Call(Struct, frozen=True, kw_only=True):
    """One scenario, what came of it, and the verdict on that."""

    number: int
    scenario: Scenario
    answer: CallResult
    result: ValidationResult | None
    verdict: ScenarioVerdict
    allowed: tuple[str, ...] = ()
    """The values that a refusal lists as allowed."""
    shows_credential: bool = False
    """Whether the answer holds a credential that the user gave for the server."""
    effects: Effects | None = None
    """What it did to the machine; None where nobody watched."""

    @property
    def sign(self) -> SignKind | None:
        """What the answer says that its isError does not."""
        return self.result.sign_kind if self.result else None


Asking: TypeAlias = Literal["reads", "repeats", "refused", "unrelated", "waits"]
"""What is done between the questions to a reader: a call that claims to read, one that was made
before, one that is refused, one of a tool that changes nothing, or nothing for a while."""


class Observation(Struct, frozen=True, kw_only=True):
    """What another tool answered, twice before and twice after a call of this one."""

    reader: str
    asking: Asking
    call: int
    """The number of the call of the tool that was made again in between."""
    before: tuple[str, str]
    after: tuple[str, str]

    @property
    def is_steady(self) -> bool:
        """Whether the reader does not change by itself."""
        return self.before[0] == self.before[1] and self.after[0] == self.after[1]

    @property
    def is_changed(self) -> bool:
        """Whether the reader answers differently after the call."""
        return self.before[1] != self.after[0]


class ToolRun(Struct, frozen=True, kw_only=True):
    """A tool as it is listed, and every call that was made of it."""

    tool: dict[str, Any]
    calls: tuple[Call, ...] = ()
    is_duplicate: bool = False
    """Whether the server lists several tools of this name."""
    gaps: tuple[Gap, ...] = ()
    """What was not tried of it."""
    places: tuple[PlannedPlace, ...] = ()
    """The places of its arguments that were varied."""
    wanted: Mapping[str, dict[str, Any]] = {}
    """What the server asked its client for in vain, by the table that answers such requests, with
    what may stand in it."""
    observations: tuple[Observation, ...] = ()
    """What other tools answered around calls of it."""
    proposed: ProposedAnnotations | None = None
    """The hints that its calls support, once all calls of a run are made."""
    evidence: Evidence = Evidence()
    """What its calls show together."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        return str(self.tool.get("name", ""))

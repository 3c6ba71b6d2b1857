"""The rows of a report about tools: what became of each, and of each call.

What is a plain text here may be a word of a later version, whose reports are read, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.model.effect import Effects
from mcp_assay.model.ending import Ending
from mcp_assay.model.verdict import ToolStatus

HintOutcome: TypeAlias = Literal["held", "contradicted"]

UNFLAGGED_ERROR: Final = "unflagged_error"
"""The sign of an answer that reports an error without isError."""
CALLED_NO_MORE: Final = "Its definition changed during the run, and it was not called again: "
"""How the sentence begins about a tool that may not be called any more; the reason follows.

The format has no other word for that, so a row knows it again by this.
"""
CALLED_NO_MORE_BEFORE: Final = "Its definition changed during the run, and it was called no more: "
"""The same in reports of 0.1.0."""


class NotCalled(Enum):
    """Why a tool was not called or a template not read, by how the reason begins.

    The format has the sentence alone: here, and nowhere else, its kind is read from it.
    """

    NO_HINT = "no readOnlyHint"
    NOT_READ_ONLY = "readOnlyHint: false"
    DESTRUCTIVE = "destructiveHint"
    CHANGING_NAME = "its name says"
    MIXED_NAME = "its name mixes alphabets"
    DENIED = "excluded by --deny"
    SWITCHED_OFF = "calls are switched off"
    DRY_RUN = "dry run: nothing is called"
    NOT_CHOSEN = "excluded by --only"
    NOT_READ = "excluded by --calls none"
    NOT_READ_DRY = "excluded by --dry-run"
    READ_TOO_LATE = "reading used up its share of --max-time"
    UNSTEADY = "the tools change too often"
    NOT_LISTED_AGAIN = "not listed again"
    GONE = "no longer listed"
    TIME_RAN_OUT = "time ran out before"
    INTERRUPTED = "the run was interrupted before"
    SERVER_LOST = "the server was gone before"
    NO_VALUE = "no value is known"
    VALUES_REFUSED = "it rejected the values that were tried"

    @classmethod
    def read(cls, reason: str) -> NotCalled | None:
        """The kind of a reason, of any version; None where it is none of these."""
        known = (
            one for one in cls if reason.startswith((one.value, *EARLIER_REASONS.get(one, ())))
        )
        return next(known, None)


EARLIER_REASONS: Final[Mapping[NotCalled, tuple[str, ...]]] = {
    NotCalled.DENIED: ("left out by --deny",),
    NotCalled.DRY_RUN: ("nothing is called in a dry run",),
    NotCalled.NOT_CHOSEN: ("left out by --only",),
    NotCalled.NOT_READ: ("left out by --calls none",),
    NotCalled.NOT_READ_DRY: ("left out by --dry-run",),
    NotCalled.READ_TOO_LATE: ("reading took as much of --max-time",),
    NotCalled.VALUES_REFUSED: ("it refused the values that were tried",),
}
"""How the reasons of the same kinds begin in reports of 0.1.0; the others have not changed."""


class Reached(Struct, frozen=True, kw_only=True):
    """How many of several things were reached, and which ones were not."""

    reached: int = 0
    """How many were."""
    of: int = 0
    """How many there are."""
    missed: list[Any] = field(default_factory=list)
    """The first of those that were not."""


class Coverage(Struct, frozen=True, kw_only=True):
    """What the calls of a tool reached."""

    valid_calls: int = 0
    """Calls whose arguments fit the inputSchema."""
    invalid_calls: int = 0
    """Calls whose arguments do not."""
    succeeded: int = 0
    """Calls that succeeded."""
    listed_values: dict[str, Reached] = field(default_factory=dict)
    """By the place of an argument: the values that its schema lists."""
    optional_arguments: Reached = Reached()
    """The arguments that may be left out."""
    asked_of_client: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the server asked its client for in vain, by the table that would answer it."""
    not_reached: list[str] = field(default_factory=list)
    """In sentences: what was not reached, and what could not be made."""


class ScenarioRow(Struct, frozen=True, kw_only=True):
    """What became of one scenario of a tool."""

    name: str
    """What was tried."""
    outcome: str
    """passed, failed, unproven or undecided."""


class HintEvidence(Struct, frozen=True, kw_only=True):
    """One hint of a tool: what it declares, and what its calls support."""

    hint: str
    """readOnlyHint, destructiveHint, idempotentHint or openWorldHint."""
    declared: bool | None
    """What the tool declares; null where it says neither true nor false."""
    supported: bool | None
    """What its calls support; null where they show too little."""
    calls: int
    """How many valid calls that succeeded are behind it."""
    reason: str
    """What was seen, or what is missing."""


class ProposedAnnotations(Struct, frozen=True, kw_only=True):
    """The annotations of a tool that its calls in a disposable world support."""

    annotations: dict[str, bool] = field(default_factory=dict)
    """The hints that are supported, as they can be declared."""
    hints: list[HintEvidence] = field(default_factory=list)
    """All four hints, each with what is behind it."""

    @property
    def changes(self) -> list[HintEvidence]:
        """The hints that should be declared otherwise than they are."""
        supported = (one for one in self.hints if one.supported is not None)
        return [one for one in supported if one.supported != one.declared]

    def evidence(self, hint: str) -> HintEvidence | None:
        """What is known of one hint."""
        return next((one for one in self.hints if one.hint == hint), None)


class ToolRow(Struct, frozen=True, kw_only=True):
    """What became of a tool over all its scenarios."""

    name: str
    """The name of the tool."""
    status: ToolStatus
    """The first that holds of not_called, broken, connectivity_only, unproven, fully_working and
    partially_working."""
    reason: str = ""
    """Why it has this status."""
    obstacle: str | None = None
    """The kind of what kept every valid call from success; None where one succeeded."""
    would_prove: str | None = None
    """What would show whether it works: an option, or what to provide; None where it was shown."""
    confidence: float | None = None
    """How sure it is that it works, from 0 to 100; None where nothing is known."""
    called: int = 0
    """How many calls were made."""
    succeeded: int = 0
    """Valid calls that succeeded."""
    rejected: int = 0
    """Invalid calls that were refused, as they should be."""
    failed: int = 0
    """Calls that did not end as they should."""
    unproven: int = 0
    """Valid calls that were refused; they count neither way."""
    scenarios: list[ScenarioRow] = field(default_factory=list)
    """Name and outcome of each call."""
    coverage: Coverage = Coverage()
    """Which arguments and values were reached, and what was not."""
    hints: dict[str, str] = field(default_factory=dict)
    """Which hints it claims, and whether they were held against what others see."""
    effects: Effects | None = None
    """What its calls did to the machine, all together, without differences of texts; None where no
    sandbox saw it."""
    proposed_annotations: ProposedAnnotations | None = None
    """The hints that its calls support; None where no sandbox saw a valid call that succeeded."""

    @property
    def is_withdrawn(self) -> bool:
        """Whether it was called until it changed so that it might not be called any more."""
        beginnings = (CALLED_NO_MORE, CALLED_NO_MORE_BEFORE)
        withdrawn = (text.startswith(beginnings) for text in self.coverage.not_reached)
        return self.status != "not_called" and any(withdrawn)


class CallRow(Struct, frozen=True, kw_only=True):
    """One call of a tool: what was sent, what came back, and the verdict on it."""

    number: int
    """Counts the calls of the run."""
    tool: str
    scenario: str
    arguments: dict[str, Any]
    """What was sent."""
    valid: bool | None = None
    """Whether that fits the inputSchema; None where it could not be decided."""
    outcome: str
    """passed, failed, unproven or undecided."""
    trouble: str | None = None
    """What went wrong, None where nothing did."""
    ending: Ending = "answered"
    """How the call ended."""
    answer: str | None = None
    """The message that came, without secrets, cut where it is long."""
    sign: str | None = None
    """What the answer says that its isError does not: unflagged_error where it reports an error
    without isError; None where there is nothing of that."""
    effects: Effects | None = None
    """What it did to the machine; None where no sandbox saw it."""


Calls: TypeAlias = Literal["safe", "likely", "none", "all"]
"""Which tools are called where the user names none: those declared read-only, also those that only
read by every word, none, or all."""

PermissionKind: TypeAlias = Literal[
    "read_only",
    "calls_likely",
    "allow_option",
    "calls_all",
    "disposable_world",
    "consent",
    "typed_arguments",
    "deny_option",
    "calls_none",
    "only_option",
    "destructive",
    "no_read_only_hint",
    "not_read_only",
    "likely_reader",
    "mixed_alphabets",
    "changing_name",
    "changes_too_often",
    "not_listed",
    "list_cut",
]
"""Why a tool may be called, or may not; the first seven open it."""


class Permission(Struct, frozen=True):
    """Whether a tool may be called, why, and that in words."""

    allowed: bool
    kind: PermissionKind
    text: str


class Consent(Struct, frozen=True, kw_only=True):
    """What was answered to the question about tools that are not called by default."""

    answer: Literal["yes", "no", "choose"]
    allowed: list[str]
    given_by: Literal["terminal", "--yes"] = "terminal"
    in_world: bool = False
    """Whether it was given for a disposable world, where nothing lasts."""

"""What is made of a tool's response: the context it was given in, and the verdict on it."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.model.ending import Ending

Category: TypeAlias = Literal["happy_path", "edge_case", "boundary", "error_case"]
Classification: TypeAlias = Literal[
    "fully_working", "partially_working", "connectivity_only", "broken", "error"
]
ErrorKind: TypeAlias = Literal["business", "failure", "environment", "unclear"]


class ValidationContext(Struct, frozen=True, rename="camel"):
    """One call of a tool: its definition, what was sent, what came back, as on the wire."""

    tool: Any
    input: Any
    response: Any
    """The result of tools/call, or an object with the `error` that came instead of a result."""
    scenario_category: Category | None = None
    stderr: str = ""
    """What the server wrote to its standard error during the call."""


class OutputSchemaValidation(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Whether the response fits the outputSchema of its tool."""

    has_output_schema: bool
    is_valid: bool | None
    """None where it could not be decided; then `error` says why."""
    error: str | None = None


class ResponseMetadata(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a response consists of."""

    content_types: list[str]
    """Each type of block once, in the order in which they came."""
    text_block_count: int
    image_count: int
    audio_count: int
    resource_count: int
    """Embedded resources and links to resources."""
    malformed_count: int
    has_structured_content: bool
    has_meta: bool
    output_schema_validation: OutputSchemaValidation | None = None


class Factor(Struct, frozen=True, rename="camel", omit_defaults=True, gc=False):
    """One piece of evidence about an error: what it speaks for, how loudly, and what gave it."""

    name: str
    speaks_for: ErrorKind
    weight: float
    text: str
    """The part of the response, or of what was sent, that triggered it."""
    source: str
    """The table of patterns that knows it, or the place where it was seen."""


UNREADABLE: Final = ("unreadable text", "unreadable value")
"""What factors are called that complain of something which the tool, or its caller, has written."""
TRACED: Final = "stack trace"
OWN_FAULT: Final = 4.0
"""A factor that is no louder than less says nothing of whose fault an error is."""


class ErrorVerdict(Struct, frozen=True, rename="camel"):
    """What kind of error a response is, how sure that is from 0 to 100, and every factor."""

    kind: ErrorKind
    confidence: float
    factors: list[Factor]

    @property
    def shows_own_fault(self) -> bool:
        """Whether it is a failure that no text of the caller's can have brought about by itself.

        That something could not be read, said as loudly, or that something failed, is no evidence.
        """
        against = [factor for factor in self.factors if factor.speaks_for == "failure"]
        unread = max((one.weight for one in against if one.name in UNREADABLE), default=0.0)
        return self.kind == "failure" and any(
            one.name == TRACED or (one.weight >= OWN_FAULT and one.weight > unread)
            for one in against
        )


SignKind: TypeAlias = Literal[
    "unflagged_error", "not_implemented", "another_step", "no_information", "flagged_success"
]
"""What a response says, in its words or members, that its isError does not: an error without the
flag, that there is no code behind it yet, that something must be done first, nothing at all; or a
success with the flag."""


class ResponseSign(Struct, frozen=True, rename="camel"):
    """What shows that a response is not what its isError says."""

    kind: SignKind
    text: str
    """The words or the member that show it, cut where they are long."""
    pointer: str
    """Where they are in the response."""


class ValidationResult(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Whether a response shows a working tool, and why."""

    is_valid: bool
    is_error: bool
    confidence: float
    """How sure it is, from 0 to 100, that the tool works."""
    issues: list[str]
    evidence: list[str]
    classification: Classification
    response_metadata: ResponseMetadata | None = None
    error_verdict: ErrorVerdict | None = None
    """What kind of error it is, where it reports one, with or without isError."""
    sign: ResponseSign | None = None
    """Why it is not what its isError says, where it is not."""

    @property
    def sign_kind(self) -> SignKind | None:
        """What the response says that its isError does not."""
        return self.sign.kind if self.sign else None


ScenarioOutcome: TypeAlias = Literal["passed", "failed", "unproven", "undecided"]
Trouble: TypeAlias = Literal[
    "crashed",
    "died",
    "timed_out",
    "no_content",
    "environment",
    "accepted",
    "faulty_answer",
    "unflagged_error",
]
ToolStatus: TypeAlias = Literal[
    "not_called",
    "broken",
    "connectivity_only",
    "unproven",
    "fully_working",
    "partially_working",
]


class JudgedCall(Struct, frozen=True, kw_only=True):
    """A call of a scenario, as far as the status of its tool depends on it."""

    valid_arguments: bool
    """Whether the arguments that were sent fit the tool's inputSchema."""
    ending: Ending = "answered"
    is_overloaded: bool = False
    """Whether the server, or what stands before it, had no room for the call."""
    result: ValidationResult | None = None
    """The verdict on the answer; None where none came."""
    error_code: int | None = None
    """The code of the JSON-RPC error that came instead of a result."""
    is_sensible: bool = True
    """Whether a sensible caller would make it: no edge case, and nothing at a limit."""
    shows_own_fault: bool = True
    """Whether a crash is one by its words, and not owed to a text of the caller's."""
    leads_nowhere: bool = False
    """Whether it failed on a host of ours that nobody can reach."""
    is_fed: bool = False
    """Whether a page of ours was read for it."""
    is_cut_off: bool = False
    """Whether a host was asked for in vain from a world without network."""

    @property
    def breaks_its_tool(self) -> bool:
        """Whether the tool is to blame where it breaks down: it had to take such a call."""
        return self.is_sensible and self.shows_own_fault


class Evidence(Struct, frozen=True, kw_only=True):
    """What the calls of a tool show only together, or when they are made again."""

    has_information: bool = True
    """Whether a success carries information: it varies with the arguments, or fits the tool."""
    is_confirmed: bool = False
    """Whether what another tool shows was made by a call of this one."""
    is_refuted: bool = False
    """Whether the calls that broke down did not do so again in a fresh process."""


class ScenarioVerdict(Struct, frozen=True):
    """What became of one scenario, and what went wrong where it failed."""

    outcome: ScenarioOutcome
    trouble: Trouble | None = None
    succeeded: bool = False
    """Whether a call with valid arguments came back with something usable."""
    of_valid: bool = True
    """Whether the arguments were valid; told where something went wrong."""


class ToolVerdict(Struct, frozen=True, kw_only=True):
    """The status of a tool over all its scenarios, with the numbers behind it."""

    status: ToolStatus
    reason: str
    confidence: float | None
    called: int = 0
    succeeded: int = 0
    rejected: int = 0
    failed: int = 0
    unproven: int = 0
    scenarios: list[ScenarioVerdict] = field(default_factory=list)

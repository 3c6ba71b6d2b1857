"""Two reports held against each other, format `mcp-assay/diff/1`, and each graded change in it."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from mcp_assay.model.finding import Finding
from mcp_assay.model.outcome import FailOn, RunOutcome
from mcp_assay.model.report import CommandName, ToolVersion
from mcp_assay.model.verdict import ToolStatus

Grade: TypeAlias = Literal["breaking", "risky", "cosmetic"]
GRADES: Final[tuple[Grade, ...]] = ("breaking", "risky", "cosmetic")
"""From the worst on: something stops working; something may; nobody needs to do anything."""
UNDECIDED: Final = "could not be decided"


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is no longer as it was."""

    grade: Grade
    place: str
    """The tool, resource or prompt, and the member of it, as a JSON Pointer."""
    message: str
    """What changed, in a sentence."""
    breaks: str = ""
    """For whom, and how; empty where for nobody."""


def by_gravity(changes: list[Change]) -> list[Change]:
    """Changes, the worst first, then by place."""
    return sorted(changes, key=lambda one: (GRADES.index(one.grade), one.place, one.message))


SCHEMA: Literal["mcp-assay/diff/1"] = "mcp-assay/diff/1"

DiffOutcome: TypeAlias = Literal["same", "changed", "worse"]
Aspect: TypeAlias = Literal["severity", "count", "words"]
ToolMove: TypeAlias = Literal["worse", "better", "not_called_any_more", "called_now", "new", "gone"]


class Side(Struct, frozen=True, kw_only=True):
    """One of the two reports: what it is about, and how it was made."""

    file: str | None
    command: CommandName
    """The command that makes such reports."""
    version: str
    """The version of mcp-assay that wrote it."""
    server: str | None
    """What the server calls itself, with its version."""
    revision: str | None
    seed: int | None
    outcome: RunOutcome
    reason: str | None
    """Why the run does not show all that it was to show; None where it does."""
    started: str
    surface_sha256: str | None


class NewFinding(Struct, frozen=True, kw_only=True):
    """A finding that only the new report has."""

    finding: Finding
    not_looked_at: str | None = None
    """Why the old report could not have had it; None where it could."""


class GoneFinding(Struct, frozen=True, kw_only=True):
    """A finding that only the old report has, and that the new one could not have had."""

    finding: Finding
    reason: str


class ChangedFinding(Struct, frozen=True, kw_only=True):
    """A finding that both reports have, and in what they differ about it."""

    old: Finding
    new: Finding
    what: list[Aspect]


class FindingChanges(Struct, frozen=True, kw_only=True):
    """How the findings of two reports differ; repeats of one are counted in the first of them."""

    new: list[NewFinding] = field(default_factory=list)
    fixed: list[Finding] = field(default_factory=list)
    """What was found then, and was looked for in vain now."""
    changed: list[ChangedFinding] = field(default_factory=list)
    not_looked_at: list[GoneFinding] = field(default_factory=list)
    """What was found then, and not looked for now."""


class ToolChange(Struct, frozen=True, kw_only=True):
    """A tool that is not what it was."""

    name: str
    change: ToolMove
    old: ToolStatus | None = None
    new: ToolStatus | None = None
    reason: str = ""
    """Why it was not called, where it was not."""


class DiffSummary(Struct, frozen=True, kw_only=True):
    """The verdict, why, and the numbers behind it."""

    outcome: DiffOutcome
    regressions: list[str]
    """What makes it worse, in words; empty where nothing does."""
    new: int
    fixed: int
    changed: int
    not_looked_at: int
    tools_worse: int
    tools_better: int
    breaking: int
    risky: int
    cosmetic: int


class Comparison(Struct, frozen=True, kw_only=True):
    """Everything in which two reports differ."""

    schema: Literal["mcp-assay/diff/1"] = SCHEMA
    tool: ToolVersion
    old: Side
    new: Side
    fail_on: FailOn
    summary: DiffSummary
    notes: list[str]
    """How differently the two reports were made: that may explain the rest."""
    findings: FindingChanges
    tools: list[ToolChange]
    drift: list[Change]
    """What changed in what the server lists, the worst first."""

    @property
    def is_same_surface(self) -> bool:
        """Whether the server lists the same, as far as both reports know what it lists."""
        return self.old.surface_sha256 == self.new.surface_sha256

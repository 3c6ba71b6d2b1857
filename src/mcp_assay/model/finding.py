"""What mcp-assay has to say about one fault: a Finding, and where it was seen."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, field

Severity: TypeAlias = Literal["error", "warning", "info"]
Subject: TypeAlias = Literal["client", "server"]

DECIDED_BY: Final = "decided_by"
"""The member of a finding's details that names the library which decides it, not the author."""
MOST_EXAMPLES: Final = 3
"""So many further places of a finding are reported; the others are counted."""


class Where(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The place of a finding: only the members that apply are set."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    offset: int | None = None
    session: str | None = None
    exchange: str | int | None = None
    tool: str | None = None
    scenario: str | None = None
    call: int | None = None


NOWHERE = Where()


class Finding(Struct, frozen=True, kw_only=True):
    """One rule broken at one place, with everything needed to understand and repeat it."""

    rule: str
    name: str
    severity: Severity
    subject: Subject | None
    message: str
    pointer: str
    where: Where
    revision: str
    statement: str
    url: str
    reason: str | None
    details: dict[str, Any] | None
    evidence: str | None
    fix: str | None
    cause: str
    count: int = 1
    examples: list[Where] = field(default_factory=list)
    fingerprint: str

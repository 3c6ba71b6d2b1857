"""How to judge what comes in, by which rules, what to report, and what input can be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from mcp_assay.findings import DEFAULT_MAX_FINDINGS
from mcp_assay.model.entry import Direction
from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.model.outcome import FailOn
from mcp_assay.rules.engine.findings import fingerprint
from mcp_assay.rules.engine.slow import NOTE_RULES, Setting, judge
from mcp_assay.spec.catalogue import CatalogueEntry
from mcp_assay.spec.catalogue.own import ENVELOPE_RULES
from mcp_assay.spec.dialects import Dialect
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.spec.selection import (
    INPUT_RULES,
    KNOWN_RULES,
    OUR_FAULT,
    TRACE_LINE,
    UNREADABLE,
    InputRule,
    names,
)
from mcp_assay.wire.notes import MAX_MESSAGE_BYTES, UNREAD
from mcp_assay.wire.reader import Note, Reading

__all__ = ["KNOWN_RULES", "Options", "Profile", "require_selectable", "rules_of"]

Profile: TypeAlias = Literal["mcp", "envelope"]
"""What is judged: every message by MCP, or the responses of tools by the envelope's profile."""
PROFILES: Final = get_args(Profile)


class Options(Struct, frozen=True, kw_only=True):
    """How to judge and what to report."""

    profile: Profile = "mcp"
    revision: str | None = None
    direction: Direction | None = None
    dialect: Dialect = "mcp"
    duplicates: bool = True
    partial: bool = False
    """Whether sessions may begin or end outside the inputs."""
    map: dict[str, str] = {}
    """For traces of another format: a member of a trace line, and the JSON Pointer to it."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    max_findings: int = DEFAULT_MAX_FINDINGS
    fail_on: FailOn = "error"


_OF_RESPONSES: Final = frozenset(rule.id for rule in ENVELOPE_RULES)
_OF_BOTH: Final = frozenset((*INPUT_RULES, *NOTE_RULES.values(), "LIMIT-003"))
"""The rules about the input and its text, whatever it says."""

NOT_TESTABLE: Final = frozenset(rule.id for rule in ENVELOPE_RULES if "probe" in rule.observable)
"""The rules about software that makes or checks responses: no file of responses can show them."""


def rules_of(profile: Profile) -> dict[str, CatalogueEntry]:
    """The rules that a run under this profile can find broken; ValueError names the profiles."""
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; allowed: {', '.join(PROFILES)}")
    of_mcp = KNOWN_RULES.keys() - _OF_RESPONSES
    wanted = of_mcp if profile == "mcp" else _OF_RESPONSES | _OF_BOTH
    return {id: entry for id, entry in KNOWN_RULES.items() if id in wanted}


def require_selectable(select: Iterable[str], profile: Profile) -> None:
    """Raise ValueError where the names are all of rules that this profile does not judge by."""
    selected = tuple(select)
    judged = rules_of(profile).keys() - NOT_TESTABLE
    if selected and not any(names(text, rule) for text in selected for rule in judged):
        listed = ", ".join(selected)
        raise ValueError(f"--profile {profile} has no rule that matches --select {listed}")


__all__ = [
    "INPUT_RULES",
    "OUR_FAULT",
    "TRACE_LINE",
    "UNREADABLE",
    "InputRule",
    "input_finding",
    "line_too_long",
]


def input_finding(rule: InputRule, message: str, where: Where = NOWHERE) -> Finding:
    """The finding that the rule makes at a place."""
    entry = rule.entry
    return Finding(
        rule=entry.id,
        name=rule.name,
        severity=entry.severity,
        subject=None,
        message=message,
        pointer="",
        where=where,
        revision=DEFAULT_REVISION,
        statement=entry.statement,
        url=entry.page,
        reason=None,
        details=None,
        evidence=None,
        fix=rule.fix,
        cause=entry.id,
        fingerprint=fingerprint(entry.id),
    )


def line_too_long(revision: str) -> Sequence[Finding]:
    """What there is to say about a line that was not even read."""
    text = f"the line is longer than the {MAX_MESSAGE_BYTES:,} bytes that are read"
    note = Note("too-large", (), 0, 1, 1, text)
    return judge(Reading(UNREAD, (note,)), Setting(revision=revision))

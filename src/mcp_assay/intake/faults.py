"""What can be wrong with the input itself: three rules of our own, and the findings they make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from mcp_assay.model.finding import NOWHERE, Finding, Where
from mcp_assay.rules.engine import Setting, judge
from mcp_assay.rules.telling import fingerprint
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.spec.rule_table.entry import ALL, BOTH, ERROR, MESSAGE, WARNING, Entry
from mcp_assay.wire.limits import MAX_MESSAGE_BYTES
from mcp_assay.wire.markers import UNREAD
from mcp_assay.wire.reading import Note, Reading


class InputRule(Struct, frozen=True):
    """A rule about the input, its name and what to do where it is broken."""

    entry: Entry
    name: str
    fix: str


TRACE_LINE: Final = InputRule(
    Entry("ENV-001", WARNING, BOTH, MESSAGE, ALL,
          "A line of a trace has the members that the trace format gives it; another is not "
          "judged.", ""),
    "trace-line-not-understood",
    'write {"dir": "c2s" or "s2c"} and one of message, raw and raw64',
)  # fmt: skip
UNREADABLE: Final = InputRule(
    Entry("ENV-002", ERROR, BOTH, MESSAGE, ALL, "Every input that is named can be read.", ""),
    "unreadable-input",
    "correct the name or the file, or leave it out",
)
OUR_FAULT: Final = InputRule(
    Entry("ENV-003", WARNING, BOTH, MESSAGE, ALL,
          "Every message can be judged; where mcp-assay itself fails, its message is not.", ""),
    "check-failed",
    "report this with the message, if you may share it",
)  # fmt: skip

INPUT_RULES: Final = {rule.entry.id: rule for rule in (TRACE_LINE, UNREADABLE, OUR_FAULT)}
"""The rules about the input by their ids."""


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

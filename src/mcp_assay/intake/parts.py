"""What one share of a run found out, to be added to that of another."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from mcp_assay.intake.hearing import Hearing
from mcp_assay.model.message import Kind
from mcp_assay.report.sessions import SessionCount
from mcp_assay.report.tally import Tally
from mcp_assay.rules.reach import Ledger


class Part(Struct, frozen=True, kw_only=True):
    """All that is known about the conversations of one share, when they are over."""

    tally: Tally
    kinds: dict[str, set[tuple[Kind, str | None]]]
    """The kinds and methods of messages that were seen, by revision."""
    batches: set[str]
    session_rules: set[str]
    left_open: Counter[tuple[str, str]]
    ids_refused: int
    revisions: set[str]
    sessions: list[SessionCount]
    messages: int
    own_faults: int
    unsaid: dict[str, str]
    """Rules by which a fault of a line was not told, and the rule that tells of it."""
    forgotten: int
    is_trace: bool
    interrupted: bool


def part_of(hearing: Hearing, *, interrupted: bool) -> Part:
    """What a hearing found out; its conversations must be closed."""
    judge = hearing.judge
    conversations, ledger, keeper = judge.conversations, judge.ledger, judge.keeper
    return Part(
        tally=keeper.tally,
        kinds=dict(ledger.messages),
        batches=ledger.batches,
        session_rules=ledger.session_rules,
        left_open=ledger.left_open,
        ids_refused=ledger.room.refused,
        revisions=conversations.revisions,
        sessions=conversations.finished.worst(),
        messages=judge.messages,
        own_faults=keeper.own_faults,
        unsaid=keeper.unsaid,
        forgotten=conversations.forgotten,
        is_trace=hearing.is_trace,
        interrupted=interrupted,
    )


def absorb(hearing: Hearing, part: Part) -> None:
    """Add to a hearing what another share of the same run found out."""
    judge = hearing.judge
    conversations = judge.conversations
    judge.keeper.tally.merge(part.tally)
    _merge(judge.ledger, part)
    conversations.revisions |= part.revisions
    conversations.forgotten += part.forgotten
    for count in part.sessions:
        conversations.finished.add(count)
    judge.messages += part.messages
    judge.keeper.own_faults += part.own_faults
    judge.keeper.note_unsaid(part.unsaid)
    hearing.is_trace |= part.is_trace


def _merge(ledger: Ledger, part: Part) -> None:
    for revision, seen in part.kinds.items():
        ledger.messages[revision] |= seen
    ledger.batches.update(part.batches)
    ledger.session_rules.update(part.session_rules)
    ledger.left_open.update(part.left_open)
    ledger.room.refused += part.ids_refused

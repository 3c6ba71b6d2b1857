"""Conversations are kept apart by their keys, and their number is bounded."""

from __future__ import annotations

from mcp_assay.intake.conversations import Conversations
from mcp_assay.rules.lanes import Lanes


def test_one_key_is_one_conversation() -> None:
    conversations = Conversations(Lanes)
    first = conversations.of(("session", "a"))
    assert conversations.of(("session", "a")) is first
    assert conversations.of(("conn", "a")) is not first
    assert (conversations.begun, conversations.limits()) == (2, [])


def test_the_conversation_silent_for_longest_is_let_go() -> None:
    conversations = Conversations(Lanes, most=2)
    kept, lost = conversations.of(("session", "a")), conversations.of(("session", "b"))
    conversations.of(("session", "a"))
    conversations.of(("session", "c"))
    assert conversations.of(("session", "a")) is kept
    assert conversations.of(("session", "b")) is not lost
    (limit,) = conversations.limits()
    assert (limit.name, limit.value, limit.count) == ("live-sessions", 2, 2)


def test_the_revisions_of_conversations_let_go_are_remembered() -> None:
    revisions = iter(["2024-11-05", "2025-06-18"])
    conversations = Conversations(lambda: Lanes(next(revisions)), most=1)
    conversations.of(("conn", "1"))
    conversations.of(("conn", "2"))
    assert conversations.revisions == {"2024-11-05", "2025-06-18"}

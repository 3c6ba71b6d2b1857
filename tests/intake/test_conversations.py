"""Conversations are kept apart by their keys, and their number is bounded."""

from __future__ import annotations

from mcp_assay.intake.conversations import Begin, Conversations, Followed
from mcp_assay.intake.faults import UNREADABLE, input_finding
from mcp_assay.intake.shares import Share
from mcp_assay.model.finding import Finding
from mcp_assay.rules.lanes import Lanes

LOST = input_finding(UNREADABLE, "The last word was lost.")


class Ending(Lanes):
    """A conversation with something to say at its end."""

    def close(self) -> list[tuple[int, Finding]]:
        return [(5, LOST)]


def begin(partial: bool, is_session: bool) -> Lanes:
    return Ending(partial=partial)


def followed_at_once(most: int, begin: Begin) -> Conversations:
    conversations = Conversations(begin)
    conversations.most = most
    return conversations


def of(conversations: Conversations, name: str, kind: str = "session") -> Followed:
    followed = conversations.of((kind, name), "file")
    assert followed is not None
    return followed


def test_one_key_is_one_conversation() -> None:
    conversations = Conversations(begin)
    first = of(conversations, "a")
    assert of(conversations, "a") is first
    assert of(conversations, "a", "conn") is not first
    assert (conversations.begun, conversations.limits()) == (2, [])


def test_the_conversation_silent_for_longest_is_let_go() -> None:
    conversations = followed_at_once(2, begin)
    kept, lost = of(conversations, "a"), of(conversations, "b")
    assert of(conversations, "a") is kept
    of(conversations, "c")
    assert of(conversations, "a") is kept
    assert of(conversations, "b") is not lost


def test_a_conversation_that_comes_back_goes_on_in_part_and_that_is_told() -> None:
    conversations = followed_at_once(1, begin)
    for name in "aba":
        of(conversations, name)
    (limit,) = conversations.limits()
    assert (limit.name, limit.value, limit.count) == ("live-sessions", 1, 1)
    assert of(conversations, "a").count.partial
    assert not of(conversations, "c").count.partial


def test_what_the_end_says_holds_only_if_it_was_the_end() -> None:
    conversations = followed_at_once(1, begin)
    for name in "abca":
        of(conversations, name)
    endings = list(conversations.end())
    assert sorted(ending.followed.name or "" for ending in endings) == ["a", "b", "c"]
    assert all((ending.number, ending.finding) == (5, LOST) for ending in endings)


def test_of_a_conversation_that_was_cut_the_end_says_nothing() -> None:
    conversations = Conversations(begin)
    followed = of(conversations, "a")
    conversations.cut()
    assert list(conversations.end()) == []
    assert followed.count.partial


def test_the_revisions_of_conversations_let_go_are_remembered() -> None:
    revisions = iter(["2024-11-05", "2025-06-18"])
    conversations = followed_at_once(1, lambda *_: Lanes(next(revisions)))
    of(conversations, "1")
    of(conversations, "2")
    assert conversations.spoken() == {"2024-11-05", "2025-06-18"}


def test_every_conversation_belongs_to_exactly_one_share() -> None:
    shares = [Conversations(begin, share=Share(index=index, of=3)) for index in range(3)]
    for number in range(20):
        followed = [share.of(("session", str(number)), "file") for share in shares]
        assert len([one for one in followed if one is not None]) == 1
    assert {share.begun for share in shares} == {20}

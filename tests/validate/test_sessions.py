"""Sessions are kept apart by their keys, and their number is bounded."""

from __future__ import annotations

from mcp_assay.findings.collector import Collector
from mcp_assay.findings.tally import Tally
from mcp_assay.model.finding import Finding
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.validate.lines import Numbering
from mcp_assay.validate.live_session import LiveSession
from mcp_assay.validate.options import UNREADABLE, input_finding
from mcp_assay.validate.sessions import Begin, Sessions
from mcp_assay.validate.shares import WHOLE, Share

LOST = input_finding(UNREADABLE, "The last word was lost.")


class Ending(SessionChecker):
    """A session with something to say at its end."""

    def close(self) -> list[tuple[int, Finding]]:
        return [(5, LOST)]


def begin(partial: bool, is_session: bool) -> SessionChecker:
    return Ending(partial=partial)


def followed(begin: Begin, share: Share = WHOLE) -> Sessions:
    return Sessions(begin, Collector((), Tally()), Numbering(), share=share)


def followed_at_once(most: int, begin: Begin) -> Sessions:
    sessions = followed(begin)
    sessions.most = most
    return sessions


def of(sessions: Sessions, name: str, kind: str = "session") -> LiveSession:
    session = sessions.of((kind, name), "file")
    assert session is not None
    return session


def test_one_key_is_one_session() -> None:
    sessions = followed(begin)
    first = of(sessions, "a")
    assert of(sessions, "a") is first
    assert of(sessions, "a", "conn") is not first
    assert (sessions.begun, sessions.limits()) == (2, [])


def test_the_session_silent_for_longest_is_let_go() -> None:
    sessions = followed_at_once(2, begin)
    kept, lost = of(sessions, "a"), of(sessions, "b")
    assert of(sessions, "a") is kept
    of(sessions, "c")
    assert of(sessions, "a") is kept
    assert of(sessions, "b") is not lost


def test_a_session_that_comes_back_goes_on_in_part_and_that_is_reported() -> None:
    sessions = followed_at_once(1, begin)
    for name in "aba":
        of(sessions, name)
    (limit,) = sessions.limits()
    assert (limit.name, limit.value, limit.count) == ("live-sessions", 1, 1)
    assert of(sessions, "a").count.partial
    assert not of(sessions, "c").count.partial


def test_what_the_end_says_holds_only_if_it_was_the_end() -> None:
    sessions = followed_at_once(1, begin)
    for name in "abca":
        of(sessions, name)
    endings = list(sessions.end())
    assert sorted(ending.session.name or "" for ending in endings) == ["a", "b", "c"]
    assert all((ending.number, ending.finding) == (5, LOST) for ending in endings)


def test_of_a_session_that_was_cut_the_end_says_nothing() -> None:
    sessions = followed(begin)
    session = of(sessions, "a")
    sessions.cut()
    assert list(sessions.end()) == []
    assert session.count.partial


def test_the_revisions_of_sessions_let_go_are_remembered() -> None:
    revisions = iter(["2024-11-05", "2025-06-18"])
    sessions = followed_at_once(1, lambda *_: SessionChecker(next(revisions)))
    of(sessions, "1")
    of(sessions, "2")
    assert sessions.spoken() == {"2024-11-05", "2025-06-18"}


def test_every_session_belongs_to_exactly_one_share() -> None:
    shares = [followed(begin, Share(index=index, of=3)) for index in range(3)]
    for number in range(20):
        sessions = [share.of(("session", str(number)), "file") for share in shares]
        assert len([one for one in sessions if one is not None]) == 1
    assert {share.begun for share in shares} == {20}

"""Links work once and for some time, sessions for longer; there are never many of either."""

from __future__ import annotations

from mcp_assay.web.links import (
    LINK_SECONDS,
    MOST_LINKS,
    MOST_SESSIONS,
    SESSION_SECONDS,
    AccessLinks,
)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def begun(links: AccessLinks) -> str:
    session = links.begin_session(links.new_link())
    assert session is not None
    return session


def test_a_link_begins_one_session() -> None:
    links = AccessLinks()
    token = links.new_link()
    session = links.begin_session(token)
    assert session is not None
    assert links.is_session(session)
    assert links.begin_session(token) is None
    assert links.is_session(session)


def test_nothing_else_is_a_link_or_a_session() -> None:
    links = AccessLinks()
    token, session = links.new_link(), begun(links)
    for wrong in ("", token[:-1], f"{token}=", session, "\udc80", token.swapcase()):
        assert links.begin_session(wrong) is None
    for wrong in ("", token, session[:-1]):
        assert not links.is_session(wrong)
    assert links.begin_session(token) is not None


def test_tokens_are_long_and_all_different() -> None:
    links = AccessLinks()
    tokens = {links.new_link() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 43


def test_links_and_sessions_end() -> None:
    clock = Clock()
    links = AccessLinks(clock)
    late, session = links.new_link(), begun(links)
    clock.now += LINK_SECONDS
    assert links.begin_session(late) is None
    clock.now += SESSION_SECONDS - LINK_SECONDS - 1
    assert links.is_session(session)
    clock.now += 1
    assert not links.is_session(session)


def test_the_oldest_is_forgotten_where_there_are_many() -> None:
    links = AccessLinks()
    tokens = [links.new_link() for _ in range(MOST_LINKS + 1)]
    assert [links.begin_session(one) is None for one in tokens[:2]] == [True, False]
    sessions = [begun(links) for _ in range(MOST_SESSIONS + 1)]
    assert [links.is_session(one) for one in sessions[:2]] == [False, True]
    assert links.is_session(sessions[-1])

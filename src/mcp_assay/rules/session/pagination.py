"""Lists in pages: a client sends the cursors that it was given, the empty one too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from mcp_assay.model.entry import Direction, Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    kept,
    modern_request,
    modern_result,
    opening,
    request,
    s2c,
    unfinished,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch, watch_end
from mcp_assay.session.correlation import OPPOSITE
from mcp_assay.session.state import GOES_ON, STARTED_BEFORE, SessionState
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import glimpse

LISTS: Final = (
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "tasks/list",
)
MOST_KEPT: Final = 1000
"""Cursors of one session that are remembered."""
LONGEST_KEPT: Final = 1024
"""A cursor with more characters than this is not remembered."""

CURSOR_PATH: Final = ("params", "cursor")
FORGOTTEN: Final = "too many cursors to keep them all"
UNANSWERED: Final = "the answer to an earlier request for the list was not seen"
ELSEWHERE: Final = "pages may come over other connections"
BEGUN_AGAIN: Final = "the client restarted the list"
ONE_PAGE: Final = "the client may have needed only one page"

TOOLS: Final[dict[str, Any]] = {"tools": {}, "prompts": {}}
HINTS: Final[dict[str, Any]] = {"ttlMs": 0, "cacheScope": "private"}

List: TypeAlias = tuple[Direction, str]
"""Who asks for a list, and the method."""


class Cursors:
    """The cursors that were given for each list, and what became of the empty ones."""

    __slots__ = ("followed", "forgetful", "given", "left_lying")

    def __init__(self) -> None:
        self.given: Final[dict[str, set[List]]] = {}
        self.forgetful = False
        """Whether a cursor could not be remembered."""
        self.followed = False
        """Whether the client has sent any cursor at all."""
        self.left_lying: Final[dict[List, Message]] = {}
        """The latest page with an empty nextCursor that nobody has sent back, without its text."""

    def give(self, cursor: str, to: List) -> None:
        """Remember a cursor."""
        known = self.given.get(cursor)
        if known is not None:
            known.add(to)
        elif len(self.given) < MOST_KEPT and len(cursor) <= LONGEST_KEPT:
            self.given[cursor] = {to}
        else:
            self.forgetful = True


def _pages(*cursors: str, method: str = "tools/list") -> list[Any]:
    """A walk of a modern client: what each page gives as nextCursor, the client sends back."""
    steps = []
    for id, (sent, given) in enumerate(zip((None, *cursors), (*cursors, None), strict=True), 1):
        params = {} if sent is None else {"cursor": sent}
        page = {"tools": [], **HINTS, **({} if given is None else {"nextCursor": given})}
        steps += [c2s(modern_request(method, params, id=id)), s2c(modern_result(page, id=id))]
    return steps


session_rule(
    "PAGE-003",
    "unknown-cursor",
    """A cursor was not returned by the server for this list in this session.

    Why: a cursor is opaque and only valid unchanged. A changed one returns an error, or silently
    the wrong page.
    Instead: send back the nextCursor of the previous page unchanged.
    """,
    reason="unknown_cursor",
    good=lambda: [
        kept(
            opening(server=TOOLS),
            c2s(request("tools/list", {}, id=1)),
            s2c(answer({"tools": [], "nextCursor": "p2"}, id=1)),
            c2s(request("tools/list", {"cursor": "p2"}, id=2)),
            s2c(answer({"tools": []}, id=2)),
        ),
        kept(
            c2s(request("tools/list", {"cursor": "p2"}, id=2)),
            s2c(answer({"tools": []}, id=2)),
            partial=True,
        ),
    ],
    bad=lambda: [
        broken(
            opening(server=TOOLS),
            c2s(request("tools/list", {}, id=1)),
            s2c(answer({"tools": [], "nextCursor": "p2"}, id=1)),
            c2s(request(method, {"cursor": cursor}, id=2)),
            s2c(answer({method[: method.index("/")]: []}, id=2)),
            at=5,
            pointer="/params/cursor",
        )
        for method, cursor in (("tools/list", "p3"), ("prompts/list", "p2"))
    ],
)

session_rule(
    "PAGE-004",
    "empty-cursor-ignored",
    """The client treats an empty nextCursor as the end of the list.

    Why: an empty string is a valid cursor, so the client misses the rest of the list.
    Instead: check whether nextCursor is present, not whether it is empty.
    """,
    reason="empty_cursor_ignored",
    good=lambda: [
        kept(_pages("p2", "")),
        kept(_pages("p2", "")[:4], partial=True),
    ],
    bad=lambda: [unfinished(_pages("p2", "")[:4])],
)


@watch("result", methods=LISTS)
def remember_cursor(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the cursor of the next page."""
    cursor, asker = message.result.get("nextCursor"), OPPOSITE[message.direction]
    if not isinstance(cursor, str) or asker is None or message.method is None:
        return ()
    cursors, to = session.recall(Cursors), (asker, message.method)
    cursors.give(cursor, to)
    if cursor == "" and message.revision >= R2026_07_28:
        cursors.left_lying[to] = replace(message, value={}, answers=None)
    return ()


@watch("request", methods=LISTS)
def unknown_cursor(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide PAGE-003, and see to the empty cursors."""
    cursor, cursors = message.params.get("cursor"), session.recall(Cursors)
    if message.direction is None or message.method is None:
        return ()
    this = (message.direction, message.method)
    if cursor is None:
        _begin_again(session, cursors, this)
    if not isinstance(cursor, str):
        return ()
    cursors.followed = True
    if cursor == "" and cursors.left_lying.pop(this, None) is not None:
        session.decide("PAGE-004")
    return _judged(session, message, cursor, cursors.given.get(cursor, set()))


def _begin_again(session: SessionState, cursors: Cursors, this: List) -> None:
    """Excuse who asks for a list from its beginning: it may have changed on the way."""
    if cursors.left_lying.pop(this, None) is not None:
        session.leave_open("PAGE-004", BEGUN_AGAIN)


def _judged(
    session: SessionState, message: Message, cursor: str, lists: set[List]
) -> Iterable[Found]:
    if (message.direction, message.method) in lists:
        session.decide("PAGE-003")
        return ()
    if (reason := _excuse(session, message)) is not None:
        session.withhold("PAGE-003", reason)
        return ()
    return (Found(CURSOR_PATH, _fault(cursor, lists), "PAGE-003"),)


def _excuse(session: SessionState, message: Message) -> str | None:
    """Why the cursor may have been given all the same."""
    if session.partial:
        return STARTED_BEFORE
    if session.recall(Cursors).forgetful or session.pending.forgetful:
        return FORGOTTEN
    if message.revision >= R2026_07_28 and session.delivery.is_over_http:
        return ELSEWHERE
    return UNANSWERED if _is_awaited(session, message) else None


def _is_awaited(session: SessionState, message: Message) -> bool:
    """Whether an earlier request for the same list has no answer: it may have given the cursor."""
    sent = session.pending.sent[message.direction].values()
    return any(asked[0] == message.method for asked in sent)


def _fault(cursor: str, lists: set[List]) -> str:
    others = sorted(method for _, method in lists)
    if others:
        return f"The cursor {glimpse(cursor)} was returned for {others[0]}, not for this list."
    return f"The cursor {glimpse(cursor)} was not returned by the server in this session."


@watch_end
def empty_cursor_ignored(session: SessionState, revision: str) -> Iterator[Found]:
    """Decide PAGE-004."""
    cursors = session.recall(Cursors)
    for page in cursors.left_lying.values():
        if session.partial or not cursors.followed:
            session.leave_open("PAGE-004", GOES_ON if session.partial else ONE_PAGE)
        else:
            text = "The client never requested the next page after an empty nextCursor."
            yield Found((), text, "PAGE-004", about=page)

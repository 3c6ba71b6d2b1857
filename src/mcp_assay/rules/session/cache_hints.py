"""Cache hints: one scope for all pages of a list, and nothing public that is personal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import orjson

from mcp_assay.model.entry import Delivery, Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    kept,
    modern_request,
    modern_result,
    s2c,
)
from mcp_assay.rules.engine.session_rules import SessionLine, watch, watch_lines
from mcp_assay.session.correlation import RequestOutline
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import REDACTED, glimpse

LISTS: Final = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
CACHEABLE: Final = (*LISTS, "resources/read", "server/discover")
SCOPES: Final = ("public", "private")
APART: Final = frozenset({"_meta", "ttlMs"})
"""What may differ between two requests, or two results, that say the same."""
MOST_KEPT: Final = 1000
"""Pages, exchanges and public results of one session that are remembered."""
LONGEST_KEPT: Final = 1024
"""A cursor with more characters than this is not remembered."""

SCOPE_PATH: Final = ("result", "cacheScope")
NOT_SEEN: Final = "the page before was not seen"
NO_CREDENTIALS: Final = "the credentials of the request are not known"

Digest: TypeAlias = int


class CachedPages:
    """The cacheScope of the page that gave each cursor, by method and cursor."""

    __slots__ = ("scopes",)

    def __init__(self) -> None:
        self.scopes: Final[dict[tuple[str, str], str]] = {}


class Shared:
    """What was sent as public to whom; credentials and results only as digests."""

    __slots__ = ("credentials", "results")

    def __init__(self) -> None:
        self.credentials: Final[dict[str | int, Digest]] = {}
        """By the HTTP exchange that they came over."""
        self.results: Final[dict[Digest, Public]] = {}
        """By the request that they answer."""


class Public:
    """A public result: for whom it was, what it was, and how long it should stay the same."""

    __slots__ = ("at", "credentials", "lifetime", "result")

    def __init__(
        self, credentials: Digest, result: Digest, lifetime: int, at: float | None
    ) -> None:
        self.credentials: Final = credentials
        self.result: Final = result
        self.lifetime: Final = lifetime
        """In milliseconds."""
        self.at: Final = at

    def is_stale(self, now: float | None) -> bool:
        """Whether it is known to be so old that it may have changed."""
        if now is None or self.at is None:
            return False
        return (now - self.at) * 1000 > self.lifetime


def _page(scope: str, next_cursor: str | None = None) -> dict[str, Any]:
    page = {"tools": [], "ttlMs": 60000, "cacheScope": scope}
    return page if next_cursor is None else {**page, "nextCursor": next_cursor}


def _walk(first: str, second: str) -> list[Any]:
    """A list of two pages."""
    return [
        c2s(modern_request("tools/list", id=1)),
        s2c(modern_result(_page(first, "p2"), id=1)),
        c2s(modern_request("tools/list", {"cursor": "p2"}, id=2)),
        s2c(modern_result(_page(second), id=2)),
    ]


def _read(user: str, text: str, id: int, scope: str = "public") -> list[Any]:
    """A user reads a note, over an HTTP exchange of its own."""
    delivery = Delivery(exchange=id, http={"request_headers": {"Authorization": f"Bearer {user}"}})
    note = {"contents": [{"uri": "note:///1", "text": text}], "ttlMs": 60000, "cacheScope": scope}
    return [
        c2s(modern_request("resources/read", {"uri": "note:///1"}, id=id), delivery),
        s2c(modern_result(note, id=id), Delivery(exchange=id)),
    ]


session_rule(
    "CACHE-003",
    "pages-of-different-scope",
    """A page of a list has a different cacheScope than the page before.

    Why: lists are cached as a whole; a private page in a public list reaches the wrong people.
    Instead: choose one cacheScope for the list: "private" as soon as one page needs it.
    """,
    reason="cache_scope_differs",
    good=lambda: [kept(_walk("public", "public"))],
    bad=lambda: [broken(_walk("public", "private"), pointer="/result/cacheScope")],
)

session_rule(
    "CACHE-005",
    "public-but-personal",
    """A result with cacheScope "public" differs between credentials.

    Why: users who share a cache get results that were meant for someone else.
    Instead: use "private" for results that depend on the user.
    """,
    reason="public_but_personal",
    good=lambda: [
        kept(_read("ann", "Hello.", 1), _read("bob", "Hello.", 2)),
        kept(_read("ann", "Ann's.", 1, "private"), _read("bob", "Bob's.", 2, "private")),
    ],
    bad=lambda: [
        broken(_read("ann", "Ann's.", 1), _read("bob", "Bob's.", 2), pointer="/result/cacheScope")
    ],
)


@watch("result", methods=LISTS, since=R2026_07_28)
def pages_of_different_scope(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CACHE-003."""
    scope, cursor = message.result.get("cacheScope"), message.result.get("nextCursor")
    if scope not in SCOPES or message.answers is None:
        return ()
    pages, method = session.recall(CachedPages).scopes, str(message.method)
    before = _scope_before(session, pages, method, message.answers.params.get("cursor"))
    if isinstance(cursor, str) and len(cursor) <= LONGEST_KEPT:
        _keep(pages, (method, cursor), str(scope))
    if before is None or before == scope:
        return ()
    text = f"This page is {glimpse(scope)}, the page before it is {glimpse(before)}."
    return (Found(SCOPE_PATH, text, "CACHE-003"),)


def _scope_before(
    session: SessionState, pages: dict[tuple[str, str], str], method: str, cursor: object
) -> str | None:
    if not isinstance(cursor, str):
        return None
    before = pages.get((method, cursor))
    if before is None:
        session.leave_open("CACHE-003", NOT_SEEN)
    else:
        session.decide("CACHE-003")
    return before


@watch_lines(plain=False, since=R2026_07_28)
def remember_credentials(session: SessionState, line: SessionLine) -> Iterable[Found]:
    """Remember with which credentials an exchange was begun."""
    delivery = line.delivery
    if delivery.exchange is not None:
        credentials = _credentials(delivery)
        if credentials is not None:
            _keep(session.recall(Shared).credentials, delivery.exchange, credentials)
    return ()


@watch("result", methods=CACHEABLE, since=R2026_07_28)
def public_but_personal(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CACHE-005."""
    result, exchange, shared = message.result, session.delivery.exchange, session.recall(Shared)
    lifetime = result.get("ttlMs")
    if result.get("cacheScope") != "public" or exchange is None:
        return ()
    if not isinstance(lifetime, int) or lifetime <= 0:
        return ()
    credentials = shared.credentials.get(exchange, _credentials(session.delivery))
    asked, given = _asked(message), _digest(_alike(result))
    if credentials is None or asked is None or given is None:
        session.leave_open("CACHE-005", NO_CREDENTIALS)
        return ()
    before = shared.results.get(asked)
    _keep(shared.results, asked, Public(credentials, given, lifetime, session.delivery.at))
    return () if before is None else _compared(session, before, credentials, given)


def _compared(
    session: SessionState, before: Public, credentials: Digest, given: Digest
) -> Iterable[Found]:
    if before.credentials == credentials or before.is_stale(session.delivery.at):
        return ()
    session.decide("CACHE-005")
    if before.result == given:
        return ()
    text = (
        "The result is public, but other credentials got a different result for the same request."
    )
    return (Found(SCOPE_PATH, text, "CACHE-005"),)


def _asked(message: Message) -> Digest | None:
    """What the result answers, whoever asked; None where not all of that is known."""
    asked = message.answers
    if asked is None or asked.value.__class__ is RequestOutline:
        return None
    return _digest([asked.method, _alike(asked.params)])


def _alike(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in APART}


def _credentials(delivery: Delivery) -> Digest | None:
    """A digest of the Authorization header, None where there is none or it was made unreadable."""
    headers = delivery.http.get("request_headers") if delivery.http is not None else None
    for name, value in headers.items() if isinstance(headers, Mapping) else ():
        if isinstance(name, str) and name.lower() == "authorization" and isinstance(value, str):
            return None if REDACTED in value else hash(value)
    return None


def _digest(value: object) -> Digest | None:
    """What two equal values have in common, None for what cannot be written as JSON."""
    try:
        return hash(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))
    except TypeError:
        return None


def _keep(memory: dict[Any, Any], key: Any, value: Any) -> None:
    """Remember something; what was remembered first goes when there is too much."""
    if len(memory) >= MOST_KEPT and key not in memory:
        del memory[next(iter(memory))]
    memory[key] = value

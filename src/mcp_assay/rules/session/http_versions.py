"""Which revision HTTP requests are sent under, and what is left of earlier ones in 2026-07-28."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    error,
    kept,
    modern_request,
    modern_result,
    request,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.rules.session.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import (
    SESSION,
    VERSION,
    event,
    get,
    http_opening,
    modern_list,
    modern_post,
    post,
    reply,
    stream,
)
from mcp_assay.session.exchanges import event_id
from mcp_assay.session.handshake import VERSION_HEADER
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS
from mcp_assay.text.words import glimpse, quote

SESSION_HEADER: Final = "mcp-session-id"
ANOTHER_VERSION: Final = "another version"
NOT_ALLOWED: Final = 405
OTHER_REASONS: Final = (401, 403, 429)
FIRST_SERVER_ERROR: Final = 500
NOT_AGREED: Final = "the negotiated version was not seen"
EARLIER_ERAS: Final = "the server may support earlier revisions"
BEFORE_THE_FIRST: Final = "2024-10-07"
"""A version before the first released one, which servers still support."""
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DRAFT: Final = "draft"

TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
MODERN_LIST: Final[dict[str, Any]] = {"tools": [], "ttlMs": 0, "cacheScope": "private"}
_DISCOVERED: Final = (
    modern_post(modern_request("server/discover", id=9), 9),
    reply(
        modern_result(
            {
                "supportedVersions": [R2026_07_28],
                "capabilities": {"tools": {}},
                "ttlMs": 0,
                "cacheScope": "private",
            },
            id=9,
        ),
        9,
    ),
)


class Eras:
    """What the server says about the revisions that it supports."""

    __slots__ = ("only_modern",)

    def __init__(self) -> None:
        self.only_modern = False
        """Whether it supports none with a handshake."""


session_rule(
    "HTTP-027",
    "version-header-missing",
    """A request after initialize has a missing or wrong MCP-Protocol-Version header.

    Why: without the header, a server assumes 2025-03-26.
    Instead: send the negotiated version in every request after initialize.
    """,
    reason="version_header",
    good=lambda: [
        kept(http_opening(server=TOOLS), post(request("tools/list")), reply(answer(LIST))),
    ],
    bad=lambda: [
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers={VERSION: None}),
            reply(answer(LIST)),
            at=4,
        ),
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers={VERSION: R2025_06_18}),
            reply(answer(LIST)),
            at=4,
        ),
    ],
)

session_rule(
    "HTTP-028",
    "invalid-version-accepted",
    """A request with a nonexistent MCP-Protocol-Version is accepted.

    Why: client and server then follow different rules without knowing it.
    Instead: answer with status 400.
    """,
    reason="invalid_version_accepted",
    good=lambda: [
        kept(
            post(request("tools/list"), headers={VERSION: "1900-01-01"}),
            reply(error(-32600, "No such version"), status=400),
            partial=True,
        ),
    ],
    bad=lambda: [
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers={VERSION: "1900-01-01"}),
            reply(answer(LIST)),
            also=((4, "HTTP-027", ""),),
        ),
    ],
)

session_rule(
    "HTTP-037",
    "get-or-delete-allowed",
    """A server that supports only 2026-07-28 does not answer GET or DELETE with 405.

    Why: status 405 tells older clients that there is neither a stream nor a session.
    Instead: answer with status 405.
    """,
    reason="get_or_delete_allowed",
    good=lambda: [
        kept(
            _DISCOVERED,
            get(1, {VERSION: None}),
            reply(status=405, type=None),
        ),
    ],
    bad=lambda: [
        broken(_DISCOVERED, get(1, {VERSION: None}), stream()),
    ],
)

session_rule(
    "HTTP-038",
    "session-remnants",
    """The server sends a session id or event ids in response to a request of 2026-07-28.

    Why: 2026-07-28 has neither sessions nor resumable streams, so the ids are useless.
    Instead: omit Mcp-Session-Id and event ids.
    """,
    reason="session_remnants",
    good=lambda: [kept(modern_post(modern_list()), reply(modern_result(MODERN_LIST)))],
    bad=lambda: [
        broken(
            modern_post(modern_list()),
            reply(modern_result(MODERN_LIST), headers={SESSION: "5f1c0a9e"}),
        ),
        broken(
            modern_post(modern_list()),
            stream(),
            event(modern_result(MODERN_LIST), id="7"),
        ),
    ],
)


@watch_exchange("asked", "HTTP-027", since=R2025_06_18, until=R2025_11_25)
def version_header_missing(look: Look) -> Verdict:
    """Decide HTTP-027."""
    agreed = _agreed(look.session)
    if not _is_for_us(look):
        return None
    if agreed is None or agreed < R2025_06_18:
        return look.leave_open("HTTP-027", because=NOT_AGREED) if agreed is None else None
    headers = look.exchange.request_headers
    if headers is None:
        return look.leave_open("HTTP-027", because=NO_HEADERS)
    given = headers.get(VERSION_HEADER)
    if given == agreed:
        return ()
    if given is None:
        text = "The request has no header MCP-Protocol-Version."
        return (Found((), text, "HTTP-027", key="missing"),)
    text = f"The header MCP-Protocol-Version is {quote(given)}, but {quote(agreed)} was negotiated."
    return (Found((), text, "HTTP-027", ANOTHER_VERSION, key="another"),)


@watch_exchange("answered", "HTTP-028", since=R2025_06_18, until=R2025_11_25)
def invalid_version_accepted(look: Look) -> Verdict:
    """Decide HTTP-028."""
    given = (look.exchange.request_headers or {}).get(VERSION_HEADER)
    if given is None or look.exchange.status is None or not _is_for_us(look):
        return None
    if given in REVISIONS or not _cannot_exist(given):
        return None
    if not look.exchange.succeeded:
        return ()
    text = (
        f"A request with version {quote(given)} was accepted instead of rejected with status 400."
    )
    return (Found((), text, "HTTP-028"),)


@watch_exchange("answered", "HTTP-037", since=R2026_07_28)
def get_or_delete_allowed(look: Look) -> Verdict:
    """Decide HTTP-037."""
    exchange = look.exchange
    is_other = exchange.method in ("GET", "DELETE") and look.exchanges.is_endpoint(exchange)
    if not is_other or exchange.status is None or _is_about_something_else(exchange.status):
        return None
    if exchange.status == NOT_ALLOWED:
        return ()
    if not look.session.recall(Eras).only_modern:
        return look.leave_open("HTTP-037", because=EARLIER_ERAS)
    text = f"A {exchange.method} was answered with status {exchange.status}, not 405."
    return (Found((), text, "HTTP-037"),)


@watch_exchange("answered", "HTTP-038", since=R2026_07_28)
def session_id_given(look: Look) -> Verdict:
    """Decide HTTP-038 for session ids."""
    exchange = look.exchange
    if exchange.question is None or exchange.header_faults or exchange.response_headers is None:
        return None
    if SESSION_HEADER not in exchange.response_headers:
        return ()
    text = "The response has an Mcp-Session-Id, but this revision has no sessions."
    return (Found((), text, "HTTP-038", key="session"),)


@watch_exchange("message", "HTTP-038", since=R2026_07_28)
def event_id_given(look: Look) -> Verdict:
    """Decide HTTP-038 for the ids of events."""
    exchange, id = look.exchange, event_id(look.line.delivery.sse)
    if exchange.question is None or exchange.header_faults or id is None or exchange.is_resumable:
        return None
    text = f"The event has the id {glimpse(id)}, but this revision has no resumable streams."
    return (Found((), text, "HTTP-038", key="event"),)


@watch("result", methods=("server/discover",), since=R2026_07_28)
def learn_eras(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember whether the server supports revisions with a handshake."""
    named = message.result.get("supportedVersions")
    if isinstance(named, list) and named:
        are_modern = [isinstance(one, str) and one >= R2026_07_28 for one in named]
        session.recall(Eras).only_modern = all(are_modern)
    return ()


def _agreed(session: SessionState) -> str | None:
    """The version that the peers have agreed on."""
    answered = session.handshake.answer
    version = answered.result.get("protocolVersion") if answered else None
    return version if isinstance(version, str) else None


def _is_for_us(look: Look) -> bool:
    """Whether this is a request to the MCP endpoint other than initialize."""
    exchange = look.exchange
    if exchange.method == "POST":
        return bool(exchange.posted) and exchange.posted[0].method != "initialize"
    return exchange.method in ("GET", "DELETE") and look.exchanges.is_endpoint(exchange)


def _cannot_exist(version: str) -> bool:
    """Whether nobody can support this version: no date, or one that is over without a revision."""
    if _DATE.fullmatch(version):
        return version < REVISIONS[-1] and version != BEFORE_THE_FIRST
    return not version.lower().startswith(_DRAFT)


def _is_about_something_else(status: int) -> bool:
    return status in OTHER_REASONS or status >= FIRST_SERVER_ERROR

"""Sessions over HTTP: the id that the server gives and the client repeats, and how they end."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    error,
    initialize,
    initialized,
    kept,
    request,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import (
    HANDSHAKE,
    SESSION,
    VERSION,
    get,
    http_opening,
    post,
    reply,
)
from mcp_assay.session.exchanges import SESSION_HEADER, Exchange, HttpSession
from mcp_assay.spec.revisions import R2025_03_26, R2025_11_25

BAD_REQUEST, NOT_FOUND, NOT_ALLOWED = 400, 404, 405
FIRST_VISIBLE, LAST_VISIBLE = "!", "~"
OTHER_REASONS: Final = (401, 403, NOT_ALLOWED, 406, 415, 429)
"""Statuses by which a server refuses a request for other reasons than its session id."""
FIRST_SERVER_ERROR: Final = 500
TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
GIVEN: Final = "5f1c0a9e"
UNKNOWN_SESSION: Final = "the session id is not the one that was assigned"
CROSSED: Final = "the request may have been sent before the 404 arrived"
UNASSIGNED: Final = "no session id was assigned"
UNTOLD_SESSION: Final = "which session a request without a session id belongs to is not known"

_WITH_ID: Final[dict[str, str | None]] = {SESSION: GIVEN}
_OPENED: Final = http_opening(server=TOOLS, session=GIVEN)


def _list(id: Any = 1) -> dict[str, Any]:
    return request("tools/list", id=id)


session_rule(
    "HTTP-021",
    "session-id-characters",
    """A session id contains characters other than visible ASCII.

    Why: such header values are changed or rejected in transit, so the session is lost.
    Instead: use only characters from 0x21 to 0x7E, as in a UUID.
    """,
    reason="session_id_characters",
    good=lambda: [kept(_OPENED)],
    bad=lambda: [
        broken(
            post(initialize(), HANDSHAKE, {VERSION: None}),
            reply(initialized(), HANDSHAKE, headers={SESSION: "notes für Ada"}),
        )
    ],
)

session_rule(
    "HTTP-022",
    "session-id-missing",
    """A request lacks the session id that the server assigned.

    Why: the server cannot tell which session the request belongs to, and usually rejects it.
    Instead: repeat Mcp-Session-Id from the initialize response in every later request.
    """,
    reason="session_id_missing",
    good=lambda: [kept(_OPENED, post(_list(), headers=_WITH_ID), reply(answer(LIST)))],
    bad=lambda: [
        broken(_OPENED, post(_list()), reply(error(-32600, "No session", id=1), status=400), at=4),
    ],
)

session_rule(
    "HTTP-023",
    "session-missing-status",
    """A request without its session id is rejected with a status other than 400.

    Why: another status misleads the client: 404 means that its session has ended.
    Instead: answer with status 400.
    """,
    reason="status_of_refusal",
    good=lambda: [
        kept(post(_list()), reply(error(-32600, "No session", id=1), status=400), partial=True),
    ],
    bad=lambda: [
        broken(
            _OPENED,
            post(_list()),
            reply(error(-32600, "No session", id=1), status=404),
            also=((4, "HTTP-022", ""),),
        ),
    ],
)

session_rule(
    "HTTP-024",
    "ended-session-answered",
    """A request in an ended session is answered as if the session continued.

    Why: only status 404 tells a client that it has to start a new session.
    Instead: answer with status 404 once a session has ended.
    """,
    reason="ended_session_answered",
    good=lambda: [
        kept(
            _OPENED,
            get(1, _WITH_ID, "DELETE"),
            reply(status=200, type=None),
            get(2, _WITH_ID, "DELETE"),
            reply(exchange=2, status=404, type=None),
        ),
    ],
    bad=lambda: [
        broken(
            _OPENED,
            get(1, _WITH_ID, "DELETE"),
            reply(status=200, type=None),
            post(_list(), 2, _WITH_ID),
            reply(answer(LIST), 2),
        ),
    ],
)

session_rule(
    "HTTP-025",
    "ended-session-used",
    """The client continues to use a session that has ended.

    Why: none of these requests can succeed; status 404 means that a new session is needed.
    Instead: send initialize again, without a session id.
    """,
    reason="ended_session_used",
    good=lambda: [
        kept(
            _OPENED,
            post(_list(), 1, _WITH_ID),
            reply(error(-32600, "The session is over", id=1), status=404),
            post(initialize(id=2), 2, {VERSION: None}),
            reply(initialized(id=2), 2),
        ),
    ],
    bad=lambda: [
        broken(
            _OPENED,
            post(_list(1), 1, _WITH_ID),
            reply(error(-32600, "The session is over", id=1), status=404),
            post(initialize(id=2), 2, {VERSION: None, SESSION: GIVEN}),
            reply(initialized(id=2), 2),
            at=6,
        ),
    ],
)

session_rule(
    "HTTP-026",
    "delete-status",
    """A DELETE of a session returns neither success nor status 405.

    Why: the client cannot tell whether its session has ended.
    Instead: return a 2xx status, or 405 if clients may not end sessions.
    """,
    reason="delete_status",
    good=lambda: [kept(_OPENED, get(1, _WITH_ID, "DELETE"), reply(status=405, type=None))],
    bad=lambda: [broken(_OPENED, get(1, _WITH_ID, "DELETE"), reply(status=500, type=None))],
)


session_rule(
    "LINT-006",
    "session-id-changed",
    """A later response of a session has another session id.

    Why: clients keep the id of the initialize response, so the new one reaches nobody; those that
    take it over may land in a session that does not exist.
    Instead: repeat the id that initialize was answered with, or leave the header out.
    """,
    reason="session_id_changed",
    good=lambda: [
        kept(_OPENED, post(_list(), headers=_WITH_ID), reply(answer(LIST), headers=_WITH_ID))
    ],
    bad=lambda: [
        broken(
            _OPENED,
            post(_list(), headers=_WITH_ID),
            reply(answer(LIST), headers={SESSION: "0c2d7b41"}),
        ),
    ],
)


@watch_exchange("answered", "LINT-006", since=R2025_03_26, until=R2025_11_25)
def session_id_changed(look: Look) -> Verdict:
    """Decide LINT-006 on what was asked in the session that is under way."""
    exchange, known = look.exchange, look.session.recall(HttpSession)
    given = (exchange.response_headers or {}).get(SESSION_HEADER)
    if given is None or _is_initialize(exchange) or not exchange.succeeded:
        return None
    if known.id is None or _session_of(exchange) != known.id:
        return None
    if given == known.id:
        return ()
    return (Found((), "The response has another session id than the session.", "LINT-006"),)


@watch_exchange("asked", "HTTP-022", since=R2025_03_26, until=R2025_11_25)
def session_id_missing(look: Look) -> Verdict:
    """Decide HTTP-022."""
    exchange, known = look.exchange, look.session.recall(HttpSession)
    if not _is_later_request(look):
        return None
    if known.id is None:
        return _without_assigned(look)
    if exchange.request_headers is None:
        return look.leave_open("HTTP-022", because=NO_HEADERS)
    given = exchange.request_headers.get(SESSION_HEADER)
    if given == known.id:
        return ()
    if given:
        return look.leave_open("HTTP-022", because=UNKNOWN_SESSION)
    exchange.lacks_session = True
    return (Found((), "The request has no Mcp-Session-Id, although one was assigned.", "HTTP-022"),)


def _without_assigned(look: Look) -> Verdict:
    """Leave HTTP-022 open where no id was seen to be assigned: of a part, somewhere else."""
    if look.session.partial and _is_without_session(look):
        look.session.withhold("HTTP-022", UNTOLD_SESSION)
    elif not look.session.recall(HttpSession).was_given:
        look.session.leave_open("HTTP-022", UNASSIGNED)
    return None


@watch_exchange("asked", since=R2025_03_26, until=R2025_11_25)
def remember_late_request(look: Look) -> Verdict:
    """Remember that a request came too late: one that was under way before may be answered."""
    deleted = look.session.recall(HttpSession).deleted
    look.exchange.is_late = _session_of(look.exchange) in deleted
    return None


@watch_exchange("asked", "HTTP-025", since=R2025_03_26, until=R2025_11_25)
def ended_session_used(look: Look) -> Verdict:
    """Decide HTTP-025: what crossed the first word of the end is forgiven."""
    exchange, known = look.exchange, look.session.recall(HttpSession)
    given = _session_of(exchange)
    if not known.lost or not _uses_session(exchange):
        return None
    lost = known.lost.get(given or "")
    if lost is None:
        return ()
    if _is_initialize(exchange):
        text = "The initialize request has the id of an ended session."
        return (Found((), text, "HTTP-025", key="initialize"),)
    if lost.may_cross(look.line.delivery.at):
        return look.leave_open("HTTP-025", because=CROSSED)
    text = "The request belongs to a session that had already ended."
    return (Found((), text, "HTTP-025", key="again"),)


@watch_exchange("answered", "HTTP-021", since=R2025_03_26, until=R2025_11_25)
def session_id_characters(look: Look) -> Verdict:
    """Decide HTTP-021."""
    given = (look.exchange.response_headers or {}).get(SESSION_HEADER)
    if given is None:
        return None
    if given and all(FIRST_VISIBLE <= letter <= LAST_VISIBLE for letter in given):
        return ()
    what = "contains characters other than visible ASCII" if given else "is empty"
    return (Found((), f"The session id {what}.", "HTTP-021"),)


@watch_exchange("answered", "HTTP-023", since=R2025_03_26, until=R2025_11_25)
def session_missing_status(look: Look) -> Verdict:
    """Decide HTTP-023."""
    exchange = look.exchange
    if exchange.status == BAD_REQUEST and _is_without_session(look):
        return ()
    is_refused = exchange.lacks_session and exchange.failed
    if not is_refused or _is_about_something_else(exchange.status or 0):
        return None
    text = f"A request without its session id was rejected with status {exchange.status}, not 400."
    return (Found((), text, "HTTP-023"),)


@watch_exchange("answered", "HTTP-024", since=R2025_03_26, until=R2025_11_25)
def ended_session_answered(look: Look) -> Verdict:
    """Decide HTTP-024."""
    exchange = look.exchange
    if not exchange.is_late or exchange.status is None:
        return None
    if not exchange.succeeded:
        return () if exchange.status == NOT_FOUND else None
    text = f"A request in an ended session was answered with status {exchange.status}."
    return (Found((), text, "HTTP-024"),)


@watch_exchange("answered", "HTTP-026", since=R2025_03_26, until=R2025_11_25)
def delete_status(look: Look) -> Verdict:
    """Decide HTTP-026."""
    exchange = look.exchange
    if exchange.method != "DELETE" or _session_of(exchange) is None or exchange.status is None:
        return None
    if exchange.succeeded or exchange.status == NOT_ALLOWED:
        return ()
    is_wrong = exchange.status == BAD_REQUEST or exchange.status >= FIRST_SERVER_ERROR
    if not is_wrong:
        return None
    text = f"A DELETE with a session id was answered with status {exchange.status}."
    return (Found((), text, "HTTP-026"),)


@watch_exchange("answered", since=R2025_03_26, until=R2025_11_25)
def follow_session(look: Look) -> Verdict:
    """Remember which session has begun or ended with this answer."""
    exchange, known = look.exchange, look.session.recall(HttpSession)
    given = _session_of(exchange)
    if _is_initialize(exchange) and exchange.succeeded:
        known.begin((exchange.response_headers or {}).get(SESSION_HEADER) or None)
    elif given is not None and exchange.method == "DELETE" and exchange.succeeded:
        known.delete(given)
    elif given is not None and exchange.method == "POST" and exchange.status == NOT_FOUND:
        known.lose(given, look.line.delivery.at)
    return None


def _is_later_request(look: Look) -> bool:
    """Whether this is a request to the MCP endpoint other than initialize."""
    exchange = look.exchange
    if exchange.method == "POST":
        return bool(exchange.posted) and not _is_initialize(exchange)
    return exchange.method in ("GET", "DELETE") and look.exchanges.is_endpoint(exchange)


def _is_without_session(look: Look) -> bool:
    headers = look.exchange.request_headers
    return headers is not None and not headers.get(SESSION_HEADER) and _is_later_request(look)


def _uses_session(exchange: Exchange) -> bool:
    """Whether a request counts on its session: who ends it with a DELETE does not."""
    return bool(exchange.posted) if exchange.method == "POST" else exchange.method == "GET"


def _is_initialize(exchange: Exchange) -> bool:
    return any(message.method == "initialize" for message in exchange.posted)


def _is_about_something_else(status: int) -> bool:
    return status in OTHER_REASONS or status >= FIRST_SERVER_ERROR


def _session_of(exchange: Exchange) -> str | None:
    return (exchange.request_headers or {}).get(SESSION_HEADER) or None

"""Authorization as HTTP shows it: tokens, challenges, and the request for an authorization."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from mcp_assay.model.entry import Delivery
from mcp_assay.rules.engine.rule import Found, Step, session_rule
from mcp_assay.rules.engine.samples import broken, c2s, kept, request
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.session.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.session.http_samples import http_opening, post, reply
from mcp_assay.session.challenges import FORBIDDEN, UNAUTHORIZED, metadata_in, missing_in
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
)
from mcp_assay.text.words import quote

BEARER: Final = "bearer"
TOKEN_PARAMETER: Final = "access_token"
LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
LONGEST_PATH: Final = 1 << 14
MOST_PARAMETERS: Final = 100
SESSION_HEADER: Final = "mcp-session-id"
ANOTHER_CLIENT: Final = "without a session, requests may come from several clients"
UNKNOWN_REVISION: Final = "the server's revision is not known"
WELL_KNOWN: Final = "the metadata may be at its well-known address"

TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
_TOKEN: Final[dict[str, str | None]] = {"Authorization": "Bearer [redacted]"}
_SESSION: Final[dict[str, str | None]] = {"Mcp-Session-Id": "5f1c0a9e"}
_LISTED: Final = (*http_opening(server=TOOLS), post(request("tools/list")))


class AccessTokens:
    """Whether the client has shown a token before."""

    __slots__ = ("was_shown",)

    def __init__(self) -> None:
        self.was_shown = False


def _challenged(
    words: str | None, revision: str = R2025_11_25, status: int = UNAUTHORIZED
) -> tuple[Step, ...]:
    later: dict[str, str | None] = {"MCP-Protocol-Version": revision}
    return (
        *http_opening(server=TOOLS, revision=revision),
        post(request("tools/list"), headers=later),
        reply(status=status, type=None, headers={"WWW-Authenticate": words}),
        post(request("tools/list", id=2), 2, {**later, **_TOKEN}),
        reply(answer(LIST, id=2), 2),
    )


def _authorize(**others: str | None) -> tuple[Step, ...]:
    """A client that was reported to get an authorization, and asks for it."""
    query = {
        "response_type": "code",
        "client_id": "inspector",
        "redirect_uri": "http://localhost:6274/callback",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "S256",
        "resource": "https://notes.example/mcp",
        **others,
    }
    asked = "&".join(f"{name}={value}" for name, value in query.items() if value is not None)
    http: dict[str, Any] = {"method": "GET", "path": f"/authorize?{asked}", "status": 302}
    return (*http_opening(), c2s(delivery=Delivery(transport="http", exchange=7, http=http)))


session_rule(
    "AUTH-002",
    "challenge-without-metadata",
    """A 401 response does not say where the server's metadata is.

    Why: in 2025-06-18 the client learns only from WWW-Authenticate which authorization server to
    ask.
    Instead: send WWW-Authenticate with the parameter resource_metadata.
    """,
    reason="challenge_without_metadata",
    good=lambda: [
        kept(
            _challenged('Bearer resource_metadata="https://notes.example/meta"', R2025_06_18),
            partial=True,
        )
    ],
    bad=lambda: [
        broken(
            _challenged("Bearer", R2025_06_18),
            at=5,
            partial=True,
        )
    ],
)

session_rule(
    "AUTH-003",
    "challenge-without-scope",
    """A challenge does not name the required scope.

    Why: the client requests too much or too little, and is rejected again.
    Instead: name the scope in WWW-Authenticate, with the error insufficient_scope for status 403.
    """,
    reason="challenge_without_scope",
    good=lambda: [
        kept(_challenged('Bearer scope="notes:read"'), partial=True),
        kept(
            _challenged('Bearer error="insufficient_scope", scope="notes:write"', status=403),
            partial=True,
        ),
    ],
    bad=lambda: [
        broken(_challenged("Bearer"), at=5, partial=True),
        broken(_challenged('Bearer scope="notes:write"', status=403), at=5, partial=True),
    ],
)

session_rule(
    "AUTH-004",
    "token-not-in-header",
    """A request has its token in the query string, or lacks the token that earlier requests had.

    Why: URLs end up in logs, and tokens with them. Every request needs the token, even within a
    session.
    Instead: send the header Authorization with a Bearer token in every request.
    """,
    reason="token_not_in_header",
    good=lambda: [
        kept(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers=_TOKEN),
            reply(answer(LIST)),
        ),
    ],
    bad=lambda: [
        broken(
            http_opening(server=TOOLS),
            post(request("tools/list"), path="/mcp?access_token=[redacted]"),
            reply(answer(LIST)),
            at=4,
        ),
        broken(
            http_opening(server=TOOLS, session="5f1c0a9e"),
            post(request("tools/list", id=1), headers={**_SESSION, **_TOKEN}),
            reply(answer(LIST, id=1)),
            post(request("tools/list", id=2), 2, _SESSION),
            reply(answer(LIST, id=2), 2),
            at=6,
        ),
    ],
)

session_rule(
    "AUTH-005",
    "authorization-without-resource",
    """An authorization request does not say which server it is for.

    Why: the token may then be valid for other servers and be misused there.
    Instead: send the address of the MCP server as the parameter resource.
    """,
    reason="authorization_without_resource",
    good=lambda: [kept(_authorize())],
    bad=lambda: [broken(_authorize(resource=None))],
)

session_rule(
    "AUTH-006",
    "authorization-unprotected",
    """An authorization request lacks PKCE with S256, or has an unsafe redirect URI.

    Why: anyone who sees the traffic or the redirect can use the authorization code.
    Instead: send a code_challenge with the method S256, and redirect to https or to localhost.
    """,
    reason="authorization_unprotected",
    good=lambda: [kept(_authorize())],
    bad=lambda: [
        broken(_authorize(code_challenge=None, code_challenge_method=None)),
        broken(_authorize(redirect_uri="http://notes.example/callback")),
    ],
)


@watch_exchange("answered", "AUTH-002", since=R2025_06_18, old=None)
def challenge_without_metadata(look: Look) -> Verdict:
    """Decide AUTH-002."""
    exchange = look.exchange
    if exchange.status != UNAUTHORIZED:
        return None
    if exchange.response_headers is None:
        return look.leave_open("AUTH-002", because=NO_HEADERS)
    if metadata_in(exchange.response_headers.get("www-authenticate", "")):
        return ()
    if exchange.revision >= R2025_11_25:
        return look.leave_open("AUTH-002", because=WELL_KNOWN)
    if not _is_known(look.session):
        return look.leave_open("AUTH-002", because=UNKNOWN_REVISION)
    text = "The 401 response has no resource_metadata in WWW-Authenticate."
    return (Found((), text, "AUTH-002"),)


@watch_exchange("answered", "AUTH-003", since=R2025_11_25, old=None)
def challenge_without_scope(look: Look) -> Verdict:
    """Decide AUTH-003."""
    exchange = look.exchange
    challenge = (exchange.response_headers or {}).get("www-authenticate", "")
    is_challenge = exchange.status in (UNAUTHORIZED, FORBIDDEN)
    if not is_challenge or not challenge.lower().startswith(BEARER):
        return None
    if not _is_known(look.session) and not look.exchanges.speaks_modern:
        return look.leave_open("AUTH-003", because=UNKNOWN_REVISION)
    missing = missing_in(exchange.status, challenge)
    if missing is None:
        return ()
    text = f"The challenge with status {exchange.status} {missing}."
    return (Found((), text, "AUTH-003", key=str(exchange.status)),)


@watch_exchange("asked", "AUTH-004", since=R2025_03_26, old=None)
def token_not_in_header(look: Look) -> Verdict:
    """Decide AUTH-004."""
    exchange, tokens = look.exchange, look.session.recall(AccessTokens)
    if not exchange.posted and not look.exchanges.is_endpoint(exchange):
        return None
    if TOKEN_PARAMETER in _query(look):
        return (
            Found((), "A token is in the query string of the request.", "AUTH-004", key="query"),
        )
    if exchange.request_headers is None:
        return look.leave_open("AUTH-004", because=NO_HEADERS)
    given = exchange.request_headers.get("authorization")
    if given is not None:
        tokens.was_shown = tokens.was_shown or given.lower().startswith((BEARER, "[redacted]"))
        return ()
    return _without_token(look) if tokens.was_shown else None


def _without_token(look: Look) -> Verdict:
    """Judge a request that leaves out the token which an earlier one had."""
    if SESSION_HEADER not in (look.exchange.request_headers or {}):
        return look.leave_open("AUTH-004", because=ANOTHER_CLIENT)
    text = "The request has no token, but earlier ones did."
    return (Found((), text, "AUTH-004", key="missing"),)


@watch_exchange("answered", since=R2025_03_26, old=None)
def forget_refused_token(look: Look) -> Verdict:
    """Forget the token that a server has refused: the client may have to get another one."""
    if look.exchange.status == UNAUTHORIZED:
        look.session.recall(AccessTokens).was_shown = False
    return None


@watch_exchange("asked", "AUTH-005", since=R2025_06_18, old=None)
def authorization_without_resource(look: Look) -> Verdict:
    """Decide AUTH-005 for requests for an authorization."""
    query = _authorization_query(look)
    if query is None:
        return None
    if query.get("resource"):
        return ()
    text = "The authorization request has no parameter resource."
    return (Found((), text, "AUTH-005"),)


@watch_exchange("asked", "AUTH-006", since=R2025_03_26, old=None)
def authorization_unprotected(look: Look) -> Verdict:
    """Decide AUTH-006 for requests for an authorization."""
    query = _authorization_query(look)
    if query is None:
        return None
    text = _pkce_fault(query) or _redirect_fault(query.get("redirect_uri", ""))
    return (Found((), text, "AUTH-006"),) if text else ()


def _pkce_fault(query: Mapping[str, str]) -> str | None:
    if not query.get("code_challenge"):
        return "The authorization request has no code_challenge."
    method = query.get("code_challenge_method", "plain")
    return None if method == "S256" else f"The code_challenge_method is {quote(method)}, not S256."


def _redirect_fault(uri: str) -> str | None:
    """What is wrong with a redirect URI by http; other schemes are those of applications."""
    try:
        parts = urlsplit(uri)
        is_local = parts.hostname in LOCAL_HOSTS
    except ValueError:
        return None
    if parts.scheme != "http" or is_local:
        return None
    return f"The redirect URI {quote(uri)} is neither https nor on this machine."


def _authorization_query(look: Look) -> Mapping[str, str] | None:
    """The parameters of a request for an authorization, None where it is another one."""
    if look.exchange.method != "GET" or look.session.handshake.request is None:
        return None
    query = _query(look)
    return query if query.get("response_type") == "code" and "client_id" in query else None


def _query(look: Look) -> Mapping[str, str]:
    http = look.line.delivery.http
    path = http.get("path") if http is not None else None
    if not isinstance(path, str) or len(path) > LONGEST_PATH:
        return {}
    query = path.partition("?")[2]
    try:
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS))
    except ValueError:
        return {}


def _is_known(session: SessionState) -> bool:
    """Whether the server has named the revision that it speaks."""
    return session.handshake.answer is not None

"""Authorization as HTTP shows it: tokens, challenges, and the request for an authorization."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from mcp_assay.rules.challenges import FORBIDDEN, UNAUTHORIZED, metadata_in, missing_in
from mcp_assay.rules.examples import request
from mcp_assay.rules.examples import result as answer
from mcp_assay.rules.rule import Found, Step, session_rule
from mcp_assay.rules.scripts import broken, c2s, talk
from mcp_assay.rules.sessions.http_exchanges import NO_HEADERS, Look, Verdict, watch_exchange
from mcp_assay.rules.sessions.http_scripts import http_opening, post, reply
from mcp_assay.rules.words import quote
from mcp_assay.session.line import Line
from mcp_assay.session.talk import Talk
from mcp_assay.spec.revisions import (
    R2025_03_26,
    R2025_06_18,
    R2025_11_25,
)

BEARER: Final = "bearer"
TOKEN_PARAMETER: Final = "access_token"
LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
LONGEST_PATH: Final = 1 << 14
MOST_PARAMETERS: Final = 100
SESSION_HEADER: Final = "mcp-session-id"
ANOTHER_CLIENT: Final = "outside of a session, requests may come from several clients"
UNKNOWN_REVISION: Final = "the server has not said which revision it speaks"
WELL_KNOWN: Final = "the metadata may be at its well-known address"

TOOLS: Final[dict[str, object]] = {"tools": {}}
LIST: Final[dict[str, object]] = {"tools": []}
_TOKEN: Final[dict[str, str | None]] = {"Authorization": "Bearer [redacted]"}
_SESSION: Final[dict[str, str | None]] = {"Mcp-Session-Id": "5f1c0a9e"}
_LISTED: Final = (*http_opening(server=TOOLS), post(request("tools/list")))


class Tokens:
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
    """A client that was told to get an authorization, and asks for it."""
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
    return (*http_opening(), c2s(line=Line(transport="http", exchange=7, http=http)))


session_rule(
    "AUTH-002",
    "challenge-without-metadata",
    """A refusal with status 401 that does not say where the metadata of the server is.

    Why: in 2025-06-18 the client learns only from WWW-Authenticate which authorization server to
    ask.
    Instead: send WWW-Authenticate with the parameter resource_metadata.
    """,
    reason="challenge_without_metadata",
    good=[
        talk(
            _challenged('Bearer resource_metadata="https://notes.example/meta"', R2025_06_18),
            partial=True,
        )
    ],
    bad=[
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
    """A challenge that does not name the scope which is needed.

    Why: the client asks for too much or for too little, and is refused again.
    Instead: name the scope in WWW-Authenticate, with the error insufficient_scope for status 403.
    """,
    reason="challenge_without_scope",
    good=[
        talk(_challenged('Bearer scope="notes:read"'), partial=True),
        talk(
            _challenged('Bearer error="insufficient_scope", scope="notes:write"', status=403),
            partial=True,
        ),
    ],
    bad=[
        broken(_challenged("Bearer"), at=5, partial=True),
        broken(_challenged('Bearer scope="notes:write"', status=403), at=5, partial=True),
    ],
)

session_rule(
    "AUTH-004",
    "token-not-in-header",
    """A request whose token is in the query string, or that leaves out the token of earlier ones.

    Why: addresses end up in logs, and tokens with them. A server looks for the token in every
    request, also within a session.
    Instead: send the header Authorization with a Bearer token in every request.
    """,
    reason="token_not_in_header",
    good=[
        talk(
            http_opening(server=TOOLS),
            post(request("tools/list"), headers=_TOKEN),
            reply(answer(LIST)),
        ),
    ],
    bad=[
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
    """A request for an authorization that does not say for which server it is.

    Why: the token may then be good for other servers too, and be misused there.
    Instead: send the address of the MCP server as the parameter resource.
    """,
    reason="authorization_without_resource",
    good=[talk(_authorize())],
    bad=[broken(_authorize(resource=None))],
)

session_rule(
    "AUTH-006",
    "authorization-unprotected",
    """A request for an authorization without PKCE by S256, or with an unsafe redirect URI.

    Why: whoever reads the traffic, or the redirect, can use the authorization code.
    Instead: send a code_challenge with the method S256, and redirect to https or to localhost.
    """,
    reason="authorization_unprotected",
    good=[talk(_authorize())],
    bad=[
        broken(_authorize(code_challenge=None, code_challenge_method=None)),
        broken(_authorize(redirect_uri="http://notes.example/callback")),
    ],
)


@watch_exchange("answered", "AUTH-002", since=R2025_06_18, old=None)
def says_where_the_metadata_is(look: Look) -> Verdict:
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
    text = "The refusal with status 401 has no resource_metadata in WWW-Authenticate."
    return (Found((), text, "AUTH-002"),)


@watch_exchange("answered", "AUTH-003", since=R2025_11_25, old=None)
def names_the_scope(look: Look) -> Verdict:
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
def shows_the_token_in_the_header(look: Look) -> Verdict:
    """Decide AUTH-004."""
    exchange, tokens = look.exchange, look.session.recall(Tokens)
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
    text = "The request has no token, although earlier ones had."
    return (Found((), text, "AUTH-004", key="missing"),)


@watch_exchange("answered", since=R2025_03_26, old=None)
def forgets_refused_tokens(look: Look) -> Verdict:
    """Forget the token that a server has refused: the client may have to get another one."""
    if look.exchange.status == UNAUTHORIZED:
        look.session.recall(Tokens).was_shown = False
    return None


@watch_exchange("asked", "AUTH-005", since=R2025_06_18, old=None)
def names_the_resource(look: Look) -> Verdict:
    """Decide AUTH-005 for requests for an authorization."""
    query = _authorization_query(look)
    if query is None:
        return None
    if query.get("resource"):
        return ()
    text = "The request for an authorization has no parameter resource."
    return (Found((), text, "AUTH-005"),)


@watch_exchange("asked", "AUTH-006", since=R2025_03_26, old=None)
def protects_the_authorization(look: Look) -> Verdict:
    """Decide AUTH-006 for requests for an authorization."""
    query = _authorization_query(look)
    if query is None:
        return None
    text = _pkce_fault(query) or _redirect_fault(query.get("redirect_uri", ""))
    return (Found((), text, "AUTH-006"),) if text else ()


def _pkce_fault(query: Mapping[str, str]) -> str | None:
    if not query.get("code_challenge"):
        return "The request for an authorization has no code_challenge."
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
    http = look.arrival.line.http
    path = http.get("path") if http is not None else None
    if not isinstance(path, str) or len(path) > LONGEST_PATH:
        return {}
    query = path.partition("?")[2]
    try:
        return dict(parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS))
    except ValueError:
        return {}


def _is_known(session: Talk) -> bool:
    """Whether the server has named the revision that it speaks."""
    return session.handshake.answer is not None

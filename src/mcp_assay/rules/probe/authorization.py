"""What a server says to those who come without a token: its challenge and its metadata."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from mcp_assay.model.probe import Anew, Http, OpenStep, Reply, Step
from mcp_assay.rules.probe.http_requests import host_of, in_words, knocking, succeeded
from mcp_assay.rules.probe.rule import (
    KEPT,
    Dialogue,
    Known,
    Verdicts,
    fault,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.session.challenges import (
    FORBIDDEN,
    UNAUTHORIZED,
    metadata_in,
    missing_in,
    scope_in,
    wants_token,
)
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28

RULES: Final = ("AUTH-001", "AUTH-002", "AUTH-003", "AUTH-007")
WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"
OLD_WELL_KNOWN: Final = "/.well-known/oauth-authorization-server"
"""Where a server of 2025-03-26 has its metadata."""
NO_TOKEN: Final = "mcp-assay-no-such-token"
OFFLINE: Final = "offline_access"
OPEN_TO_ALL: Final = "the server accepts requests without credentials"
OTHER_SCHEME: Final = "the server uses credentials other than OAuth tokens"
ELSEWHERE: Final = "the metadata is on another host, which mcp-assay does not contact"
OF_THE_FIRST: Final = "the server publishes its metadata as 2025-03-26 defines it"
NO_REVISION: Final = (
    "the challenge names no metadata, which only some revisions ask for, and none was agreed on"
)
NOTHING_TO_LEAD_TO: Final = "the server publishes no metadata for a challenge to point to"

_PATH: Final = re.compile(r"/[!-~]{0,2000}")

Metadata: TypeAlias = dict[str, Any] | None
"""A document with authorization servers, None where there is none."""


@probe(*RULES, over="streamable http", is_outside=True)
def stranger(server: Known) -> Dialogue:
    """Come without a token, and with one that nobody gave; then look for the metadata."""
    if not server.is_closed and not server.has_credentials:
        return _all(not_testable, OPEN_TO_ALL)
    begun = yield Anew(with_handshake=False, with_credentials=False)
    refused = yield knocking(server)
    if begun.ending != "answered" or refused.status is None:
        return _all(undecided, "a request without a token gets no response")
    if succeeded(refused):
        return _all(not_testable, OPEN_TO_ALL)
    challenge = refused.headers.get("www-authenticate", "")
    if challenge and not wants_token(challenge):
        return _all(not_testable, OTHER_SCHEME)
    if refused.status != UNAUTHORIZED:
        return _refused_otherwise(refused, challenge)
    intruder = yield knocking(server, NO_TOKEN)
    metadata, missing = yield from _metadata(server, challenge)
    return [
        *missing,
        *_challenge(server, challenge, intruder, metadata, is_open=bool(missing)),
        *_scope(server, challenge),
        *_offline(challenge, metadata),
    ]


def _refused_otherwise(refused: Reply, challenge: str) -> Verdicts:
    """Judge a refusal that may be about the token: only one with a challenge surely is."""
    came = f"a request without the given headers gets {in_words(refused)}"
    if not challenge:
        return _all(undecided, came)
    text = f"A request without a token is rejected with status {refused.status}, not 401."
    others = (undecided(rule, came) for rule in RULES if rule != "AUTH-002")
    return [fault("AUTH-002", text, key="status"), *others]


def _metadata(server: Known, challenge: str) -> Generator[Step, Reply, tuple[Metadata, Verdicts]]:
    """Look for the metadata where they should be, on the server's own host only."""
    named = metadata_in(challenge)
    own = _own_path(server, named) if named else None
    for path in dict.fromkeys(filter(None, (own, *_well_known(server)))):
        reply = yield Http("GET", {"Accept": "application/json"}, path=path)
        metadata = _document(reply)
        if metadata is not None:
            return metadata, KEPT
    if named and own is None:
        return None, [undecided("AUTH-001", ELSEWHERE)]
    old = yield Http("GET", {"Accept": "application/json"}, path=OLD_WELL_KNOWN)
    if _object(old) is not None:
        return None, [undecided("AUTH-001", OF_THE_FIRST)]
    text = (
        "The server requires a token but publishes no metadata that names an authorization server."
    )
    return None, [fault("AUTH-001", text)]


def _well_known(server: Known) -> Iterable[str]:
    path = urlsplit(server.url or "").path
    if path.strip("/") and _PATH.fullmatch(path):
        yield f"{WELL_KNOWN}{path}"
    yield WELL_KNOWN


def _own_path(server: Known, url: str) -> str | None:
    """The path of an address on the server's own host, None for any other address."""
    try:
        ours, theirs = urlsplit(server.url or ""), urlsplit(url)
        is_ours = (theirs.scheme, theirs.hostname, theirs.port) == (
            ours.scheme,
            host_of(server),
            ours.port,
        )
    except ValueError:
        return None
    path = f"{theirs.path}?{theirs.query}" if theirs.query else theirs.path
    return path if is_ours and _PATH.fullmatch(path) else None


def issuers_in(reply: Reply) -> list[str]:
    """The authorization servers that a document names, empty where it is no metadata."""
    named = (_document(reply) or {}).get("authorization_servers", [])
    return [one for one in named if isinstance(one, str) and one.startswith(("https:", "http:"))]


def _object(reply: Reply) -> Metadata:
    alone = reply.messages[0] if len(reply.messages) == 1 else None
    return alone if succeeded(reply) and isinstance(alone, dict) else None


def _document(reply: Reply) -> Metadata:
    document = _object(reply)
    named = document.get("authorization_servers") if document else None
    is_named = isinstance(named, list) and any(isinstance(it, str) and it for it in named)
    return document if is_named else None


def _challenge(
    server: Known, challenge: str, intruder: Reply, metadata: Metadata, *, is_open: bool
) -> Verdicts:
    """Decide AUTH-002: a wrong token is refused, and the refusal leads to the metadata."""
    if succeeded(intruder):
        text = "The server accepts an invalid token."
        return [fault("AUTH-002", text, key="any token", fix="Reject it with status 401.")]
    if intruder.status != UNAUTHORIZED:
        return [undecided("AUTH-002", f"an invalid token gets {in_words(intruder)}")]
    leads = metadata_in(challenge) is not None
    if server.revision < R2025_06_18 or leads:
        return KEPT
    if not server.is_revision_known:
        return [undecided("AUTH-002", NO_REVISION)]
    if server.revision < R2025_11_25:
        text = "The 401 response has no resource_metadata in WWW-Authenticate."
        return [fault("AUTH-002", text)]
    return [undecided("AUTH-002", NOTHING_TO_LEAD_TO)] if is_open or metadata is None else KEPT


def _scope(server: Known, challenge: str) -> Verdicts:
    """Judge the challenge to a stranger, and the one to a token with too small a scope."""
    if not challenge:
        return [undecided("AUTH-003", "the response has no challenge")]
    came = {UNAUTHORIZED: challenge}
    if server.forbidden and wants_token(server.forbidden):
        came[FORBIDDEN] = server.forbidden
    missing = {status: missing_in(status, text) for status, text in came.items()}
    return [
        fault("AUTH-003", f"The challenge with status {status} {words}.", key=str(status))
        for status, words in missing.items()
        if words is not None
    ]


def _offline(challenge: str, metadata: Metadata) -> Verdicts:
    if OFFLINE in (scope_in(challenge) or "").split():
        return [fault("AUTH-007", "The challenge requests the scope offline_access.")]
    if metadata is None:
        return [undecided("AUTH-007", "no metadata was seen")]
    supported = metadata.get("scopes_supported")
    if isinstance(supported, list) and OFFLINE in supported:
        return [fault("AUTH-007", "The metadata lists offline_access in scopes_supported.")]
    return KEPT


def _all(outcome: Callable[[str, str], OpenStep], reason: str) -> Verdicts:
    return [outcome(rule, reason) for rule in RULES]


_CLOSED: Final = Known(is_http=True, is_closed=True, url="https://notes.example/mcp")
_MODERN: Final = Known(
    is_http=True, is_closed=True, url="https://notes.example/mcp", revision=R2026_07_28
)
_REFUSED: Final = Reply(status=401, headers={"www-authenticate": 'Bearer scope="notes"'})
_NOT_THERE: Final = Reply(status=404)


def _published(**others: Any) -> Reply:
    document = {"authorization_servers": ["https://login.example"], **others}
    return Reply(status=200, messages=[document])


probe_rule(
    "AUTH-001",
    "no-resource-metadata",
    """The server requires a token but does not say which authorization server issues it.

    Why: clients learn from the metadata which authorization server to ask; without it, no client
    can get a token.
    Instead: publish metadata by RFC 9728 at /.well-known/oauth-protected-resource, with at least
    one entry in authorization_servers.
    """,
    of=stranger,
    reason="no_resource_metadata",
    good=lambda: [replay(Reply(), _REFUSED, _REFUSED, _published(), known=_CLOSED)],
    bad=lambda: [
        replay(Reply(), _REFUSED, _REFUSED, _NOT_THERE, _NOT_THERE, _NOT_THERE, known=_CLOSED),
        replay(
            *(Reply(), _REFUSED, _REFUSED),
            *(_published(authorization_servers=[]), _NOT_THERE, _NOT_THERE),
            known=_CLOSED,
        ),
    ],
)

probe_rule(
    "AUTH-007",
    "offline-access-advertised",
    """The server lists offline_access as a scope of its own.

    Why: whether a client gets a refresh token is between it and the authorization server; clients
    that ask for all scopes of a server would ask for that too.
    Instead: leave offline_access out of scopes_supported and of challenges.
    """,
    of=stranger,
    reason="offline_access_advertised",
    good=lambda: [
        replay(Reply(), _REFUSED, _REFUSED, _published(scopes_supported=["notes"]), known=_MODERN)
    ],
    bad=lambda: [
        replay(
            *(Reply(), _REFUSED, _REFUSED, _published(scopes_supported=["notes", OFFLINE])),
            known=_MODERN,
        )
    ],
)

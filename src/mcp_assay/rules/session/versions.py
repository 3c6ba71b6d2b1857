"""Versions and roles since 2026-07-28: what server/discover says, and what follows a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, session_rule
from mcp_assay.rules.engine.samples import (
    CLIENT_META,
    broken,
    c2s,
    error,
    kept,
    modern_request,
    modern_result,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.handshake import VERSION_KEY
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import glimpse, quote

UNSUPPORTED_VERSION: Final = -32022
MODERN_ERRORS: Final = (-32020, -32021, UNSUPPORTED_VERSION)
"""Errors that only a server gives which knows 2026-07-28 or later."""

NEWER: Final = "2027-06-01"
DISCOVERED: Final = {
    "supportedVersions": [R2026_07_28],
    "capabilities": {},
    "ttlMs": 0,
    "cacheScope": "private",
}
REFUSAL: Final = error(
    UNSUPPORTED_VERSION,
    "Unsupported protocol version",
    {"supported": [NEWER], "requested": R2026_07_28},
)

BOTH_ERAS: Final = "the session was initialized, so older rules may apply"
SHARED: Final = "over HTTP, the next request may come from another client"
ON_THE_WAY: Final = "other requests were on their way"
NO_REQUEST: Final = "the version of the request was not seen"
NO_LIST: Final = "the error does not list the supported versions"


def _in_version(version: str, id: int) -> dict[str, Any]:
    meta = {**CLIENT_META, VERSION_KEY: version}
    return request("server/discover", {"_meta": meta}, id=id)


session_rule(
    "VER-003",
    "own-version-not-listed",
    """supportedVersions lacks the version of the answered request.

    Why: the client relies on the list and stops using a version that works.
    Instead: list every version that the server supports.
    """,
    reason="version_mismatch",
    good=lambda: [kept(c2s(modern_request("server/discover")), s2c(modern_result(DISCOVERED)))],
    bad=lambda: [
        broken(
            c2s(modern_request("server/discover")),
            s2c(modern_result({**DISCOVERED, "supportedVersions": [R2025_11_25]})),
            pointer="/result/supportedVersions",
        )
    ],
)

session_rule(
    "VER-006",
    "refused-version-tried-again",
    """The client uses a version that the server has just rejected.

    Why: it is rejected again, although the error lists supported versions.
    Instead: choose a version from data.supported, or tell the user that there is none in common.
    """,
    reason="version_mismatch",
    good=lambda: [
        kept(
            c2s(modern_request("server/discover", id=1)),
            s2c(REFUSAL),
            c2s(_in_version(NEWER, 2)),
            s2c(modern_result({**DISCOVERED, "supportedVersions": [NEWER]}, id=2)),
        ),
    ],
    bad=lambda: [
        broken(
            c2s(modern_request("server/discover", id=1)),
            s2c(REFUSAL),
            c2s(modern_request("server/discover", id=2)),
            s2c({**REFUSAL, "id": 2}),
            at=2,
            pointer="/params/_meta/io.modelcontextprotocol~1protocolVersion",
        )
    ],
)

session_rule(
    "VER-010",
    "server-sends-request",
    """The server sends a request in a revision where only clients do.

    Why: the client does not answer, so the server waits forever.
    Instead: answer with resultType input_required, and say in inputRequests what is needed.
    """,
    reason="wrong_direction",
    good=lambda: [kept(c2s(modern_request("server/discover")), s2c(modern_result(DISCOVERED)))],
    bad=lambda: [
        broken(
            c2s(modern_request("server/discover", id=1)),
            s2c(modern_result(DISCOVERED, id=1)),
            s2c(modern_request("roots/list", id="s-1")),
            pointer="/method",
            also=((2, "SCHEMA-003", "/method"),),
        )
    ],
)

session_rule(
    "VER-011",
    "client-sends-response",
    """The client sends a response in a revision where only servers do.

    Why: the server has sent no request, so the response is useless.
    Instead: send the request again, with what the server asked for in params.inputResponses.
    """,
    reason="wrong_direction",
    good=lambda: [kept(c2s(modern_request("server/discover")), s2c(modern_result(DISCOVERED)))],
    bad=lambda: [
        broken(
            c2s(modern_request("server/discover", id=1)),
            s2c(modern_result(DISCOVERED, id=1)),
            c2s(modern_result({}, id="s-1")),
            pointer="/result",
            also=((2, "JSONRPC-023", "/id"),),
        )
    ],
)

session_rule(
    "VER-015",
    "fallback-after-modern-error",
    """The client falls back to initialize after an error that only newer servers return.

    Why: the server supports 2026-07-28 or later; initialize can only fail or be misunderstood.
    Instead: fix what the error reports, and fall back only after other errors.
    """,
    reason="wrong_fallback",
    good=lambda: [
        kept(
            c2s(modern_request("server/discover", id="probe")),
            s2c(error(-32601, "Method not found", id="probe")),
            opening(),
        )
    ],
    bad=lambda: [
        broken(
            c2s(modern_request("server/discover", id="probe")),
            s2c({**REFUSAL, "id": "probe"}),
            opening(),
            at=2,
            pointer="/method",
        )
    ],
)


@watch("result", methods=("server/discover",), since=R2026_07_28)
def own_version_not_listed(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide VER-003."""
    listed = message.result.get("supportedVersions")
    served = message.answers.meta.get(VERSION_KEY) if message.answers else None
    if not isinstance(listed, list) or not isinstance(served, str):
        return ()
    session.decide("VER-003")
    if served in listed:
        return ()
    text = f"supportedVersions lacks {quote(served)}, the version of this request."
    return (Found(("result", "supportedVersions"), text, "VER-003"),)


@watch("error", since=R2026_07_28)
def remember_refusal(session: SessionState, message: Message) -> Iterable[Found]:
    """Remember the error, in case that the client's next request comes of it."""
    shared, others = _is_shared(session), session.pending.sent["c2s"]
    if not shared and not others:
        session.handshake.refusal = message
    elif message.error.get("code") in MODERN_ERRORS:
        session.leave_open("VER-006", SHARED if shared else ON_THE_WAY)
        session.leave_open("VER-015", SHARED if shared else ON_THE_WAY)
    return ()


@watch("error", since=R2026_07_28)
def another_version_requested(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide VER-005 where the request was seen: what the server says it asked for."""
    data = message.error.get("data")
    named = data.get("requested") if isinstance(data, dict) else None
    if message.error.get("code") != UNSUPPORTED_VERSION or not isinstance(named, str):
        return ()
    sent = message.answers.meta.get(VERSION_KEY) if message.answers else None
    if not isinstance(sent, str):
        session.withhold("VER-005", NO_REQUEST)
        return ()
    session.decide("VER-005")
    if named == sent:
        return ()
    text = f"data.requested is {quote(named)}, but the request was sent with {quote(sent)}."
    return (Found(("error", "data", "requested"), text, "VER-005", key="another"),)


@watch("request", since=R2026_07_28)
def forbidden_request(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide VER-010 and VER-006; what a client may send shows that it sends no responses."""
    if message.direction == "c2s":
        session.decide("VER-011")
        return _tries_again(session, message) if session.handshake.refusal is not None else ()
    if message.direction is None or _is_older(session, "VER-010"):
        return ()
    text = f"The server sends the request {quote(message.method or '')}."
    return (Found(("method",), text, "VER-010"),)


@watch("result", "error", since=R2026_07_28)
def client_sends_response(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide VER-011; what a server may send shows that it sends no requests."""
    if message.direction == "s2c":
        session.decide("VER-010")
    if message.direction != "c2s" or _is_older(session, "VER-011"):
        return ()
    text = "The client sends a response, although the server may send no requests."
    return (Found((message.kind,), text, "VER-011"),)


@watch("request", methods=("initialize",), until=R2025_11_25)
def fallback_after_modern_error(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide VER-015."""
    refusal, session.handshake.refusal = session.handshake.refusal, None
    if refusal is None or message.direction == "s2c" or _offers_older(refusal):
        return ()
    session.decide("VER-015")
    code = refusal.error.get("code")
    if code not in MODERN_ERRORS:
        return ()
    text = f"The client falls back to initialize after the error {glimpse(code)}."
    return (Found(("method",), text, "VER-015"),)


def _tries_again(session: SessionState, message: Message) -> Iterable[Found]:
    refusal, session.handshake.refusal = session.handshake.refusal, None
    if refusal is None or refusal.error.get("code") != UNSUPPORTED_VERSION:
        return ()
    supported, version = _supported(refusal), message.meta.get(VERSION_KEY)
    if not supported or not isinstance(version, str):
        session.leave_open("VER-006", NO_LIST)
        return ()
    session.decide("VER-006")
    if version in supported:
        return ()
    text = f"The client asks for {quote(version)}, which the server did not list as supported."
    return (Found(("params", "_meta", VERSION_KEY), text, "VER-006"),)


def _supported(refusal: Message) -> list[str]:
    """The versions that a refusal lists."""
    data = refusal.error.get("data")
    supported = data.get("supported") if isinstance(data, dict) else None
    listed = supported if isinstance(supported, list) else []
    return [version for version in listed if isinstance(version, str)]


def _offers_older(refusal: Message) -> bool:
    """Whether an unsupported version may be a reason to initialize: there an older one is listed,
    or nothing is."""
    if refusal.error.get("code") != UNSUPPORTED_VERSION:
        return False
    supported = _supported(refusal)
    return not supported or min(supported) < R2026_07_28


def _is_older(session: SessionState, rule: str) -> bool:
    """Whether the peers have initialized, as no revision does to which the rule belongs."""
    if session.handshake.request is None:
        return False
    session.leave_open(rule, BOTH_ERAS)
    return True


def _is_shared(session: SessionState) -> bool:
    return session.delivery.transport == "http" or session.delivery.http is not None

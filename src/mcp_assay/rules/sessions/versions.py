"""Versions and roles since 2026-07-28: what server/discover says, and what follows a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.message import Message
from mcp_assay.rules.evidence import glimpse
from mcp_assay.rules.examples import CLIENT_META, error, modern_request, modern_result, request
from mcp_assay.rules.rule import END, Found, session_rule
from mcp_assay.rules.scripts import broken, c2s, opening, s2c, talk
from mcp_assay.rules.watching import watch
from mcp_assay.rules.words import quote
from mcp_assay.session.negotiation import VERSION_KEY
from mcp_assay.session.talk import Talk
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28

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

BOTH_ERAS: Final = "the session was initialized, so that older rules may hold"
SHARED: Final = "over HTTP, the next request may come from another client"
ON_THE_WAY: Final = "other requests were on their way"
NO_LIST: Final = "the error does not list the supported versions"


def _in_version(version: str, id: int) -> dict[str, Any]:
    meta = {**CLIENT_META, VERSION_KEY: version}
    return request("server/discover", {"_meta": meta}, id=id)


session_rule(
    "VER-003",
    "own-version-not-listed",
    """A list of supported versions without the one that the request was served under.

    Why: the client goes by the list, and leaves a version that works.
    Instead: list every version that the server answers requests in.
    """,
    reason="version_mismatch",
    good=[talk(c2s(modern_request("server/discover")), s2c(modern_result(DISCOVERED)))],
    bad=[
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
    """A request in a version that the server has just said it does not support.

    Why: it is refused again, although the error names versions that would be served.
    Instead: choose a version from data.supported, or tell the user that there is none in common.
    """,
    reason="version_mismatch",
    good=[
        talk(
            c2s(modern_request("server/discover", id=1)),
            s2c(REFUSAL),
            c2s(_in_version(NEWER, 2)),
            s2c(modern_result({**DISCOVERED, "supportedVersions": [NEWER]}, id=2)),
        ),
    ],
    bad=[
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
    """A request that the server sends, in a revision where only clients do.

    Why: the client expects none and gives no answer, so that the server waits for ever.
    Instead: answer with resultType input_required, and say in inputRequests what is needed.
    """,
    reason="wrong_direction",
    good=[talk(c2s(modern_request("server/discover")), s2c(modern_result(DISCOVERED)))],
    bad=[
        broken(
            c2s(modern_request("server/discover", id=1)),
            s2c(modern_result(DISCOVERED, id=1)),
            s2c(modern_request("roots/list", id="s-1")),
            pointer="/method",
            also=((2, "SCHEMA-003", "/method"), (END, "JSONRPC-026", "")),
        )
    ],
)

session_rule(
    "VER-011",
    "client-sends-response",
    """A response that the client sends, in a revision where only servers do.

    Why: the server has sent no request, so nobody is there to take the response.
    Instead: send the request again, with what the server asked for in params.inputResponses.
    """,
    reason="wrong_direction",
    good=[talk(c2s(modern_request("server/discover")), s2c(modern_result(DISCOVERED)))],
    bad=[
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
    """A client that falls back to initialize after an error that only newer servers give.

    Why: the server speaks 2026-07-28 or later; initialize can only fail or be misunderstood.
    Instead: put right what the error names, and fall back only after other errors.
    """,
    reason="wrong_fallback",
    good=[
        talk(
            c2s(modern_request("server/discover", id="probe")),
            s2c(error(-32601, "Method not found", id="probe")),
            opening(),
        )
    ],
    bad=[
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
def lists_its_own_version(session: Talk, message: Message) -> Iterable[Found]:
    """Decide VER-003."""
    listed = message.result.get("supportedVersions")
    served = message.answers.meta.get(VERSION_KEY) if message.answers else None
    if not isinstance(listed, list) or not isinstance(served, str):
        return ()
    session.decide("VER-003")
    if served in listed:
        return ()
    text = f"supportedVersions lacks {quote(served)}, in which this request was served."
    return (Found(("result", "supportedVersions"), text, "VER-003"),)


@watch("error", since=R2026_07_28)
def remembers_a_refusal(session: Talk, message: Message) -> Iterable[Found]:
    """Remember the error, in case that the client's next request comes of it."""
    shared, others = _is_shared(session), session.pending.sent["c2s"]
    if not shared and not others:
        session.handshake.refusal = message
    elif message.error.get("code") in MODERN_ERRORS:
        session.leave_open("VER-006", SHARED if shared else ON_THE_WAY)
        session.leave_open("VER-015", SHARED if shared else ON_THE_WAY)
    return ()


@watch("request", since=R2026_07_28, decides=("VER-010",))
def asks_as_it_should(session: Talk, message: Message) -> Iterable[Found]:
    """Decide VER-010 and VER-006."""
    if message.direction == "c2s":
        return _tries_again(session, message) if session.handshake.refusal is not None else ()
    if message.direction is None or _is_older(session, "VER-010"):
        return ()
    text = f"The server sends the request {quote(message.method or '')}."
    return (Found(("method",), text, "VER-010"),)


@watch("result", "error", since=R2026_07_28, decides=("VER-011",))
def leaves_answers_to_the_server(session: Talk, message: Message) -> Iterable[Found]:
    """Decide VER-011."""
    if message.direction != "c2s" or _is_older(session, "VER-011"):
        return ()
    text = "The client sends a response, although the server may send no requests."
    return (Found((message.kind,), text, "VER-011"),)


@watch("request", methods=("initialize",), until=R2025_11_25)
def falls_back_for_a_reason(session: Talk, message: Message) -> Iterable[Found]:
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


def _tries_again(session: Talk, message: Message) -> Iterable[Found]:
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
    text = f"The client asks for {quote(version)}, which the server has just not listed."
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


def _is_older(session: Talk, rule: str) -> bool:
    """Whether the peers have initialized, as no revision does to which the rule belongs."""
    if session.handshake.request is None:
        return False
    session.leave_open(rule, BOTH_ERAS)
    return True


def _is_shared(session: Talk) -> bool:
    return session.line.transport == "http" or session.line.http is not None

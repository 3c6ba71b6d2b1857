"""What a server of 2026-07-28 goes by: every request says of itself what matters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mcp_assay.model.probe import Anew, Ask, Bend, Reply
from mcp_assay.rules.meta import CAPABILITIES, CLIENT, VERSION
from mcp_assay.rules.probes.jsonrpc import HEADER_MISMATCH
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    INVALID_PARAMS,
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    Verdicts,
    fault,
    how_it_ended,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.rules.probes.surety import (
    NO_META,
    NO_METHOD,
    NO_REVISION,
    NO_URI,
    NOT_SERVED,
    UNSURE,
    VERSION_HEADER,
    Part,
    blame,
    is_dual,
    is_sure,
    ordinary,
)
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28

UNSUPPORTED_VERSION: Final = -32022
OTHER_ERA: Final = "the server may take the request for one of the revisions with a handshake"
HEADERS_FIRST: Final = "the server looks at the headers first"
REMOVED: Final = ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
"""What 2026-07-28 has no more; initialize is a matter of its own."""
REMOVED_TASKS: Final = "tasks/list"
"""Only where no extension is declared, for one brings tasks back."""

GREETING: Final = Ask(
    "initialize",
    {
        "protocolVersion": R2025_11_25,
        "capabilities": {},
        "clientInfo": {"name": "mcp-assay", "version": "1"},
    },
    Bend(meta=NO_META),
)
"""How a client of the revisions with a handshake begins."""


def needs_2026_07_28(server: Known) -> str | None:
    """These rules came with the end of the handshake."""
    return None if server.is_modern else "the server speaks a revision with a handshake"


@probe("VER-001", need=needs_2026_07_28)
def discovery(server: Known) -> Dialogue:
    """Ask what the server is and speaks."""
    step = Ask("server/discover")
    reply = yield step
    if reply.is_result:
        return KEPT
    if reply.is_error and reply.code != METHOD_NOT_FOUND:
        return [undecided("VER-001", "the server knows server/discover, but refuses it")]
    return (yield from blame(server, "VER-001", step, reply, "it is asked for server/discover"))


@probe("VER-004", "VER-007", "VER-008", need=needs_2026_07_28)
def bent_requests(server: Known) -> Dialogue:
    """Send an ordinary request without its sender's name, without more, and in no version."""
    straight = yield Ask(ordinary(server))
    if not straight.is_result:
        return [undecided(rule, NOT_SERVED) for rule in ("VER-004", "VER-007", "VER-008")]
    anonymous = yield from _anonymous(server)
    nameless = yield from _without_meta(server)
    return [*anonymous, *nameless, *(yield from _in_no_version(server))]


def _anonymous(server: Known) -> Part[Verdicts]:
    """Decide VER-008."""
    step = Ask(ordinary(server), bend=Bend(meta={CLIENT: None}))
    reply = yield step
    if reply.is_result:
        return KEPT
    when = "a request has no clientInfo"
    return (yield from blame(server, "VER-008", step, reply, when, fix="Serve it all the same."))


def _without_meta(server: Known) -> Part[Verdicts]:
    """Decide VER-007."""
    bends = {"clientCapabilities": {CAPABILITIES: None}, "_meta": NO_META}
    for name, meta in bends.items():
        step = Ask(ordinary(server), bend=Bend(meta=meta))
        reply = yield step
        if reply.code in (INVALID_PARAMS, *((HEADER_MISMATCH,) if server.is_http else ())):
            continue
        if meta is NO_META and (yield from _takes_handshake(server)):
            return [undecided("VER-007", OTHER_ERA)]
        when = f"a request has no {name}, after others that had it"
        fix = f"Refuse it with error {INVALID_PARAMS}: each request speaks for itself."
        return (yield from blame(server, "VER-007", step, reply, when, fix=fix))
    return KEPT


def _takes_handshake(server: Known) -> Part[bool]:
    """Whether the server also speaks revisions with a handshake, though it may not say so."""
    if is_dual(server):
        return True
    yield Anew(with_handshake=False)
    greeted = yield GREETING
    yield Anew()
    return greeted.is_result


def _in_no_version(server: Known) -> Part[Verdicts]:
    """Decide VER-004; what the error says more is judged as any message is."""
    bend = Bend(meta={VERSION: NO_REVISION}, headers={VERSION_HEADER: NO_REVISION})
    step = Ask(ordinary(server), bend=bend)
    reply = yield step
    if reply.code == UNSUPPORTED_VERSION:
        return KEPT
    if not reply.is_result and is_dual(server) and server.is_http:
        return [undecided("VER-004", OTHER_ERA)]
    when = "a request is in a version that never was"
    fix = f"Refuse it with error {UNSUPPORTED_VERSION}, and name the versions that there are."
    return (yield from blame(server, "VER-004", step, reply, when, fix=fix))


@probe("VER-012", need=needs_2026_07_28)
def removed_methods(server: Known) -> Dialogue:
    """Ask for methods that 2026-07-28 has no more."""
    methods = (*REMOVED, *(() if server.declares("extensions") else (REMOVED_TASKS,)))
    odd: dict[str, Reply] = {}
    for method in methods:
        reply = yield Ask(method, _params(method))
        if reply.code != METHOD_NOT_FOUND:
            odd[method] = reply
    if not odd:
        return KEPT
    usual = yield Ask(NO_METHOD)
    return _not_removed({name: it for name, it in odd.items() if not _is_alike(it, usual)})


def _params(method: str) -> dict[str, Any]:
    if method.startswith("resources/"):
        return {"uri": NO_URI}
    return {"level": "info"} if method == "logging/setLevel" else {}


def _is_alike(one: Reply, other: Reply) -> bool:
    """Whether a removed method is answered as one that never was: that is told elsewhere."""
    return (one.ending, one.is_result, one.code) == (other.ending, other.is_result, other.code)


def _not_removed(odd: dict[str, Reply]) -> Verdicts:
    if not odd:
        return [undecided("VER-012", "the server refuses no unknown method as such")]
    told = {name: it for name, it in odd.items() if it.ending == "answered"}
    if not told:
        return [undecided("VER-012", UNSURE)]
    fix = f"Refuse it with error {METHOD_NOT_FOUND}."
    return [
        fault(
            "VER-012",
            f"The server {how_it_ended(it)} to {name}, which was removed.",
            key=name,
            fix=fix,
        )
        for name, it in told.items()
    ]


@probe("VER-013", need=needs_2026_07_28)
def greeting_of_old(server: Known) -> Dialogue:
    """Begin a handshake with a server that has none."""
    if is_dual(server):
        return [not_testable("VER-013", "the server also speaks revisions with a handshake")]
    reply = yield GREETING
    if reply.is_error and _names_one_of(server.offered, reply.error):
        return KEPT
    if reply.is_result:
        return [undecided("VER-013", "the server takes the handshake")]
    if not (yield from is_sure(server, GREETING, reply)):
        return [undecided("VER-013", UNSURE)]
    text = f"The server {how_it_ended(reply)} to initialize, and does not say what it speaks."
    return [fault("VER-013", text, fix="Name the supported versions in the error's data.")]


def _names_one_of(revisions: Iterable[str], error: dict[str, Any]) -> bool:
    """Whether an error names a revision, in its words or in its data."""
    data, words = error.get("data"), error.get("message")
    listed = data.get("supported") if isinstance(data, dict) else None
    known = list(revisions) or [R2026_07_28]
    is_said = isinstance(words, str) and any(revision in words for revision in known)
    return is_said or isinstance(listed, list)


@probe("VER-014", need=needs_2026_07_28, begins_anew=True)
def fresh_connection(server: Known) -> Dialogue:
    """Make an ordinary request the first one of a new connection; follow a cursor there."""
    step = Ask(ordinary(server))
    before = yield step
    if not before.is_result:
        return [undecided("VER-014", NOT_SERVED)]
    cursor = before.result.get("nextCursor")
    is_followed = server.is_http and isinstance(cursor, str)
    then = Ask(step.method, {"cursor": cursor}) if is_followed else step
    reply = yield from _on_its_own(then)
    if reply.is_result:
        return KEPT
    again = yield from _on_its_own(then)
    yield Anew()
    straight = yield step
    is_same = again.is_error and again.code == reply.code  # a silence may be a slow start
    if not is_same or not straight.is_result:
        return [undecided("VER-014", UNSURE)]
    what = "a cursor of another connection" if is_followed else "the first request"
    text = f"The server {how_it_ended(reply)} when {what} comes on a new connection."
    return [fault("VER-014", text, fix="Keep nothing that belongs to a connection.")]


def _on_its_own(step: Ask) -> Part[Reply]:
    yield Anew(with_handshake=False)
    return (yield step)


_MODERN: Final = Known(capabilities={"tools": {}}, revision=R2026_07_28, offered=[R2026_07_28])
_LISTED: Final = Reply(result={"tools": []})
_UNKNOWN: Final = Reply(error={"code": METHOD_NOT_FOUND, "message": "Method not found"})
_WRONG: Final = Reply(error={"code": INVALID_PARAMS, "message": "_meta is missing"})
_UNSUPPORTED: Final = Reply(
    error={
        "code": UNSUPPORTED_VERSION,
        "message": "This revision is not spoken here",
        "data": {"supported": [R2026_07_28], "requested": NO_REVISION},
    }
)
_KEPT: Final = replay(_LISTED, _LISTED, _WRONG, _WRONG, _UNSUPPORTED, known=_MODERN)

probe_rule(
    "VER-001",
    "no-discovery",
    """A server of 2026-07-28 has no server/discover.

    Why: without a handshake it is the only way to learn what a server speaks and offers.

    Instead: answer server/discover with the supported versions and the capabilities.
    """,
    of=discovery,
    reason="no_discovery",
    good=[replay(Reply(result={"supportedVersions": [R2026_07_28]}), known=_MODERN)],
    bad=[replay(_UNKNOWN, known=_MODERN)],
)

probe_rule(
    "VER-004",
    "unsupported-version-served",
    """A request in a version that the server does not speak is not refused as such.

    Why: the client believes that both mean the same, or does not learn which version to use.

    Instead: answer with error -32022, and name the supported versions in its data.
    """,
    of=bent_requests,
    reason="version_mismatch",
    good=[_KEPT],
    bad=[replay(_LISTED, _LISTED, _WRONG, _WRONG, _LISTED, known=_MODERN)],
)

probe_rule(
    "VER-007",
    "request-without-meta-served",
    """A request is served although it does not say what every request must say.

    Why: a server that fills in what others have said before mixes up its clients as soon as two of
    them share a connection.

    Instead: answer with error -32602 wherever the version or the capabilities are missing.
    """,
    of=bent_requests,
    reason="missing_meta",
    good=[_KEPT],
    bad=[
        replay(_LISTED, _LISTED, _LISTED, _UNSUPPORTED, known=_MODERN),
        replay(
            *(_LISTED, _LISTED, _WRONG, _LISTED),
            *(Reply(), _UNKNOWN, Reply(), _UNSUPPORTED),
            known=_MODERN,
        ),
    ],
)

probe_rule(
    "VER-008",
    "client-info-demanded",
    """A request without clientInfo is refused.

    Why: clients may keep to themselves who they are.

    Instead: serve requests that have no clientInfo.
    """,
    of=bent_requests,
    reason="client_info_demanded",
    good=[_KEPT],
    bad=[replay(_LISTED, _WRONG, _WRONG, _WRONG, _UNSUPPORTED, known=_MODERN)],
)

probe_rule(
    "VER-012",
    "removed-method-served",
    """A method that 2026-07-28 has removed is still served.

    Why: what it did depends on a connection or a session, and neither means anything any more.

    Instead: refuse it with error -32601 where the request is one of 2026-07-28.
    """,
    of=removed_methods,
    reason="removed_method_served",
    good=[replay(*[_UNKNOWN] * 5, known=_MODERN)],
    bad=[replay(Reply(result={}), *[_UNKNOWN] * 5, known=_MODERN)],
)

probe_rule(
    "VER-013",
    "initialize-refused-without-versions",
    """A server that has no handshake refuses initialize without saying what it speaks.

    Why: an older client can tell its user only that something went wrong.

    Instead: name the supported versions in the error, best in its data as `supported`.
    """,
    of=greeting_of_old,
    reason="version_mismatch",
    good=[replay(_UNSUPPORTED, known=_MODERN)],
    bad=[replay(_UNKNOWN, known=_MODERN)],
)

probe_rule(
    "VER-014",
    "state-of-connection",
    """What works on one connection is refused on another one.

    Why: clients and what is between them spread requests over connections and processes as they
    like, so that what one of them remembers is lost to the next request.

    Instead: take what a request needs from the request, and from stores that all processes share.
    """,
    of=fresh_connection,
    reason="state_of_connection",
    good=[replay(_LISTED, Reply(), _LISTED, known=_MODERN)],
    bad=[replay(_LISTED, Reply(), _WRONG, Reply(), _WRONG, Reply(), _LISTED, known=_MODERN)],
)

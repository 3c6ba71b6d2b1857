"""What a server of 2026-07-28 goes by: every request says of itself what matters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from mcp_assay.model.ending import LOAD_STATUSES
from mcp_assay.model.probe import Anew, Ask, Bend, Reply
from mcp_assay.rules.message.meta import CAPABILITIES, CLIENT, VERSION
from mcp_assay.rules.probe.confirmation import (
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
    ordinary,
    reply_repeats,
)
from mcp_assay.rules.probe.jsonrpc import HEADER_MISMATCH
from mcp_assay.rules.probe.lists import NO_OTHER, is_read_only
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    Known,
    Verdicts,
    fault,
    how_it_ended,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.text.words import quote

UNSUPPORTED_VERSION: Final = -32022
OTHER_ERA: Final = "the server may treat the request as one of a handshake revision"
HEADERS_FIRST: Final = "the server checks the headers first"
NO_CALL: Final = "no call of a read-only tool succeeded that could be made on a new connection"
MOST_CALLS: Final = 3
"""So many tools are called to find one that can be compared."""
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
    return None if server.is_modern else "this does not apply to revisions with a handshake"


@probe("VER-001", need=needs_2026_07_28)
def discovery(server: Known) -> Dialogue:
    """Ask what the server is and speaks."""
    step = Ask("server/discover")
    reply = yield step
    if reply.is_result:
        return KEPT
    if reply.is_error and reply.code != METHOD_NOT_FOUND:
        return [undecided("VER-001", "the server knows server/discover but rejects it")]
    text = f"The server {how_it_ended(reply)} for server/discover."
    return (yield from blame(server, "VER-001", step, reply, text))


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
    text = f"The server {how_it_ended(reply)} for a request without clientInfo."
    return (yield from blame(server, "VER-008", step, reply, text, fix="Accept the request."))


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
        text = f"The server {how_it_ended(reply)} for a request without {name}."
        fix = f"Return error {INVALID_PARAMS}; do not fill it in from earlier requests."
        return (yield from blame(server, "VER-007", step, reply, text, fix=fix))
    return KEPT


def _takes_handshake(server: Known) -> Part[bool]:
    """Whether the server also supports revisions with a handshake, though it may not say so."""
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
    how = how_it_ended(reply)
    text = f"The server {how} for a request with a protocol version that does not exist."
    fix = f"Return error {UNSUPPORTED_VERSION} and list the supported versions."
    return (yield from blame(server, "VER-004", step, reply, text, fix=fix))


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
    """Whether a removed method is answered as an unknown one: that is reported elsewhere."""
    return (one.ending, one.is_result, one.code) == (other.ending, other.is_result, other.code)


def _not_removed(odd: dict[str, Reply]) -> Verdicts:
    if not odd:
        return [
            undecided("VER-012", "the server does not reject unknown methods with error -32601")
        ]
    answered = {name: it for name, it in odd.items() if it.ending == "answered"}
    if not answered:
        return [undecided("VER-012", UNSURE)]
    fix = f"Reject it with error {METHOD_NOT_FOUND}."
    return [
        fault(
            "VER-012",
            f"The server {how_it_ended(it)} for {name}, which was removed.",
            key=name,
            fix=fix,
        )
        for name, it in answered.items()
    ]


@probe("VER-013", need=needs_2026_07_28)
def greeting_of_old(server: Known) -> Dialogue:
    """Begin a handshake with a server that has none."""
    if is_dual(server):
        return [not_testable("VER-013", "the server also supports revisions with a handshake")]
    reply = yield GREETING
    if reply.is_error and _names_one_of(server.offered, reply.error):
        return KEPT
    if reply.is_result:
        return [undecided("VER-013", "the server accepts the handshake")]
    if not (yield from reply_repeats(server, GREETING, reply)):
        return [undecided("VER-013", UNSURE)]
    text = (
        f"The server {how_it_ended(reply)} for initialize without naming the versions it supports."
    )
    return [fault("VER-013", text, fix="List the supported versions in the error's data.")]


def _names_one_of(revisions: Iterable[str], error: dict[str, Any]) -> bool:
    """Whether an error names a revision, in its words or in its data."""
    data, words = error.get("data"), error.get("message")
    listed = data.get("supported") if isinstance(data, dict) else None
    known = list(revisions) or [R2026_07_28]
    is_said = isinstance(words, str) and any(revision in words for revision in known)
    return is_said or isinstance(listed, list)


@probe("VER-014", need=needs_2026_07_28, begins_anew=True)
def fresh_connection(server: Known) -> Dialogue:
    """Make a list, then a call, the first request of a new connection; follow a cursor there."""
    verdicts = yield from _list_on_its_own(server)
    if verdicts or not server.declares("tools"):
        return verdicts
    return (yield from _call_on_its_own(server))


def _list_on_its_own(server: Known) -> Part[Verdicts]:
    step = Ask(ordinary(server))
    before = yield step
    if not before.is_result:
        return [undecided("VER-014", NOT_SERVED)]
    cursor = before.result.get("nextCursor")
    is_followed = server.is_http and isinstance(cursor, str)
    then = Ask(step.method, {"cursor": cursor}) if is_followed else step
    what = "a cursor from another connection" if is_followed else "the first request"
    return (yield from _compared(then, [step], what))


def _call_on_its_own(server: Known) -> Part[Verdicts]:
    """Call a tool that only reads on a connection in use, then as the first request of one."""
    listed = Ask(ordinary(server))
    begun = yield Anew()
    ready = yield listed
    for call in islice(_safe_calls(server), MOST_CALLS):
        reply = yield call
        if _is_success(reply):
            what = f"a call to {quote(str((call.params or {})['name']))}"
            return (yield from _compared(call, [listed, call], what))
    is_ready = begun.ending == "answered" and ready.is_result
    return [undecided("VER-014", NO_CALL if is_ready else NOT_SERVED)]


def _safe_calls(server: Known) -> Iterator[Ask]:
    """Calls of tools that may be called and only read, by their own word."""
    for tool in server.tools:
        arguments = server.arguments_for(tool) if is_read_only(tool) else None
        if arguments is not None:
            yield Ask("tools/call", {"name": tool["name"], "arguments": arguments})


def _is_success(reply: Reply) -> bool:
    return reply.is_result and reply.result.get("isError") is not True


def _compared(first: Ask, usual: Sequence[Ask], what: str) -> Part[Verdicts]:
    """Judge a request that is the first of a connection by the same on one that is in use."""
    reply = yield from _on_its_own(first)
    if reply is None:
        return [undecided("VER-014", NO_OTHER)]
    if _is_success(reply):
        return KEPT
    again = yield from _on_its_own(first)
    begun = yield Anew()
    straight: Reply | None = None
    for step in usual if begun.ending == "answered" else ():
        straight = yield step
    is_same = again is not None and _is_refusal(again) and _is_alike(again, reply)
    if not is_same or straight is None or not _is_success(straight):
        return [undecided("VER-014", UNSURE)]
    text = f"The server {how_it_ended(reply)} for {what} on a new connection."
    if reply.is_result:
        text = f"{what[0].upper()}{what[1:]} fails if it is the first request of a connection."
    return [fault("VER-014", text, fix="Keep no state per connection.")]


def _is_refusal(reply: Reply) -> bool:
    """Whether the server has decided something: a silence may be a slow start, and load passes."""
    return reply.ending == "answered" or (
        reply.ending == "http_status" and reply.status not in LOAD_STATUSES
    )


def _on_its_own(step: Ask) -> Part[Reply | None]:
    """What comes of a request on a connection of its own, None where there is none to be had."""
    begun = yield Anew(with_handshake=False)
    return (yield step) if begun.ending == "answered" else None


_MODERN: Final = Known(capabilities={"tools": {}}, revision=R2026_07_28, offered=[R2026_07_28])
_LISTED: Final = Reply(result={"tools": []})
_CALLED: Final = Reply(result={"content": [{"type": "text", "text": "9 to 17"}]})
_READING: Final = Known(
    capabilities={"tools": {}},
    revision=R2026_07_28,
    offered=[R2026_07_28],
    tools=[
        {
            "name": "hours",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        }
    ],
    callable=["hours"],
)
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
    """A server of 2026-07-28 does not implement server/discover.

    Why: without a handshake it is the only way to learn what a server supports.
    Instead: return the supported versions and the capabilities from server/discover.
    """,
    of=discovery,
    reason="no_discovery",
    good=lambda: [replay(Reply(result={"supportedVersions": [R2026_07_28]}), known=_MODERN)],
    bad=lambda: [replay(_UNKNOWN, known=_MODERN)],
)

probe_rule(
    "VER-004",
    "unsupported-version-served",
    """The server does not reject an unsupported protocol version with error -32022.

    Why: client and server apply different rules, or the client does not learn which version to use.
    Instead: return error -32022 with the supported versions in its data.
    """,
    of=bent_requests,
    reason="version_mismatch",
    good=lambda: [_KEPT],
    bad=lambda: [replay(_LISTED, _LISTED, _WRONG, _WRONG, _LISTED, known=_MODERN)],
)

probe_rule(
    "VER-007",
    "request-without-meta-served",
    """The server accepts a request without its version or capabilities.

    Why: a server that fills them in from earlier requests mixes up clients that share a connection.
    Instead: return error -32602 if the version or the capabilities are missing.
    """,
    of=bent_requests,
    reason="missing_meta",
    good=lambda: [_KEPT],
    bad=lambda: [
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
    """The server rejects a request without clientInfo.

    Why: the member clientInfo is optional.
    Instead: accept requests without clientInfo.
    """,
    of=bent_requests,
    reason="client_info_demanded",
    good=lambda: [_KEPT],
    bad=lambda: [replay(_LISTED, _WRONG, _WRONG, _WRONG, _UNSUPPORTED, known=_MODERN)],
)

probe_rule(
    "VER-012",
    "removed-method-served",
    """The server still implements a method that 2026-07-28 removed.

    Why: it depends on a connection or a session, and 2026-07-28 has neither.
    Instead: return error -32601 for requests of 2026-07-28.
    """,
    of=removed_methods,
    reason="removed_method_served",
    good=lambda: [replay(*[_UNKNOWN] * 5, known=_MODERN)],
    bad=lambda: [replay(Reply(result={}), *[_UNKNOWN] * 5, known=_MODERN)],
)

probe_rule(
    "VER-013",
    "initialize-refused-without-versions",
    """A server without a handshake rejects initialize without naming the versions it supports.

    Why: an older client cannot tell its user what is wrong.
    Instead: list the supported versions in the error, preferably in its data as `supported`.
    """,
    of=greeting_of_old,
    reason="version_mismatch",
    good=lambda: [replay(_UNSUPPORTED, known=_MODERN)],
    bad=lambda: [replay(_UNKNOWN, known=_MODERN)],
)

probe_rule(
    "VER-014",
    "state-of-connection",
    """A request that works on one connection is rejected on another.

    Why: clients and load balancers spread requests over connections and processes, so state kept in
    one of them is missing for the next request.
    Instead: take everything from the request itself, or from storage that all processes share.
    """,
    of=fresh_connection,
    reason="state_of_connection",
    good=lambda: [
        replay(
            *(_LISTED, Reply(), _LISTED, Reply(), _LISTED, _CALLED, Reply(), _CALLED),
            known=_READING,
        )
    ],
    bad=lambda: [
        replay(_LISTED, Reply(), _WRONG, Reply(), _WRONG, Reply(), _LISTED, known=_MODERN),
        replay(
            *(_LISTED, Reply(), _LISTED, Reply(), _LISTED, _CALLED, Reply(), _WRONG),
            *(Reply(), _WRONG, Reply(), _LISTED, _CALLED),
            known=_READING,
        ),
    ],
)

"""How a server begins a conversation: nothing before initialize, and a version that it speaks."""

from __future__ import annotations

from typing import Any, Final

from mcp_assay.model.probe import Anew, Ask, Reply
from mcp_assay.rules.probe.confirmation import LISTS, NO_REVISION, UNSURE, Part, is_doubtful
from mcp_assay.rules.probe.rule import (
    KEPT,
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
from mcp_assay.spec.revisions import R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS
from mcp_assay.text.words import quote

NEWEST: Final = max(revision for revision in REVISIONS if revision < R2026_07_28)
ONLY_A_LIST: Final = "a harmless list"
"""That initialize comes first is asked of clients; of a server it is only wise to insist."""
NO_SESSION: Final = "an HTTP server without sessions cannot know whether initialize was sent"
NOTHING_TO_ASK: Final = "the server declares no capability that could be requested"
NOT_REACHED: Final = "could not open a new connection to the server"
NO_OFFER: Final = "the server offers no version of its own"


def needs_handshake(server: Known) -> str | None:
    """The handshake was removed in 2026-07-28."""
    return "2026-07-28 has no handshake" if server.is_modern else None


@probe("LIFE-007", "LIFE-008", "LIFE-009", "LIFE-015", need=needs_handshake, begins_anew=True)
def first_words(server: Known) -> Dialogue:
    """Ask for a list before the handshake, then begin it in a version that does not exist."""
    anew = yield Anew(with_handshake=False)
    if anew.ending != "answered":
        rules = ("LIFE-007", "LIFE-008", "LIFE-009", "LIFE-015")
        return [undecided(rule, NOT_REACHED) for rule in rules]
    early = yield from _too_early(server)
    offered, wrong = yield from _offer()
    if offered is None:
        return [*early, *wrong, *(undecided(rule, NO_OFFER) for rule in ("LIFE-007", "LIFE-009"))]
    return [*early, *wrong, *(yield from _own_versions(server, offered))]


def first_question(_: Known) -> Dialogue:
    """Ask for server/discover before the handshake: every connection of ours begins so."""
    asked = yield Ask("server/discover")
    greeted = yield _initialize(NEWEST)
    if greeted.is_result:
        return KEPT
    ending = how_it_ended(greeted if asked.ending == "answered" else asked)
    return [fault("LINT-007", f"The server {ending} after server/discover.")]


def _too_early(server: Known) -> Part[Verdicts]:
    """Decide LIFE-015."""
    method = next((method for kind, method in LISTS.items() if server.declares(kind)), None)
    if method is None:
        return [not_testable("LIFE-015", NOTHING_TO_ASK)]
    if server.is_http and not server.has_session:
        return [not_testable("LIFE-015", NO_SESSION)]
    reply = yield Ask(method)
    if is_doubtful(reply):
        return [undecided("LIFE-015", UNSURE)]
    if not reply.is_result:
        return KEPT
    text = f"The server answers {method} before initialize."
    fix = "Reject everything except ping until initialize has completed."
    return [fault("LIFE-015", text, grade=ONLY_A_LIST, fix=fix)]


def _offer() -> Part[tuple[str | None, Verdicts]]:
    """The version that is offered in place of one that does not exist; decide LIFE-008."""
    step = _initialize(NO_REVISION)
    reply = yield step
    if reply.is_result:
        return _judged_offer(reply.result.get("protocolVersion"))
    if _names_versions(reply):
        return None, KEPT
    if is_doubtful(reply) and not (yield from _comes_again(step, reply)):
        return None, [undecided("LIFE-008", UNSURE)]
    text = (
        f"The server {how_it_ended(reply)} when initialize requests a protocol version "
        "that does not exist."
    )
    fix = "Return the newest version that the server supports."
    return None, [fault("LIFE-008", text, fix=fix)]


def _judged_offer(version: Any) -> tuple[str | None, Verdicts]:
    if version == NO_REVISION:
        text = f"The server agrees to protocol version {NO_REVISION}, which does not exist."
        return None, [fault("LIFE-008", text)]
    if not isinstance(version, str):
        return None, [undecided("LIFE-008", "the initialize result has no protocolVersion")]
    return version, KEPT


def _names_versions(reply: Reply) -> bool:
    """Whether an error says which versions there are instead, as the specification's example."""
    data = reply.error.get("data") if reply.is_error else None
    return isinstance(data, dict) and isinstance(data.get("supported"), list)


def _comes_again(step: Ask, reply: Reply) -> Part[bool]:
    """Whether the same happens once more, to a server that takes a good handshake."""
    if (yield from _version_given(NEWEST)) is None:
        return False
    yield Anew(with_handshake=False)
    again = yield step
    return (again.ending, again.status) == (reply.ending, reply.status)


def _own_versions(server: Known, offered: str) -> Part[Verdicts]:
    """Decide LIFE-007 and LIFE-009."""
    if offered not in REVISIONS:
        reason = "the server offers a protocol version that does not exist"
        return [undecided(rule, reason) for rule in ("LIFE-007", "LIFE-009")]
    given = yield from _version_answered(offered)
    if given != offered:  # a second handshake proves only what it grants
        given = yield from _version_given(offered)
    same = _judged_answer(offered, given)
    return [*same, *(yield from _latest(server, offered))]


def _judged_answer(offered: str, given: str | None) -> Verdicts:
    if given is None:
        return [undecided("LIFE-007", UNSURE)]
    if given == offered:
        return KEPT
    text = (
        f"The server offers {offered}, but returns {quote(given)} when the client requests "
        "that version."
    )
    return [fault("LIFE-007", text)]


def _latest(server: Known, offered: str) -> Part[Verdicts]:
    """Decide LIFE-009: there is nothing newer that the server speaks."""
    if offered >= NEWEST:
        return KEPT
    released = [one for one in REVISIONS if one in (server.revision, *server.offered)]
    newer = [one for one in released if offered < one <= NEWEST]
    known = newer[-1] if newer else (yield from _version_given(NEWEST))
    if known is None:
        return [undecided("LIFE-009", UNSURE)]
    if known not in REVISIONS or known <= offered:
        return KEPT
    return [fault("LIFE-009", f"The server offers {offered} although it supports {known}.")]


def _version_given(wanted: str) -> Part[str | None]:
    """What a new connection answers that asks for a version, None where it names none."""
    yield Anew(with_handshake=False)
    return (yield from _version_answered(wanted))


def _version_answered(wanted: str) -> Part[str | None]:
    """What this connection answers that asks for a version, None where it names none."""
    reply = yield _initialize(wanted)
    version = reply.result.get("protocolVersion") if reply.is_result else None
    return version if isinstance(version, str) else None


def _initialize(version: str) -> Ask:
    client = {"name": "mcp-assay", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    return Ask("initialize", params)


_TOOLS: Final = Known(capabilities={"tools": {}})
_OLDER: Final = Known(capabilities={"tools": {}}, revision=R2025_06_18, offered=[R2025_06_18])
_REFUSED: Final = Reply(error={"code": -32602, "message": "Initialize first"})


def _agreed(version: str) -> Reply:
    info = {"name": "library", "version": "1.0.0"}
    return Reply(result={"protocolVersion": version, "capabilities": {}, "serverInfo": info})


_OFFERED: Final = (_agreed(R2025_11_25), _agreed(R2025_11_25))
_GOOD: Final = replay(Reply(), _REFUSED, *_OFFERED, known=_TOOLS)
_SUPPORTED: Final = Reply(
    error={
        "code": -32602,
        "message": "Unsupported protocol version",
        "data": {"supported": [R2025_11_25], "requested": NO_REVISION},
    }
)

probe_rule(
    "LIFE-008",
    "unknown-version-accepted",
    """The server agrees to a protocol version that does not exist, or offers none of its own.

    Why: client and server do not know which rules apply, or the client disconnects from a server
    that it could have used.
    Instead: return the newest version that the server supports.
    """,
    of=first_words,
    reason="version_mismatch",
    good=lambda: [_GOOD, replay(Reply(), _REFUSED, _SUPPORTED, known=_TOOLS)],
    bad=lambda: [
        replay(Reply(), _REFUSED, _agreed(NO_REVISION), known=_TOOLS),
        replay(Reply(), _REFUSED, Reply(error={"code": -32603, "message": "?"}), known=_TOOLS),
    ],
)

probe_rule(
    "LIFE-009",
    "older-version-offered",
    """The server offers an older protocol version than it supports.

    Why: client and server lose features that both of them support.
    Instead: if the requested version is not supported, offer the newest one.
    """,
    of=first_words,
    reason="version_mismatch",
    good=lambda: [
        _GOOD,
        replay(
            *(Reply(), _REFUSED, _agreed(R2025_06_18)),
            *(_agreed(R2025_06_18), Reply(), _agreed(R2025_06_18)),
            known=_OLDER,
        ),
    ],
    bad=lambda: [
        replay(Reply(), _REFUSED, _agreed(R2025_06_18), _agreed(R2025_06_18), known=_TOOLS)
    ],
)

probe_rule(
    "LIFE-015",
    "served-before-handshake",
    """The server answers requests before initialize.

    Why: it answers by the rules of a version that the client may not support.
    Instead: reject everything except initialize and ping until the handshake has completed.
    """,
    of=first_words,
    reason="not_initialized",
    good=lambda: [_GOOD],
    bad=lambda: [replay(Reply(), Reply(result={"tools": []}), *_OFFERED, known=_TOOLS)],
)

_UNKNOWN: Final = Reply(error={"code": -32601, "message": "Method not found"})

probe_rule(
    "LINT-007",
    "harmed-by-discovery",
    """The server ends, hangs or refuses initialize after server/discover, which it does not know.

    Why: clients of 2026-07-28 begin with server/discover. Such a client takes the server for
    unreachable unless it starts it again.
    Instead: answer every unknown method with error -32601, before initialize too, and keep reading.
    """,
    of=first_question,
    reason="not_initialized",
    good=lambda: [replay(_UNKNOWN, _agreed(R2025_11_25))],
    bad=lambda: [
        replay(Reply(ending="died"), Reply(ending="died")),
        replay(_UNKNOWN, Reply(ending="timed_out")),
    ],
)

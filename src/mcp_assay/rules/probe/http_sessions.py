"""How a server over HTTP keeps its sessions, its stream and the version header, to 2025-11-25."""

from __future__ import annotations

from typing import Final

from mcp_assay.model.probe import Anew, Http, Reply
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.probe.confirmation import (
    Part,
    fails_alone,
    fails_only_so,
    failure_in_words,
    has_failed,
)
from mcp_assay.rules.probe.http_requests import (
    EVENT_STREAM,
    PROBE_ID,
    SESSION,
    VERSION,
    bare,
    in_words,
    is_about_something_else,
    media_type,
    post,
    succeeded,
)
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
from mcp_assay.spec.revisions import R2025_06_18
from mcp_assay.text.words import quote

BAD_REQUEST: Final = 400
NOT_FOUND: Final = 404
NOT_ALLOWED: Final = 405
CONFLICT: Final = 409
NO_SESSION: Final = "mcp-assay-no-such-session"
NO_REVISION: Final = "1900-01-01"
NO_SESSIONS: Final = "the server assigns no session id"
NO_STREAM: Final = "Return status 405 if the server has no stream of its own."
LAST_EVENT: Final = "Last-Event-ID"
OTHER_ID: Final = f"{PROBE_ID}-2"
NO_EVENT_IDS: Final = "the responses are no streams of events with ids"
NO_SECOND: Final = "the server did not start a second session"
_IN_SESSION: Final = Known(is_http=True, has_session=True, session="5f1c")
ONE_STREAM: Final = "the server allows one stream, which is already open"


@probe("HTTP-015", over="streamable http")
def stream_of_its_own(server: Known) -> Dialogue:
    """Ask for the stream on which a server speaks by itself."""
    if server.is_modern:
        return [not_testable("HTTP-015", "this revision has no GET stream")]
    step = bare(server, "GET", Accept=EVENT_STREAM)
    reply = yield step
    if reply.status == NOT_ALLOWED or (succeeded(reply) and media_type(reply) == EVENT_STREAM):
        return KEPT
    if reply.status == CONFLICT:
        return [undecided("HTTP-015", ONE_STREAM)]
    if is_about_something_else(reply):
        return (yield from _failing_stream(server, step, reply))
    return [_no_stream(reply)]


def _failing_stream(server: Known, step: Http, reply: Reply) -> Part[Verdicts]:
    if not (yield from fails_only_so(server, step, reply)):
        return [undecided("HTTP-015", f"GET gets {in_words(reply)}")]
    text = f"The server {failure_in_words(reply)} to GET, but serves POST."
    return [fault("HTTP-015", text, key="failure", fix=NO_STREAM)]


def _no_stream(reply: Reply) -> Found:
    if succeeded(reply):
        named = quote(media_type(reply)) if media_type(reply) else "missing"
        text = f"GET returned status {reply.status} with Content-Type {named}."
        return fault("HTTP-015", text, key="type")
    text = f"GET returned status {reply.status} instead of a stream or status 405."
    return fault("HTTP-015", text, key=str(reply.status))


@probe("HTTP-019", over="streamable http")
def resumed_stream(server: Known) -> Dialogue:
    """Resume one of two streams, each with the response to a request of its own."""
    if server.is_modern:
        return [not_testable("HTTP-019", "this revision has no streams that can be resumed")]
    first = yield post(server)
    if not (succeeded(first) and first.event_ids):
        return [undecided("HTTP-019", NO_EVENT_IDS)]
    second = yield post(server, id=OTHER_ID)
    last = {LAST_EVENT: first.event_ids[0]}
    resumed = yield bare(server, "GET", Accept=EVENT_STREAM, **last)
    if not succeeded(resumed) or media_type(resumed) != EVENT_STREAM:
        return [
            undecided("HTTP-019", f"the server resumes no stream: GET gets {in_words(resumed)}")
        ]
    return _resumed(first, second, resumed)


def _resumed(first: Reply, second: Reply, resumed: Reply) -> Verdicts:
    """Judge what a stream repeats that was resumed after the first event of another."""
    foreign = set(second.event_ids) - set(first.event_ids)
    answers = [it.get("id") for it in resumed.messages if isinstance(it, dict)]
    if OTHER_ID in answers or not foreign.isdisjoint(resumed.event_ids):
        text = "A resumed stream repeats the response that was sent on another stream."
        return [fault("HTTP-019", text)]
    if PROBE_ID in answers or not set(first.event_ids[1:]).isdisjoint(resumed.event_ids):
        return KEPT
    return [undecided("HTTP-019", "the resumed stream repeated nothing")]


@probe("LINT-005", over="streamable http")
def two_sessions(server: Known) -> Dialogue:
    """Begin a second session beside the one that is open."""
    if server.is_modern or not server.has_session:
        return [not_testable("LINT-005", NO_SESSIONS)]
    begun = yield Anew()
    given = begun.headers.get(SESSION.lower())
    if begun.ending != "answered" or given is None or not server.session:
        return [undecided("LINT-005", NO_SECOND)]
    if given != server.session:
        return KEPT
    text = "Two sessions that are open at the same time have the same id."
    return [fault("LINT-005", text)]


probe_rule(
    "LINT-005",
    "session-id-shared",
    """Two sessions have the same id.

    Why: what one client does in its session happens in that of another, and whoever ends one ends
    both; an id that can be guessed lets others in.
    Instead: make each id at random, for example as a UUID.
    """,
    of=two_sessions,
    reason="session_id_shared",
    good=lambda: [replay(Reply(headers={"mcp-session-id": "9b31"}), known=_IN_SESSION)],
    bad=lambda: [replay(Reply(headers={"mcp-session-id": "5f1c"}), known=_IN_SESSION)],
)


@probe("HTTP-023", "HTTP-024", "HTTP-026", over="streamable http")
def sessions(server: Known) -> Dialogue:
    """Ask without a session, in one that does not exist, and in one that has been ended."""
    if server.is_modern or not server.has_session:
        reason = NO_SESSIONS
        return [not_testable(rule, reason) for rule in ("HTTP-023", "HTTP-024", "HTTP-026")]
    missing = yield from _missing(server)
    unknown = yield post(server, headers={SESSION: NO_SESSION})
    begun = yield Anew()
    if begun.ending != "answered":
        return [*missing, *_unknown(unknown), undecided("HTTP-026", NO_SECOND)]
    step = bare(server, "DELETE")
    deleted = yield step
    if not succeeded(deleted):
        return [*missing, *_unknown(unknown), *(yield from _deletion(server, step, deleted))]
    return [*missing, *(yield from _ended(server, unknown))]


def _missing(server: Known) -> Part[Verdicts]:
    """Decide HTTP-023."""
    step = post(server, headers={SESSION: None})
    reply = yield step
    if reply.status == BAD_REQUEST:
        return KEPT
    if succeeded(reply):
        return [not_testable("HTTP-023", "the server also accepts requests without a session")]
    if not is_about_something_else(reply):
        text = f"A request without its session id is rejected with status {reply.status}, not 400."
        return [fault("HTTP-023", text)]
    if not (yield from fails_only_so(server, step, reply)):
        reason = f"a request without a session id gets {in_words(reply)}"
        return [undecided("HTTP-023", reason)]
    text = f"The server {failure_in_words(reply)} to a request without its session id."
    return [fault("HTTP-023", text, fix="Reject it with status 400.")]


def _unknown(reply: Reply) -> Verdicts:
    """Judge by an id that the server never gave; only what it gave and ended must get 404."""
    if reply.status == NOT_FOUND:
        return KEPT
    if succeeded(reply):
        return [fault("HTTP-024", "The server accepts an unknown session id.", key="never")]
    reason = f"an unknown session id gets {in_words(reply)}"
    return [undecided("HTTP-024", f"{reason}, and clients cannot end a session")]


def _ended(server: Known, unknown: Reply) -> Part[Verdicts]:
    """Decide HTTP-024 by a request in a session that has been ended."""
    reply = yield post(server)
    if succeeded(unknown):
        return _unknown(unknown)
    if reply.status == NOT_FOUND:
        reason = f"an unknown session id gets {in_words(unknown)}"
        return [undecided("HTTP-024", reason)] if has_failed(unknown) else KEPT
    is_doubtful = not succeeded(reply) and is_about_something_else(reply)
    if is_doubtful and not (yield from _fails_again(server, reply)):
        reason = f"an ended session gets {in_words(reply)}"
        return [undecided("HTTP-024", reason)]
    how = "serves" if succeeded(reply) else f"{failure_in_words(reply)} to"
    text = f"The server {how} a request in an ended session."
    return [fault("HTTP-024", text, key="over", fix="Return status 404.")]


def _fails_again(server: Known, reply: Reply) -> Part[bool]:
    """Whether an ended session fails once more, while a new one is served."""
    again = yield post(server)
    if not has_failed(reply) or (again.ending, again.status) != (reply.ending, reply.status):
        return False
    begun = yield Anew()
    return begun.ending == "answered" and succeeded((yield post(server)))


def _deletion(server: Known, step: Http, reply: Reply) -> Part[Verdicts]:
    """Decide HTTP-026 by a DELETE that did not succeed."""
    if reply.status == NOT_ALLOWED:
        return KEPT
    if is_about_something_else(reply) and not (yield from fails_only_so(server, step, reply)):
        reason = f"DELETE gets {in_words(reply)}"
        return [undecided("HTTP-026", reason)]
    text = f"The server {failure_in_words(reply)} to DELETE with a session id."
    return [fault("HTTP-026", text)]


@probe("HTTP-028", over="streamable http")
def unknown_version(server: Known) -> Dialogue:
    """Ask in a revision that does not exist."""
    if server.is_modern or server.revision < R2025_06_18:
        return [not_testable("HTTP-028", "this revision does not require the header")]
    usual = post(server)
    served = yield usual
    if not succeeded(served):
        reason = f"an ordinary POST gets {in_words(served)}"
        return [undecided("HTTP-028", reason)]
    step = post(server, headers={VERSION: NO_REVISION})
    reply = yield step
    if reply.status == BAD_REQUEST:
        return KEPT
    is_doubtful = not succeeded(reply) and is_about_something_else(reply)
    if is_doubtful and not (yield from fails_alone(usual, served, step, reply)):
        reason = f"a request with another version gets {in_words(reply)}"
        return [undecided("HTTP-028", reason)]
    how = "serves" if succeeded(reply) else f"{failure_in_words(reply)} to"
    text = f"The server {how} a request whose MCP-Protocol-Version is {quote(NO_REVISION)}."
    return [fault("HTTP-028", text, fix="Reject it with status 400.")]

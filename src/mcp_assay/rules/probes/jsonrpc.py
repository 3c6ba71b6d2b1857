"""What JSON-RPC asks of a server that is asked or told something that it does not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp_assay.model.probe import Ask, Reply, Tell
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    Verdicts,
    fault,
    not_testable,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.rules.probes.surety import (
    FIRST_REFUSAL,
    NO_METHOD,
    NO_TOOL,
    NO_URI,
    UNSURE,
    Part,
    aftermath,
    blame,
    judge_refusal,
    must_refuse,
)

HEADER_MISMATCH: Final = -32020
NO_NOTIFICATION: Final = "notifications/mcp-assay/no-such-notification"
CANCELLED: Final = Tell(
    "notifications/cancelled",
    {"requestId": "mcp-assay-no-such-request", "reason": "nobody asked for it"},
)
NAMED_IN: Final[Mapping[str, tuple[str, str, str]]] = {
    "tools": ("tools/call", "name", NO_TOOL),
    "prompts": ("prompts/get", "name", "mcp-assay-no-such-prompt"),
    "resources": ("resources/read", "uri", NO_URI),
}
"""For each capability: a method, the member that it needs, and a value that names nothing."""
REFUSED_BY_HTTP: Final = "over HTTP a server may refuse a notification with an error status"
HEADERS_FIRST: Final = "the server looks at the headers first, which cannot name what is missing"


@probe("JSONRPC-033")
def unknown_method(server: Known) -> Dialogue:
    """Ask for a method that nobody has."""
    when = "it is asked for a method that does not exist"
    step = Ask(NO_METHOD)
    return (yield from must_refuse(server, "JSONRPC-033", step, when, METHOD_NOT_FOUND))


def needs_something_named(server: Known) -> str | None:
    """What a server must declare to have requests that name something."""
    if any(server.declares(kind) for kind in NAMED_IN):
        return None
    return "the server declares no tools, no prompts and no resources"


@probe("JSONRPC-034", need=needs_something_named)
def wrong_params(server: Known) -> Dialogue:
    """Ask for something without its name, then with a list in place of the name."""
    kind = next(kind for kind in NAMED_IN if server.declares(kind))
    method, member, nothing = NAMED_IN[kind]
    for params, when in (
        ({}, f"{method} lacks its {member}"),
        ({member: [nothing]}, f"the {member} of {method} is an array"),
    ):
        step = Ask(method, params)
        reply = yield step
        if reply.code == HEADER_MISMATCH:
            return [undecided("JSONRPC-034", HEADERS_FIRST)]
        verdicts = yield from judge_refusal(server, "JSONRPC-034", step, reply, when)
        if verdicts:
            return verdicts
    return KEPT


@probe("JSONRPC-036")
def unknown_notification(server: Known) -> Dialogue:
    """Send a notification that nobody knows."""
    return (
        yield from _unmoved_by(server, Tell(NO_NOTIFICATION), "JSONRPC-036", "it does not know")
    )


@probe("CANC-007")
def cancellation_of_nothing(server: Known) -> Dialogue:
    """Cancel a request that was never made."""
    if server.is_modern and server.is_http:
        reason = "since 2026-07-28 a request over HTTP is cancelled by going away"
        return [not_testable("CANC-007", reason)]
    return (yield from _unmoved_by(server, CANCELLED, "CANC-007", "cancels what was never asked"))


def _unmoved_by(server: Known, step: Tell, rule: str, which: str) -> Part[Verdicts]:
    """Whether a notification is neither answered nor the end of the server."""
    found = yield from aftermath(server, step)
    if found.fate == "falls":
        return [fault(rule, f"The server {found.how} after a notification that {which}.")]
    if found.fate == "unclear":
        return [undecided(rule, UNSURE)]
    if (found.status or 0) >= FIRST_REFUSAL:
        return [undecided(rule, REFUSED_BY_HTTP)]
    if not _answers_nobody(found.responses):
        return KEPT
    again = yield from aftermath(server, step)
    if not _answers_nobody(again.responses):
        return [undecided(rule, "a response to nothing came only once")]
    return [fault(rule, f"The server answers a notification that {which}.")]


def _answers_nobody(responses: list[dict[str, object]]) -> bool:
    """Whether a response has no id: late ones of ours have theirs."""
    return any(one.get("id") is None for one in responses)


def needs_ping(server: Known) -> str | None:
    """Ping was removed with the handshake."""
    return "2026-07-28 has no ping" if server.is_modern else None


@probe("PING-001", need=needs_ping)
def ping(server: Known) -> Dialogue:
    """Send a ping; what is in its answer is judged as any message is."""
    step = Ask("ping")
    reply = yield step
    if reply.is_result:
        return KEPT
    fix = "Answer ping at once with an empty result."
    return (yield from blame(server, "PING-001", step, reply, "it gets a ping", fix=fix))


_TOOLS: Final = Known(capabilities={"tools": {}})
_ALIVE: Final = Reply(result={"tools": []})
_SILENT: Final = Reply(ending="timed_out")
_UNKNOWN: Final = Reply(error={"code": -32601, "message": "Method not found"})
_WRONG: Final = Reply(error={"code": -32602, "message": "The name is missing"})
_ANSWERED: Final = Reply(
    result={"tools": []},
    strays=[{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}}],
)
_DEAD: Final = Reply(ending="died")

probe_rule(
    "JSONRPC-033",
    "unknown-method-not-refused",
    """An unknown method is not refused as such.

    Why: clients try newer methods and fall back where a server says that it does not know them;
    another answer, or none, looks like a fault of the server or leaves the client waiting.

    Instead: answer a request for a method that you do not have with error -32601.
    """,
    of=unknown_method,
    reason="unknown_method_not_refused",
    good=[
        replay(_UNKNOWN),
        replay(_SILENT, _SILENT, Reply(), _SILENT),
        replay(_SILENT, Reply(result={}), _UNKNOWN),
    ],
    bad=[replay(Reply(result={})), replay(_SILENT, Reply(result={}), _SILENT)],
)

probe_rule(
    "JSONRPC-034",
    "wrong-params-not-refused",
    """Params that lack something, or have something of the wrong type, are not refused as such.

    Why: a client that made a mistake learns nothing of it, or takes it for a fault of the server.

    Instead: answer a request whose params are wrong with error -32602, and say what is wrong.
    """,
    of=wrong_params,
    reason="wrong_params_not_refused",
    good=[replay(_WRONG, _WRONG, known=_TOOLS)],
    bad=[
        replay(Reply(error={"code": -32603, "message": "KeyError: 'name'"}), known=_TOOLS),
        replay(_WRONG, Reply(result={"content": [], "isError": True}), known=_TOOLS),
    ],
)

probe_rule(
    "JSONRPC-036",
    "notification-not-ignored",
    """An unknown notification is answered, or ends the server.

    Why: nobody waits for an answer to a notification, and clients send notifications of newer
    revisions and of extensions to every server.

    Instead: ignore notifications that you do not know.
    """,
    of=unknown_notification,
    reason="notification_not_ignored",
    good=[replay(Reply(), _ALIVE, _ALIVE, known=_TOOLS)],
    bad=[
        replay(Reply(), _ANSWERED, Reply(), _ANSWERED, known=_TOOLS),
        replay(Reply(), _DEAD, Reply(), _ALIVE, Reply(), _DEAD, known=_TOOLS),
    ],
)

probe_rule(
    "CANC-007",
    "cancellation-not-ignored",
    """The cancellation of a request that is unknown, or over, is answered or ends the server.

    Why: a cancellation and the answer that it is about often pass each other on the way.

    Instead: ignore the cancellation of a request that you do not work on.
    """,
    of=cancellation_of_nothing,
    reason="cancellation_not_ignored",
    good=[replay(Reply(), _ALIVE, _ALIVE, known=_TOOLS)],
    bad=[replay(Reply(), _ANSWERED, Reply(), _ANSWERED, known=_TOOLS)],
)

"""What JSON-RPC asks of a server that is asked or told something that it does not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mcp_assay.model.probe import Ask, Notify, Reply
from mcp_assay.rules.probe.confirmation import (
    FIRST_REFUSAL,
    NO_METHOD,
    NO_RESPONSE,
    NO_TOOL,
    NO_URI,
    UNSURE,
    Aftermath,
    Part,
    aftermath,
    blame,
    judge_refusal,
    must_refuse,
)
from mcp_assay.rules.probe.rule import (
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

HEADER_MISMATCH: Final = -32020
NO_NOTIFICATION: Final = "notifications/mcp-assay/no-such-notification"
CANCELLED: Final = Notify(
    "notifications/cancelled",
    {"requestId": "mcp-assay-no-such-request", "reason": "it was not requested"},
)
NAMED_IN: Final[Mapping[str, tuple[str, str, str]]] = {
    "tools": ("tools/call", "name", NO_TOOL),
    "prompts": ("prompts/get", "name", "mcp-assay-no-such-prompt"),
    "resources": ("resources/read", "uri", NO_URI),
}
"""For each capability: a method, the member that it needs, and a value that names nothing."""
REFUSED_BY_HTTP: Final = "over HTTP a server may reject a notification with an error status"
HEADERS_FIRST: Final = "the server checks the headers first, and they cannot name what is missing"


@probe("JSONRPC-033")
def unknown_method(server: Known) -> Dialogue:
    """Ask for a method that nobody has."""
    what, key = "an unknown method", "it is asked for a method that does not exist"
    step = Ask(NO_METHOD)
    return (
        yield from must_refuse(server, "JSONRPC-033", step, what, key=key, code=METHOD_NOT_FOUND)
    )


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
    for params, what, key in (
        ({}, f"{method} without its {member}", f"{method} lacks its {member}"),
        (
            {member: [nothing]},
            f"{method} with an array as its {member}",
            f"the {member} of {method} is an array",
        ),
    ):
        step = Ask(method, params)
        reply = yield step
        if reply.code == HEADER_MISMATCH:
            return [undecided("JSONRPC-034", HEADERS_FIRST)]
        verdicts = yield from judge_refusal(server, "JSONRPC-034", step, reply, what, key=key)
        if verdicts:
            return verdicts
    return KEPT


@probe("JSONRPC-036")
def unknown_notification(server: Known) -> Dialogue:
    """Send a notification that nobody knows."""
    return (
        yield from _unmoved_by(server, Notify(NO_NOTIFICATION), "JSONRPC-036", "it does not know")
    )


@probe("CANC-007")
def cancellation_of_nothing(server: Known) -> Dialogue:
    """Cancel a request that was never made."""
    if server.is_modern and server.is_http:
        reason = "since 2026-07-28 closing the connection cancels a request over HTTP"
        return [not_testable("CANC-007", reason)]
    return (yield from _unmoved_by(server, CANCELLED, "CANC-007", "cancels an unknown request"))


def _unmoved_by(server: Known, step: Notify, rule: str, which: str) -> Part[Verdicts]:
    """Whether a notification is neither answered nor the end of the server."""
    found = yield from aftermath(server, step)
    if found.fate == "falls":
        return [fault(rule, f"The server {found.how} after a notification that {which}.")]
    if reason := _why_open(server, found):
        return [undecided(rule, reason)]
    if not _answers_nobody(found.responses):
        return KEPT
    again = yield from aftermath(server, step)
    if not _answers_nobody(again.responses):
        return [undecided(rule, "an unsolicited response came only once")]
    return [fault(rule, f"The server answers a notification that {which}.")]


def _why_open(server: Known, found: Aftermath) -> str | None:
    if found.fate == "unclear":
        return UNSURE
    if server.is_http and found.status is None:
        return NO_RESPONSE
    return REFUSED_BY_HTTP if (found.status or 0) >= FIRST_REFUSAL else None


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
    fix = "Answer ping promptly with an empty result."
    text = f"The server {how_it_ended(reply)} for ping."
    return (yield from blame(server, "PING-001", step, reply, text, fix=fix))


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
    """The server does not reject an unknown method with error -32601.

    Why: clients try newer methods and fall back when the server reports that it does not know them;
    any other response looks like a server failure, and no response leaves the client waiting.
    Instead: return error -32601 for methods that you do not implement.
    """,
    of=unknown_method,
    reason="unknown_method_not_refused",
    good=lambda: [
        replay(_UNKNOWN),
        replay(_SILENT, _SILENT, Reply(), _SILENT),
        replay(_SILENT, Reply(result={}), _UNKNOWN),
    ],
    bad=lambda: [replay(Reply(result={})), replay(_SILENT, Reply(result={}), _SILENT)],
)

probe_rule(
    "JSONRPC-034",
    "wrong-params-not-refused",
    """The server does not reject invalid params with error -32602.

    Why: the client does not learn that its request was wrong, or takes it for a server failure.
    Instead: return error -32602 and say which parameter is wrong.
    """,
    of=wrong_params,
    reason="wrong_params_not_refused",
    good=lambda: [replay(_WRONG, _WRONG, known=_TOOLS)],
    bad=lambda: [
        replay(Reply(error={"code": -32603, "message": "KeyError: 'name'"}), known=_TOOLS),
        replay(_WRONG, Reply(result={"content": [], "isError": True}), known=_TOOLS),
    ],
)

probe_rule(
    "JSONRPC-036",
    "notification-not-ignored",
    """The server answers an unknown notification, or crashes on it.

    Why: notifications get no response, and clients send notifications of newer revisions and
    extensions to every server.
    Instead: ignore unknown notifications.
    """,
    of=unknown_notification,
    reason="notification_not_ignored",
    good=lambda: [replay(Reply(), _ALIVE, _ALIVE, known=_TOOLS)],
    bad=lambda: [
        replay(Reply(), _ANSWERED, Reply(), _ANSWERED, known=_TOOLS),
        replay(Reply(), _DEAD, Reply(), _ALIVE, Reply(), _DEAD, known=_TOOLS),
    ],
)

probe_rule(
    "CANC-007",
    "cancellation-not-ignored",
    """The server answers the cancellation of an unknown or finished request, or crashes on it.

    Why: a cancellation and the response to the cancelled request often cross.
    Instead: ignore cancellations of requests that are not in progress.
    """,
    of=cancellation_of_nothing,
    reason="cancellation_not_ignored",
    good=lambda: [replay(Reply(), _ALIVE, _ALIVE, known=_TOOLS)],
    bad=lambda: [replay(Reply(), _ANSWERED, Reply(), _ANSWERED, known=_TOOLS)],
)

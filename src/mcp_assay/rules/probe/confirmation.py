"""What dialogues have in common: ordinary questions, refusals, and how to be sure of a silence."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from msgspec.structs import replace

from mcp_assay.model.ending import LOST, OURS
from mcp_assay.model.probe import Anew, Ask, Http, Notify, Raw, Reply, Step
from mcp_assay.rules.engine.rule import Found
from mcp_assay.rules.message.meta import CAPABILITIES, CLIENT, VERSION
from mcp_assay.rules.probe.http_requests import (
    FIRST_SERVER_ERROR,
    OTHER_REASONS,
    post,
    succeeded,
)
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
    KEPT,
    Known,
    Verdicts,
    cause_in,
    fault,
    undecided,
)
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.endings import what_it_did, what_it_does

T = TypeVar("T")
Part: TypeAlias = Generator[Step, Reply, T]
"""A piece of a dialogue, and what it finds out."""

NO_METHOD: Final = "mcp-assay/no-such-method"
NO_TOOL: Final = "mcp-assay-no-such-tool"
NO_URI: Final = "mcp-assay:no-such-resource"
NO_REVISION: Final = "1900-01-01"
VERSION_HEADER: Final = "MCP-Protocol-Version"
LISTS: Final[Mapping[str, str]] = {
    "tools": "tools/list",
    "prompts": "prompts/list",
    "resources": "resources/list",
}
"""The capabilities that have a list, and how to ask for it; a list's name is the capability's."""
NO_META: Final[Mapping[str, None]] = {VERSION: None, CLIENT: None, CAPABILITIES: None}
"""All that a request of 2026-07-28 says of its sender, left out."""

NO_RESPONSE: Final = "the HTTP request got no response"
UNSURE: Final = "the server stopped responding, but not reproducibly"
NOT_SERVED: Final = "the server rejects the ordinary request needed for comparison"
NO_CODE: Final = "the error has no readable code"
TOO_LONG: Final = "the response was too long to decode"
FIRST_REFUSAL, FIRST_FAILURE = 400, FIRST_SERVER_ERROR


def ordinary(server: Known) -> str:
    """The method of a request that this server should answer, without params."""
    listed = {kind: method for kind, method in LISTS.items() if kind not in server.unlisted}
    declared = [method for kind, method in listed.items() if server.declares(kind)]
    return (declared or ["server/discover" if server.is_modern else "ping"])[0]


def is_dual(server: Known) -> bool:
    """Whether it also speaks revisions that begin with a handshake."""
    return any(revision < R2026_07_28 for revision in server.offered)


def server_responds(server: Known) -> Part[bool]:
    """Whether the server answers an ordinary request now."""
    reply = yield Ask(ordinary(server))
    return reply.ending == "answered"


def server_recovers(server: Known) -> Part[bool]:
    """Whether the server answers an ordinary request, if need be on a new connection."""
    if (yield from server_responds(server)):
        return True
    yield Anew()
    return (yield from server_responds(server))


def reply_repeats(server: Known, step: Ask, reply: Reply) -> Part[bool]:
    """Whether a reply tells something: a silence, a death or a failure, only if it comes again."""
    if not is_doubtful(reply):
        return True
    if not (yield from server_recovers(server)):
        return False
    again = yield step
    return (again.ending, again.status) == (reply.ending, reply.status)


def is_doubtful(reply: Reply) -> bool:
    """Whether a server that is busy, slow or ill would have replied so to anything."""
    is_refused = reply.ending == "http_status" and (reply.status or 0) < FIRST_FAILURE
    return not (reply.ending == "answered" or is_refused)


def has_failed(reply: Reply) -> bool:
    """Whether nothing came, or a status that blames the server itself."""
    if reply.ending in OURS:
        return False
    return reply.status is None or reply.status >= FIRST_FAILURE


def fails_alone(usual: Step, served: Reply, step: Step, reply: Reply) -> Part[bool]:
    """Whether a server fails over this very request, of which the usual form was just served.

    Both are sent once more: the usual one must be served as before, the other one fail as before.
    """
    if not has_failed(reply) or has_failed(served):
        return False
    between = yield usual
    again = yield step
    return _is_alike(between, served) and _is_alike(again, reply)


def fails_only_so(server: Known, step: Http, reply: Reply) -> Part[bool]:
    """Whether a server fails over an HTTP request while it serves the ordinary one."""
    if not has_failed(reply):
        return False
    usual = post(server)
    served = yield usual
    return succeeded(served) and (yield from fails_alone(usual, served, step, reply))


def _is_alike(one: Reply, other: Reply) -> bool:
    return (one.ending, one.status, one.code) == (other.ending, other.status, other.code)


def failure_in_words(reply: Reply) -> str:
    """How a server failed, as the verb of a sentence."""
    if reply.status is not None:
        return f"answers with HTTP status {reply.status}"
    return what_it_does(reply.ending)


def why_open(server: Known, step: Ask, reply: Reply) -> Part[str | None]:
    """Why a reply tells nothing about a rule, None where it does."""
    if reply.unread or reply.ending in OURS:
        return TOO_LONG
    if reply.is_error and reply.code is None:
        return NO_CODE
    if reply.ending == "http_status" and reply.status in OTHER_REASONS:
        return f"the server {what_it_did(reply.ending, reply.status)}"
    return None if (yield from reply_repeats(server, step, reply)) else UNSURE


def blame(
    server: Known,
    rule: str,
    step: Ask,
    reply: Reply,
    text: str,
    *,
    fix: str | None = None,
    key: str = "",
) -> Part[Verdicts]:
    """Report the text as a fault, if the reply can be relied on."""
    reason = yield from why_open(server, step, reply)
    if reason is not None:
        return [undecided(rule, reason)]
    return [fault(rule, text, key=key, fix=fix, cause=cause_in(reply))]


def must_refuse(
    server: Known, rule: str, step: Ask, what: str, *, key: str, code: int = INVALID_PARAMS
) -> Part[Verdicts]:
    """Ask for what must be refused with this code; `what` names it in a sentence."""
    reply = yield step
    return (yield from judge_refusal(server, rule, step, reply, what, key=key, code=code))


def judge_refusal(
    server: Known,
    rule: str,
    step: Ask,
    reply: Reply,
    what: str,
    *,
    key: str,
    code: int = INVALID_PARAMS,
) -> Part[Verdicts]:
    """What a reply says about a rule that wants a refusal with this code.

    The key goes into fingerprints, so it stays as it is when the sentence gets better.
    """
    if reply.code == code:
        return KEPT
    text, fix = _not_refused(reply, what, code), f"Return error {code}."
    return (yield from blame(server, rule, step, reply, text, fix=fix, key=key))


def _not_refused(reply: Reply, what: str, code: int) -> str:
    if reply.is_result and reply.result.get("isError") is True:
        return f"The server rejects {what}, with an isError result instead of error {code}."
    if reply.is_result:
        return f"The server accepts {what}."
    if reply.is_error:
        return f"The server rejects {what} with error {reply.code} instead of {code}."
    if reply.ending == "http_status":
        return f"The server answers {what} with HTTP status {reply.status} and no JSON-RPC message."
    if reply.ending not in LOST:
        return f"The server {what_it_does(reply.ending)} for {what}."
    return f"The server {'crashes on' if reply.ending == 'died' else 'does not respond to'} {what}."


def graded(verdicts: Verdicts, grade: str) -> Verdicts:
    """The same verdicts, where the fault is of another grade."""
    return [replace(it, grade=grade) if isinstance(it, Found) else it for it in verdicts]


Fate: TypeAlias = Literal["goes on", "falls", "unclear"]


class Aftermath(NamedTuple):
    """What came of something that needs no answer, and of the server."""

    fate: Fate
    how: str
    """What becomes of a server that falls, as the end of a sentence."""
    responses: list[Any]
    """Responses that answer nothing of ours."""
    status: int | None
    """The HTTP status of what it was sent."""

    @property
    def codes(self) -> list[int | None]:
        """The codes of the errors among the responses, None for what is no code."""
        errors = [one.get("error") for one in self.responses]
        codes = [error.get("code") for error in errors if isinstance(error, dict)]
        return [code if isinstance(code, int) else None for code in codes]


def aftermath(server: Known, step: Raw | Notify) -> Part[Aftermath]:
    """Send something, then an ordinary request; what goes wrong must go wrong twice."""
    first, then = yield from _sent(server, step)
    if _survives(first, then):
        listed = [*first.messages, *first.strays, *then.strays]
        return Aftermath("goes on", "", list(_responses(listed)), first.status)
    yield Anew()
    if (yield from server_responds(server)):
        first, then = yield from _sent(server, step)
        if not _survives(first, then):
            return Aftermath("falls", _fall(first, then), [], first.status)
    return Aftermath("unclear", "", [], first.status)


def _survives(first: Reply, then: Reply) -> bool:
    """Whether the server lives on: one that was started anew answers, too."""
    return first.ending != "died" and then.ending == "answered"


def _sent(server: Known, step: Raw | Notify) -> Part[tuple[Reply, Reply]]:
    """The reply to a step, and to the request after it; late words get a second chance."""
    first = yield step
    then = yield Ask(ordinary(server))
    if then.ending == "answered" and not server.is_http and not then.strays:
        then = yield Ask(ordinary(server))
    return first, then


def _responses(listed: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for message in listed:
        members = message if isinstance(message, list) else [message]
        yield from (one for one in members if isinstance(one, dict) and "method" not in one)


def _fall(first: Reply, reply: Reply) -> str:
    if "died" in (first.ending, reply.ending):
        return "crashes"
    if reply.ending == "timed_out":
        return "stops responding"
    if reply.ending != "http_status":
        return f"{what_it_does(reply.ending)} to the next request"
    return f"answers the next request with HTTP status {reply.status} and no JSON-RPC message"

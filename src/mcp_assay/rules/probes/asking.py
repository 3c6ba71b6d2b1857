"""What several probes ask in the same way: for something that must be refused, and how."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, TypeAlias

from mcp_assay.model.probe import Ask, Reply, Step
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    INVALID_PARAMS,
    KEPT,
    Dialogue,
    Verdicts,
    cause_in,
    fault,
    how_it_ended,
    undecided,
)

Fragment: TypeAlias = Generator[Step, Reply, bool]
"""A part of a dialogue that finds something out."""

NO_ANSWER: Final = "the server did not answer this, nor an ordinary request after it"
TOO_LONG: Final = "the answer was too long to be decoded"
BUSY: Final = frozenset({401, 403, 429, 500, 502, 503, 504})
"""HTTP statuses that say nothing about the request itself."""


def ordinary(server: Known) -> Ask:
    """A request that every server of this kind answers."""
    if server.declares("tools"):
        return Ask("tools/list")
    return Ask("server/discover" if server.is_modern else "ping")


def still_answers(server: Known) -> Fragment:
    """Whether a server that was silent answers something ordinary."""
    reply = yield ordinary(server)
    return reply.ending == "answered"


def why_open(server: Known, reply: Reply) -> Generator[Step, Reply, str | None]:
    """Why a reply tells nothing about a rule, None where it does."""
    if reply.unread:
        return TOO_LONG
    if reply.ending == "unanswered" and reply.status in BUSY:
        return f"the server answered with HTTP status {reply.status} and no message"
    if reply.ending == "timed_out" and not (yield from still_answers(server)):
        return NO_ANSWER
    return None


def must_refuse(
    server: Known, rule: str, step: Ask, when: str, code: int = INVALID_PARAMS
) -> Dialogue:
    """Ask for what must be refused with this code; `when` ends the sentence about it."""
    reply = yield step
    return (yield from judge_refusal(server, rule, reply, when, code))


def judge_refusal(
    server: Known, rule: str, reply: Reply, when: str, code: int = INVALID_PARAMS
) -> Dialogue:
    """What a reply says about a rule that wants a refusal with this code."""
    if reply.code == code:
        return KEPT
    reason = yield from why_open(server, reply)
    if reason is not None:
        return [undecided(rule, reason)]
    return not_refused(rule, reply, when, code)


def not_refused(rule: str, reply: Reply, when: str, code: int = INVALID_PARAMS) -> Verdicts:
    """The fault of a server that did not refuse what it should have."""
    text = f"The server {how_it_ended(reply)} {when}."
    fix = f"Answer it with error {code}."
    return [fault(rule, text, key=when, fix=fix, cause=cause_in(reply))]

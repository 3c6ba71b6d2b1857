"""What servers that ask for input do when it is missing, malformed, or its state was altered."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final, NamedTuple

from mcp_assay.model.probe import Ask, Bend, Reply, Step
from mcp_assay.rules.probes.asking import why_open
from mcp_assay.rules.probes.known import Known
from mcp_assay.rules.probes.probe import (
    INVALID_PARAMS,
    KEPT,
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
from mcp_assay.rules.words import quote
from mcp_assay.session.handshake import CLIENT_CAPABILITIES
from mcp_assay.spec.revisions import R2026_07_28

INPUT_REQUIRED: Final = "input_required"
ABLE: Final = Bend(meta={CLIENT_CAPABILITIES: {"elicitation": {"form": {}}, "roots": {}}})
"""What a client declares that can be asked for input."""
REFUSALS: Final[Mapping[str, dict[str, Any]]] = {
    "elicitation/create": {"action": "decline"},
    "roots/list": {"roots": []},
}
MOST_TOOLS: Final = 5
"""So many tools are called to find one that asks for input."""
NOBODY_ASKS: Final = "no tool that was called without arguments asks for input"


class Question(NamedTuple):
    """A tool that asks for input, and what it asked."""

    tool: str
    state: str | None
    answers: dict[str, Any]

    def again(self, **changes: Any) -> Ask:
        """The call once more, with its state and what else is given; None leaves a member out."""
        more = {"requestState": self.state, "inputResponses": self.answers, **changes}
        given = {name: value for name, value in more.items() if value is not None}
        return Ask("tools/call", {"name": self.tool, "arguments": {}, **given}, ABLE)


@probe("MRTR-009", "MRTR-010")
def asks_for_input(server: Known) -> Dialogue:
    """Call tools until one asks for input; then answer it badly in several ways."""
    question = yield from _question(server)
    if question is None:
        return [not_testable("MRTR-009", NOBODY_ASKS), not_testable("MRTR-010", NOBODY_ASKS)]
    missing = yield from _without_responses(server, question)
    malformed = KEPT if missing else (yield from _with_wrong_responses(server, question))
    altered = yield from _with_altered_state(server, question)
    return [*missing, *malformed, *altered]


def _question(server: Known) -> Generator[Step, Reply, Question | None]:
    plain = (one for one in server.tools if _needs_nothing(one) and one["name"] in server.callable)
    for tool, _ in zip(plain, range(MOST_TOOLS), strict=False):
        reply = yield Ask("tools/call", {"name": tool["name"], "arguments": {}}, ABLE)
        question = _asked(tool["name"], reply)
        if question is not None:
            return question
    return None


def _needs_nothing(tool: dict[str, Any]) -> bool:
    schema = tool.get("inputSchema")
    return (
        isinstance(tool.get("name"), str)
        and isinstance(schema, dict)
        and not schema.get("required")
    )


def _asked(tool: str, reply: Reply) -> Question | None:
    """What a reply asks for, None where it asks nothing that can be answered."""
    if not reply.is_result or reply.result.get("resultType") != INPUT_REQUIRED:
        return None
    requests, state = reply.result.get("inputRequests"), reply.result.get("requestState")
    listed = requests.items() if isinstance(requests, dict) else ()
    methods = {name: str(one.get("method")) for name, one in listed if isinstance(one, dict)}
    answers = {name: REFUSALS[it] for name, it in methods.items() if it in REFUSALS}
    if not answers or len(answers) != len(methods):
        return None
    return Question(tool, state if isinstance(state, str) else None, answers)


def _without_responses(server: Known, question: Question) -> Dialogue:
    reply = yield question.again(inputResponses=None)
    if reply.is_result and reply.result.get("resultType") == INPUT_REQUIRED:
        return KEPT
    when = f"when {quote(question.tool)} is called again without the input that it asked for"
    fix = "Ask for the input again."
    return (yield from _wrong(server, "MRTR-010", reply, when, fix))


def _with_wrong_responses(server: Known, question: Question) -> Dialogue:
    reply = yield question.again(inputResponses=dict.fromkeys(question.answers, 7))
    if reply.is_error:
        return KEPT
    when = f"when the input for {quote(question.tool)} is a number in place of an object"
    fix = f"Answer it with error {INVALID_PARAMS}."
    return (yield from _wrong(server, "MRTR-010", reply, when, fix))


def _with_altered_state(server: Known, question: Question) -> Dialogue:
    if not question.state:
        return [not_testable("MRTR-009", "the server keeps no requestState")]
    reply = yield question.again(requestState=_altered(question.state))
    is_asked_again = reply.is_result and reply.result.get("resultType") == INPUT_REQUIRED
    if reply.is_error or is_asked_again or (reply.is_result and reply.result.get("isError")):
        return KEPT
    when = f"when the requestState of {quote(question.tool)} was altered"
    fix = "Sign the requestState, and refuse one whose signature does not fit."
    return (yield from _wrong(server, "MRTR-009", reply, when, fix))


def _altered(state: str) -> str:
    """The state with its middle character changed into another of its kind."""
    middle = len(state) // 2
    other = "A" if state[middle] != "A" else "B"
    return state[:middle] + other + state[middle + 1 :]


def _wrong(server: Known, rule: str, reply: Reply, when: str, fix: str) -> Dialogue:
    reason = yield from why_open(server, reply)
    if reason is not None:
        return [undecided(rule, reason)]
    return _told(rule, f"The server {how_it_ended(reply)} {when}.", fix)


def _told(rule: str, text: str, fix: str) -> Verdicts:
    return [fault(rule, text, key=fix, fix=fix)]


ASKING: Final = Known(
    revision=R2026_07_28,
    capabilities={"tools": {}},
    tools=[{"name": "book_table", "inputSchema": {"type": "object"}}],
    callable=["book_table"],
)
WANTED: Final = Reply(
    result={
        "resultType": INPUT_REQUIRED,
        "requestState": "c3RlcC0x",
        "inputRequests": {"when": {"method": "elicitation/create", "params": {}}},
    }
)
REFUSED: Final = Reply(error={"code": INVALID_PARAMS, "message": "This was altered"})
DONE: Final = Reply(result={"resultType": "complete", "content": []})

probe_rule(
    "MRTR-009",
    "altered-state-accepted",
    """A requestState that was altered on its way is accepted.

    Why: the state goes through the client, who can write into it what the server takes for its own
    words: that somebody agreed, or who somebody is.

    Instead: sign the state, and refuse one whose signature does not fit.
    """,
    of=asks_for_input,
    reason="altered_state_accepted",
    good=[replay(WANTED, WANTED, REFUSED, REFUSED, known=ASKING)],
    bad=[replay(WANTED, WANTED, REFUSED, DONE, known=ASKING)],
)
probe_rule(
    "MRTR-010",
    "missing-input-accepted",
    """Input that is missing or malformed is taken for an answer.

    Why: a call goes on with what nobody said.

    Instead: ask again where input is missing, and answer with an error where it is malformed.
    """,
    of=asks_for_input,
    reason="missing_input_accepted",
    good=[replay(WANTED, WANTED, REFUSED, REFUSED, known=ASKING)],
    bad=[
        replay(WANTED, DONE, REFUSED, known=ASKING),
        replay(WANTED, WANTED, DONE, REFUSED, known=ASKING),
    ],
)

"""What servers that ask for input do when it is missing, malformed, altered, or cannot be given."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from mcp_assay.model.probe import Ask, Bend, Reply
from mcp_assay.rules.probe.confirmation import Part, blame
from mcp_assay.rules.probe.rule import (
    INVALID_PARAMS,
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
from mcp_assay.session.handshake import CLIENT_CAPABILITIES
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import quote

INPUT_REQUIRED: Final = "input_required"
ABLE: Final = Bend(meta={CLIENT_CAPABILITIES: {"elicitation": {"form": {}}, "roots": {}}})
"""What a client declares that can be asked for input."""
UNABLE: Final = Bend(meta={CLIENT_CAPABILITIES: {}})
MISSING_CAPABILITY: Final = -32021
REFUSALS: Final[Mapping[str, dict[str, Any]]] = {
    "elicitation/create": {"action": "decline"},
    "roots/list": {"roots": []},
}
MOST_TOOLS: Final = 5
"""So many tools are called to find one that asks for input."""
NOBODY_ASKS: Final = "no called tool asked for input"
DOES_WITHOUT: Final = "the tool works without the input when the client cannot provide it"
FAILS_WITHOUT: Final = "the tool returns its own error when the client cannot provide input"


class InputQuestion(NamedTuple):
    """A tool that asks for input, and what it asked."""

    tool: str
    arguments: dict[str, Any]
    state: str | None
    answers: dict[str, Any]

    def again(self, **changes: Any) -> Ask:
        """The call once more, with its state and what else is given; None leaves a member out."""
        more = {"requestState": self.state, "inputResponses": self.answers, **changes}
        given = {name: value for name, value in more.items() if value is not None}
        return Ask("tools/call", {"name": self.tool, "arguments": self.arguments, **given}, ABLE)

    def unable(self) -> Ask:
        """The first call, of a client that cannot be asked for anything."""
        return Ask("tools/call", {"name": self.tool, "arguments": self.arguments}, UNABLE)


class Search(NamedTuple):
    """What came of the search for a tool that asks for input."""

    question: InputQuestion | None
    is_refused: bool
    """Whether a tool said that it needs what the client did not declare."""


@probe("MRTR-009", "MRTR-010", "VER-009")
def asks_for_input(server: Known) -> Dialogue:
    """Call tools until one asks for input; answer it badly, and call it where it cannot ask."""
    question, is_refused = yield from _search(server)
    if question is None:
        open_rules = ("MRTR-009", "MRTR-010", *(() if is_refused else ("VER-009",)))
        return [not_testable(rule, NOBODY_ASKS) for rule in open_rules]
    missing = yield from _without_responses(server, question)
    malformed = KEPT if missing else (yield from _with_wrong_responses(server, question))
    altered = yield from _with_altered_state(server, question)
    unable = yield from _without_capability(server, question)
    return [*missing, *malformed, *altered, *unable]


def _search(server: Known) -> Part[Search]:
    made = ((tool, server.arguments_for(tool)) for tool in server.tools)
    some = islice(((tool["name"], it) for tool, it in made if it is not None), MOST_TOOLS)
    is_refused = False
    for name, arguments in some:
        reply = yield Ask("tools/call", {"name": name, "arguments": arguments}, ABLE)
        question = _asked(name, arguments, reply)
        if question is not None:
            return Search(question, is_refused)
        is_refused = is_refused or reply.code == MISSING_CAPABILITY
    return Search(None, is_refused)


def _asked(tool: str, arguments: dict[str, Any], reply: Reply) -> InputQuestion | None:
    """What a reply asks for, None where it asks nothing that can be answered."""
    if not reply.is_result or reply.result.get("resultType") != INPUT_REQUIRED:
        return None
    requests, state = reply.result.get("inputRequests"), reply.result.get("requestState")
    listed = requests.items() if isinstance(requests, dict) else ()
    methods = {name: str(one.get("method")) for name, one in listed if isinstance(one, dict)}
    answers = {name: REFUSALS[it] for name, it in methods.items() if it in REFUSALS}
    if not answers or len(answers) != len(methods):
        return None
    return InputQuestion(tool, arguments, state if isinstance(state, str) else None, answers)


def _asks(reply: Reply) -> bool:
    return reply.is_result and reply.result.get("resultType") == INPUT_REQUIRED


def _without_responses(server: Known, question: InputQuestion) -> Part[Verdicts]:
    step = question.again(inputResponses=None)
    reply = yield step
    if _asks(reply):
        return KEPT
    how, tool = how_it_ended(reply), quote(question.tool)
    text = f"The server {how} when {tool} is called again without the input it asked for."
    key = "Ask for the input again."
    return (yield from blame(server, "MRTR-010", step, reply, text, fix=key, key=key))


def _with_wrong_responses(server: Known, question: InputQuestion) -> Part[Verdicts]:
    step = question.again(inputResponses=dict.fromkeys(question.answers, 7))
    reply = yield step
    if reply.is_error:
        return KEPT
    how, tool = how_it_ended(reply), quote(question.tool)
    text = f"The server {how} when the input for {tool} is a number instead of an object."
    fix, key = f"Return error {INVALID_PARAMS}.", f"Answer it with error {INVALID_PARAMS}."
    return (yield from blame(server, "MRTR-010", step, reply, text, fix=fix, key=key))


def _with_altered_state(server: Known, question: InputQuestion) -> Part[Verdicts]:
    if not question.state:
        return [not_testable("MRTR-009", "the server sends no requestState")]
    step = question.again(requestState=_altered(question.state))
    reply = yield step
    if reply.is_error or _asks(reply) or (reply.is_result and reply.result.get("isError")):
        return KEPT
    how, tool = how_it_ended(reply), quote(question.tool)
    text = f"The server {how} when the requestState of {tool} was tampered with."
    key = "Sign the requestState, and refuse one whose signature does not fit."
    fix = "Sign the requestState and reject one whose signature does not match."
    return (yield from blame(server, "MRTR-009", step, reply, text, fix=fix, key=key))


def _altered(state: str) -> str:
    """The state with its middle character changed into another of its kind."""
    middle = len(state) // 2
    other = "A" if state[middle] != "A" else "B"
    return state[:middle] + other + state[middle + 1 :]


def _without_capability(server: Known, question: InputQuestion) -> Part[Verdicts]:
    """Call the tool for a client that cannot be asked; what it cannot do then, it must refuse."""
    step = question.unable()
    reply = yield step
    if reply.code == MISSING_CAPABILITY:
        return KEPT
    fix = f"Return error {MISSING_CAPABILITY} and name the missing capabilities in its data."
    if _asks(reply) and reply.result.get("inputRequests"):
        text = f"{quote(question.tool)} asks a client for input that declares no capabilities."
        return [fault("VER-009", text, key="asks", fix=fix)]
    if reply.is_result and reply.result.get("isError"):
        return [undecided("VER-009", FAILS_WITHOUT)]
    if reply.is_result:
        return [not_testable("VER-009", DOES_WITHOUT)]
    how, tool = how_it_ended(reply), quote(question.tool)
    text = f"The server {how} when {tool} needs a capability that the client does not declare."
    return (yield from blame(server, "VER-009", step, reply, text, fix=fix, key="other"))


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
NEEDED: Final = Reply(error={"code": MISSING_CAPABILITY, "message": "Somebody must be asked"})
DONE: Final = Reply(result={"resultType": "complete", "content": []})

probe_rule(
    "MRTR-009",
    "altered-state-accepted",
    """The server accepts a requestState that was tampered with.

    Why: the state passes through the client, which could forge what the server trusts, such as a
    user's identity or consent.
    Instead: sign the state and reject one whose signature does not match.
    """,
    of=asks_for_input,
    reason="altered_state_accepted",
    good=lambda: [replay(WANTED, WANTED, REFUSED, REFUSED, NEEDED, known=ASKING)],
    bad=lambda: [replay(WANTED, WANTED, REFUSED, DONE, NEEDED, known=ASKING)],
)
probe_rule(
    "MRTR-010",
    "missing-input-accepted",
    """The server accepts missing or malformed input.

    Why: the call continues with input that the user did not give.
    Instead: ask again if input is missing, and return an error if it is malformed.
    """,
    of=asks_for_input,
    reason="missing_input_accepted",
    good=lambda: [replay(WANTED, WANTED, REFUSED, REFUSED, NEEDED, known=ASKING)],
    bad=lambda: [
        replay(WANTED, DONE, REFUSED, NEEDED, known=ASKING),
        replay(WANTED, WANTED, DONE, REFUSED, NEEDED, known=ASKING),
    ],
)

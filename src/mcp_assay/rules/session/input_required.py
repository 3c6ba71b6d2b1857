"""Rounds of input in 2026-07-28: a result asks, the client repeats its request with the answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, MapKey, Step, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    declaring,
    kept,
    modern_request,
    modern_result,
    request,
    s2c,
)
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.rules.message.patterns import asks_for_input, input_requests
from mcp_assay.session.correlation import RequestOutline
from mcp_assay.session.state import SessionState
from mcp_assay.spec.revisions import R2026_07_28
from mcp_assay.text.words import glimpse, listing, quote

MAY_ASK: Final = ("tools/call", "prompts/get", "resources/read")
"""The requests whose results may ask for input."""
CAPABILITIES: Final = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}
"""What the client must have declared for each kind of input."""
NEEDED: Final = {
    "elicitation/create": ("action",),
    "sampling/createMessage": ("role", "content", "model"),
    "roots/list": ("roots",),
}
"""The members that tell an answer to each kind of input."""
ADDED: Final = ("_meta", "inputResponses", "requestState")
"""Params in which a retry differs from the request that it repeats."""

RETRY_RULES: Final = ("MRTR-005", "MRTR-006", "MRTR-007", "MRTR-008")
MOST_ROUNDS: Final = 100
"""Rounds of one conversation that are remembered."""
UNSEEN: Final = "the result that asked for input was not seen"
TOO_LARGE: Final = "the repeated request is too large to keep"


class InputRound(Struct, frozen=True):
    """A result that asked for input, and the request that it answered."""

    request: Message
    asked: dict[str, str]
    """The method that each key of inputRequests stands for."""
    state: Any = None
    """The requestState, None where there is none."""

    def is_repeated_by(self, retry: Message) -> bool:
        """Whether a request asks for the same thing again."""
        return retry.method == self.request.method and all(
            retry.params.get(name) == self.request.params.get(name) for name in ("name", "uri")
        )


class Rounds:
    """The questions that wait for a retry."""

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open: Final[list[InputRound]] = []

    def add(self, one: InputRound) -> None:
        """Remember a round; the oldest is forgotten where there are too many."""
        self.open.append(one)
        del self.open[:-MOST_ROUNDS]

    def of(self, retry: Message) -> InputRound | None:
        """The round that a retry goes on with: by its state, else by what it asks for again."""
        state = retry.params.get("requestState")
        by_state = [one for one in self.open if state is not None and one.state == state]
        alike = by_state or [one for one in self.open if one.is_repeated_by(retry)]
        return alike[0] if len(alike) == 1 else None


ELICITATION: Final[dict[str, Any]] = {"elicitation": {}}
NAME: Final = {
    "method": "elicitation/create",
    "params": {
        "message": "Your name?",
        "mode": "form",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
}
ANNA: Final = {"name": {"action": "accept", "content": {"name": "Anna"}}}
DONE: Final = {"content": [{"type": "text", "text": "Hello Anna"}]}


def _call(id: int, **more: Any) -> Step:
    return c2s(request("tools/call", declaring(ELICITATION, name="greet", **more), id=id))


def _asks(**members: Any) -> Step:
    asked = {"inputRequests": {"name": NAME}, **members}
    return s2c(modern_result(asked, id=1, result_type="input_required"))


def _done(id: int) -> Step:
    return s2c(modern_result(DONE, id=id))


session_rule(
    "MRTR-002",
    "input-asked-for-elsewhere",
    """A result asks for input, but its request cannot be repeated with input.

    Why: clients expect input requests only in results of tools/call, prompts/get and
    resources/read.
    Instead: ask for input only in results of those methods.
    """,
    reason="invalid_result",
    good=lambda: [kept(_call(1), _asks(), _call(2, inputResponses=ANNA), _done(2))],
    bad=lambda: [
        broken(
            c2s(request("tools/list", declaring(ELICITATION), id=1)),
            _asks(),
            pointer="/result/resultType",
        )
    ],
)

session_rule(
    "MRTR-004",
    "input-that-the-client-cannot-give",
    """A result asks for input that the request's clientCapabilities do not declare.

    Why: the client has no way to answer, so the call can never be finished.
    Instead: ask only for input that the request's clientCapabilities declare, or work without it.
    """,
    reason="capability_missing",
    good=lambda: [kept(_call(1), _asks(), _call(2, inputResponses=ANNA), _done(2))],
    bad=lambda: [
        broken(
            c2s(modern_request("tools/call", {"name": "greet"}, id=1)),
            _asks(),
            pointer="/result/inputRequests/name/method",
            also=((1, "CAP-010", "/result/inputRequests/name/method"),),
        )
    ],
)

session_rule(
    "MRTR-005",
    "retry-with-the-same-id",
    """A retry reuses the id of the original request.

    Why: it is a new JSON-RPC request; the first one has been answered.
    Instead: give the retry a new id.
    """,
    reason="id_reused",
    good=lambda: [kept(_call(1), _asks(), _call(2, inputResponses=ANNA), _done(2))],
    bad=lambda: [
        broken(_call(1), _asks(), _call(1, inputResponses=ANNA), _done(1), at=2, pointer="/id")
    ],
)

session_rule(
    "MRTR-006",
    "request-state-changed",
    """A retry's requestState is not exactly the one that the server sent.

    Why: the server needs its own state unchanged to continue.
    Instead: send the requestState back unchanged, and none if there was none.
    """,
    reason="invalid_params",
    good=lambda: [
        kept(
            _call(1),
            _asks(requestState="r-7"),
            _call(2, inputResponses=ANNA, requestState="r-7"),
            _done(2),
        )
    ],
    bad=lambda: [
        broken(
            _call(1),
            _asks(requestState="r-7"),
            _call(2, inputResponses=ANNA),
            _done(2),
            at=2,
            pointer="/params/requestState",
        ),
        broken(
            _call(1),
            _asks(),
            _call(2, inputResponses=ANNA, requestState="r-8"),
            _done(2),
            at=2,
            pointer="/params/requestState",
        ),
    ],
)

session_rule(
    "MRTR-007",
    "input-missing-in-retry",
    """A retry lacks a response to an input request, or has one of the wrong kind.

    Why: the server cannot continue, and has to ask again or fail.
    Instead: respond to every key of inputRequests under the same key; declining is a response too.
    """,
    reason="invalid_params",
    good=lambda: [kept(_call(1), _asks(), _call(2, inputResponses=ANNA), _done(2))],
    bad=lambda: [
        broken(
            _call(1),
            _asks(requestState="r-7"),
            _call(2, inputResponses={}, requestState="r-7"),
            _done(2),
            at=2,
            pointer="/params/inputResponses/name",
        ),
        broken(
            _call(1),
            _asks(),
            _call(2, inputResponses={"name": {"roots": []}}),
            _done(2),
            at=2,
            pointer="/params/inputResponses/name",
        ),
    ],
)

session_rule(
    "MRTR-008",
    "retry-changes-the-request",
    """A retry differs from the original request.

    Why: the input was requested for the original request and may not apply here.
    Instead: repeat method and params unchanged, and add inputResponses and requestState.
    """,
    reason="invalid_params",
    good=lambda: [kept(_call(1), _asks(), _call(2, inputResponses=ANNA), _done(2))],
    bad=lambda: [
        broken(
            _call(1, arguments={"loud": True}),
            _asks(),
            _call(2, arguments={"loud": False}, inputResponses=ANNA),
            _done(2),
            at=2,
            pointer="/params/arguments",
        )
    ],
)


@watch("result", since=R2026_07_28)
def input_asked_for_elsewhere(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide MRTR-002 and MRTR-004, and remember the round."""
    asked = message.answers
    if asked is None or not asks_for_input(message):
        return ()
    session.decide("MRTR-002")
    if asked.method not in MAY_ASK:
        text = f"The result of {quote(asked.method or '')} asks for input."
        return (Found(("result", "resultType"), text, "MRTR-002"),)
    questions = {str(path[-1]): str(entry.get("method")) for path, entry in input_requests(message)}
    session.recall(Rounds).add(InputRound(asked, questions, message.result.get("requestState")))
    return tuple(_unanswerable(session, message))


def _unanswerable(session: SessionState, message: Message) -> Iterator[Found]:
    declared = session.client_capabilities(message)
    if (
        declared is None
        or message.answers is None
        or isinstance(message.answers.value, RequestOutline)
    ):
        session.leave_open("MRTR-004", "the capabilities of the client were not seen")
        return
    session.decide("MRTR-004")
    for path, entry in input_requests(message):
        capability = CAPABILITIES.get(str(entry.get("method")))
        if capability is not None and capability not in declared:
            text = f"The client did not declare {capability} in the request that this answers."
            yield Found((*path, "method"), text, "MRTR-004")


@watch("request", methods=MAY_ASK, since=R2026_07_28)
def retry_of_another_request(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide MRTR-005 to MRTR-008."""
    params = message.params
    if "inputResponses" not in params and "requestState" not in params:
        return ()
    rounds = session.recall(Rounds)
    one = rounds.of(message)
    if one is None:
        for rule in RETRY_RULES:
            session.leave_open(rule, UNSEEN)
        return ()
    rounds.open.remove(one)
    session.decide("MRTR-005", "MRTR-006", "MRTR-007")
    return (
        *_same_id(one, message),
        *_other_state(one, params),
        *_unanswered(one, params),
        *_other_request(session, one, message),
    )


def _same_id(one: InputRound, retry: Message) -> Iterator[Found]:
    id, first = retry.value.get("id"), one.request.value.get("id")
    if id == first and type(id) is type(first):
        text = f"The retry has the id {glimpse(id)} of the request that it repeats."
        yield Found(("id",), text, "MRTR-005")


def _other_state(one: InputRound, params: dict[str, Any]) -> Iterator[Found]:
    if params.get("requestState") != one.state:
        given = "none was given" if one.state is None else "another one was given"
        sent = "has a requestState" if "requestState" in params else "has no requestState"
        yield Found(("params", "requestState"), f"The retry {sent}; {given}.", "MRTR-006")


def _unanswered(one: InputRound, params: dict[str, Any]) -> Iterator[Found]:
    given = params.get("inputResponses", {})
    for key, method in one.asked.items() if isinstance(given, dict) else ():
        place = ("params", "inputResponses", MapKey(key))
        response = given.get(key)
        if key not in given:
            yield Found(place, f"The input request {quote(key)} has no response.", "MRTR-007")
        elif not _answers(response, method):
            members = listing(NEEDED[method], "and")
            text = f"The response {quote(key)} to {method} needs the members {members}."
            yield Found(place, text, "MRTR-007")


def _answers(response: object, method: str) -> bool:
    """Whether the response can be an answer to such a question."""
    return method not in NEEDED or (
        isinstance(response, dict) and all(name in response for name in NEEDED[method])
    )


def _other_request(session: SessionState, one: InputRound, retry: Message) -> Iterator[Found]:
    if isinstance(one.request.value, RequestOutline):
        session.leave_open("MRTR-008", TOO_LARGE)
        return
    session.decide("MRTR-008")
    before, now = one.request.params, retry.params
    if retry.method != one.request.method:
        text = f"The retry calls {retry.method}; the question belonged to {one.request.method}."
        yield Found(("method",), text, "MRTR-008")
        return
    for name in sorted((before.keys() | now.keys()) - {*ADDED}):
        if name not in before or name not in now or before[name] != now[name]:
            text = f"The retry has other {quote(name)} than the request that it repeats."
            yield Found(("params", name), text, "MRTR-008")

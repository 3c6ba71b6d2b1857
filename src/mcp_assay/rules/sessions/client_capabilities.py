"""What the server asks of the client: only what the client has declared, and how it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mcp_assay.model.message import Message
from mcp_assay.rules.examples import error, modern_result, request
from mcp_assay.rules.examples import result as answer
from mcp_assay.rules.rule import Found, MapKey, Step, session_rule
from mcp_assay.rules.scripts import broken, c2s, declaring, opening, s2c, talk
from mcp_assay.rules.watching import watch
from mcp_assay.session.talk import Talk
from mcp_assay.spec.capabilities import EXTRAS, SENT, declares, mode_of, takes_mode
from mcp_assay.spec.methods import INPUT_METHODS
from mcp_assay.spec.revisions import R2025_11_25, R2026_07_28
from mcp_assay.wire.pointer import Path

METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
ASKING: Final = ("tools/call", "prompts/get", "resources/read")
"""Requests of 2026-07-28 whose answer may ask the client for something."""
NOT_SEEN: Final = "the capabilities of the client were not seen"

HELLO: Final = {"role": "user", "content": {"type": "text", "text": "Hello"}}
SAMPLING: Final[dict[str, Any]] = {"messages": [HELLO], "maxTokens": 100}
SAMPLE: Final = {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"}
FORM: Final = {
    "message": "Who are you?",
    "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
}
LINK: Final = {
    "mode": "url",
    "message": "Please sign in.",
    "url": "https://example.com/in",
    "elicitationId": "e-1",
}
TOOLED: Final = {**SAMPLING, "toolChoice": {"mode": "none"}}
ALONE: Final = {**SAMPLING, "includeContext": "none"}
TOLD: Final = {**SAMPLING, "includeContext": "thisServer"}

ROOTS: Final = answer({"roots": []})
SAMPLED: Final = answer(SAMPLE)
DECLINED: Final = answer({"action": "decline"})
UNKNOWN: Final = error(METHOD_NOT_FOUND, "Method not found")
NOT_TAKEN: Final = error(INVALID_PARAMS, "Not supported")


def asked(
    client: dict[str, Any], method: str, params: dict[str, Any] | None, reply: dict[str, Any]
) -> list[Step]:
    """The server asks a client that has declared this much, and the client answers."""
    return [*opening(client=client), s2c(request(method, params, id=1)), c2s({**reply, "id": 1})]


def _asked_for_input(client: dict[str, Any]) -> list[Step]:
    """Since 2026-07-28: in the answer to a request that says what the client can do."""
    questions = {"who": {"method": "elicitation/create", "params": FORM}}
    return [
        c2s(request("tools/call", declaring(client, name="note", arguments={}))),
        s2c(modern_result({"inputRequests": questions}, result_type="input_required")),
    ]


session_rule(
    "CAP-008",
    "roots-not-declared",
    """A server that asks for roots, although the client has not declared roots.

    Why: the client does not know what is asked, and the server waits for nothing or gets an error.
    Instead: look for roots among the capabilities of the client, and do without where it has none.
    """,
    reason="undeclared_capability",
    good=[talk(asked({"roots": {}}, "roots/list", None, ROOTS))],
    bad=[broken(asked({}, "roots/list", None, UNKNOWN), at=3, pointer="/method")],
)

session_rule(
    "CAP-009",
    "sampling-not-declared",
    """A server that asks for sampling, although the client has not declared sampling.

    Why: the client has no model for the server, so the tool that relies on it fails.
    Instead: look for sampling among the capabilities of the client, and do without where it is not.
    """,
    reason="undeclared_capability",
    good=[talk(asked({"sampling": {}}, "sampling/createMessage", SAMPLING, SAMPLED))],
    bad=[broken(asked({}, "sampling/createMessage", SAMPLING, UNKNOWN), at=3, pointer="/method")],
)

session_rule(
    "CAP-010",
    "elicitation-not-declared",
    """A server that asks the user, although the client has not declared elicitation.

    Why: the client cannot show the question, so nobody ever answers it.
    Instead: look for elicitation among the capabilities of the client before asking.
    """,
    reason="undeclared_capability",
    good=[
        talk(asked({"elicitation": {}}, "elicitation/create", FORM, DECLINED)),
        talk(_asked_for_input({"elicitation": {}})),
    ],
    bad=[
        broken(asked({}, "elicitation/create", FORM, UNKNOWN), at=3, pointer="/method"),
        broken(
            _asked_for_input({}),
            pointer="/result/inputRequests/who/method",
            also=((1, "MRTR-004", "/result/inputRequests/who/method"),),
        ),
    ],
)

session_rule(
    "CAP-011",
    "sampling-tools-not-declared",
    """A sampling request with tools or toolChoice, although sampling.tools is not declared.

    Why: the client refuses the request, or answers as if there were no tools.
    Instead: leave tools and toolChoice out, or look for sampling.tools first.
    """,
    reason="undeclared_capability",
    good=[talk(asked({"sampling": {"tools": {}}}, "sampling/createMessage", TOOLED, SAMPLED))],
    bad=[
        broken(
            asked({"sampling": {}}, "sampling/createMessage", TOOLED, NOT_TAKEN),
            at=3,
            pointer="/params/toolChoice",
        )
    ],
)

session_rule(
    "CAP-012",
    "elicitation-mode-not-declared",
    """A question in a mode that the client has not declared; {} stands for forms only.

    Why: the client cannot show it, and has to refuse.
    Instead: ask in a mode that the client's capability elicitation names.
    """,
    reason="undeclared_capability",
    good=[
        talk(asked({"elicitation": {}}, "elicitation/create", FORM, DECLINED)),
        talk(asked({"elicitation": {"url": {}}}, "elicitation/create", LINK, DECLINED)),
    ],
    bad=[
        broken(
            asked({"elicitation": {}}, "elicitation/create", LINK, NOT_TAKEN),
            at=3,
            pointer="/params/mode",
        ),
        broken(
            asked({"elicitation": {"url": {}}}, "elicitation/create", FORM, NOT_TAKEN),
            at=3,
            pointer="/params",
        ),
    ],
)

session_rule(
    "CAP-013",
    "sampling-context-not-declared",
    """A sampling request that wants context of servers, although sampling.context is not declared.

    Why: the client leaves the context out, and the model answers without it.
    Instead: leave includeContext out, or look for sampling.context first.
    """,
    reason="undeclared_capability",
    good=[talk(asked({"sampling": {}}, "sampling/createMessage", ALONE, SAMPLED))],
    bad=[
        broken(
            asked({"sampling": {}}, "sampling/createMessage", TOLD, SAMPLED),
            at=3,
            pointer="/params/includeContext",
            also=((3, "SAMP-006", "/params/includeContext"),),
        )
    ],
)


@watch("request", methods=INPUT_METHODS, since=R2025_11_25, until=R2025_11_25)
def asks_no_more_than_is_declared(session: Talk, message: Message) -> Iterable[Found]:
    """Decide CAP-011, CAP-012 and CAP-013 for requests."""
    declared = session.client_capabilities(message)
    if declared is None or message.direction != "s2c":
        return ()
    return _in_detail(session, declared, message.value, message.revision)


@watch("result", methods=ASKING, since=R2026_07_28)
def asks_for_input_that_is_declared(session: Talk, message: Message) -> Iterable[Found]:
    """Decide CAP-008 to CAP-013 for answers that ask for input."""
    result = message.value.get("result")
    if result.__class__ is not dict or result.get("resultType") != "input_required":
        return ()
    asked = result.get("inputRequests")
    return _of_input(session, message, asked) if isinstance(asked, dict) else ()


def _of_input(session: Talk, message: Message, asked: dict[str, Any]) -> Iterator[Found]:
    declared = session.client_capabilities(message)
    for name, one in asked.items():
        method = one.get("method") if isinstance(one, dict) else None
        if not isinstance(method, str) or method not in INPUT_METHODS:
            continue
        need, path = SENT[method], ("result", "inputRequests", MapKey(name))
        if declared is None:
            session.leave_open(need.rule, NOT_SEEN)
            continue
        session.decide(need.rule)
        if not declares(declared, need.capability):
            text = f"{method} needs {need.capability}, which the client did not declare."
            yield Found((*path, "method"), text, need.rule)
        yield from _in_detail(session, declared, one, message.revision, path)


def _in_detail(
    session: Talk,
    declared: Mapping[str, Any],
    asked: Mapping[str, Any],
    revision: str,
    path: Path = (),
) -> Iterator[Found]:
    """What is asked beyond the mere capability, which is judged apart."""
    method, params = str(asked.get("method")), asked.get("params")
    if not isinstance(params, dict) or not declares(declared, SENT[method].capability):
        return
    for member, values, need in EXTRAS.get(method, ()):
        session.decide(need.rule)
        if _wants(params.get(member), values) and not declares(declared, need.capability):
            text = f"{member} needs {need.capability}, which the client did not declare."
            yield Found((*path, "params", member), text, need.rule)
    if method == "elicitation/create" and (mode := mode_of(params)):
        session.decide("CAP-012")
        if not takes_mode(declared, mode):
            text = f"The client did not declare that it takes questions of the mode {mode}."
            place = ("params", "mode") if "mode" in params else ("params",)
            yield Found((*path, *place), text, "CAP-012")


def _wants(value: Any, values: tuple[str, ...]) -> bool:
    return value in values if values else value is not None

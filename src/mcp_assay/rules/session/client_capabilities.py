"""What the server asks of the client: only what it declared; and how a client refuses the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, MapKey, Step, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    declaring,
    error,
    kept,
    modern_result,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import watch
from mcp_assay.session.state import SessionState
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
WITH_CONTEXT: Final = {**SAMPLING, "includeContext": "thisServer"}

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
    """The server requests roots, but the client has not declared roots.

    Why: the client cannot answer, and the server waits until its timeout or gets an error.
    Instead: check the client's capabilities for roots, and work without them if missing.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(asked({"roots": {}}, "roots/list", None, ROOTS))],
    bad=lambda: [broken(asked({}, "roots/list", None, UNKNOWN), at=3, pointer="/method")],
)

session_rule(
    "CAP-009",
    "sampling-not-declared",
    """The server requests sampling, but the client has not declared sampling.

    Why: the client has no model for the server, so the tool that relies on it fails.
    Instead: check the client's capabilities for sampling, and work without it if missing.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(asked({"sampling": {}}, "sampling/createMessage", SAMPLING, SAMPLED))],
    bad=lambda: [
        broken(asked({}, "sampling/createMessage", SAMPLING, UNKNOWN), at=3, pointer="/method")
    ],
)

session_rule(
    "CAP-010",
    "elicitation-not-declared",
    """The server sends an elicitation, but the client has not declared elicitation.

    Why: the client cannot show the request, so it is never answered.
    Instead: check the client's capabilities for elicitation first.
    """,
    reason="undeclared_capability",
    good=lambda: [
        kept(asked({"elicitation": {}}, "elicitation/create", FORM, DECLINED)),
        kept(_asked_for_input({"elicitation": {}})),
    ],
    bad=lambda: [
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
    """A sampling request has tools or toolChoice, but sampling.tools is not declared.

    Why: the client rejects the request, or ignores the tools.
    Instead: omit tools and toolChoice, or check for sampling.tools first.
    """,
    reason="undeclared_capability",
    good=lambda: [
        kept(asked({"sampling": {"tools": {}}}, "sampling/createMessage", TOOLED, SAMPLED))
    ],
    bad=lambda: [
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
    """An elicitation has a mode that the client has not declared ({} means forms only).

    Why: the client cannot show it and has to reject it.
    Instead: use a mode that the client's elicitation capability lists.
    """,
    reason="undeclared_capability",
    good=lambda: [
        kept(asked({"elicitation": {}}, "elicitation/create", FORM, DECLINED)),
        kept(asked({"elicitation": {"url": {}}}, "elicitation/create", LINK, DECLINED)),
    ],
    bad=lambda: [
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
    """A sampling request asks for server context, but sampling.context is not declared.

    Why: the client omits the context, and the model answers without it.
    Instead: omit includeContext, or check for sampling.context first.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(asked({"sampling": {}}, "sampling/createMessage", ALONE, SAMPLED))],
    bad=lambda: [
        broken(
            asked({"sampling": {}}, "sampling/createMessage", WITH_CONTEXT, SAMPLED),
            at=3,
            pointer="/params/includeContext",
            also=((3, "SAMP-006", "/params/includeContext"),),
        )
    ],
)


@watch("request", methods=INPUT_METHODS, since=R2025_11_25, until=R2025_11_25)
def request_beyond_client_capabilities(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CAP-011, CAP-012 and CAP-013 for requests."""
    declared = session.client_capabilities(message)
    if declared is None or message.direction != "s2c":
        return ()
    return _in_detail(session, declared, message.value, message.revision)


@watch("result", methods=ASKING, since=R2026_07_28)
def input_beyond_client_capabilities(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide CAP-008 to CAP-013 for answers that ask for input."""
    result = message.value.get("result")
    if result.__class__ is not dict or result.get("resultType") != "input_required":
        return ()
    asked = result.get("inputRequests")
    return _of_input(session, message, asked) if isinstance(asked, dict) else ()


def _of_input(session: SessionState, message: Message, asked: dict[str, Any]) -> Iterator[Found]:
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
    session: SessionState,
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
            text = f"The client did not declare the elicitation mode {mode}."
            place = ("params", "mode") if "mode" in params else ("params",)
            yield Found((*path, *place), text, "CAP-012")


def _wants(value: Any, values: tuple[str, ...]) -> bool:
    return value in values if values else value is not None


session_rule(
    "ROOT-002",
    "roots-refused-otherwise",
    """A client without roots answers roots/list with something other than error -32601.

    Why: the server cannot tell a client without roots support from one with no roots or a failure.
    Instead: return error -32601, or declare roots.
    """,
    reason="wrong_error_code",
    good=lambda: [kept(asked({"roots": {}}, "roots/list", None, ROOTS))],
    bad=lambda: [
        broken(
            asked({}, "roots/list", None, error(-32603, "Internal error")),
            pointer="/error/code",
            also=((3, "CAP-008", "/method"),),
        ),
        broken(
            asked({}, "roots/list", None, ROOTS),
            pointer="/result",
            also=((3, "CAP-008", "/method"),),
        ),
    ],
)

session_rule(
    "ELIC-011",
    "mode-refused-otherwise",
    """A client answers an undeclared elicitation mode with something other than error -32602.

    Why: the server cannot tell an unsupported mode from a user who declined.
    Instead: return error -32602 if the mode is not declared.
    """,
    reason="wrong_error_code",
    good=lambda: [kept(asked({"elicitation": {}}, "elicitation/create", FORM, DECLINED))],
    bad=lambda: [
        broken(
            asked({"elicitation": {}}, "elicitation/create", LINK, DECLINED),
            pointer="/result",
            also=((3, "CAP-012", "/params/mode"),),
        ),
        broken(
            asked({"elicitation": {}}, "elicitation/create", LINK, UNKNOWN),
            pointer="/error/code",
            also=((3, "CAP-012", "/params/mode"),),
        ),
    ],
)


@watch("result", "error", methods=("roots/list",), until=R2025_11_25)
def roots_refused_otherwise(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide ROOT-002."""
    declared = session.client_capabilities(message)
    if declared is None or message.direction == "s2c":
        return ()
    session.decide("ROOT-002")
    if declares(declared, "roots"):
        return ()
    return _unless_refused(message, METHOD_NOT_FOUND, "roots", "ROOT-002")


@watch("result", "error", methods=("elicitation/create",), since=R2025_11_25, until=R2025_11_25)
def mode_refused_otherwise(session: SessionState, message: Message) -> Iterable[Found]:
    """Decide ELIC-011."""
    declared = session.client_capabilities(message)
    mode = mode_of(message.answers.params) if message.answers else None
    if declared is None or mode is None or message.direction == "s2c":
        return ()
    session.decide("ELIC-011")
    if takes_mode(declared, mode) or not declares(declared, "elicitation"):
        return ()
    return _unless_refused(message, INVALID_PARAMS, f"the mode {mode}", "ELIC-011")


def _unless_refused(message: Message, code: int, what: str, rule: str) -> Iterable[Found]:
    """The fault of an answer other than the error `code` to what the client cannot do."""
    if message.kind == "error" and message.error.get("code") == code:
        return ()
    text = f"The client did not declare {what}, but does not answer with error {code}."
    path = ("error", "code") if message.kind == "error" else ("result",)
    return (Found(path, text, rule),)

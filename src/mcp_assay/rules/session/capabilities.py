"""What the server declares and what it is asked for: one must cover the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mcp_assay.model.entry import Message
from mcp_assay.rules.engine.rule import Found, SessionExample, Step, session_rule
from mcp_assay.rules.engine.samples import (
    broken,
    c2s,
    kept,
    modern_request,
    modern_result,
    opening,
    request,
    s2c,
)
from mcp_assay.rules.engine.samples import result as answer
from mcp_assay.rules.engine.session_rules import Done, watch
from mcp_assay.session.state import SessionState
from mcp_assay.spec.capabilities import SERVED, declares
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.methods import windows
from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28

NOT_SEEN: Final = "the capabilities of the server were not seen"
OWN_TERMS: Final = "experimental capabilities may allow it"
EMBEDDING: Final = "CALL-008"


def _list(kind: str) -> list[Step]:
    """The client asks for a list, and gets an empty one."""
    return [c2s(request(f"{kind}/list", id=1)), s2c(answer({kind: []}, id=1))]


def _modern_list(kind: str, declared: dict[str, Any]) -> list[Step]:
    """The same since 2026-07-28, after the server was asked what it can do."""
    cached = {"ttlMs": 0, "cacheScope": "private"}
    discovered = {"supportedVersions": [R2026_07_28], "capabilities": declared, **cached}
    return [
        c2s(modern_request("server/discover", id=1)),
        s2c(modern_result(discovered, id=1)),
        c2s(modern_request(f"{kind}/list", id=2)),
        s2c(modern_result({kind: [], **cached}, id=2)),
    ]


def _declared(kind: str) -> list[SessionExample]:
    """Sessions in which lists of this kind are declared."""
    return [
        kept(opening(server={kind: {}}), _list(kind)),
        kept(_modern_list(kind, {kind: {}})),
        kept(_list(kind), partial=True),
    ]


def _undeclared(kind: str) -> list[SessionExample]:
    """Sessions in which lists of this kind come undeclared."""
    asked = ((3, "LIFE-013", "/method"),)
    return [
        broken(opening(), _list(kind), pointer="/result", also=asked),
        broken(_modern_list(kind, {}), pointer="/result"),
    ]


def _completing(server: dict[str, Any]) -> list[Step]:
    """The client asks how an argument goes on."""
    ref = {"type": "ref/prompt", "name": "review"}
    params = {"ref": ref, "argument": {"name": "language", "value": "py"}}
    return [
        *opening(server=server),
        c2s(request("completion/complete", params, id=1)),
        s2c(answer({"completion": {"values": ["python"]}}, id=1)),
    ]


def _embedding(server: dict[str, Any]) -> list[Step]:
    """A tool answers with a resource."""
    resource = {"uri": "notes://1", "text": "Buy milk"}
    return [
        *opening(server=server),
        c2s(request("tools/call", {"name": "note", "arguments": {}}, id=1)),
        s2c(answer({"content": [{"type": "resource", "resource": resource}]}, id=1)),
    ]


def _undeclared_list(rule: str, kind: str) -> None:
    session_rule(
        rule,
        f"undeclared-{kind}",
        f"""The server answers {kind} requests without declaring the capability {kind}.

        Why: clients rely on the declaration, so they never find the {kind}.
        Instead: declare {kind} among the capabilities of the server.
        """,
        reason="undeclared_capability",
        good=lambda: _declared(kind),
        bad=lambda: _undeclared(kind),
    )


_undeclared_list("CAP-001", "tools")
_undeclared_list("CAP-002", "prompts")
_undeclared_list("CAP-003", "resources")

session_rule(
    "CAP-005",
    "undeclared-completions",
    """The server answers completion/complete without declaring the capability completions.

    Why: clients rely on the declaration, so they never ask, and users get no suggestions.
    Instead: declare completions among the capabilities of the server.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(_completing({"completions": {}}))],
    bad=lambda: [broken(_completing({}), pointer="/result", also=((3, "LIFE-013", "/method"),))],
)

session_rule(
    "LIFE-012",
    "not-agreed-on-until-2025-03-26",
    """A message is not part of the negotiated version, or needs an undeclared capability.

    Why: the other side has said that it does not support it, or does not know it.
    Instead: check the initialize result, and use only what both sides support.
    """,
    reason="not_negotiated",
    good=lambda: [kept(opening(server={"tools": {}}, revision=R2025_03_26), _list("tools"))],
    bad=lambda: [
        broken(
            opening(revision=R2025_03_26),
            _list("tools"),
            at=3,
            pointer="/method",
            also=((4, "CAP-001", "/result"),),
        )
    ],
)

session_rule(
    "LIFE-013",
    "not-agreed-on",
    """A message is not part of the negotiated version, or needs an undeclared capability.

    Why: the other side has said that it does not support it, or does not know it.
    Instead: check the initialize result, and use only what both sides support.
    """,
    reason="not_negotiated",
    good=lambda: [kept(opening(server={"prompts": {}}), _list("prompts"))],
    bad=lambda: [
        broken(
            opening(), _list("prompts"), at=3, pointer="/method", also=((4, "CAP-002", "/result"),)
        ),
        broken(
            opening(server={"tools": {}}, revision=R2025_06_18),
            c2s(request("tasks/get", {"taskId": "t-1"}, id=1)),
            s2c(answer({}, id=1)),
            at=3,
            pointer="/method",
            also=((3, "SCHEMA-003", "/method"),),
        ),
    ],
)

session_rule(
    "CALL-008",
    "embedded-resource-undeclared",
    """A tool result contains a resource, but the server does not declare resources.

    Why: the client cannot read the resource again or subscribe to its changes.
    Instead: declare resources, or return text.
    """,
    reason="undeclared_capability",
    good=lambda: [kept(_embedding({"tools": {}, "resources": {}}))],
    bad=lambda: [broken(_embedding({"tools": {}}), pointer="/result/content/0")],
)


@watch("request", methods=SERVED, until=R2025_11_25)
def request_not_agreed_on(session: SessionState, message: Message) -> Iterable[Found] | Done:
    """Decide LIFE-012 and LIFE-013 for what a client asks."""
    method, declared = message.method or "", session.handshake.server_capabilities
    if message.direction != "c2s":
        return ()
    need, rule = SERVED[method], _agreement(message)
    if declared is None:
        session.leave_open(rule, NOT_SEEN)
        return Done.IN_SESSION
    session.decide(rule)
    if not _applies(need.rule, message) or declares(declared, need.capability):
        return Done.IN_RUN
    text = f"The client requests {method}, but the server did not declare {need.capability}."
    return (Found(("method",), text, rule),)


@watch("result", methods=SERVED)
def answer_without_capability(session: SessionState, message: Message) -> Iterable[Found] | Done:
    """Decide CAP-001, CAP-002, CAP-003 and CAP-005."""
    method, declared = message.method or "", session.handshake.server_capabilities
    if message.direction == "c2s":
        return ()
    need = SERVED[method]
    if not need.rule or not applies(need.rule, message.revision):
        return Done.IN_RUN
    if declared is None:
        session.leave_open(need.rule, NOT_SEEN)
        return Done.IN_SESSION
    session.decide(need.rule)
    if declares(declared, need.capability):
        return Done.IN_RUN
    text = f"The server answers {method}, but did not declare {need.capability}."
    return (Found(("result",), text, need.rule),)


@watch("result", methods=("tools/call",), since=R2025_06_18)
def embedded_resource_undeclared(session: SessionState, message: Message) -> Iterable[Found] | Done:
    """Decide CALL-008."""
    result = message.value.get("result")
    content = result.get("content") if result.__class__ is dict else None
    if content.__class__ is not list:
        return ()
    for block in content:
        if block.__class__ is dict and block.get("type") == "resource":
            return _embeds(session, content.index(block))
    return ()


def _embeds(session: SessionState, index: int) -> Iterable[Found] | Done:
    declared = session.handshake.server_capabilities
    if declared is None:
        session.leave_open(EMBEDDING, NOT_SEEN)
        return Done.IN_SESSION
    session.decide(EMBEDDING)
    if declares(declared, "resources"):
        return Done.IN_RUN
    text = "The result contains a resource, but the server did not declare resources."
    return (Found(("result", "content", index), text, EMBEDDING),)


@watch("request", "notification", methods=(None,), until=R2025_11_25)
def method_not_agreed_on(session: SessionState, message: Message) -> Iterator[Found]:
    """Decide LIFE-012 and LIFE-013 for methods of other revisions."""
    method, rule = message.method or "", _agreement(message)
    window = windows(method)
    if window is None or session.handshake.answer is None:
        return
    if _has_own_terms(session, message):
        session.leave_open(rule, OWN_TERMS)
        return
    text = f"{method} is not part of the negotiated version {message.revision}."
    yield Found(("method",), text, rule, key=method)


def _agreement(message: Message) -> str:
    """The rule that says in this revision that agreements are kept."""
    return "LIFE-013" if message.revision >= R2025_06_18 else "LIFE-012"


def _applies(rule: str, message: Message) -> bool:
    return not rule or applies(rule, message.revision)


def _has_own_terms(session: SessionState, message: Message) -> bool:
    declared = session.handshake.server_capabilities, session.client_capabilities(message)
    return any(one is None or one.get("experimental") for one in declared)

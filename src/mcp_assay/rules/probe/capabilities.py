"""What a server declares, and what it serves: each must be there where the other is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mcp_assay.model.probe import Ask, OpenStep, Reply
from mcp_assay.rules.probe.confirmation import LISTS, NO_METHOD, NO_URI, Part
from mcp_assay.rules.probe.rule import (
    KEPT,
    METHOD_NOT_FOUND,
    Dialogue,
    Known,
    Verdicts,
    fault,
    how_it_ended,
    probe,
    probe_rule,
    replay,
    undecided,
)
from mcp_assay.spec.revisions import R2025_03_26, R2026_07_28

UNDECLARED: Final[Mapping[str, str]] = {
    "tools": "CAP-001",
    "prompts": "CAP-002",
    "resources": "CAP-003",
}
"""The rule that wants each capability declared."""
NOTHING_GIVEN: Final = "the server answers a list it does not declare, but the list is empty"
NOT_REFUSED: Final = "the server rejects a list it does not declare with an error other than -32601"
NOTHING_DECLARED: Final = "the server declares no capability that has a method"
COMPLETE: Final = "completion/complete"
REPORTED_ELSEWHERE: Final = "reported under another rule"


ABOUT_DECLARATIONS: Final = (*UNDECLARED.values(), "CAP-005", "CAP-015", "VER-016")
NEVER_DECLARED: Final = "the server never said which capabilities it has"


@probe(*ABOUT_DECLARATIONS)
def declared_and_served(server: Known) -> Dialogue:
    """Ask for every list, declared or not, and for completions; then for smaller things."""
    if not server.has_declared:
        return [undecided(rule, NEVER_DECLARED) for rule in ABOUT_DECLARATIONS]
    lists = yield from _lists(server)
    undeclared: Verdicts = []
    for kind, reply in lists.items():
        if not server.declares(kind):
            undeclared += _undeclared(UNDECLARED[kind], kind, LISTS[kind], reply, kind)
    declared = {LISTS[kind]: it for kind, it in lists.items() if server.declares(kind)}
    if server.revision >= R2025_03_26:
        completing = yield Ask(COMPLETE, to_complete(server))
        if server.declares("completions"):
            declared[COMPLETE] = completing
        else:
            undeclared += _undeclared("CAP-005", "completions", COMPLETE, completing, None)
    declared |= yield from _small_things(server)
    findings = [*undeclared, *_in_vain(declared)]
    return [*findings, *((yield from _list_methods(server, lists)) if server.is_modern else [])]


def _lists(server: Known) -> Part[dict[str, Reply]]:
    """The answers to all lists; who is silent about one that is not declared is so about all."""
    lists: dict[str, Reply] = {}
    silence = None
    for kind, method in LISTS.items():
        is_declared = server.declares(kind)
        lists[kind] = silence if silence and not is_declared else (yield Ask(method))
        if lists[kind].ending == "timed_out" and not is_declared:
            silence = lists[kind]
    return lists


def _undeclared(
    rule: str, capability: str, method: str, reply: Reply, member: str | None
) -> Verdicts:
    """Judge the answer to a request for what is not declared."""
    if _unknown(reply):
        return KEPT
    if not reply.is_result:
        return [undecided(rule, NOT_REFUSED)]
    if not gives(reply.result, member):
        return [undecided(rule, NOTHING_GIVEN)]
    text = f"The server answers {method} but does not declare {capability}."
    return [fault(rule, text)]


def gives(result: dict[str, Any], member: str | None = None) -> bool:
    """Whether a result has anything to give: an empty list may be mere courtesy."""
    if member is not None:
        return bool(result.get(member))
    completion = result.get("completion")
    return isinstance(completion, dict) and bool(completion.get("values"))


def to_complete(server: Known) -> dict[str, Any]:
    """A question for the values of some argument that the server has, if it has any."""
    for prompt in server.prompts:
        arguments = prompt.get("arguments")
        first = arguments[0] if isinstance(arguments, list) and arguments else None
        name = first.get("name") if isinstance(first, dict) else None
        if isinstance(name, str) and isinstance(prompt.get("name"), str):
            ref = {"type": "ref/prompt", "name": prompt["name"]}
            return {"ref": ref, "argument": {"name": name, "value": ""}}
    ref = {"type": "ref/prompt", "name": "mcp-assay-no-such-prompt"}
    return {"ref": ref, "argument": {"name": "name", "value": ""}}


def _small_things(server: Known) -> Part[dict[str, Reply]]:
    """What the methods of smaller capabilities answer that are declared."""
    if server.is_modern:
        return {}
    uri = next((it["uri"] for it in server.resources if isinstance(it.get("uri"), str)), NO_URI)
    asked = {
        ("logging",): [Ask("logging/setLevel", {"level": "info"})],
        ("resources", "subscribe"): [
            Ask("resources/subscribe", {"uri": uri}),
            Ask("resources/unsubscribe", {"uri": uri}),
        ],
        ("tasks", "list"): [Ask("tasks/list")],
    }
    replies: dict[str, Reply] = {}
    for path, steps in asked.items():
        for step in steps if server.declares(*path) else []:
            replies[step.method] = yield step
    return replies


def _in_vain(declared: Mapping[str, Reply]) -> Verdicts:
    """Decide CAP-015 by what the methods of declared capabilities answer."""
    vain = [method for method, reply in declared.items() if _unknown(reply)]
    lost = [method for method, reply in declared.items() if reply.ending != "answered"]
    if not declared:
        return [OpenStep("CAP-015", "not_declared", NOTHING_DECLARED)]
    if lost and not vain:
        return [undecided("CAP-015", f"the server {how_it_ended(declared[lost[0]])} for {lost[0]}")]
    return [
        fault(
            "CAP-015",
            f"The server declares the capability for {method} but does not implement it.",
            key=method,
            fix=f"Implement {method}, or do not declare the capability.",
        )
        for method in vain
    ]


def _list_methods(server: Known, lists: Mapping[str, Reply]) -> Part[Verdicts]:
    """Decide VER-016 for what the other rules do not say."""
    odd = {kind: it for kind, it in lists.items() if _is_odd(server.declares(kind), it)}
    if not odd:
        return KEPT
    usual = yield Ask(NO_METHOD)
    found: Verdicts = []
    for kind, reply in odd.items():
        is_declared = server.declares(kind)
        if reply.ending != "answered" or _is_reported(is_declared, kind, reply, usual):
            continue
        what = "declares" if is_declared else "does not declare"
        text = f"The server {how_it_ended(reply)} for {LISTS[kind]} but {what} {kind}."
        found.append(fault("VER-016", text, key=kind))
    lost = [kind for kind, reply in odd.items() if reply.ending != "answered"]
    if found or not lost:
        return found or [undecided("VER-016", REPORTED_ELSEWHERE)]
    how = how_it_ended(odd[lost[0]])
    return [undecided("VER-016", f"the server {how} for {LISTS[lost[0]]}")]


def _is_odd(is_declared: bool, reply: Reply) -> bool:
    return not (reply.is_result if is_declared else _unknown(reply))


def _is_reported(is_declared: bool, kind: str, reply: Reply, usual: Reply) -> bool:
    """Whether another rule says it: about declarations, or about all unknown methods."""
    if is_declared:
        return _unknown(reply)
    if reply.is_result:
        return gives(reply.result, kind)
    return reply.code == usual.code


def _unknown(reply: Reply) -> bool:
    return reply.code == METHOD_NOT_FOUND


_UNKNOWN: Final = Reply(error={"code": METHOD_NOT_FOUND, "message": "Method not found"})
_TOOLS: Final = Known(capabilities={"tools": {}})
_MODERN: Final = Known(capabilities={"tools": {}}, revision=R2026_07_28)
_LISTED: Final = Reply(result={"tools": [{"name": "find", "inputSchema": {"type": "object"}}]})
_EMPTY: Final = Reply(result={"prompts": []})

probe_rule(
    "CAP-015",
    "declared-but-unknown",
    """The server declares a capability but does not implement its methods.

    Why: clients rely on the declaration, send the request, and show their users an error.
    Instead: implement what you declare, or do not declare it.
    """,
    of=declared_and_served,
    reason="declared_in_vain",
    good=lambda: [replay(_LISTED, _UNKNOWN, _UNKNOWN, _UNKNOWN, known=_TOOLS)],
    bad=lambda: [replay(_UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN, known=_TOOLS)],
)

probe_rule(
    "VER-016",
    "list-method-at-odds",
    """The server rejects a list it declares, or answers one it does not declare.

    Why: clients of 2026-07-28 rely on the declaration, and on error -32601 for everything else.
    Instead: answer every list you declare, and reject the others with error -32601.
    """,
    of=declared_and_served,
    reason="capability_mismatch",
    good=lambda: [replay(_LISTED, _UNKNOWN, _UNKNOWN, _UNKNOWN, known=_MODERN)],
    bad=lambda: [replay(_LISTED, _EMPTY, *[_UNKNOWN] * 3, known=_MODERN)],
)

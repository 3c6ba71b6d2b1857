"""What looks at a message of some revision, kind and method: predicates, walks of its payload."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias

from mcp_assay.model.message import Kind, Message
from mcp_assay.rules import load_message_rules
from mcp_assay.rules.faults import Faults
from mcp_assay.rules.rule import Found, Pardon, Predicate, Rule
from mcp_assay.rules.walk import Ground, Walk, walker
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.error_codes import error_shapes
from mcp_assay.spec.methods import Method, methods_in, unknown_result
from mcp_assay.spec.shape import Use
from mcp_assay.wire.pointer import Path, pointer

Group: TypeAlias = tuple[Pardon | None, tuple[tuple[str, Predicate], ...]]


UNKNOWN_PARAMS: Final[Mapping[Kind, str]] = {
    "request": "UnknownRequestParams",
    "notification": "UnknownNotificationParams",
}
"""The shapes for params of methods that the revision does not have."""


@cache
def predicates(revision: str, kind: Kind, method: str | None) -> tuple[Group, ...]:
    """The predicates that look at messages of this kind and (known) method.

    They come in groups with the question, if any, whose yes spares a message the whole group.
    """
    groups: dict[Pardon | None, list[tuple[str, Predicate]]] = {}
    for rule in load_message_rules().values():
        if rule.check is not None and concerns(rule, revision, kind, method):
            groups.setdefault(rule.unless, []).append((rule.id, rule.check))
    return tuple((unless, tuple(group)) for unless, group in groups.items())


def concerns(rule: Rule, revision: str, kind: Kind, method: str | None) -> bool:
    """Whether the rule's predicate looks at such messages."""
    on = rule.on
    methods = on.methods or (on.request_methods if kind == "request" else ())
    return (
        kind in on.kinds
        and (not methods or method in methods)
        and (kind != "result" or revision >= on.results_since)
        and applies(rule.id, revision)
    )


def walk_payload(message: Message, method: Method | None, path: Path, faults: Faults) -> None:
    """Add every fault of the message's params, result or error."""
    kind, name, revision = message.kind, method.name if method else None, message.revision
    if kind in ("request", "notification"):
        _walk_params(message, method, path, faults)
    elif kind == "result" and isinstance(message.value["result"], dict):
        _result_walk(revision, name)(message.result, (*path, "result"), faults)
    elif kind == "error" and isinstance(message.value["error"], dict):
        code = message.error.get("code")
        _error_walk(revision, code)(message.error, (*path, "error"), faults)


def _walk_params(message: Message, method: Method | None, path: Path, faults: Faults) -> None:
    place = (*path, "params")
    params = message.value.get("params", {})
    if method is not None and method.needs_params and "params" not in message.value:
        faults.append(Found(place, f"{pointer(place)} is missing.", "SCHEMA-001"))
    elif isinstance(params, dict):
        name = method.name if method else None
        _params_walk(message.revision, message.kind, name)(params, place, faults)


@cache
def _params_walk(revision: str, kind: Kind, method: str | None) -> Walk:
    known = methods_in(revision).get(method or "")
    params = known.params if known else Use(UNKNOWN_PARAMS[kind])
    return walker(params, None, Ground(revision, "SCHEMA-001"))


@cache
def _result_walk(revision: str, method: str | None) -> Walk:
    known = methods_in(revision).get(method or "")
    result = known.result if known else None
    return walker(result or unknown_result(revision), None, Ground(revision, "SCHEMA-002"))


def _error_walk(revision: str, code: object) -> Walk:
    number = code if isinstance(code, int | float) else None
    shape = error_shapes(revision).get(number, "Error")
    return walker(Use(shape), None, Ground(revision, "JSONRPC-014"))

"""What looks at a message of some revision, kind and method: predicates, walks of its payload."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from mcp_assay.model.entry import Kind, Message
from mcp_assay.rules import load
from mcp_assay.rules.engine.faults import Faults
from mcp_assay.rules.engine.rule import Found, Predicate, Rule, SkipIf
from mcp_assay.rules.engine.walk import ShapeContext, Walk, thorough_walker, walker
from mcp_assay.spec.catalogue import applies
from mcp_assay.spec.methods import Method, error_shapes, methods_in, unknown_result
from mcp_assay.spec.shape import Type, Use
from mcp_assay.wire.pointer import Path, pointer

Group: TypeAlias = tuple[SkipIf | None, tuple[tuple[str, Predicate], ...]]
Walks: TypeAlias = tuple[Walk, Walk]
"""The check of a payload that may take a shortcut past the whole of it, and one that does not."""


UNKNOWN_PARAMS: Final[Mapping[Kind, str]] = {
    "request": "UnknownRequestParams",
    "notification": "UnknownNotificationParams",
}
"""The shapes for params of methods that the revision does not have."""


PARTS: Final[Mapping[Kind, str]] = {
    "request": "params",
    "notification": "params",
    "result": "result",
    "error": "error",
}
"""The member that messages of a kind are sent for."""


@cache
def predicates(revision: str, kind: Kind, method: str | None) -> tuple[Group, ...]:
    """The predicates that look at messages of this kind and (known) method.

    They come in groups with the question, if any, whose yes spares a message the whole group.
    """
    groups: dict[SkipIf | None, list[tuple[str, Predicate]]] = {}
    for rule in load("message").values():
        if rule.check is not None and concerns(rule, revision, kind, method):
            groups.setdefault(rule.skip_if, []).append((rule.id, rule.check))
    return tuple((skip_if, tuple(group)) for skip_if, group in groups.items())


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
    """Add every fault of the message's params, result or error.

    Where nothing has been found so far, the fault is most likely here: no shortcut is tried then.
    """
    part = PARTS.get(message.kind)
    if part is None:
        return
    place = (*path, part)
    payload = message.value.get(part, {})
    if method is not None and method.needs_params and part not in message.value:
        faults.append(Found(place, f"{pointer(place)} is missing.", "SCHEMA-001"))
    elif payload.__class__ is dict:
        name = method.name if method else None
        shortcut, thorough = _walks(message.revision, message.kind, name, payload)
        (shortcut if faults else thorough)(payload, place, faults)


def _walks(revision: str, kind: Kind, method: str | None, payload: dict[str, Any]) -> Walks:
    if kind == "error":
        return _error_walks(revision, payload.get("code"))
    if kind == "result":
        return _result_walks(revision, method)
    return _params_walks(revision, kind, method)


@cache
def _params_walks(revision: str, kind: Kind, method: str | None) -> Walks:
    known = methods_in(revision).get(method or "")
    params = known.params if known else Use(UNKNOWN_PARAMS[kind])
    return _both(params, ShapeContext(revision, "SCHEMA-001"))


@cache
def _result_walks(revision: str, method: str | None) -> Walks:
    known = methods_in(revision).get(method or "")
    result = known.result if known else None
    return _both(result or unknown_result(revision), ShapeContext(revision, "SCHEMA-002"))


def _error_walks(revision: str, code: object) -> Walks:
    number = code if isinstance(code, int | float) else None
    shape = error_shapes(revision).get(number, "Error")
    return _both(Use(shape), ShapeContext(revision, "JSONRPC-014"))


def _both(type: Type, ground: ShapeContext) -> Walks:
    return walker(type, None, ground), thorough_walker(type, ground)

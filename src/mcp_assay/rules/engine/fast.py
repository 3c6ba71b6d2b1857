"""The fast path: one compiled check per (revision, kind, method), made on first use and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from functools import cache
from typing import Any, Final

from mcp_assay.model.entry import Direction, Kind
from mcp_assay.rules import load
from mcp_assay.rules.engine import strict_shapes
from mcp_assay.rules.engine.payload import concerns
from mcp_assay.rules.engine.rule import FastCheck
from mcp_assay.rules.engine.strict_shapes import TOKEN, Accepts, JsonSchema
from mcp_assay.spec.methods import Method, error_shapes, methods_in, unknown_result
from mcp_assay.spec.revisions import DEFAULT_REVISION, require_revision
from mcp_assay.spec.shape import Type, Use
from mcp_assay.spec.shapes import SHAPES

UNCOMPILED_AT_FIRST: Final = 2
"""So many messages of a method take the slow path before its check is compiled: a short file is
judged sooner without the compiler."""


def refuse(value: dict[str, Any]) -> bool:
    """Accept nothing: the slow path decides."""
    return False


class Checks(dict[str | None, Accepts]):
    """The compiled checks of one kind by method; all methods that nobody knows share one, None."""

    __slots__ = ("compiler", "names", "seen")

    def __init__(self, names: Collection[str], compiler: Callable[[str | None], Accepts]) -> None:
        super().__init__()
        self.names: Final = names
        self.compiler: Final = compiler
        self.seen: Final[Counter[str | None]] = Counter()

    def __missing__(self, method: str | None) -> Accepts:
        if method is not None and method not in self.names:
            return self[None]
        if self.seen[method] < UNCOMPILED_AT_FIRST:
            self.seen[method] += 1
            return refuse
        return self.compile(method)

    def compile(self, method: str | None) -> Accepts:
        """Compile the check of a method now."""
        check = self[method] = self.compiler(method)
        return check


class FastChecks:
    """The compiled checks of one revision."""

    __slots__ = ("errors", "notifications", "requests", "results", "revision")

    def __init__(self, revision: str) -> None:
        names = methods_in(revision).keys()
        self.revision: Final = revision
        self.requests: Final = self._by_direction("request")
        self.notifications: Final = self._by_direction("notification")
        self.results: Final = Checks(names, lambda method: _compiled(revision, "result", method))
        self.errors: Final = Checks((), lambda method: _compiled(revision, "error", None))

    def _by_direction(self, kind: Kind) -> dict[Direction | None, Checks]:
        names = methods_in(self.revision).keys()
        return {
            direction: Checks(names, self._compiler(kind, direction))
            for direction in ("c2s", "s2c", None)
        }

    def _compiler(self, kind: Kind, direction: Direction | None) -> Callable[[str | None], Accepts]:
        def compiler(name: str | None) -> Accepts:
            method = methods_in(self.revision).get(name or "")
            if method is None or method.kind != kind:
                return refuse
            if direction is not None and direction not in method.senders:
                return refuse
            return _compiled(self.revision, kind, name)

        return compiler


@cache
def fast_checks(revision: str) -> FastChecks:
    """The checks of a revision, shared by all sessions."""
    return FastChecks(revision)


class FollowedChecks:
    """The checks of the revision that a session goes by, and of the methods that it has met.

    Without a revision of its own it follows the one that the peers name.
    """

    __slots__ = ("current", "follows", "met")

    def __init__(self, revision: str | None) -> None:
        self.follows: Final = revision is None
        self.current = fast_checks(
            DEFAULT_REVISION if revision is None else require_revision(revision)
        )
        self.met: Final[dict[Direction | None, dict[str, Accepts]]] = {
            "c2s": {},
            "s2c": {},
            None: {},
        }
        """The hot path looks here itself."""

    def follow(self, revision: str | None) -> bool:
        """Go over to the revision that the peers name; tell whether that changed anything."""
        if not self.follows or revision is None or revision == self.current.revision:
            return False
        self.current = fast_checks(revision)
        for met in self.met.values():
            met.clear()
        return True

    def meet(self, value: dict[str, Any], method: str, direction: Direction | None) -> Accepts:
        """The check of a method that the session has not had yet."""
        kinds = self.current.requests if "id" in value else self.current.notifications
        check = kinds[direction][method]
        if check is not refuse and not (self.follows and method == "initialize"):
            self.met[direction][method] = check
        return check


@cache
def _compiled(revision: str, kind: Kind, method: str | None) -> Accepts:
    is_valid = strict_shapes.compiled(message_schema(revision, kind, method))
    return _with_rules(is_valid, _rule_checks(revision, kind, method))


def _rule_checks(revision: str, kind: Kind, method: str | None) -> tuple[FastCheck, ...]:
    return tuple(
        rule.fast_check
        for rule in load("message").values()
        if rule.fast_check is not None and concerns(rule, revision, kind, method)
    )


def _with_rules(accepts: Accepts, checks: tuple[FastCheck, ...]) -> Accepts:
    for check in checks:
        accepts = _both(accepts, check)
    return accepts


def _both(first: Accepts, second: Accepts) -> Accepts:
    return lambda value: first(value) and second(value)


def message_schema(revision: str, kind: Kind, method: str | None) -> JsonSchema:
    """The strict JSON Schema of a whole message of one kind and method."""
    known = methods_in(revision).get(method or "")
    if kind == "error":
        return _error(revision)
    if kind == "result":
        result = (known.result if known else None) or unknown_result(revision)
        members = {"id": TOKEN, "result": strict_shapes.schema(result, revision)}
        return strict_shapes.envelope(members, frozenset())
    if known is None:
        raise ValueError(f"{revision} has no {kind} {method!r}")
    return _call(known, revision)


def _error(revision: str) -> JsonSchema:
    special = error_shapes(revision)
    plain = {
        "allOf": [
            strict_shapes.schema(Use("Error"), revision),
            {"properties": {"code": {"not": {"enum": list(special)}}}} if special else {},
        ]
    }
    others = [
        {
            "allOf": [
                strict_shapes.schema(Use(shape), revision),
                {"properties": {"code": {"const": code}}},
            ]
        }
        for code, shape in special.items()
    ]
    return strict_shapes.envelope({"id": TOKEN, "error": {"anyOf": [plain, *others]}}, frozenset())


def _call(method: Method, revision: str) -> JsonSchema:
    members: dict[str, JsonSchema] = {"method": {"const": method.name}}
    if method.kind == "request":
        members["id"] = TOKEN
    members["params"] = strict_shapes.schema(method.params, revision)
    needed = method.needs_params or _needs_members(method.params, revision)
    return strict_shapes.envelope(members, frozenset() if needed else frozenset({"params"}))


def _needs_members(params: Type, revision: str) -> bool:
    """Whether params of this type cannot be empty, and so cannot be absent either."""
    if not isinstance(params, Use):
        return True
    return any(field.need != "optional" for field in SHAPES[params.shape].fields_in(revision))

"""Which rules look at a message: so that silence about a rule is not taken for a pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from mcp_assay.model.entry import Direction, Kind
from mcp_assay.rules import load
from mcp_assay.rules.engine.payload import UNKNOWN_PARAMS, predicates
from mcp_assay.session.state import CompareTools, RunState
from mcp_assay.spec.catalogue import applies, blames_sender
from mcp_assay.spec.formats import FORMATS
from mcp_assay.spec.methods import error_shapes, methods_in, unknown_result
from mcp_assay.spec.shape import (
    Choice,
    Either,
    Extensions,
    Field,
    ListOf,
    MapOf,
    Meta,
    Shape,
    Text,
    Type,
    Use,
)
from mcp_assay.spec.shapes import SHAPES

if TYPE_CHECKING:
    from mcp_assay.schema.checker import Worker

OF_EVERY_MESSAGE: Final = (
    "JSONRPC-001",
    "JSONRPC-003",
    "JSONRPC-018",
    "JSONRPC-019",
    "BATCH-001",
    "LIMIT-001",
    "LIMIT-002",
    "LIMIT-003",
)
OF_BATCHES: Final = ("BATCH-002", "BATCH-003")
OF_CALLS: Final = ("SCHEMA-001", "SCHEMA-003", "SCHEMA-004", "PROG-006", "TASK-010")
OF_OBJECTS: Final = ("SCHEMA-005", "LINT-001")
OF_META: Final = ("META-002", "META-003", "META-004", "META-005")


Judged: TypeAlias = tuple[Kind, str | None, Direction | None]
"""What tells which rules a message decides: its kind, its method and its sender, if known."""


class DecidedMark(Struct, frozen=True):
    """What was decided up to some moment, to go back to."""

    messages: dict[str, set[Judged]]
    batches: set[tuple[str, Direction | None]]
    session_rules: set[str]
    left_open: Counter[tuple[str, str]]


class DecidedRules(RunState):
    """The messages that were judged, by revision: the kind of each, its method and its sender."""

    __slots__ = ("batches", "messages")

    def __init__(
        self, worker: Worker | None = None, *, compare_tools: CompareTools | None = None
    ) -> None:
        super().__init__(worker, compare_tools=compare_tools)
        self.messages: Final = defaultdict[str, set[Judged]](set)
        self.batches: Final = set[tuple[str, Direction | None]]()

    def note(
        self, revision: str, kind: Kind, method: str | None, sender: Direction | None = None
    ) -> None:
        """Note a message; names that the revision does not have must not pile up."""
        known = method if method in methods_in(revision) else None
        self.messages[revision].add((kind, known, sender))

    def so_far(self) -> DecidedMark:
        """What was decided up to now."""
        messages = {revision: set(seen) for revision, seen in self.messages.items()}
        return DecidedMark(
            messages, set(self.batches), set(self.session_rules), Counter(self.left_open)
        )

    def go_back_to(self, mark: DecidedMark) -> None:
        """Forget what was decided, or left open, since then."""
        self.messages.clear()
        self.messages.update(mark.messages)
        self.batches.intersection_update(mark.batches)
        self.session_rules.intersection_update(mark.session_rules)
        self.left_open.clear()
        self.left_open.update(mark.left_open)

    def decided(self) -> frozenset[str]:
        """The rules that at least one of the messages could have broken."""
        return frozenset(rule for rules in self._decided() for rule in rules)

    def _decided(self) -> Iterator[frozenset[str]]:
        for revision, seen in self.messages.items():
            for message in seen:
                yield deciding(revision, *message)
        for revision, sender in self.batches:
            bound = (rule for rule in OF_BATCHES if blames_sender(rule, sender))
            yield frozenset(rule for rule in bound if applies(rule, revision))


@cache
def deciding(
    revision: str, kind: Kind, method: str | None, sender: Direction | None = None
) -> frozenset[str]:
    """The rules that a message of this revision, kind and method decides: those of its sender."""
    named = {id for _, group in predicates(revision, kind, method) for id, _ in group}
    named.update(OF_EVERY_MESSAGE, OF_OBJECTS, _of_payload(revision, kind, method))
    known = named & load("message").keys()
    bound = (rule for rule in known if blames_sender(rule, sender))
    return frozenset(rule for rule in bound if applies(rule, revision))


def _of_payload(revision: str, kind: Kind, method: str | None) -> Iterator[str]:
    known = methods_in(revision).get(method or "")
    if kind in ("request", "notification"):
        yield from OF_CALLS
        yield from of_type(known.params if known else Use(UNKNOWN_PARAMS[kind]), revision)
    elif kind == "result":
        yield from ["SCHEMA-002"] if known else []
        result = known.result if known else None
        yield from of_type(result or unknown_result(revision), revision)
    elif kind == "error":
        for shape in ("Error", *error_shapes(revision).values()):
            yield from of_type(Use(shape), revision)


@cache
def of_type(type: Type, revision: str) -> frozenset[str]:
    """The rules that a value of this type decides."""
    return frozenset(rule.partition("/")[0] for rule in _references(type, revision))


def _references(type: Type, revision: str) -> Iterator[str]:
    if isinstance(type, Text):
        yield from [type.rule] if type.rule else []
        checks = FORMATS[type.format].checks if type.format else ()
        yield from (check.rule for check in checks if check.rule)
    elif isinstance(type, ListOf):
        yield from [type.most_rule] if type.most_rule else []
        yield from of_type(type.item, revision)
    elif isinstance(type, MapOf):
        yield from of_type(type.value, revision)
    elif isinstance(type, Use | Meta):
        yield from OF_META if isinstance(type, Meta) else ()
        yield from _of_shape(SHAPES[type.shape], revision)
    elif isinstance(type, Extensions):
        yield "META-014"
    elif isinstance(type, Choice | Either):
        yield from _of_alternatives(type, revision)


def _of_alternatives(type: Choice | Either, revision: str) -> Iterator[str]:
    if isinstance(type, Either):
        for option in type.options:
            yield from of_type(option.type, revision) if option.since <= revision else ()
        return
    yield type.rule
    for case in type.cases:
        if case.since <= revision <= case.until:
            yield from of_type(Use(case.shape), revision)


def _of_shape(shape: Shape, revision: str) -> Iterator[str]:
    yield from (rule for rule in (shape.rule, shape.exactly_one_rule) if rule)
    for field in shape.fields_in(revision):
        yield from _of_field(field, revision)


def _of_field(field: Field, revision: str) -> Iterator[str]:
    inside = of_type(field.type, revision)
    renamed = dict(field.remap)
    yield from (renamed.get(rule, rule) for rule in inside)
    yield from (renamed[rule] for rule in renamed)
    yield from (rule for rule in (field.rule, field.absent) if rule)

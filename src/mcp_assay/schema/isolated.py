"""Checks for a process that can be stopped: wild schemas, and containment of schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from msgspec import Struct, json

from mcp_assay.schema.engine import Engine, UnsafePattern, compiled, compiled_with_any_pattern
from mcp_assay.schema.limits import MAX_PROBLEMS
from mcp_assay.schema.messages import INVALID, VALID, SchemaVerdict, problems, undecided
from mcp_assay.schema.outline import RefusedSchema
from mcp_assay.schema.preflight import survey

NOT_KNOWN: Final = "It is unclear whether one schema accepts everything that the other accepts."


def containment(larger: bytes, smaller: bytes) -> Iterator[IsolatedAnswer]:
    """Compare two schemas, both as JSON texts."""
    yield IsolatedAnswer(_verdict(larger, smaller), final=True)


def _verdict(larger: bytes, smaller: bytes) -> SchemaVerdict:
    import jsonschema_rs  # noqa: PLC0415  slow to import

    try:
        one, other = (jsonschema_rs.canonicalize(json.decode(it)) for it in (larger, smaller))
        found = str(one.covers(other))
    except Exception:  # noqa: BLE001  the comparison is experimental: whatever it raises says nothing
        return undecided(NOT_KNOWN)
    return {"yes": VALID, "no": INVALID}.get(found, undecided(NOT_KNOWN))


COMPILED_SCHEMAS: Final = 32
UNMATCHED_KINDS: Final = frozenset({"BacktrackLimitExceeded", "RegexEngineFailure"})
UNMATCHED: Final = "A pattern of the schema could not be matched to its end."


class IsolatedAnswer(Struct, frozen=True):
    """What is known by now."""

    verdict: SchemaVerdict
    final: bool


def answers(schema: bytes, value: bytes) -> Iterator[IsolatedAnswer]:
    """Check a value against a schema, both as JSON texts: an answer as soon as there is one."""
    try:
        engine, is_linear = _engine(schema)
    except RefusedSchema as refusal:
        yield IsolatedAnswer(undecided(f"The schema {refusal}."), final=True)
        return
    instance = json.decode(value)
    if engine.is_valid(instance):
        yield IsolatedAnswer(VALID, final=True)
        return
    yield IsolatedAnswer(INVALID if is_linear else undecided(UNMATCHED), final=False)
    yield IsolatedAnswer(_explained(_first_error(engine, instance), instance), final=False)
    yield IsolatedAnswer(_explained(engine.iter_errors(instance), instance), final=True)


@lru_cache(maxsize=COMPILED_SCHEMAS)
def _engine(text: bytes) -> tuple[Engine, bool]:
    """The compiled schema, and whether all of its patterns take linear time."""
    found = survey(text)
    if found.sort == "refused":
        raise RefusedSchema(str(found.reason))
    try:
        return compiled(found), True
    except UnsafePattern:
        return compiled_with_any_pattern(found), False


def _first_error(engine: Engine, instance: Any) -> Iterator[ValueError]:
    try:
        engine.validate(instance)
    except ValueError as error:
        yield error


def _explained(errors: Iterable[Any], instance: Any) -> SchemaVerdict:
    first = list(islice(errors, MAX_PROBLEMS))
    if any(type(error.kind).__name__ in UNMATCHED_KINDS for error in first):
        return undecided(UNMATCHED)
    return SchemaVerdict("invalid", problems(first, instance))

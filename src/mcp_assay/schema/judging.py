"""One check of a wild schema, for a process that can be stopped: the outcome first, then why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from msgspec import Struct, json

from mcp_assay.schema.engine import Engine, UnsafePattern, compiled, compiled_with_any_pattern
from mcp_assay.schema.limits import MAX_PROBLEMS
from mcp_assay.schema.outline import RefusedSchema
from mcp_assay.schema.preflight import survey
from mcp_assay.schema.telling import problems
from mcp_assay.schema.verdict import INVALID, VALID, Verdict, undecided

COMPILED_SCHEMAS: Final = 32
UNMATCHED_KINDS: Final = frozenset({"BacktrackLimitExceeded", "RegexEngineFailure"})
UNMATCHED: Final = "A pattern of the schema could not be matched to its end."


class Answer(Struct, frozen=True):
    """What is known by now."""

    verdict: Verdict
    final: bool


def answers(schema: bytes, value: bytes) -> Iterator[Answer]:
    """Check a value against a schema, both as JSON texts: an answer as soon as there is one."""
    try:
        engine, is_linear = _engine(schema)
    except RefusedSchema as refusal:
        yield Answer(undecided(f"The schema {refusal}."), final=True)
        return
    instance = json.decode(value)
    if engine.is_valid(instance):
        yield Answer(VALID, final=True)
        return
    yield Answer(INVALID if is_linear else undecided(UNMATCHED), final=False)
    yield Answer(_explained(_first_error(engine, instance), instance), final=False)
    yield Answer(_explained(engine.iter_errors(instance), instance), final=True)


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


def _explained(errors: Iterable[Any], instance: Any) -> Verdict:
    first = list(islice(errors, MAX_PROBLEMS))
    if any(type(error.kind).__name__ in UNMATCHED_KINDS for error in first):
        return undecided(UNMATCHED)
    return Verdict("invalid", problems(first, instance))

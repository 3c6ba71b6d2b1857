"""Values checked against schemas that come from a server: tame ones here, wild ones in a worker."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from mcp_assay.schema.cost import Size, measured
from mcp_assay.schema.engine import Engine, LateEngine, UnsafePattern, compiled, is_plain
from mcp_assay.schema.limits import (
    MAX_MATCHED_CHARACTERS,
    MAX_POSSIBLE_PROBLEMS,
    MAX_PREPARED,
    MAX_PREPARED_BYTES,
    MAX_STEPS,
)
from mcp_assay.schema.messages import (
    INVALID,
    VALID,
    NotJson,
    Outcome,
    SchemaProblem,
    SchemaVerdict,
    json_text,
    problems,
    undecided,
)
from mcp_assay.schema.outline import RefusedSchema
from mcp_assay.schema.preflight import Sort, Survey, Why, refused, survey

__all__ = ["Outcome", "Prepared", "SchemaProblem", "SchemaVerdict", "Schemas", "Worker"]

Accepts: TypeAlias = Callable[[Any], bool]

_NO_WORKER: Final = "no worker is available to stop a slow check"


class Worker(Protocol):
    """Checks what may take too long, in a place where it can be stopped."""

    def check(self, schema: bytes, value: bytes) -> SchemaVerdict:
        """Check a value against a schema, both as JSON texts; never raises."""


class Prepared:
    """A schema that is ready for use, or the reason why it is not."""

    __slots__ = (
        "_effort",
        "_engine",
        "_text",
        "_worker",
        "accepts",
        "because",
        "most_bytes",
        "place",
        "reason",
        "sort",
        "why",
    )

    def __init__(self, text: bytes, found: Survey, worker: Worker | None) -> None:
        found, engine = _compiled(found)
        self._text: Final = text
        self._worker: Final = worker
        self._engine: Final = engine
        self._effort: Final = found.effort
        self.sort: Final[Sort] = found.sort
        self.why: Final[Why | None] = found.why
        """Why the schema is not tame, for programs; None where it is."""
        self.because: Final = found.reason
        """Why it is not, as the end of a sentence about the schema."""
        self.place: Final = found.place
        """Where in the schema the reason lies, as far as that is known."""
        self.reason: Final = _sentence(found)
        """Why the schema is not tame, as a sentence; None where it is."""
        self.accepts: Final[Accepts | None] = engine.is_valid if engine else None
        """The compiled check of a tame schema, for values that orjson has made of short texts."""
        self.most_bytes: Final = _most_bytes(found)
        """How long the text of a value may be for `accepts`; longer ones are for `check`."""

    def check(self, value: object, *, explained: bool = True) -> SchemaVerdict:
        """Check a value, whatever it is, and say why it does not fit if wanted; never raises."""
        if self.sort == "refused":
            return undecided(str(self.reason))
        try:
            return self._check(*measured(value), explained)
        except NotJson as fault:
            return undecided(f"The value cannot be checked: {fault}.")

    def _check(self, value: object, size: Size, explained: bool) -> SchemaVerdict:
        if self._engine is None or not self._is_quick(size):
            return self._check_elsewhere(value)
        if self._engine.is_valid(value):
            return VALID
        return self._explain(self._engine, value, size) if explained else INVALID

    def _is_quick(self, size: Size) -> bool:
        effort = self._effort
        if effort is None or size.values * effort.weight > MAX_STEPS:
            return False
        return not effort.matches or size.characters <= MAX_MATCHED_CHARACTERS

    def _check_elsewhere(self, value: object) -> SchemaVerdict:
        if self._worker is not None:
            return self._worker.check(self._text, json_text(value))
        return undecided(self.reason or f"The value is large, and {_NO_WORKER}.")

    def _explain(self, engine: Engine, value: object, size: Size) -> SchemaVerdict:
        if self._effort and size.values * self._effort.visits <= MAX_POSSIBLE_PROBLEMS:
            return SchemaVerdict("invalid", problems(engine.iter_errors(value), value))
        explained = self._check_elsewhere(value)
        return explained if explained.outcome == "invalid" else INVALID


class Schemas:
    """The schemas of a run, each prepared once; those that were not used for longest are let go."""

    def __init__(self, worker: Worker | None = None, most: int = MAX_PREPARED) -> None:
        self._worker: Final = worker
        self._most: Final = most
        self._bytes = 0
        self._prepared: OrderedDict[bytes, Prepared] = OrderedDict()

    def prepare(self, schema: object) -> Prepared:
        """Make a schema ready for use, whatever it is; never raises."""
        try:
            text = json_text(schema)
        except NotJson as fault:
            odd = Survey("refused", f"is not plain JSON: {fault}", why="too large")
            return Prepared(b"", odd, None)
        known = self._prepared.get(text)
        if known is None:
            return self._keep(text, Prepared(text, survey(text), self._worker))
        self._prepared.move_to_end(text)
        return known

    def _keep(self, text: bytes, prepared: Prepared) -> Prepared:
        self._prepared[text] = prepared
        self._bytes += len(text)
        while len(self._prepared) > self._most or self._bytes > MAX_PREPARED_BYTES:
            oldest, _ = self._prepared.popitem(last=False)
            self._bytes -= len(oldest)
        return prepared


def _compiled(found: Survey) -> tuple[Survey, Engine | None]:
    """Compile a tame schema; the compiler may find out that it is not tame."""
    if found.sort != "tame":
        return found, None
    if is_plain(found.document):
        return found, LateEngine(found)
    try:
        return found, compiled(found)
    except RefusedSchema as refusal:
        return refused(refusal), None
    except UnsafePattern as pattern:
        slow = f"has a pattern at {pattern} that may take very long"
        return Survey("wild", slow, why="pattern"), None


def _sentence(found: Survey) -> str | None:
    if found.sort == "wild":
        return f"The schema {found.reason}, and {_NO_WORKER}."
    return f"The schema {found.reason}." if found.sort == "refused" else None


def _most_bytes(found: Survey) -> int:
    if found.sort != "tame" or found.effort is None:
        return 0
    most = MAX_STEPS // found.effort.weight
    return min(most, MAX_MATCHED_CHARACTERS) if found.effort.matches else most

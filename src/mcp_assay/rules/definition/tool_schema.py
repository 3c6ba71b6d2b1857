"""A schema in a tool's definition: its parts, its references, and values checked against a part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from mcp_assay.schema.checker import Prepared, Schemas, SchemaVerdict
from mcp_assay.schema.keywords import REFERENCES, Schema, Subschema, dialect_of, parts
from mcp_assay.schema.messages import undecided
from mcp_assay.schema.outline import DeadReference, RefusedSchema, SchemaOutline
from mcp_assay.wire.pointer import Path

SHELVES: Final = ("$defs", "definitions")
"""Where a schema keeps what its references lead to."""

_ELSEWHERE: Final = "Its references lead elsewhere than to $defs or definitions."
_TOO_MUCH: Final = "There are too many values to check."


class Stamina:
    """What may be spent on checking values, in subschemas that are compiled for it."""

    def __init__(self, left: int = 300_000) -> None:
        self.left = left

    def spend(self, cost: int) -> bool:
        """Whether there is enough left, which is then spent."""
        self.left -= cost
        return self.left >= 0


class ToolSchema:
    """An inputSchema or outputSchema; what is found out about it is found out once."""

    def __init__(self, keyword: str, document: Schema, schemas: Schemas, stamina: Stamina) -> None:
        self.keyword: Final = keyword
        self.document: Final = document
        self._schemas: Final = schemas
        self._stamina: Final = stamina

    @cached_property
    def prepared(self) -> Prepared:
        """The schema as a whole, ready for use or refused."""
        return self._schemas.prepare(self.document)

    @cached_property
    def _parts(self) -> tuple[list[Subschema], bool]:
        return parts(self.document)

    @property
    def parts(self) -> list[Subschema]:
        """The schema and those inside it, as many as are looked at."""
        return self._parts[0]

    @property
    def is_all_seen(self) -> bool:
        """Whether all of its parts are looked at."""
        return self._parts[1]

    def prepared_in(self, dialect: str) -> Prepared:
        """The schema as a whole, in a dialect that it does not name itself."""
        return self._schemas.prepare({**self.document, "$schema": dialect})

    def dead_references(self) -> list[tuple[Path, DeadReference]]:
        """The references that lead outside or nowhere, and where each of them stands."""
        if self.prepared.why not in ("outside", "nowhere"):
            return []
        try:
            dead = SchemaOutline(self.document).dead
        except RefusedSchema:
            return []
        places = {id(part.schema): part.path for part in self.parts}
        return [(places[id(one.holder)], one) for one in dead if id(one.holder) in places]

    def check(self, part: Subschema, values: Iterable[Any]) -> list[SchemaVerdict]:
        """Check values against a part, which stands in for the whole."""
        inner = parts(part.schema)[0]
        needs_shelves = any(_references(inner))
        cost = len(inner) + (len(self._shelved) if needs_shelves else 0)
        if not self._stamina.spend(cost):
            return [undecided(_TOO_MUCH) for _ in values]
        alone = self._with_shelves(part.schema, inner) if needs_shelves else part.schema
        if alone is None:
            return [undecided(_ELSEWHERE) for _ in values]
        prepared = self._schemas.prepare({**alone, **self._dialect()})
        return [prepared.check(value) for value in values]

    def _dialect(self) -> Schema:
        dialect = self.document.get("$schema")
        return {"$schema": dialect} if dialect_of(dialect) else {}

    @cached_property
    def _shelves(self) -> Schema:
        return {name: self.document[name] for name in SHELVES if name in self.document}

    @cached_property
    def _shelved(self) -> list[Subschema]:
        return parts(self._shelves)[0]

    def _with_shelves(self, schema: Schema, inner: list[Subschema]) -> Schema | None:
        """A part with all that its references lead to, None where that is not so simple."""
        if schema is self.document:
            return schema
        starts = tuple(f"#/{name}/" for name in SHELVES)
        references = (*_references(inner), *_references(self._shelved))
        is_simple = all(reference.startswith(starts) for reference in references)
        return {**schema, **self._shelves} if is_simple and not _has_shelves(schema) else None


def _has_shelves(schema: Schema) -> bool:
    return any(name in schema for name in SHELVES)


def _references(found: list[Subschema]) -> Iterator[str]:
    for part in found:
        for keyword in REFERENCES:
            if isinstance(reference := part.schema.get(keyword), str):
                yield reference

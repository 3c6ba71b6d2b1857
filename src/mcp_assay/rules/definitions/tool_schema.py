"""A schema in a tool's definition: its parts, its references, and values checked against a part."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from mcp_assay.schema.checking import Prepared, Schemas, Verdict
from mcp_assay.schema.keywords import REFERENCES, Schema, dialect_of
from mcp_assay.schema.outline import DeadReference, Outline, RefusedSchema
from mcp_assay.schema.parts import Part, parts
from mcp_assay.schema.verdict import undecided
from mcp_assay.wire.pointer import Path

SHELVES: Final = ("$defs", "definitions")
"""Where a schema keeps what its references lead to."""

_ELSEWHERE: Final = "its references lead elsewhere than to $defs or definitions"


class ToolSchema:
    """An inputSchema or outputSchema; what is found out about it is found out once."""

    def __init__(self, keyword: str, document: Schema, schemas: Schemas) -> None:
        self.keyword: Final = keyword
        self.document: Final = document
        self._schemas: Final = schemas

    @cached_property
    def prepared(self) -> Prepared:
        """The schema as a whole, ready for use or refused."""
        return self._schemas.prepare(self.document)

    @cached_property
    def _parts(self) -> tuple[list[Part], bool]:
        return parts(self.document)

    @property
    def parts(self) -> list[Part]:
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
            dead = Outline(self.document).dead
        except RefusedSchema:
            return []
        places = {id(part.schema): part.path for part in self.parts}
        return [(places[id(one.holder)], one) for one in dead if id(one.holder) in places]

    def check(self, part: Part, value: Any) -> Verdict:
        """Check a value against a part, which stands in for the whole."""
        alone = self._standing_alone(part.schema)
        return undecided(_ELSEWHERE) if alone is None else self._schemas.prepare(alone).check(value)

    def _standing_alone(self, schema: Schema) -> Schema | None:
        """A part with all that its references lead to, None where that is not so simple."""
        dialect = self.document.get("$schema")
        named: Schema = {"$schema": dialect} if dialect_of(dialect) else {}
        if not _references(schema):
            return {**schema, **named}
        shelves: Schema = {name: self.document[name] for name in SHELVES if name in self.document}
        alone: Schema = {**schema, **named, **shelves}
        starts = tuple(f"#/{name}/" for name in SHELVES)
        is_simple = all(reference.startswith(starts) for reference in _references(alone))
        return alone if is_simple and not shelves.keys() & schema.keys() else None


def _references(schema: Schema) -> list[str]:
    found = (part.schema.get(keyword) for part in parts(schema)[0] for keyword in REFERENCES)
    return [reference for reference in found if isinstance(reference, str)]

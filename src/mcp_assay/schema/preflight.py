"""Sorts the text of a schema before anything is done with it: tame, wild or refused."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, json

from mcp_assay.schema.cost import Effort, Unforeseeable, foresee
from mcp_assay.schema.keywords import CONTENT, DRAFT_2020_12, Dialect, Schema
from mcp_assay.schema.limits import (
    MAX_SCHEMA_BYTES,
    MAX_WEIGHT,
    REFUSED_BEYOND,
    WILD_BEYOND,
)
from mcp_assay.schema.outline import Refusal, RefusedSchema, SchemaOutline, levels
from mcp_assay.wire.pointer import Path

Sort: TypeAlias = Literal["tame", "wild", "refused"]
Why: TypeAlias = Refusal | Literal["costly", "unclear", "pattern"]
"""Why a schema is not tame: it is refused, or a check may cost much, it is unclear where references
lead, or a pattern may take long."""

_UNCLEAR: Final = "has references that only a check can follow"
_GROWING: Final = "may apply very many subschemas to the same value"
_HEAVY: Final = "has too many alternatives or patterns for one value"
_LARGE: Final = "is large"


class Survey(Struct, frozen=True):
    """What is known of a schema before it is used."""

    sort: Sort
    reason: str | None = None
    """Why it is not tame, as the end of a sentence about the schema."""
    document: Schema | bool = False
    """The schema, without annotations that an engine might take for more."""
    dialect: Dialect = DRAFT_2020_12
    effort: Effort | None = None
    why: Why | None = None
    place: Path = ()
    """Where in the schema the reason lies, as far as that is known."""


def refused(refusal: RefusedSchema) -> Survey:
    """What is known of a schema that is not used."""
    return Survey("refused", str(refusal), why=refusal.why, place=refusal.place)


def survey(text: bytes) -> Survey:
    """Sort the JSON text of a schema; never raises."""
    try:
        return _survey(_document(text))
    except RefusedSchema as refusal:
        return refused(refusal)


def _document(text: bytes) -> Any:
    if len(text) > MAX_SCHEMA_BYTES:
        raise RefusedSchema(f"has more than {MAX_SCHEMA_BYTES:,} bytes", "too large")
    try:
        document = json.decode(text)
    except (ValueError, RecursionError):
        raise RefusedSchema("is not valid JSON", "too large") from None
    if levels(document) > REFUSED_BEYOND.depth:
        deep = f"is nested more than {REFUSED_BEYOND.depth} levels deep"
        raise RefusedSchema(deep, "too large")
    return document


def _survey(document: Any) -> Survey:
    if isinstance(document, bool):
        return Survey("tame", document=document, effort=Effort(1, 1, matches=False))
    if not isinstance(document, dict):
        raise RefusedSchema("is neither an object nor a boolean")
    outline = SchemaOutline(document)
    if outline.dead:
        raise outline.dead[0].refusal
    for schema in outline.schemas:
        for keyword in CONTENT:
            schema.pop(keyword, None)
    effort, reason = _foreseen(outline)
    if reason is None:
        return Survey("tame", None, document, outline.dialect, effort)
    why: Why = "unclear" if reason == _UNCLEAR else "costly"
    return Survey("wild", reason, document, outline.dialect, effort, why)


def _foreseen(outline: SchemaOutline) -> tuple[Effort | None, str | None]:
    if not outline.foreseeable:
        return None, _UNCLEAR
    if _is_large(outline):
        return None, _LARGE
    try:
        effort = foresee(outline)
    except Unforeseeable:
        return None, _GROWING
    return effort, _HEAVY if effort.weight > MAX_WEIGHT else None


def _is_large(outline: SchemaOutline) -> bool:
    enums = (schema.get("enum") for schema in outline.schemas)
    return (
        len(outline.schemas) > WILD_BEYOND.subschemas
        or outline.references > WILD_BEYOND.references
        or any(
            len(values) > WILD_BEYOND.enum_values for values in enums if isinstance(values, list)
        )
    )

"""Sorts the text of a schema before anything is done with it: tame, wild or refused."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, json

from mcp_assay.schema.effort import Effort, Unforeseeable, foresee
from mcp_assay.schema.keywords import CONTENT, DRAFT_2020_12, Dialect, Schema
from mcp_assay.schema.limits import (
    MAX_SCHEMA_BYTES,
    MAX_WEIGHT,
    REFUSED_BEYOND,
    WILD_BEYOND,
)
from mcp_assay.schema.outline import Outline, RefusedSchema, levels

Sort: TypeAlias = Literal["tame", "wild", "refused"]

_UNCLEAR: Final = "has references that only a check can follow"
_GROWING: Final = "may let very many of its parts judge one and the same place of a value"
_HEAVY: Final = "has too many alternatives or patterns for one place of a value"
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


def survey(text: bytes) -> Survey:
    """Sort the JSON text of a schema; never raises."""
    try:
        return _survey(_document(text))
    except RefusedSchema as refusal:
        return Survey("refused", str(refusal))


def _document(text: bytes) -> Any:
    if len(text) > MAX_SCHEMA_BYTES:
        raise RefusedSchema(f"has more than {MAX_SCHEMA_BYTES:,} bytes")
    try:
        document = json.decode(text)
    except (ValueError, RecursionError):
        raise RefusedSchema("is no readable JSON") from None
    if levels(document) > REFUSED_BEYOND.depth:
        raise RefusedSchema(f"is nested more than {REFUSED_BEYOND.depth} levels deep")
    return document


def _survey(document: Any) -> Survey:
    if isinstance(document, bool):
        return Survey("tame", document=document, effort=Effort(1, 1, matches=False))
    if not isinstance(document, dict):
        raise RefusedSchema("is neither an object nor a boolean")
    outline = Outline(document)
    for schema in outline.schemas:
        for keyword in CONTENT:
            schema.pop(keyword, None)
    effort, reason = _foreseen(outline)
    return Survey("wild" if reason else "tame", reason, document, outline.dialect, effort)


def _foreseen(outline: Outline) -> tuple[Effort | None, str | None]:
    if not outline.foreseeable:
        return None, _UNCLEAR
    if _is_large(outline):
        return None, _LARGE
    try:
        effort = foresee(outline)
    except Unforeseeable:
        return None, _GROWING
    return effort, _HEAVY if effort.weight > MAX_WEIGHT else None


def _is_large(outline: Outline) -> bool:
    enums = (schema.get("enum") for schema in outline.schemas)
    return (
        len(outline.schemas) > WILD_BEYOND.subschemas
        or outline.references > WILD_BEYOND.references
        or any(
            len(values) > WILD_BEYOND.enum_values for values in enums if isinstance(values, list)
        )
    )

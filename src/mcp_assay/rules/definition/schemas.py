"""The schemas of tools: whether they are schemas at all, and whether others can use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.rules.definition.rule import (
    CITY,
    DefinitionPart,
    bad_tools,
    definition_rule,
    good_tools,
    inputs,
    taking,
    tool,
)
from mcp_assay.rules.definition.tool_schema import ToolSchema
from mcp_assay.rules.definition.tools import said
from mcp_assay.rules.engine.rule import Found
from mcp_assay.schema.keywords import dialect_of
from mcp_assay.schema.outline import DeadReference
from mcp_assay.spec.revisions import R2025_03_26, R2025_06_18, R2025_11_25, R2026_07_28, REVISIONS
from mcp_assay.text.words import quote

INVALID: Final = "invalid_schema"
DRAFT_07: Final = "http://json-schema.org/draft-07/schema#"
DRAFT_2020_12: Final = "https://json-schema.org/draft/2020-12/schema"
DIALECT_SINCE: Final = R2025_11_25
"""The first revision that says which dialect a schema without $schema is in."""
NO_GRAVER: Final = "before 2025-11-25"

PLAIN: Final = {"type": "object", "properties": {"city": CITY}}


def _doubling(levels: int) -> dict[str, Any]:
    """A schema in which each level refers to the next one twice."""
    steps = [[{"$ref": f"#/$defs/{level + 1}"}] * 2 for level in range(levels)]
    shelf = {str(level): {"anyOf": step} for level, step in enumerate(steps)}
    return {**inputs(x={"$ref": "#/$defs/0"}), "$defs": {**shelf, str(levels): CITY}}


@definition_rule(
    "TOOL-007",
    "input-schema-not-of-an-object",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [good_tools(taking(city=CITY))],
    bad=lambda: [
        bad_tools("/0/inputSchema/type", tool(inputSchema={"properties": {"city": CITY}})),
        bad_tools("/0/inputSchema/type", tool(inputSchema={"type": "string"})),
        bad_tools("/0/inputSchema/type", tool(inputSchema={**PLAIN, "type": ["object"]})),
    ],
)
def input_schema_not_of_an_object(part: DefinitionPart) -> Iterator[Found]:
    """An inputSchema's type is not "object".

    Why: arguments are always an object; clients check for this and reject the tool.
    Instead: write "type": "object" at the top of the schema, even next to anyOf or $ref.
    """
    yield from _other_type(part)


@definition_rule(
    "TOOL-010",
    "output-schema-not-of-an-object",
    on="outputSchema",
    reason=INVALID,
    good=lambda: [good_tools(tool(outputSchema=PLAIN))],
    bad=lambda: [bad_tools("/0/outputSchema/type", tool(outputSchema={"type": "array"}))],
)
def output_schema_not_of_an_object(part: DefinitionPart) -> Iterator[Found]:
    """An outputSchema's type is not "object", in a revision before 2026-07-28.

    Why: in these revisions structuredContent is an object, so no result can match this schema.
    Instead: put the value into an object, such as {"type": "object", "properties": {"result": …}}.
    """
    yield from _other_type(part)


def _other_type(part: DefinitionPart) -> Iterator[Found]:
    schema: ToolSchema = part.value
    kind = schema.document.get("type")
    if "type" not in schema.document:
        text = f'The {schema.keyword} of the {part.owner} has no "type": "object".'
        yield Found(("type",), text)
    elif kind != "object":
        shown = quote(kind) if isinstance(kind, str) else said(kind)
        text = f'The type in the {schema.keyword} of the {part.owner} is {shown}, not "object".'
        yield Found(("type",), text)


@definition_rule(
    "TOOL-008",
    "input-schema-invalid",
    on="inputSchema",
    reason=INVALID,
    revisions=REVISIONS,
    good=lambda: [
        good_tools(taking(count={"type": "integer", "exclusiveMinimum": 0})),
        good_tools(tool(inputSchema={**inputs(at={"items": [CITY]}), "$schema": DRAFT_07})),
        good_tools(taking(at={"items": [CITY]}), revision=R2025_03_26),
    ],
    bad=lambda: [
        bad_tools("/0/inputSchema/properties/city/type", taking(city={"type": "text"})),
        bad_tools("/0/inputSchema/required", tool(inputSchema={**PLAIN, "required": "city"})),
        bad_tools(
            "/0/inputSchema/properties/n/exclusiveMinimum", taking(n={"exclusiveMinimum": True})
        ),
        bad_tools("/0/inputSchema/properties", tool(inputSchema={**PLAIN, "properties": []})),
    ],
)
def input_schema_invalid(part: DefinitionPart) -> Iterator[Found]:
    """An inputSchema is not a valid JSON Schema.

    Why: clients cannot validate arguments against it, and many reject the tool or the whole list.
    Instead: correct the named place; a schema without $schema is read as JSON Schema 2020-12.
    """
    grade = NO_GRAVER if part.revision < DIALECT_SINCE else None
    yield from _broken(part, "TOOL-008", grade)


@definition_rule(
    "TOOL-009",
    "output-schema-invalid",
    on="any outputSchema",
    reason=INVALID,
    good=lambda: [good_tools(tool(outputSchema=PLAIN))],
    bad=lambda: [
        bad_tools("/0/outputSchema", tool(outputSchema=True)),
        bad_tools(
            "/0/outputSchema/required", tool(outputSchema={**PLAIN, "required": {"city": True}})
        ),
    ],
)
def output_schema_invalid(part: DefinitionPart) -> Iterator[Found]:
    """An outputSchema is not an object, or not a valid JSON Schema.

    Why: results must match it, and clients that cannot read it reject every result.
    Instead: correct the named place, or leave outputSchema out.
    """
    if isinstance(part.value, ToolSchema):
        yield from _broken(part, "TOOL-009", None)
    else:
        text = f"The outputSchema of the {part.owner} is {said(part.value)}, not an object."
        yield Found((), text)


def _broken(part: DefinitionPart, rule: str, grade: str | None) -> Iterator[Found]:
    """Where a schema breaks its dialect; early revisions leave open which one that is."""
    schema: ToolSchema = part.value
    prepared = schema.prepared
    if prepared.why == "invalid":
        if part.revision < DIALECT_SINCE and "$schema" not in schema.document:
            prepared = schema.prepared_in(DRAFT_07)
        if prepared.why == "invalid":
            text = f"The {schema.keyword} of the {part.owner} {prepared.because}."
            yield Found(prepared.place, text, grade=grade)
    elif prepared.why and prepared.check({}).outcome == "undecided":
        part.desk.leave_open(rule, f"a schema {prepared.because}")


@definition_rule(
    "TOOL-011",
    "schema-dialect-unknown",
    on="schema",
    reason=INVALID,
    good=lambda: [
        good_tools(tool(inputSchema={**PLAIN, "$schema": DRAFT_2020_12})),
        good_tools(tool(inputSchema={**PLAIN, "$schema": DRAFT_07})),
    ],
    bad=lambda: [
        bad_tools(
            "/0/inputSchema/$schema",
            tool(inputSchema={**PLAIN, "$schema": "https://example.com/my-dialect"}),
        )
    ],
)
def schema_dialect_unknown(part: DefinitionPart) -> Iterator[Found]:
    """A $schema names an unknown JSON Schema dialect.

    Why: clients that do not know the dialect cannot validate anything.
    Instead: omit $schema, which means JSON Schema 2020-12, or name a published dialect.
    """
    schema: ToolSchema = part.value
    named = schema.document.get("$schema")
    if "$schema" in schema.document and dialect_of(named) is None:
        shown = quote(named) if isinstance(named, str) else said(named)
        text = f"The $schema in the {schema.keyword} of the {part.owner} is {shown}."
        yield Found(("$schema",), text)


@definition_rule(
    "TOOL-012",
    "schema-refers-to-network",
    on="schema",
    reason=INVALID,
    good=lambda: [
        good_tools(
            tool(inputSchema={**inputs(at={"$ref": "#/$defs/City"}), "$defs": {"City": CITY}})
        )
    ],
    bad=lambda: [
        bad_tools(
            "/0/inputSchema/properties/at/$ref",
            taking(at={"$ref": "https://example.com/city.json"}),
        )
    ],
)
def schema_refers_to_network(part: DefinitionPart) -> Iterator[Found]:
    """A $ref points to the network.

    Why: clients do not fetch remote references, so the schema cannot be used.
    Instead: copy the referenced schema into $defs, and refer to it there.
    """
    for path, dead in _dead_references(part):
        if _is_network(dead.address):
            text = f"The schema of the {part.owner} refers to {quote(dead.address)}."
            yield Found((*path, dead.keyword), text)


@definition_rule(
    "TOOL-013",
    "schema-refers-to-nothing",
    on="schema",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(at={"$ref": "#/properties/city"}, city=CITY)),
        good_tools(taking(at={"$ref": "#city"}, city={**CITY, "$anchor": "city"})),
    ],
    bad=lambda: [
        bad_tools("/0/inputSchema/properties/at/$ref", taking(at={"$ref": "#/$defs/City"})),
        bad_tools("/0/inputSchema/properties/at/$ref", taking(at={"$ref": "#city"})),
        bad_tools("/0/inputSchema/properties/at/$ref", taking(at={"$ref": "city.json"})),
    ],
)
def schema_refers_to_nothing(part: DefinitionPart) -> Iterator[Found]:
    """A $ref does not resolve.

    Why: the schema cannot be used; this happens when part of a schema is sent without its $defs.
    Instead: include the definitions, or correct the reference.
    """
    for path, dead in _dead_references(part):
        if not _is_network(dead.address):
            text = f"The schema of the {part.owner} {dead.refusal}."
            yield Found((*path, dead.keyword), text)


def _dead_references(part: DefinitionPart) -> list[tuple[tuple[str | int, ...], DeadReference]]:
    schema: ToolSchema = part.value
    if schema.prepared.why in ("too large", "dialect"):
        for rule in ("TOOL-012", "TOOL-013"):
            part.desk.leave_open(rule, f"a schema {schema.prepared.because}")
    return schema.dead_references()


def _is_network(address: str) -> bool:
    from urllib.parse import urlsplit  # noqa: PLC0415  few schemas refer to others

    try:
        return bool(urlsplit(address).netloc)
    except ValueError:
        return False


@definition_rule(
    "TOOL-014",
    "property-schema-boolean",
    on="schema",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(city={"type": "string"})),
        good_tools(taking(city=True), revision=R2026_07_28),
    ],
    bad=lambda: [
        bad_tools("/0/inputSchema/properties/city", taking(city=True)),
        bad_tools("/0/inputSchema/properties/city", taking(city=False), revision=R2025_06_18),
    ],
)
def property_schema_boolean(part: DefinitionPart) -> Iterator[Found]:
    """A property's schema is true or false, in a revision before 2026-07-28.

    Why: JSON Schema allows it, MCP does not; strict clients reject the whole list.
    Instead: use {} for true; for false, omit the property or use {"not": {}}.
    """
    schema: ToolSchema = part.value
    properties = schema.document.get("properties")
    for name, value in properties.items() if isinstance(properties, dict) else ():
        if isinstance(value, bool):
            word = "true" if value else "false"
            text = f"The property {quote(name)} of the {part.owner} is {word}, not an object."
            fix = "Use {}." if value else 'Omit the property, or use {"not": {}}.'
            yield Found(("properties", name), text, fix=fix)


@definition_rule(
    "TOOL-029",
    "schema-costly",
    on="schema",
    reason="costly_schema",
    good=lambda: [good_tools(tool(inputSchema=_doubling(1)), revision=R2026_07_28)],
    bad=lambda: [bad_tools("/0/inputSchema", tool(inputSchema=_doubling(9)), revision=R2026_07_28)],
)
def schema_costly(part: DefinitionPart) -> Iterator[Found]:
    """A schema is so deep or large that validation may take very long.

    Why: clients limit the time they spend on a schema, and reject one that exceeds it.
    Instead: split alternatives, nest less, and shorten enums.
    """
    schema: ToolSchema = part.value
    if schema.prepared.why in ("too large", "costly"):
        text = f"The {schema.keyword} of the {part.owner} {schema.prepared.because}."
        yield Found((), text)

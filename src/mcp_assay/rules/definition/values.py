"""What a tool's schema says about values: defaults, examples, required names, limits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
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
from mcp_assay.rules.engine.rule import Found
from mcp_assay.schema.keywords import IN_PLACE, REFERENCES
from mcp_assay.schema.keywords import Subschema as SchemaPart
from mcp_assay.schema.messages import SchemaVerdict
from mcp_assay.text.words import nearest, quote
from mcp_assay.wire.pointer import Path, pointer

MOST_VALUES: Final = 200
"""Examples of one schema that are checked."""
MOST_OPTIONS: Final = 100
"""Values of an enum that are checked to find one that fits."""
INVALID: Final = "invalid_schema"

ELSEWHERE: Final = IN_PLACE | frozenset((*REFERENCES, "patternProperties", "propertyNames"))
"""With one of these a property may be described elsewhere."""
UNCERTAIN: Final = ELSEWHERE | {"properties", "required", "minProperties"}
"""With one of these, arguments may be described."""
NOTHING: Final = {"type": "object", "additionalProperties": False}

PAIRS: Final = (
    ("minimum", "maximum", "number", False),
    ("exclusiveMinimum", "maximum", "number", True),
    ("minimum", "exclusiveMaximum", "number", True),
    ("exclusiveMinimum", "exclusiveMaximum", "number", True),
    ("minLength", "maxLength", "string", False),
    ("minItems", "maxItems", "array", False),
    ("minProperties", "maxProperties", "object", False),
)
"""Limits that exclude each other if the first is above the second or, where that is said, equal."""


@definition_rule(
    "TOOL-015",
    "schema-contradicts-itself",
    on="schema",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(days={"type": "integer", "default": 3, "examples": [1, 7]})),
        good_tools(tool(inputSchema={**inputs(city=CITY), "required": ["city"]})),
        good_tools(tool(inputSchema={**inputs(city=CITY), "anyOf": [{"required": ["city"]}]})),
    ],
    bad=lambda: [
        bad_tools(
            "/0/inputSchema/required/0",
            tool(inputSchema={**inputs(city=CITY), "required": ["town"]}),
        ),
        bad_tools(
            "/0/inputSchema/properties/days/default",
            taking(days={"type": "integer", "default": "3"}),
        ),
        bad_tools(
            "/0/inputSchema/properties/unit/examples/1",
            taking(unit={"enum": ["C", "F"], "examples": ["C", "K"]}),
        ),
    ],
)
def schema_contradicts_itself(part: DefinitionPart) -> Iterator[Found]:
    """A required name is not among the properties, or a default or example violates its schema.

    Why: models copy examples and clients fill in defaults; such calls fail.
    Instead: correct the name or the value, or let the schema allow it (null included).
    """
    schema: ToolSchema = part.value
    for inner in schema.parts:
        for path, name in _undescribed(inner):
            text = f"The {part.owner} requires {quote(name)}, which is not defined in properties."
            yield Found(path, text, fix=_defined(name, inner))
    for inner in schema.parts:
        given = list(islice(_given(inner), MOST_VALUES))
        verdicts = schema.check(inner, [value for _, value in given]) if given else []
        for (path, _), verdict in zip(given, verdicts, strict=True):
            if verdict.outcome == "invalid":
                what = "default" if path == ("default",) else "example"
                fix = f"Correct the {what}, or let the schema allow it."
                yield Found((*inner.path, *path), _unfit(part, inner, path, verdict), fix=fix)
            elif verdict.outcome == "undecided":
                part.desk.leave_open("TOOL-015", "a default or example could not be checked")


def _unfit(part: DefinitionPart, inner: SchemaPart, path: Path, verdict: SchemaVerdict) -> str:
    """The sentence about a default or example that its own schema refuses."""
    problem = verdict.problems[0]
    what = "default" if path == ("default",) else f"example {path[-1]}"
    at = f"{pointer(problem.path)} " if problem.path else ""
    return f"In the {part.owner}, the {what} {_of(inner)}{at}{problem.text}."


def _defined(name: str, inner: SchemaPart) -> str:
    """What to do about a required name: it is misspelled, forgotten, or not needed."""
    properties = inner.schema.get("properties")
    near = nearest(name, properties) if isinstance(properties, dict) else None
    if near is not None:
        return f"Write {quote(near)} instead of {quote(name)} in required."
    return f"Add {quote(name)} to properties, or remove it from required."


def _undescribed(inner: SchemaPart) -> Iterator[tuple[Path, str]]:
    """The required names of an object that nothing describes."""
    schema, required = inner.schema, inner.schema.get("required")
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties")
    is_open = isinstance(others, dict) or not ELSEWHERE.isdisjoint(schema)
    if inner.keyword in IN_PLACE or inner.is_shelved or is_open:
        return
    if not isinstance(required, list) or not isinstance(properties, dict):
        return
    for index, name in enumerate(required):
        if isinstance(name, str) and name not in properties:
            yield (*inner.path, "required", index), name


def _given(inner: SchemaPart) -> Iterator[tuple[Path, Any]]:
    """The default and the examples of a schema."""
    if "default" in inner.schema:
        yield ("default",), inner.schema["default"]
    examples = inner.schema.get("examples")
    for index, value in enumerate(examples if isinstance(examples, list) else ()):
        yield ("examples", index), value


@definition_rule(
    "TOOL-019",
    "no-parameters-but-open",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [
        good_tools(tool(inputSchema=NOTHING)),
        good_tools(tool(inputSchema={"type": "object", "additionalProperties": CITY})),
    ],
    bad=lambda: [
        bad_tools("/0/inputSchema", tool(inputSchema={"type": "object"})),
        bad_tools("/0/inputSchema", tool(inputSchema=inputs())),
    ],
)
def no_parameters_but_open(part: DefinitionPart) -> Iterator[Found]:
    """A tool without parameters accepts any arguments.

    Why: a model that invents an argument gets no error.
    Instead: use {"type": "object", "additionalProperties": false}.
    """
    schema: ToolSchema = part.value
    document = schema.document
    described = UNCERTAIN - {"properties"} if document.get("properties") == {} else UNCERTAIN
    if document.get("type") != "object" or not described.isdisjoint(document):
        return
    if "additionalProperties" not in document and "unevaluatedProperties" not in document:
        text = f"The {part.owner} takes no arguments but does not set additionalProperties: false."
        yield Found((), text)


@definition_rule(
    "LINT-103",
    "nothing-fits",
    on="schema",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(days={"type": "integer", "minimum": 1, "maximum": 1})),
        good_tools(taking(unit={"type": "string", "enum": ["C", "F"]})),
    ],
    bad=lambda: [
        bad_tools(
            "/0/inputSchema/properties/days/minimum",
            taking(days={"type": "integer", "minimum": 7, "maximum": 1}),
        ),
        bad_tools(
            "/0/inputSchema/properties/days/enum",
            taking(days={"type": "integer", "enum": ["1", "7"]}),
        ),
        bad_tools(
            "/0/inputSchema/required/0",
            tool(
                inputSchema={**inputs(), "properties": {"city": {"not": {}}}, "required": ["city"]}
            ),
            also=(("LINT-105", "/tools/0/inputSchema/properties"),),
        ),
    ],
)
def nothing_fits(part: DefinitionPart) -> Iterator[Found]:
    """No value can match the schema.

    Why: no call, or no call with this argument, can ever be valid.
    Instead: correct the limits or the enum.
    """
    schema: ToolSchema = part.value
    for inner in schema.parts:
        for found in (*_crossed(inner), *_no_option(schema, inner), *_forbidden(inner)):
            yield Found(
                (*inner.path, *found.path), f"In the {part.owner}, {found.text}.", fix=found.fix
            )


def _crossed(inner: SchemaPart) -> Iterator[Found]:
    for low, high, kind, equal_too in PAIRS:
        least, most = inner.schema.get(low), inner.schema.get(high)
        if _is_number(least) and _is_number(most) and _excludes(least, most, equal_too):
            text = f"no {kind} {_of(inner)}can satisfy both {low} and {high}"
            yield Found((low,), text, fix=f"Correct {low} or {high}.")


def _no_option(schema: ToolSchema, inner: SchemaPart) -> Iterator[Found]:
    options = inner.schema.get("enum")
    if not isinstance(options, list) or not 0 < len(options) <= MOST_OPTIONS:
        return
    if all(verdict.outcome == "invalid" for verdict in schema.check(inner, options)):
        fix = "Correct the enum, or what else the schema demands."
        yield Found(("enum",), f"no value of the enum {_of(inner)}is valid", fix=fix)


def _forbidden(inner: SchemaPart) -> Iterator[Found]:
    properties, required = inner.schema.get("properties"), inner.schema.get("required")
    if not isinstance(properties, dict) or not isinstance(required, list):
        return
    for index, name in enumerate(required):
        if isinstance(name, str) and properties.get(name) in (False, {"not": {}}, {"not": True}):
            text = f"the required {quote(name)} allows no value at all"
            fix = f"Remove {quote(name)} from required, or give it a schema."
            yield Found(("required", index), text, fix=fix)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _excludes(least: Any, most: Any, equal_too: bool) -> bool:
    return bool(least >= most if equal_too else least > most)


def _of(inner: SchemaPart) -> str:
    return f"of {quote(inner.name)} " if inner.name is not None else ""

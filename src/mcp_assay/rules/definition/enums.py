"""Lists of values: what the schema lists, what the words beside it list, what other tools list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from msgspec import Struct

from mcp_assay.rules.definition.rule import (
    DefinitionPart,
    bad_tools,
    definition_rule,
    good_tools,
    taking,
)
from mcp_assay.rules.definition.surface import Surface, name_of
from mcp_assay.rules.definition.tool_schema import ToolSchema
from mcp_assay.rules.engine.rule import Found
from mcp_assay.schema.keywords import Schema
from mcp_assay.text.words import MOST_NAMED, listing, quote
from mcp_assay.wire.pointer import Path

Options: TypeAlias = tuple[str, ...]

LONGEST_DESCRIPTION: Final = 2_000
MOST_OPTIONS: Final = 100
INVALID: Final = "enum_differs"

ANNOUNCED: Final = (
    r"(?i)\b(?:one of|(?:allowed|valid|possible|supported|accepted) (?:values|options)(?: are| is)?"
    r"|must be(?: either)?|either|options are)\b(?: the following)?(?: values)?[ ]*[:=]?[ ]*"
)
"""What stands before a list of all values."""
_QUOTED: Final = r"\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|`[^`\n]{1,60}`"
_ITEM: Final = rf"(?:{_QUOTED}|[A-Za-z0-9_.:/+-]{{1,60}})"
_GLUE: Final = r"(?:[ ]{0,3}[,|][ ]{0,3}(?:(?:or|and)[ ]{1,3})?|[ ]{1,3}(?:or|and)[ ]{1,3})"
LISTED: Final = rf"[\[({{]?({_ITEM}(?:{_GLUE}{_ITEM}){{1,99}})(?=[\])}}.;\n]|[ ]*$)"
"""The list itself, which ends the sentence or the bracket: nothing else is taken for one."""
_JOINTS: Final = frozenset({"or", "and"})

UNITS: Final = {"type": "string", "enum": ["celsius", "fahrenheit"]}


@definition_rule(
    "LINT-101",
    "enum-differs-from-description",
    on="schema",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(unit={**UNITS, "description": "One of: celsius, fahrenheit."})),
        good_tools(taking(unit={**UNITS, "description": "A unit, such as 'kelvin' in physics"})),
    ],
    bad=lambda: [
        bad_tools(
            "/0/inputSchema/properties/unit/description",
            taking(unit={**UNITS, "description": "One of 'celsius', 'fahrenheit' or 'kelvin'."}),
        ),
        bad_tools(
            "/0/inputSchema/properties/units/description",
            taking(
                units={
                    "type": "array",
                    "items": {"enum": ["C", "F", "K"]},
                    "description": "Allowed values: C, F",
                }
            ),
        ),
    ],
)
def enum_differs_from_description(part: DefinitionPart) -> Iterator[Found]:
    """A description lists different values than the enum.

    Why: a model that follows the description sends values that are rejected, or never uses valid
    ones.
    Instead: correct whichever of the two is out of date, or drop the list from the description.
    """
    schema: ToolSchema = part.value
    for inner in schema.parts:
        options = listed_options(inner.schema)
        described = _described(inner.schema.get("description")) if options else []
        known = {option.casefold() for option in options}
        if not described or known.isdisjoint(word.casefold() for word in described):
            continue
        more = [word for word in described if word.casefold() not in known]
        less = [
            option for option in options if option.casefold() not in map(str.casefold, described)
        ]
        if more or less:
            text = f"In the {part.owner}, {_difference(more, less)}."
            yield Found((*inner.path, "description"), text)


def _difference(more: list[str], less: list[str]) -> str:
    if more:
        return f"the description names {_some(more)}, which the enum does not list"
    return f"the description omits {_some(less)}, which the enum lists"


class _EnumUse(Struct, frozen=True):
    """An argument with listed values, where it stands, and whose it is."""

    path: Path
    owner: str
    options: Options


TIDE: Final = {"name": "get_tide", "description": "Tells when the tide is high"}


@definition_rule(
    "LINT-102",
    "enum-differs-between-tools",
    on="surface",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(unit=UNITS), {**taking(unit=UNITS), **TIDE}),
        good_tools(taking(unit=UNITS), {**taking(unit={"enum": ["m"]}), **TIDE}),
    ],
    bad=lambda: [
        bad_tools(
            "/1/inputSchema/properties/unit",
            taking(unit=UNITS),
            {**taking(unit={"enum": ["celsius", "kelvin"]}), **TIDE},
        )
    ],
)
def enum_differs_between_tools(part: DefinitionPart) -> Iterator[Found]:
    """Two tools list different values for the same argument.

    Why: models carry values from one tool to the next; usually one of the lists was forgotten.
    Instead: share the list, or rename the arguments if they mean different things.
    """
    uses: dict[str, list[_EnumUse]] = {}
    for name, use in _uses(part.value):
        uses.setdefault(name, []).append(use)
    for name, (first, *others) in uses.items():
        other = next((use for use in others if _differ(first.options, use.options)), None)
        if other:
            odd = [one for one in other.options if one not in first.options]
            odd += [one for one in first.options if one not in other.options]
            text = (
                f"The tools {first.owner} and {other.owner} list different values for "
                f"{quote(name)}: only one of them lists {_some(odd)}."
            )
            yield Found(other.path, text)


def _uses(surface: Surface) -> Iterator[tuple[str, _EnumUse]]:
    for index, tool in enumerate(surface.tools):
        schema = tool.get("inputSchema") if isinstance(tool, dict) else None
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for name, value in properties.items() if isinstance(properties, dict) else ():
            options = listed_options(value) if isinstance(value, dict) else ()
            if options:
                path = ("tools", index, "inputSchema", "properties", name)
                yield name, _EnumUse(path, quote(name_of(tool) or ""), options)


def _differ(one: Options, other: Options) -> bool:
    """Whether two lists are meant to be the same, and are not: half of the shorter is common."""
    common = set(one) & set(other)
    return set(one) != set(other) and 2 * len(common) >= min(len(set(one)), len(set(other)))


def listed_options(schema: Schema) -> Options:
    """The texts that a schema, its items or the only one of its alternatives lists."""
    if isinstance(options := schema.get("enum"), list):
        texts = tuple(option for option in options[:MOST_OPTIONS] if isinstance(option, str))
        return texts if len(options) <= MOST_OPTIONS else ()
    nested = [schema.get("items"), *_alternatives(schema)]
    found = [_enum(value) for value in nested if isinstance(value, dict)]
    listed = [options for options in found if options]
    return listed[0] if len(listed) == 1 else ()


def _alternatives(schema: Schema) -> list[Any]:
    values = schema.get("anyOf") or schema.get("oneOf")
    return values[:MOST_OPTIONS] if isinstance(values, list) else []


def _enum(schema: Schema) -> Options:
    options = schema.get("enum")
    few = isinstance(options, list) and len(options) <= MOST_OPTIONS
    return tuple(one for one in options if isinstance(one, str)) if few and options else ()


def _described(description: Any) -> list[str]:
    """The values that a description announces as all there are, none where it is not clear."""
    if not isinstance(description, str):
        return []
    text = description[:LONGEST_DESCRIPTION]
    for announced in re.finditer(ANNOUNCED, text):
        if listed := re.compile(LISTED).match(text, announced.end()):
            words = [word.strip("\"'`") for word in re.findall(_ITEM, listed[1])]
            return [word.rstrip(".") for word in words if word not in _JOINTS]
    return []


def _some(values: list[str]) -> str:
    more = len(values) - MOST_NAMED
    shown = listing(values[:MOST_NAMED], "and")
    return f"{shown} and {more} more" if more > 0 else shown

"""What definitions leave unsaid: arguments, hints, types and words that models choose by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from mcp_assay.rules.definition.rule import (
    DefinitionPart,
    bad_tools,
    definition_rule,
    good_tools,
    taking,
    tool,
)
from mcp_assay.rules.definition.surface import name_of
from mcp_assay.rules.definition.tools import HINTS, INVALID
from mcp_assay.rules.engine.rule import Example, Found
from mcp_assay.text.changing_verbs import changing_verb_in, is_looking_name, only_adds
from mcp_assay.text.names import name_words, word_set
from mcp_assay.text.words import MOST_NAMED, quote

WORDS: Final = frozenset(
    ("title", "description", "default", "examples", "$comment", "deprecated", "readOnly")
)
"""Keywords that no value is checked against."""
ALTERNATIVES: Final = ("enum", "const", "$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "not")
"""Keywords that say elsewhere what fits."""
SAYING_MEMBERS: Final = frozenset(
    [
        *("properties", "patternProperties", "unevaluatedProperties", "propertyNames"),
        *("dependentSchemas", "minProperties", "required"),
        *ALTERNATIVES,
    ]
)
"""Keywords that say what an object holds."""
EMPTY_WORDS: Final = word_set(
    """
    a an the this that tool tools function method command action call calls do does performs perform
    execute executes run runs to of for from in on with and or by your my given specified some any
    thing things stuff description todo fixme tbd placeholder untitled test example none null
    undefined n na
    """
)
"""Words that add nothing to the name of a tool."""
LOOKING: Final = word_set(
    """
    get gets fetch fetches read reads load loads retrieve retrieves obtain show shows view display
    list lists find finds search searches lookup query queries new old the a an
    """
)
"""Words that set no two tools apart."""
LONGEST_COMPARED: Final = 4_000
NOTHING_SAID: Final = {"description": "Placeholder"}
WITHOUT: Final = {"type": "string", "description": ""}


def _undescribed(**properties: dict[str, Any]) -> Example:
    """A tool that takes an argument of which nothing is said."""
    (name,) = properties
    schema = {"type": "object", "properties": properties}
    also = (("LINT-105", "/tools/0/inputSchema/properties"),)
    place = f"/0/inputSchema/properties/{name}"
    return bad_tools(place, tool(inputSchema=schema), also=also)


@definition_rule(
    "LINT-105",
    "argument-without-description",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(city={"type": "string", "description": "A city"})),
        good_tools(taking(unit={"type": "string", "enum": ["celsius", "kelvin"]})),
    ],
    bad=lambda: [bad_tools("/0/inputSchema/properties", taking(city=WITHOUT))],
)
def argument_without_description(part: DefinitionPart) -> Iterator[Found]:
    """An argument has no description.

    Why: a model guesses from the name alone what to send, in which form and unit.
    Instead: describe each argument: what it is, its form, and an example.
    """
    silent = [name for name, schema in _arguments(part) if _is_silent(schema)]
    if silent:
        noun = "an argument" if len(silent) == 1 else f"{len(silent)} arguments"
        text = f"The {part.owner} has {noun} without a description: {_named(silent)}."
        yield Found(("properties",), text)


@definition_rule(
    "LINT-106",
    "tools-without-hints",
    on="surface",
    reason=INVALID,
    good=lambda: [good_tools(tool(annotations={"readOnlyHint": True}), tool("find_note"))],
    bad=lambda: [
        bad_tools("/0/annotations", tool(annotations={}), tool("delete_note", annotations=None))
    ],
)
def tools_without_hints(part: DefinitionPart) -> Iterator[Found]:
    """No tool of the server declares a hint about what it changes.

    Why: clients ask the user before every call, and mcp-assay calls no tool by itself.
    Instead: add annotations to each tool, with readOnlyHint at least.
    """
    tools = [one for one in part.value.tools if isinstance(one, dict) and name_of(one)]
    if not tools or any(map(_has_hint, tools)):
        return
    one = "The only tool has no annotations such as readOnlyHint."
    text = f"None of {len(tools):,} tools has annotations such as readOnlyHint."
    fix = f"Add, after a look at each: {_lines(tools)}."
    yield Found(("tools", 0, "annotations"), one if len(tools) == 1 else text, fix=fix)


@definition_rule(
    "LINT-107",
    "untyped-argument",
    on="inputSchema",
    reason=INVALID,
    good=lambda: [
        good_tools(taking(city={"type": "string", "description": "A city"})),
        good_tools(taking(filter={"type": "object", "description": "What to find"})),
    ],
    bad=lambda: [
        _undescribed(city={"title": "City"}),
        _undescribed(filter={"type": "object", "additionalProperties": True}),
        _undescribed(ids={"type": "array"}),
    ],
)
def untyped_argument(part: DefinitionPart) -> Iterator[Found]:
    """Neither a type nor a description says what goes into an argument.

    Why: a model cannot know what to put into it, and nothing wrong is rejected.
    Instead: declare its type, the properties of the object, or the items of the list.
    """
    for name, schema in _arguments(part):
        lacking = _lacking(schema) if _is_silent(schema) else None
        if lacking:
            text = f"The argument {quote(name)} of the {part.owner} {lacking}."
            yield Found(("properties", name), text)


@definition_rule(
    "LINT-108",
    "tools-described-alike",
    on="surface",
    reason=INVALID,
    good=lambda: [good_tools(tool("get_note"), tool("get_tide"))],
    bad=lambda: [
        bad_tools(
            "/1/description",
            tool("get_note", description="Returns data"),
            tool("fetch_note", description="Returns data"),
        ),
    ],
)
def tools_described_alike(part: DefinitionPart) -> Iterator[Found]:
    """Two tools have the same description, the same arguments and names that mean the same.

    Why: a model cannot tell them apart, and calls the wrong one.
    Instead: say in each description what sets it apart, or remove one of them.
    """
    first: dict[tuple[str, frozenset[str], tuple[str, ...]], str] = {}
    for index, one in enumerate(part.value.tools):
        name, words = name_of(one), _description(one)
        if not name or not words:
            continue
        known = first.setdefault((words, _argument_names(one), _things(name)), name)
        if known.lower() != name.lower():  # TOOL-004 and TOOL-005 have told the others
            text = (
                f"The tools {quote(known)} and {quote(name)} have the same description and the "
                "same arguments."
            )
            yield Found(("tools", index, "description"), text)


@definition_rule(
    "LINT-109",
    "description-says-nothing",
    on="tool",
    reason=INVALID,
    good=lambda: [
        good_tools(tool("get_note", description="Returns a note by its id")),
        good_tools(tool("echo", title="Echo")),
    ],
    bad=lambda: [
        bad_tools("/0/description", tool("get_note", description="Get note.")),
        bad_tools("/0/description", tool("get_note", **NOTHING_SAID)),
        bad_tools("/0/title", tool("get_note", title="Untitled")),
    ],
)
def description_says_nothing(part: DefinitionPart) -> Iterator[Found]:
    """A tool's description only repeats its name, or its title is a placeholder.

    Why: models choose tools by their descriptions; this one adds nothing to the name.
    Instead: say what the tool does, when to use it, and what it returns.
    """
    name = name_of(part.value) or ""
    described, titled = part.value.get("description"), part.value.get("title")
    if _is_written(described) and not _new_words(described, name):
        yield Found(("description",), f"The description of the {part.owner} only repeats its name.")
    if _is_written(titled) and not _new_words(titled, ""):
        yield Found(("title",), f"The title of the {part.owner} is a placeholder.")


def _arguments(part: DefinitionPart) -> Iterator[tuple[str, dict[str, Any]]]:
    """The arguments of a tool whose schemas are objects."""
    properties = part.value.document.get("properties")
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        if isinstance(schema, dict):
            yield name, schema


def _is_silent(schema: dict[str, Any]) -> bool:
    """Whether nothing tells what an argument means; listed values and references tell it.

    So do those of its items, and of what it may be instead of null.
    """
    return not _is_told(schema) and not any(map(_is_told, _inner(schema)))


def _is_told(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    is_written = any(_is_written(schema.get(name)) for name in ("description", "$ref"))
    return is_written or "enum" in schema or "const" in schema


def _inner(schema: dict[str, Any]) -> Iterator[Any]:
    """The schemas that are parts of one: alternatives, and what the items of a list are."""
    for name in ("anyOf", "oneOf", "allOf"):
        parts = schema.get(name)
        yield from parts if isinstance(parts, list) else ()
    yield schema.get("items")


def _lacking(schema: dict[str, Any]) -> str | None:
    """What a schema does not say, as the end of a sentence."""
    if not [name for name in schema if name not in WORDS and not name.startswith("x-")]:
        return "has no type"
    is_open = schema.get("additionalProperties") in (None, True, {})
    if schema.get("type") == "object" and is_open and not schema.keys() & SAYING_MEMBERS:
        return "is an object without properties"
    is_list = schema.get("type") == "array"
    if is_list and not schema.keys() & {"items", "prefixItems", "contains", *ALTERNATIVES}:
        return "is an array without items"
    return None


def _has_hint(value: dict[str, Any]) -> bool:
    """Whether a tool has hints, be they wrong: then its author knows of them."""
    hints = value.get("annotations")
    return any(name in hints for name in HINTS) if isinstance(hints, dict) else hints is not None


def _lines(tools: list[dict[str, Any]]) -> str:
    """Annotations to paste, as the words of the tools suggest them."""
    shown = [f"{quote(name_of(one) or '')}: {_proposed(one)}" for one in tools[:MOST_NAMED]]
    more = len(tools) - MOST_NAMED
    return "; ".join(shown) + (f"; and {more:,} more" if more > 0 else "")


def _proposed(value: dict[str, Any]) -> str:
    """The hints that fit what a tool says; of one that says nothing, the careful one."""
    from mcp_assay.text.reading_tools import only_reads  # noqa: PLC0415  seldom needed

    name = name_of(value) or ""
    if changing_verb_in(name):
        destroys = str(not only_adds(name)).lower()
        return f'"annotations": {{"readOnlyHint": false, "destructiveHint": {destroys}}}'
    reads = str(is_looking_name(name) or only_reads(value)).lower()
    return f'"annotations": {{"readOnlyHint": {reads}}}'


def _description(value: Any) -> str:
    """A description as it is compared, "" where there is none."""
    text = value.get("description") if isinstance(value, dict) else None
    return " ".join(text[:LONGEST_COMPARED].split()) if isinstance(text, str) else ""


def _things(name: str) -> tuple[str, ...]:
    """The words of a name without the verbs that mean the same to a model."""
    words = tuple(_stem(word) for word in name_words(name) if word not in LOOKING)
    return (*words, *re.findall(r"\d+", name))


def _argument_names(value: dict[str, Any]) -> frozenset[str]:
    schema = value.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return frozenset(properties if isinstance(properties, dict) else ())


def _is_written(text: Any) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _new_words(text: str, name: str) -> bool:
    """Whether a text holds a word that neither its name has nor every text may have."""
    known = {_stem(word) for word in name_words(name)}
    words = name_words(text[:LONGEST_COMPARED])
    is_foreign = any(one.isalpha() and one not in name for one in text if not one.isascii())
    return is_foreign or any(word not in EMPTY_WORDS and _stem(word) not in known for word in words)


def _stem(word: str) -> str:
    """A word without the ending of a plural or a verb."""
    return word.removesuffix("s").removesuffix("e")


def _named(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(map(quote, names[:MOST_NAMED])) + (f" and {more} more" if more > 0 else "")

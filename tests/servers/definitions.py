"""Servers whose definitions have one fault; what their tools do is right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from tests.servers.base import A_HANDSHAKE, STATELESS, Server
from tests.servers.planting import Family
from tests.servers.things import (
    NOTHING,
    Object,
    Prompt,
    Resource,
    Tool,
    accepts,
    answers,
    found,
    lookup,
    structured,
)

SERVERS = Family("definitions")
HOURS = "library://hours"
TEXT: Object = {"type": "string"}
GENRES = ["novel", "poetry", "drama"]


def shelf(schema: Any = None, **changes: Any) -> Tool:
    """A tool with this inputSchema."""
    tool = Tool("shelf", answers("shelf 3"), accepts() if schema is None else schema)
    return tool._replace(**changes)


def genre(name: str, values: list[str], described: str = "The genre.") -> Tool:
    """A tool that takes a genre."""
    kind = {"type": "string", "enum": values, "description": described}
    return Tool(name, answers("a shelf"), accepts("genre", genre=kind), {"genre": values[0]})


def header(value: Any, kind: str = "string", name: str = "branch", **more: Any) -> Object:
    """A closed schema with an argument that is mirrored in a header."""
    return accepts(**{name: {"type": kind, "x-mcp-header": value}}, **more)


class Defined(NamedTuple):
    """A definition with one fault."""

    name: str
    truth: str
    rule: str
    tools: tuple[Tool, ...] = ()
    settings: Object = NOTHING
    shows: Callable[[Any], bool] = bool
    """Whether the fault is in the definitions, as they were sent."""


ONE_SHAKEN: Object = {"revisions": (A_HANDSHAKE,)}
ONE_STATELESS: Object = {"revisions": (STATELESS,)}

# fmt: off
DEFINITIONS = (
    Defined("tool-without-name", "A tool has an empty name.", "TOOL-001",
            (lookup(found, name=""),), shows=lambda tools: tools[0]["name"] == ""),
    Defined("tool-name-too-long", "A tool's name has 129 characters.", "TOOL-002",
            (lookup(found, name="f" * 129),), shows=lambda tools: len(tools[0]["name"]) == 129),
    Defined("tool-name-with-space", "A tool's name has a space.", "TOOL-003",
            (lookup(found, name="find book"),), shows=lambda tools: " " in tools[0]["name"]),
    Defined("tool-listed-twice", "Two tools have the same name.", "TOOL-004",
            (lookup(found), lookup(found)), shows=lambda tools: tools[0] == tools[1]),
    Defined("tool-names-differ-by-case", "Two names differ only by case.", "TOOL-005",
            (lookup(found), lookup(found, name="Find_Book")),
            shows=lambda tools: tools[0]["name"] == tools[1]["name"].lower()),
    Defined("no-input-schema", "A tool has no inputSchema.", "TOOL-006",
            (shelf(True)._replace(more={"inputSchema": None}),),
            shows=lambda tools: "inputSchema" not in tools[0]),
    Defined("input-schema-of-array", "An inputSchema is of type array.", "TOOL-007",
            (shelf({"type": "array"}, unchecked=("type",)),),
            shows=lambda tools: tools[0]["inputSchema"]["type"] == "array"),
    Defined("input-schema-invalid", "An inputSchema names a type that does not exist.", "TOOL-008",
            (shelf(accepts(title={"type": "strnig"}), unchecked=("properties",)),),
            shows=lambda tools: "strnig" in str(tools)),
    Defined("output-schema-invalid", "An outputSchema's required is no array.", "TOOL-009",
            (shelf(more={"outputSchema": {"type": "object", "required": "title"}},
                   run=lambda given: structured({"title": "Emma"})),),
            shows=lambda tools: tools[0]["outputSchema"]["required"] == "title"),
    Defined("output-schema-of-array", "An outputSchema is of type array.", "TOOL-010",
            (shelf(more={"outputSchema": {"type": "array"}}),), ONE_SHAKEN,
            shows=lambda tools: tools[0]["outputSchema"]["type"] == "array"),
    Defined("unknown-dialect", "An inputSchema is in a dialect that nobody knows.", "TOOL-011",
            (shelf({**accepts(), "$schema": "https://dialect.invalid/schema"}),),
            shows=lambda tools: "dialect.invalid" in tools[0]["inputSchema"]["$schema"]),
    Defined("reference-to-nowhere", "A $ref leads to nothing.", "TOOL-013",
            (shelf(accepts(title={"$ref": "#/$defs/title"}), unchecked=("$ref",)),),
            shows=lambda tools: "$defs" not in tools[0]["inputSchema"]),
    Defined("property-of-true", "A property's schema is true.", "TOOL-014",
            (shelf(accepts(title=True)),), ONE_SHAKEN,
            shows=lambda tools: tools[0]["inputSchema"]["properties"]["title"] is True),
    Defined("required-without-property", "A required name has no property.", "TOOL-015",
            (shelf({"type": "object", "properties": {}, "required": ["title"]},
                   sample={"title": "Emma"}),),
            shows=lambda tools: tools[0]["inputSchema"]["properties"] == {}),
    Defined("default-outside-schema", "A default does not fit its own schema.", "TOOL-015",
            (shelf(accepts(limit={"type": "integer", "minimum": 1, "default": 0})),),
            shows=lambda tools: "'default': 0" in str(tools)),
    Defined("example-outside-schema", "An example does not fit its own schema.", "TOOL-015",
            (shelf(accepts(title={"type": "string", "examples": [7]})),),
            shows=lambda tools: "'examples': [7]" in str(tools)),
    Defined("no-description", "A tool has no description.", "TOOL-016",
            (lookup(found, description=None),), shows=lambda tools: "description" not in tools[0]),
    Defined("hint-not-boolean", "A hint is the string \"true\".", "TOOL-017",
            (lookup(found, annotations={"readOnlyHint": "true"}),),
            shows=lambda tools: tools[0]["annotations"]["readOnlyHint"] == "true"),
    Defined("hints-contradict", "A tool is read-only and destructive.", "TOOL-018",
            (lookup(found, annotations={"readOnlyHint": True, "destructiveHint": True}),),
            shows=lambda tools: tools[0]["annotations"]["destructiveHint"]),
    Defined("no-arguments-but-open", "A tool without arguments takes any.", "TOOL-019",
            (shelf({"type": "object"}),),
            shows=lambda tools: tools[0]["inputSchema"] == {"type": "object"}),
    Defined("header-empty", "An x-mcp-header is empty.", "TOOL-020",
            (shelf(header("")),), ONE_STATELESS,
            shows=lambda tools: "'x-mcp-header': ''" in str(tools)),
    Defined("header-no-token", "An x-mcp-header has a space.", "TOOL-021",
            (shelf(header("Main Branch")),), ONE_STATELESS,
            shows=lambda tools: "Main Branch" in str(tools)),
    Defined("headers-twice", "Two arguments have the same x-mcp-header.", "TOOL-022",
            (shelf(header("Branch", room={**TEXT, "x-mcp-header": "branch"})),), ONE_STATELESS,
            shows=lambda tools: str(tools).lower().count("'x-mcp-header': 'branch'") == 2),
    Defined("header-on-number", "An x-mcp-header is on a number.", "TOOL-023",
            (shelf(header("Price", kind="number")),), ONE_STATELESS,
            shows=lambda tools: "'number', 'x-mcp-header'" in str(tools)),
    Defined("header-in-items", "An x-mcp-header is inside an array.", "TOOL-024",
            (shelf(accepts(rooms={"type": "array", "items": {**TEXT, "x-mcp-header": "R"}})),),
            ONE_STATELESS, shows=lambda tools: "'items': {'type': 'string', 'x-mcp" in str(tools)),
    Defined("header-with-secret", "An x-mcp-header mirrors a password.", "TOOL-025",
            (shelf(header("Pw", name="password")),), ONE_STATELESS,
            shows=lambda tools: "password" in tools[0]["inputSchema"]["properties"]),
    Defined("task-support-unknown", "A tool's taskSupport is \"maybe\".", "TOOL-026",
            (lookup(found, more={"execution": {"taskSupport": "maybe"}}),), ONE_SHAKEN,
            shows=lambda tools: tools[0]["execution"] == {"taskSupport": "maybe"}),
    Defined("icon-with-script", "An icon's source is a script.", "TOOL-027",
            (lookup(found, more={"icons": [{"src": "javascript:alert(1)"}]}),),
            shows=lambda tools: tools[0]["icons"][0]["src"].startswith("javascript:")),
    Defined("icon-of-odd-size", "An icon's size is \"big\".", "TOOL-028",
            (lookup(found, more={"icons": [{"src": "https://icon.invalid/a", "sizes": ["big"]}]}),),
            shows=lambda tools: tools[0]["icons"][0]["sizes"] == ["big"]),
    Defined("described-enum-differs", "A description names values that the enum lacks.", "LINT-101",
            (genre("shelf", GENRES, "One of: novel, poetry, essay."),),
            shows=lambda tools: "essay" in str(tools) and "essay" not in GENRES),
    Defined("enums-differ-across-tools", "One field has other values in another tool.", "LINT-102",
            (genre("shelf", GENRES), genre("count_books", ["novel", "poetry", "verse"])),
            shows=lambda tools: tools[0]["inputSchema"] != tools[1]["inputSchema"]),
    Defined("schema-without-values", "No arguments can ever fit.", "LINT-103",
            (shelf(accepts("limit", limit={"type": "integer", "minimum": 9, "maximum": 3})),),
            shows=lambda tools: "'minimum': 9, 'maximum': 3" in str(tools)),
    Defined("hint-contradicts-name", "A tool called delete_book is read-only.", "LINT-104",
            (lookup(found, name="delete_book"),), shows=lambda tools: tools[0]["annotations"]),
    Defined("argument-undescribed", "An argument has no description.", "LINT-105",
            (shelf(accepts(title={"type": "string"})),),
            shows=lambda tools: "'title': {'type': 'string'}" in str(tools)),
    Defined("no-hints", "No tool has annotations.", "LINT-106",
            (lookup(found, annotations=None),), shows=lambda tools: "annotations" not in tools[0]),
    Defined("argument-untyped", "Nothing says what goes into an argument.", "LINT-107",
            (shelf(accepts(title={"title": "Title"})),),
            shows=lambda tools: "type" not in tools[0]["inputSchema"]["properties"]["title"]),
    Defined("tools-alike", "Two tools cannot be told apart.", "LINT-108",
            (shelf(name="get_shelf"), shelf(name="fetch_shelf")),
            shows=lambda tools: tools[0]["description"] == tools[1]["description"]),
    Defined("empty-words", "A description only repeats the name.", "LINT-109",
            (shelf(name="get_shelf", description="Get shelf."),),
            shows=lambda tools: tools[0]["description"] == "Get shelf."),
    Defined("relative-uri", "A resource's uri is relative.", "RES-001", (),
            {"resources": (Resource("hours.txt", "hours"),)},
            shows=lambda resources: resources[0]["uri"] == "hours.txt"),
    Defined("resource-listed-twice", "Two resources have one uri.", "RES-002", (),
            {"resources": (Resource(HOURS, "hours"), Resource(HOURS, "times"))},
            shows=lambda resources: resources[0]["uri"] == resources[1]["uri"]),
    Defined("template-never-closed", "A template's brace is never closed.", "RES-003", (),
            {"resources": (), "templates": ({"uriTemplate": "library://{isbn", "name": "book"},)},
            shows=lambda templates: templates[0]["uriTemplate"].endswith("{isbn")),
    Defined("resource-of-other-size", "A resource is larger than it says.", "RES-005", (),
            {"resources": (Resource(HOURS, "hours", more={"size": 3}),)},
            shows=lambda resources: resources[0]["size"] == 3),
    Defined("prompt-argument-twice", "A prompt has one argument twice.", "PROMPT-001", (),
            {"prompts": (Prompt("recommend", ("mood", "mood")),)},
            shows=lambda prompts: len(prompts[0]["arguments"]) == 2),
)
# fmt: on

for _one in DEFINITIONS:
    _make: Callable[[], Server] = partial(Server, *_one.tools, **_one.settings)
    SERVERS.add(_one.name, _one.truth, _make, _one.rule)

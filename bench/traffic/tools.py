"""Tools as servers list them, and arguments that fit their schemas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from bench.traffic.material import Material

TOOLS_PER_LIST: Final = 20


class Property(NamedTuple):
    """One argument of a tool: its schema and how to make up a value."""

    description: str
    schema: Callable[[Material], dict[str, Any]]
    value: Callable[[Material], Any]


class Action(NamedTuple):
    """What a family of tools does, and with which arguments (the first two are required)."""

    verb: str
    description: str
    properties: tuple[str, ...]
    read_only: bool = True
    structured: bool = False


class Tool(NamedTuple):
    """One tool of one session: its definition and the action behind it."""

    action: Action
    definition: dict[str, Any]


ORDERS: Final = ("relevance", "newest", "oldest", "name")
FORMATS: Final = ("markdown", "plain", "html")
THINGS: Final = ("issue", "document", "invoice", "dashboard", "repository", "ticket")

PROPERTIES: Final[dict[str, Property]] = {
    "query": Property(
        "Words to look for; all of them have to occur, in any order.",
        lambda m: {"type": "string", "minLength": 1, "maxLength": m.rng.randrange(200, 900)},
        lambda m: " ".join(m.words(m.rng.randrange(1, 9))),
    ),
    "limit": Property(
        "How many entries to return at most. Fewer come back where fewer match.",
        lambda m: {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": m.rng.randrange(1, 9),
        },
        lambda m: m.rng.randrange(1, 101),
    ),
    "order": Property(
        "The order of the entries.",
        lambda m: {"type": "string", "enum": list(ORDERS), "default": m.rng.choice(ORDERS)},
        lambda m: m.rng.choice(ORDERS),
    ),
    "labels": Property(
        "Only entries that carry every one of these labels.",
        lambda m: {
            "type": "array",
            "items": {"type": "string"},
            "maxItems": m.rng.randrange(5, 30),
        },
        lambda m: m.words(m.rng.randrange(1, 5)),
    ),
    "since": Property(
        "Only what changed at or after this moment, in UTC.",
        lambda m: {"type": "string", "format": "date-time", "examples": [m.moment()]},
        lambda m: m.moment(),
    ),
    "id": Property(
        "The number of the entry, as a search or a list returns it.",
        lambda m: {"type": "integer", "minimum": 1, "examples": [m.rng.randrange(1, 99_999)]},
        lambda m: m.rng.randrange(1, 99_999),
    ),
    "path": Property(
        "Where the entry lives, relative to the root of the project.",
        lambda m: {"type": "string", "pattern": "^[^/].*$", "examples": [m.path()]},
        lambda m: m.path(),
    ),
    "title": Property(
        "A short title for people.",
        lambda m: {"type": "string", "minLength": 1, "maxLength": m.rng.randrange(80, 200)},
        lambda m: m.sentence(m.rng.randrange(3, 9)),
    ),
    "body": Property(
        "The text itself, in Markdown. Line breaks and lists are kept as they are.",
        lambda m: {"type": "string", "maxLength": m.rng.randrange(20_000, 60_000)},
        lambda m: m.text(m.size(120, 4_000)),
    ),
    "fields": Property(
        "Further values by name; names that are not known are kept.",
        lambda m: {
            "type": "object",
            "properties": {m.word(): {"type": "integer"}, "owner": {"type": "string"}},
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        },
        lambda m: {"owner": m.word(), "weight": round(m.rng.random() * 50, 2), "open": True},
    ),
    "format": Property(
        "How the text is to be written.",
        lambda m: {"type": "string", "enum": list(FORMATS), "default": m.rng.choice(FORMATS)},
        lambda m: m.rng.choice(FORMATS),
    ),
    "width": Property(
        "The width of the picture in pixels.",
        lambda m: {"type": "integer", "minimum": 16, "maximum": m.rng.choice((1024, 2048, 4096))},
        lambda m: m.rng.randrange(16, 1025),
    ),
}

ACTIONS: Final = (
    Action(
        "search",
        "Finds every {0} that matches the words and filters given, best match first.",
        ("query", "limit", "order", "labels"),
        structured=True,
    ),
    Action(
        "read",
        "Returns the whole text of one {0}. Long texts are returned in full, so prefer the search "
        "where an excerpt is enough.",
        ("id", "format", "path"),
    ),
    Action(
        "create",
        "Creates one {0} and returns its number. Nothing is sent to other people until it is "
        "published.",
        ("title", "body", "fields"),
        read_only=False,
    ),
    Action(
        "update",
        "Changes the text or the fields of one {0}. What is left out stays as it is, and the "
        "previous version can be restored.",
        ("id", "body", "title", "fields"),
        read_only=False,
    ),
    Action(
        "render",
        "Draws one {0} as a picture or reads it aloud, for people who would rather look or listen.",
        ("id", "width", "format"),
    ),
    Action(
        "collect",
        "Gathers what is linked from one {0}: attached files, pages and pictures, each with its "
        "address and size.",
        ("path", "limit", "since"),
    ),
)


def tool_list(material: Material) -> list[Tool]:
    """The tools of one session, no two sessions quite alike."""
    every = [(action, thing) for action in ACTIONS for thing in THINGS]
    return [_tool(material, *pick) for pick in material.rng.sample(every, TOOLS_PER_LIST)]


def arguments(material: Material, action: Action) -> dict[str, Any]:
    """Arguments for a tool of this kind: the two required ones and some of the others."""
    chosen = [
        name
        for position, name in enumerate(action.properties)
        if position < 2 or material.chance(0.6)
    ]
    return {name: PROPERTIES[name].value(material) for name in chosen}


def _tool(material: Material, action: Action, thing: str) -> Tool:
    definition: dict[str, Any] = {
        "name": f"{action.verb}_{thing}",
        "title": f"{action.verb} {thing}".capitalize(),
        "description": f"{action.description.format(thing)} {material.sentence(3)}",
        "inputSchema": {
            "type": "object",
            "properties": {name: _property_schema(material, name) for name in action.properties},
            "required": list(action.properties[:2]),
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": action.read_only, "openWorldHint": material.chance(0.5)},
    }
    if action.structured:
        definition["outputSchema"] = OUTPUT_SCHEMA
    return Tool(action, definition)


def _property_schema(material: Material, name: str) -> dict[str, Any]:
    known = PROPERTIES[name]
    return {**known.schema(material), "description": known.description}


OUTPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "total": {"type": "integer", "minimum": 0},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "integer"},
                    "title": {"type": "string"},
                    "open": {"type": "boolean"},
                    "score": {"type": "number"},
                    "updated": {"type": "string", "format": "date-time"},
                    "labels": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["id", "title"],
            },
        },
    },
    "required": ["total", "items"],
}

"""The notes of the demo server and the tools that work on them, with faults on purpose.

`search_notes` fails on text beyond ASCII; `notes_summary` breaks its outputSchema; `list_notes`
takes texts for numbers and rejects an order that it offers.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

Object = dict[str, Any]

NO_ARGUMENTS: Final[Object] = {}
READS: Final = {"readOnlyHint": True, "openWorldHint": False}
ADDS: Final = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
DELETES: Final = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}


class Refused(Exception):
    """A call that cannot be carried out as it was asked for."""


class Note(NamedTuple):
    """A note."""

    title: str
    text: str
    tag: str


NOTES: Final[dict[int, Note]] = {
    1: Note("Groceries", "Milk, bread, two lemons.", "home"),
    2: Note("Release plan", "Freeze on Monday, ship on Thursday.", "work"),
    3: Note("Reading list", "Middlemarch, then Emma.", "home"),
    4: Note("Retrospective", "Keep the short meetings.", "work"),
}


# What the tools do


def list_notes(order: str = "newest", limit: Any = 10) -> Object:
    """List notes; planted: `title` is offered and rejected, and a text is taken for the limit."""
    if order not in ("newest", "oldest"):
        raise Refused(f"Unknown order {order!r}. Use one of: newest, oldest.")
    ids = sorted(NOTES, reverse=order == "newest")[: int(limit)]
    return _text("\n".join(f"{id}: {NOTES[id].title}" for id in ids) or "There are no notes.")


def get_note(id: int) -> Object:
    """Show one note."""
    if id not in NOTES:
        raise Refused(f"There is no note with id {id}. list_notes shows the ids.")
    return _text(f"{NOTES[id].title}\n\n{NOTES[id].text}")


def search_notes(query: str, tag: str | None = None) -> Object:
    """Find notes by a word; planted: text beyond ASCII makes it fail."""
    wanted = query.lower().encode("ascii")
    found = [
        f"{id}: {note.title}"
        for id, note in NOTES.items()
        if tag in (None, note.tag) and wanted in f"{note.title} {note.text}".lower().encode()
    ]
    return _text("\n".join(found) or "No note matches.")


def notes_summary() -> Object:
    """Count the notes; planted: the total is a text, against the outputSchema."""
    tags = sorted({note.tag for note in NOTES.values()})
    summary = {"total": str(len(NOTES)), "tags": tags}
    return {**_text(json.dumps(summary)), "structuredContent": summary}


def add_note(title: str, text: str, tag: str = "home") -> Object:
    """Add a note."""
    id = max(NOTES, default=0) + 1
    NOTES[id] = Note(title, text, tag)
    return _text(f"Added note {id}.")


def delete_note(id: int) -> Object:
    """Delete a note for good."""
    if NOTES.pop(id, None) is None:
        raise Refused(f"There is no note with id {id}. list_notes shows the ids.")
    return _text(f"Deleted note {id}.")


def _text(words: str) -> Object:
    return {"content": [{"type": "text", "text": words}]}


# What is said about them


class Tool(NamedTuple):
    """A tool as it is advertised, and the function behind it."""

    run: Callable[..., Object]
    title: str
    description: str
    annotations: Mapping[str, bool]
    properties: Object = NO_ARGUMENTS
    required: tuple[str, ...] = ()
    output_schema: Object | None = None
    lenient: tuple[str, ...] = ()
    """Arguments whose type nobody checks."""

    def definition(self) -> Object:
        """The tool as tools/list shows it."""
        schema: Object = {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }
        shown: Object = {
            "name": self.run.__name__,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema,
            "annotations": self.annotations,
        }
        return {**shown, "outputSchema": self.output_schema} if self.output_schema else shown


ID: Final = {"type": "integer", "minimum": 1, "description": "The note's id, from list_notes."}
TAG: Final = {"type": "string", "enum": ["home", "work"], "description": "Where the note belongs."}
SHORT: Final = {"type": "string", "minLength": 1, "maxLength": 120}
SUMMARY: Final[Object] = {
    "type": "object",
    "properties": {
        "total": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["total", "tags"],
}
ORDERS: Final = ["newest", "oldest", "title"]

TOOLS: Final = {
    tool.run.__name__: tool
    for tool in (
        Tool(
            list_notes,
            "List notes",
            "List the notes with their ids, in a chosen order.",
            READS,
            {
                "order": {"type": "string", "enum": ORDERS, "description": "What comes first."},
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 50,
                    "description": "The most notes to list.",
                },
            },
            lenient=("limit",),
        ),
        Tool(get_note, "Read a note", "Show one note by its id.", READS, {"id": ID}, ("id",)),
        Tool(
            search_notes,
            "Search notes",
            "Find the notes whose title or text contains a word, in all notes or under one tag.",
            READS,
            {"query": {**SHORT, "description": "The word to look for."}, "tag": TAG},
            ("query",),
        ),
        Tool(
            notes_summary,
            "Count notes",
            "Say how many notes there are and which tags they have.",
            READS,
            output_schema=SUMMARY,
        ),
        Tool(
            add_note,
            "Add a note",
            "Add a note with a title, a text and a tag.",
            ADDS,
            {
                "title": {**SHORT, "description": "A short title."},
                "text": {"type": "string", "description": "What the note says."},
                "tag": TAG,
            },
            ("title", "text"),
        ),
        Tool(
            delete_note,
            "Delete a note",
            "Delete one note by its id. It cannot be brought back.",
            DELETES,
            {"id": ID},
            ("id",),
        ),
    )
}


# How calls are checked and made


def call_tool(tool: Tool, arguments: Object) -> Object:
    """Make a call, if its arguments are as advertised."""
    try:
        for wrong in _wrong_arguments(tool, arguments):
            raise Refused(f"Invalid arguments: {wrong}.")
        return tool.run(**arguments)
    except Refused as refused:
        return {**_text(str(refused)), "isError": True}
    except Exception as fault:  # noqa: BLE001  a tool that fails must not end the server
        traceback.print_exc()
        words = f"Error executing tool {tool.run.__name__}: {type(fault).__name__}: {fault}"
        return {**_text(words), "isError": True}


def _wrong_arguments(tool: Tool, arguments: Object) -> Iterator[str]:
    yield from (f"{name} is missing" for name in tool.required if name not in arguments)
    yield from (f"{name!r} is not known" for name in arguments if name not in tool.properties)
    for name, value in arguments.items():
        schema = tool.properties[name]
        if name in tool.lenient and isinstance(value, str) and value.isdecimal():
            value = int(value)  # noqa: PLW2901  the planted leniency
        if wrong := _wrong_value(schema, value):
            yield f"{name} {wrong}"


def _wrong_value(schema: Object, value: Any) -> str | None:
    if not _is_of_type(schema["type"], value):
        return f"is not of type {schema['type']}"
    if "enum" in schema and value not in schema["enum"]:
        return f"is not one of {', '.join(schema['enum'])}"
    if isinstance(value, str):
        return _outside("length", len(value), schema.get("minLength"), schema.get("maxLength"))
    return _outside("value", value, schema.get("minimum"), schema.get("maximum"))


def _outside(what: str, size: float, least: int | None, most: int | None) -> str | None:
    if least is not None and size < least:
        return f"has a {what} below {least}"
    return f"has a {what} above {most}" if most is not None and size > most else None


def _is_of_type(name: str, value: Any) -> bool:
    if name == "string":
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0

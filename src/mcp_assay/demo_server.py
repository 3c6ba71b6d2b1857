"""A small notes server with planted faults, for `mcp-assay demo`; it needs no other package.

It speaks 2025-11-25 and 2026-07-28 over standard input and output, and speaks them well: what is
wrong on purpose is in its tools.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
META: Final = "io.modelcontextprotocol/"
SERVER_INFO: Final = {"name": "mcp-assay-demo", "title": "Notes", "version": "1.0.0"}
CAPABILITIES: Final[Object] = {"tools": {}}
CACHING: Final = {"ttlMs": 60_000, "cacheScope": "private"}
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_VERSION: Final = -32022


class Fault(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Object | None = None) -> None:
        super().__init__(message)
        self.error: Object = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


class Service:
    """One conversation: with a handshake, or request by request."""

    def __init__(self) -> None:
        self.shaken = False

    def reply(self, line: bytes) -> Object | None:
        """The answer to one line; None where none is due."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _nameless(PARSE_ERROR, "This is not JSON")
        if not isinstance(message, dict):
            return _nameless(INVALID_REQUEST, "This is not one message")
        if _wants_no_answer(message):
            return None
        id = message.get("id")
        if not isinstance(id, str | int) or isinstance(id, bool):
            return _nameless(INVALID_REQUEST, "The id is neither a string nor an integer")
        return {"jsonrpc": "2.0", "id": id, **self._outcome(message)}

    def _outcome(self, message: Object) -> Object:
        try:
            return {"result": self._result(message)}
        except Fault as fault:
            return {"error": fault.error}

    def _result(self, message: Object) -> Object:
        method, params = message.get("method"), message.get("params", {})
        is_named = isinstance(method, str) and message.get("jsonrpc") == "2.0"
        if not is_named or not isinstance(params, dict):
            raise Fault(INVALID_REQUEST, "This is not a JSON-RPC request")
        meta = params.get("_meta", {})
        if isinstance(meta, dict) and f"{META}protocolVersion" in meta:
            return _modern_result(method, params, meta)
        return self._result_after_handshake(method, params)

    def _result_after_handshake(self, method: Any, params: Object) -> Object:
        if method == "initialize":
            self.shaken = True
            agreed = {"protocolVersion": HANDSHAKE, "capabilities": CAPABILITIES}
            return {**agreed, "serverInfo": SERVER_INFO}
        if method == "ping":
            return {}
        if not self.shaken:
            raise Fault(INVALID_PARAMS, "Name a revision in _meta, or send initialize first")
        return _serve(method, params)


def _wants_no_answer(message: Object) -> bool:
    """Whether it is a notification, or an answer to what was never asked."""
    if "method" in message:
        return "id" not in message
    return "result" in message or "error" in message


def _nameless(code: int, message: str) -> Object:
    """The answer to what has no usable id."""
    return {"jsonrpc": "2.0", "error": Fault(code, message).error}


def _modern_result(method: Any, params: Object, meta: Object) -> Object:
    version, capable = meta[f"{META}protocolVersion"], meta.get(f"{META}clientCapabilities")
    if not isinstance(version, str) or not isinstance(capable, dict):
        raise Fault(INVALID_PARAMS, "_meta lacks the revision or the client's capabilities")
    if version != STATELESS:
        data = {"supported": [HANDSHAKE, STATELESS], "requested": version}
        raise Fault(UNSUPPORTED_VERSION, "This revision is not spoken here", data)
    if method == "server/discover":
        result = {"supportedVersions": [HANDSHAKE, STATELESS], "capabilities": CAPABILITIES}
    else:
        result = _serve(method, params)
    caching = {} if method == "tools/call" else CACHING
    about = {"resultType": "complete", "_meta": {f"{META}serverInfo": SERVER_INFO}}
    return {**result, **caching, **about}


def _serve(method: Any, params: Object) -> Object:
    if method == "tools/call":
        return _call(params)
    if method != "tools/list":
        raise Fault(NO_METHOD, "There is no such method")
    if "cursor" in params:
        raise Fault(INVALID_PARAMS, "The list has one page")
    return {"tools": [tool.definition() for tool in TOOLS.values()]}


def _call(params: Object) -> Object:
    tool, arguments = TOOLS.get(str(params.get("name"))), params.get("arguments", {})
    if tool is None or not isinstance(arguments, dict):
        raise Fault(INVALID_PARAMS, "There is no such tool, or its arguments are not an object")
    return call_tool(tool, arguments)


def main() -> None:
    """Serve until standard input ends."""
    service = Service()
    for line in sys.stdin.buffer:
        if (reply := service.reply(line)) is not None:
            print(json.dumps(reply), flush=True)


Object = dict[str, Any]

NO_ARGUMENTS: Final[Object] = {}
READS: Final = {"readOnlyHint": True, "openWorldHint": False}
ADDS: Final = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
DELETES: Final = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}


class Rejected(Exception):
    """A call that cannot be carried out as it was asked for."""


class DemoNote(NamedTuple):
    """A note."""

    title: str
    text: str
    tag: str


NOTES: Final[dict[int, DemoNote]] = {
    1: DemoNote("Groceries", "Milk, bread, two lemons.", "home"),
    2: DemoNote("Release plan", "Freeze on Monday, ship on Thursday.", "work"),
    3: DemoNote("Reading list", "Middlemarch, then Emma.", "home"),
    4: DemoNote("Retrospective", "Keep the short meetings.", "work"),
}


# What the tools do


def list_notes(order: str = "newest", limit: Any = 10) -> Object:
    """List notes; planted: `title` is offered and rejected, and a text is taken for the limit."""
    if order not in ("newest", "oldest"):
        raise Rejected(f"Unknown order {order!r}. Use one of: newest, oldest.")
    ids = sorted(NOTES, reverse=order == "newest")[: int(limit)]
    return _text("\n".join(f"{id}: {NOTES[id].title}" for id in ids) or "There are no notes.")


def get_note(id: int) -> Object:
    """Show one note."""
    if id not in NOTES:
        raise Rejected(f"There is no note with id {id}. list_notes shows the ids.")
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
    NOTES[id] = DemoNote(title, text, tag)
    return _text(f"Added note {id}.")


def delete_note(id: int) -> Object:
    """Delete a note for good."""
    if NOTES.pop(id, None) is None:
        raise Rejected(f"There is no note with id {id}. list_notes shows the ids.")
    return _text(f"Deleted note {id}.")


def _text(words: str) -> Object:
    return {"content": [{"type": "text", "text": words}]}


# What is said about them


class DemoTool(NamedTuple):
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
        DemoTool(
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
        DemoTool(get_note, "Read a note", "Show one note by its id.", READS, {"id": ID}, ("id",)),
        DemoTool(
            search_notes,
            "Search notes",
            "Find the notes whose title or text contains a word, in all notes or under one tag.",
            READS,
            {"query": {**SHORT, "description": "The word to look for."}, "tag": TAG},
            ("query",),
        ),
        DemoTool(
            notes_summary,
            "Count notes",
            "Say how many notes there are and which tags they have.",
            READS,
            output_schema=SUMMARY,
        ),
        DemoTool(
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
        DemoTool(
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


def call_tool(tool: DemoTool, arguments: Object) -> Object:
    """Make a call, if its arguments are as advertised."""
    try:
        for wrong in _wrong_arguments(tool, arguments):
            raise Rejected(f"Invalid arguments: {wrong}.")
        return tool.run(**arguments)
    except Rejected as refused:
        return {**_text(str(refused)), "isError": True}
    except Exception as fault:  # noqa: BLE001  a tool that fails must not end the server
        traceback.print_exc()
        words = f"Error executing tool {tool.run.__name__}: {type(fault).__name__}: {fault}"
        return {**_text(words), "isError": True}


def _wrong_arguments(tool: DemoTool, arguments: Object) -> Iterator[str]:
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


if __name__ == "__main__":
    main()

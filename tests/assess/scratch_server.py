"""A server that writes beside its folder before it refuses a note without a name.

With a second folder it makes each note there first, in a folder that it removes again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

NOTES = Path(sys.argv[1])
INCOMING = Path(sys.argv[2]) / "incoming" if len(sys.argv) > 2 else None
SCRATCH = Path.home() / "assay-scratch.tmp"
TOOL = {
    "name": "save_note",
    "description": "Saves a note in the folder of the notes.",
    "inputSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "text": {"type": "string"}},
        "required": ["name", "text"],
        "additionalProperties": False,
    },
}


def save_note(name: object, text: object, **others: object) -> str:
    """Save a note: all of it is written first, and moved to its place if that is good."""
    if others or not isinstance(name, str) or not isinstance(text, str):
        raise ValueError("name and text must be strings, and nothing else may be given")
    if name.strip() and "/" not in name and len(name) < 100:
        if INCOMING is not None:
            INCOMING.mkdir()
            INCOMING.rmdir()
        (NOTES / f"note {name}.txt").write_text(text, "utf-8")
        return f"note {name} is saved: {len(text)} characters"
    SCRATCH.write_text(text, "utf-8")
    SCRATCH.unlink()
    raise ValueError("name must be a short name of a file")


def called(arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of a call."""
    try:
        given = {name: arguments.get(name) for name in ("name", "text")}
        return {"content": [{"type": "text", "text": save_note(**{**given, **arguments})}]}
    except (ValueError, OSError) as refusal:
        return {"content": [{"type": "text", "text": str(refusal)}], "isError": True}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request."""
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": "1.0.0"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    return called(params.get("arguments", {})) if method == "tools/call" else {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = answer(request["method"], request.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)

"""A server over the files of its working folder: it reads, adds, renames and deletes them."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

NAME = {"name": {"type": "string", "enum": ["tea.txt"]}}
NEW = {"name": {"type": "string", "enum": ["new.txt"]}}
HINTS: dict[str, dict[str, bool]] = {"read_file": {"readOnlyHint": True}}
TOOLS = {"wipe_folder": {}, "rename_file": NAME, "add_file": NEW, "read_file": NAME}
"""In this order they are listed, which is the worst to call them in."""


def listed() -> list[dict[str, Any]]:
    """The definitions of all tools."""
    return [
        {
            "name": name,
            "description": f"{name.replace('_', ' ').capitalize()} in the working folder.",
            "inputSchema": {
                "type": "object",
                "properties": its,
                "required": [*its],
                "additionalProperties": False,
            },
            **({"annotations": HINTS[name]} if name in HINTS else {}),
        }
        for name, its in TOOLS.items()
    ]


def call(tool: str, arguments: dict[str, Any]) -> str:
    """What a tool says when it is called; raises ValueError or OSError."""
    its = TOOLS[tool]
    if arguments.keys() != its.keys():
        raise ValueError(f"expected exactly these arguments: {', '.join(its) or 'none'}")
    name = arguments.get("name")
    if its and name not in its["name"]["enum"]:
        raise ValueError(f"invalid name: {name!r}")
    if tool == "read_file":
        with open(str(name), encoding="utf-8") as file:
            return f"{name} says {file.read()}"
    if tool == "add_file":
        with open(str(name), "w", encoding="utf-8") as file:
            file.write("new\n")
        return f"added {name}"
    if tool == "rename_file":
        os.rename(str(name), f"{name}.old")
        os.rename(f"{name}.old", str(name) + ".older")
        return f"renamed {name}"
    gone = sorted(one for one in os.listdir(".") if one.endswith(".txt"))
    for one in gone:
        os.remove(one)
    return f"deleted {len(gone)} files: {', '.join(gone)}"


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """The result of a request, or its error."""
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        info = {"name": "folder", "version": "1"}
        return {
            "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": info,
            }
        }
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": listed()}}
    if method != "tools/call":
        return {"error": {"code": -32601, "message": "Method not found"}}
    if params.get("name") not in TOOLS:
        return {"error": {"code": -32602, "message": "Unknown tool"}}
    try:
        text, failed = call(params["name"], params.get("arguments") or {}), False
    except (OSError, ValueError) as fault:
        text, failed = str(fault), True
    return {"result": {"content": [{"type": "text", "text": text}], "isError": failed}}


def main() -> None:
    """Answer every request on standard input."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            said = {"jsonrpc": "2.0", "id": message["id"], **answer(message)}
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()

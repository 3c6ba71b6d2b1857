"""A server with one fault of each kind, until a file called `mended` lies where it runs."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

MENDED = os.path.exists("mended")


def tool(name: str, properties: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": [*properties]}
    return {
        "name": name,
        "description": f"The tool {name}.",
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True},
    }


TOOLS = [
    tool("search", {"query": {"type": "string"}}),
    tool("count", {"limit": {"type": "integer"}}),
    tool("echo", {"text": {"type": "string", "default": "" if MENDED else 5}}),
]


def called(name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    if any(
        not isinstance(arguments.get(key), str) for key in ("query", "text") if key in arguments
    ):
        return "Invalid arguments: expected a string", True
    if name == "search" and "query" not in arguments:
        return "Invalid arguments: query is required", True
    if name == "search" and not arguments["query"].isascii() and not MENDED:
        return "UnicodeEncodeError: 'ascii' codec can't encode character", True
    if name == "count" and type(arguments.get("limit")) is not int and MENDED:
        return "Invalid arguments: limit must be an integer", True
    return "found nothing", False


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": "mendable", "version": os.environ.get("MENDABLE_VERSION", "1")}
        agreed = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        return {"result": {**agreed, "serverInfo": info}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "ping" or (method.startswith("no-such") and not MENDED):
        return {"result": {}}
    if method == "tools/call" and params.get("name") in {it["name"] for it in TOOLS}:
        text, is_error = called(params["name"], params.get("arguments") or {})
        return {"result": {"content": [{"type": "text", "text": text}], "isError": is_error}}
    if method == "tools/call":
        return {"error": {"code": -32602, "message": "Unknown tool"}}
    return {"error": {"code": -32601, "message": "Method not found"}}


def read(line: str) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(line)
        return value
    except ValueError:
        if not MENDED:
            raise
        return {}


for line in sys.stdin:
    asked = read(line)
    if "id" in asked and "method" in asked:
        said = {
            "jsonrpc": "2.0",
            "id": asked["id"],
            **answer(asked["method"], asked.get("params", {})),
        }
        print(json.dumps(said), flush=True)

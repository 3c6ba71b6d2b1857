"""A server without hints: honest readers, some that change its memory, and writers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ID = {"id": {"type": "integer", "minimum": 1, "maximum": 50}}
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "get_tea": ("Get the name of a tea.", ID),
    "get_leaf": ("Get the colour of a leaf.", ID),
    "get_visits": ("Get the number of visits.", {}),
    "list_leaves": ("List the leaves that are left.", {}),
    "add_tea": ("Add a tea to the shelf.", ID),
    "delete_shelf": ("Delete the shelf.", {}),
    "boil_water": ("Boil water.", ID),
}
SHELF = Path("shelf.txt")
leaves = [100]
visits = [0]


def get_leaf(id: int) -> str:
    leaves[0] -= 1
    return f"leaf {id} is green"


def get_visits() -> str:
    visits[0] += 1
    return f"{visits[0]} visits"


def add_tea(id: int) -> str:
    known = SHELF.read_text("utf-8") if SHELF.exists() else ""
    if f"tea {id}\n" not in known:
        SHELF.write_text(f"{known}tea {id}\n", "utf-8")
    return f"tea {id} is on the shelf"


def delete_shelf() -> str:
    SHELF.unlink(missing_ok=True)
    return "the shelf is gone"


DEEDS: dict[str, Callable[..., str]] = {
    "get_tea": lambda id: f"tea {id} is black",
    "get_leaf": get_leaf,
    "get_visits": get_visits,
    "list_leaves": lambda: f"{leaves[0]} leaves",
    "add_tea": add_tea,
    "delete_shelf": delete_shelf,
    "boil_water": lambda id: f"{id} litres of water are hot",
}


def listed() -> list[dict[str, Any]]:
    """The definitions of all tools."""
    return [
        {
            "name": name,
            "description": description,
            "inputSchema": {
                "type": "object",
                "properties": its,
                "required": [*its],
                "additionalProperties": False,
            },
        }
        for name, (description, its) in TOOLS.items()
    ]


def called(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of a call."""
    its = TOOLS[tool][1]
    id = arguments.get("id", 1)
    is_valid = arguments.keys() == its.keys() and type(id) is int and 1 <= id <= 50
    text = DEEDS[tool](**arguments) if is_valid else "the id must be a number from 1 to 50"
    return {"content": [{"type": "text", "text": text}], "isError": not is_valid}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """What the server answers to a request."""
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hints", "version": "1"},
        }
    if method == "tools/call" and params.get("name") in TOOLS:
        return called(params["name"], params.get("arguments") or {})
    return {"tools": listed()} if method == "tools/list" else {}


def main() -> None:
    """Answer what comes."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": answer(message)}
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()

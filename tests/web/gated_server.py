"""A server that is slow on purpose: its tool `get_gated` answers when the test opens the gate.

`python gated_server.py GATE ALIVE`: both are named pipes. The first call of that tool is answered
when somebody has written to GATE and closed it; ALIVE is held open as long as the server lives.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

READ_ONLY = {"readOnlyHint": True, "destructiveHint": False}
NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}
TOOLS = [
    {"name": name, "description": about, "inputSchema": NO_ARGUMENTS, "annotations": READ_ONLY}
    for name, about in (
        ("list_colors", "Lists the colors."),
        ("get_gated", "Gets a number behind a gate."),
    )
]

RESULTS: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "gated", "version": "1.0"},
    },
    "tools/list": {"tools": TOOLS},
    "ping": {},
}


def main(gate: str, alive: str) -> None:
    """Answer what comes until the input ends."""
    os.open(alive, os.O_RDWR | os.O_NONBLOCK)
    is_open = False
    for line in sys.stdin:
        message = _read(line)
        if not isinstance(message, dict) or "id" not in message:
            continue
        if '"get_gated"' in line and not is_open:
            with open(gate, encoding="utf-8") as opened:
                opened.read()
            is_open = True
        answer = {"jsonrpc": "2.0", "id": message["id"], **_answer(message)}
        print(json.dumps(answer), flush=True)


def _read(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _answer(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("method") == "tools/call":
        return _called(message.get("params", {}))
    if message.get("method") in RESULTS:
        return {"result": RESULTS[message["method"]]}
    return {"error": {"code": -32601, "message": "Method not found"}}


def _called(params: dict[str, Any]) -> dict[str, Any]:
    if params.get("name") not in [tool["name"] for tool in TOOLS]:
        return {"error": {"code": -32602, "message": f"Unknown tool: {params.get('name')}"}}
    is_wrong = params.get("arguments", {}) != {}
    words = "Invalid arguments: none are allowed." if is_wrong else "red, green and blue"
    return {"result": {"content": [{"type": "text", "text": words}], "isError": is_wrong}}


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A server that says too much: hundreds of tools with markup for names, and noise without end."""

from __future__ import annotations

import json
import sys
from typing import Any

NUMBER = 700
MARKUP = "<img src=x onerror=alert(1)>\u202e{{ 7*7 }}"
NOISE = "x" * 1000 + "\n"


def main() -> None:
    """Answer what comes until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        sys.stderr.write(NOISE * 200)
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], **_answer(message["method"])}
            print(json.dumps(answer), flush=True)


def _answer(method: str) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": MARKUP, "version": MARKUP}
        its = {"protocolVersion": "2025-11-25", "serverInfo": info}
        return {"result": {**its, "capabilities": {"tools": {}}}}
    if method == "tools/list":
        schema = {"type": "object", "properties": {"a": {}}}
        tools = [
            {"name": f"t{number}{MARKUP}", "description": MARKUP, "inputSchema": schema}
            for number in range(NUMBER)
        ]
        return {"result": {"tools": tools}}
    return {"error": {"code": -32601, "message": "Method not found"}}


if __name__ == "__main__":
    main()

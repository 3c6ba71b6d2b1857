"""A server that nests what it sends so many levels deep: `python deep_server.py LEVELS PLACE…`."""

from __future__ import annotations

import json
import sys
from typing import Any

PLACES = (
    *("capabilities", "info", "input", "output", "default", "annotations", "meta", "member"),
    *("answer", "content", "error", "text", "notification", "question", "resource", "prompt"),
)
"""Where a deep value can stand."""
HINTS = {"readOnlyHint": True}


def marks(levels: int) -> dict[str, bytes]:
    """What stands for each mark: a schema, an object and an array, each so deep."""
    half = levels // 2
    schema = b'{"properties":{"in":' * half + b'{"type":"string"}' + b"}}" * half
    value = b'{"in":' * levels + b"1" + b"}" * levels
    return {"@S@": schema, "@V@": value, "@A@": b"[" * levels + b"]" * levels}


class DeepServer:
    """Answers everything, with deep values in the places that are named."""

    def __init__(self, levels: int, places: list[str]) -> None:
        self._marks = marks(levels)
        self._places = places
        self._lists = 0

    def run(self) -> None:
        """Serve until standard input ends."""
        for line in sys.stdin.buffer:
            message = json.loads(line) if line.startswith(b'{"') and b'"id"' in line else {}
            if "method" in message:
                self._answer(message)

    def _has(self, place: str) -> bool:
        return place in self._places

    def _write(self, message: dict[str, Any]) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        for mark, deep in self._marks.items():
            text = text.replace(b'"' + mark.encode() + b'"', deep)
        sys.stdout.buffer.write(text + b"\n")
        sys.stdout.buffer.flush()

    def _answer(self, message: dict[str, Any]) -> None:
        made = getattr(self, f"_{message['method'].replace('/', '_')}", None)
        answer = made(message) if made else {"error": {"code": -32601, "message": "No method"}}
        self._write({"id": message["id"], **answer})

    def _initialize(self, _: Any) -> dict[str, Any]:
        capabilities: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}}
        info: dict[str, Any] = {"name": "deep", "version": "1"}
        if self._has("capabilities"):
            capabilities["experimental"] = {"x": "@V@", "y": "@A@"}
        if self._has("info"):
            info["x"] = "@V@"
        version = {"protocolVersion": "2025-11-25"}
        return {"result": {**version, "capabilities": capabilities, "serverInfo": info}}

    def _ping(self, _: Any) -> dict[str, Any]:
        return {"result": {}}

    def _tools_list(self, _: Any) -> dict[str, Any]:
        self._lists += 1
        properties: dict[str, Any] = {"title": {"type": "string"}}
        tool: dict[str, Any] = {
            "name": "get_book",
            "description": f"Get a book from shelf {self._lists // 3}.",
            "inputSchema": {"type": "object", "properties": properties},
            "annotations": dict(HINTS),
        }
        if self._has("input"):
            properties["deep"] = "@S@"
        if self._has("default"):
            properties["odd"] = {"default": "@V@", "examples": ["@A@"], "enum": ["@V@", 1]}
        if self._has("output"):
            tool["outputSchema"] = {"type": "object", "properties": {"deep": "@S@"}}
        if self._has("annotations"):
            tool["annotations"]["x"] = "@V@"
        if self._has("meta"):
            tool |= {"_meta": {"x.example/y": "@V@"}, "icons": "@A@", "title": "@V@"}
        more = ["@V@", "@A@"] if self._has("member") else []
        return {"result": {"tools": [tool, {**tool, "name": "get_shelf"}, *more]}}

    def _tools_call(self, message: dict[str, Any]) -> dict[str, Any]:
        text = "shelf 3"
        if self._has("text"):
            text = self._marks["@V@"].decode()
        result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
        if self._has("answer"):
            result["structuredContent"] = {"deep": "@V@"}
        if self._has("content"):
            result["content"] += ["@V@", {"type": "resource", "resource": "@V@"}]
        if self._has("notification"):
            params = {"level": "info", "data": "@V@"}
            self._write({"method": "notifications/message", "params": params})
            self._write({"method": "notifications/progress", "params": {"progressToken": "@V@"}})
        if self._has("question"):
            asked = {"message": "?", "requestedSchema": {"type": "object", "properties": "@S@"}}
            self._write({"id": "q", "method": "elicitation/create", "params": asked})
            self._write({"id": "@V@", "method": "ping"})
        if self._has("error") and message["params"]["name"] == "get_shelf":
            return {"error": {"code": -32602, "message": "No such shelf", "data": "@V@"}}
        return {"result": result}

    def _resources_list(self, _: Any) -> dict[str, Any]:
        meta = {"_meta": {"x": "@V@"}, "annotations": "@V@"} if self._has("resource") else {}
        return {"result": {"resources": [{"uri": "file:///a", "name": "a", **meta}]}}

    def _resources_read(self, _: Any) -> dict[str, Any]:
        meta = {"_meta": {"x": "@V@"}} if self._has("resource") else {}
        return {"result": {"contents": [{"uri": "file:///a", "text": "a", **meta}]}}

    def _prompts_list(self, _: Any) -> dict[str, Any]:
        more = ["@A@"] if self._has("prompt") else []
        return {"result": {"prompts": [{"name": "p", "arguments": [{"name": "q"}, *more]}]}}

    def _prompts_get(self, _: Any) -> dict[str, Any]:
        block = {"type": "text", "text": "p"} | ({"x": "@V@"} if self._has("prompt") else {})
        return {"result": {"messages": [{"role": "user", "content": block}]}}


if __name__ == "__main__":
    DeepServer(int(sys.argv[1]), sys.argv[2:]).run()

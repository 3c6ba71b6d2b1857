"""Traces to look through, and the lines that they are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mcp_assay.web.traffic.trace_file import TraceFile


def line(direction: str, message: Any, session: str = "s", **more: Any) -> bytes:
    """The line of a trace with a message, or with a text that is sent as it is."""
    raw = message if isinstance(message, str) else json.dumps(message)
    members = {"dir": direction, "session": session, "raw": raw, **more}
    return json.dumps(members, separators=(",", ":")).encode() + b"\n"


def call(id: int, tool: str, **arguments: Any) -> dict[str, Any]:
    """A request that calls a tool."""
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def answer(id: int, text: str) -> dict[str, Any]:
    """The answer to a call."""
    content = [{"type": "text", "text": text}]
    return {"jsonrpc": "2.0", "id": id, "result": {"content": content}}


def calls(count: int, session: str = "s") -> list[bytes]:
    """Calls of three tools, each with its answer."""
    lines = []
    for id in range(count):
        lines.append(line("c2s", call(id, f"tool{id % 3}", word=f"ask{id}"), session))
        lines.append(line("s2c", answer(id, f"told{id}"), session))
    return lines


def looked_through(path: Path, lines: Iterable[bytes] | None = None, **more: Any) -> TraceFile:
    """A trace file of these lines, or one that is there, after all of it was looked through."""
    if lines is not None:
        path.write_bytes(b"".join(lines))
    file = TraceFile(str(path), **more)
    while file.go_on():
        pass
    return file

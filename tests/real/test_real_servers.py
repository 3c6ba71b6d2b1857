"""What servers on the official SDK and on FastMCP really say is not found fault with."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mcp_assay.model.finding import Finding
from mcp_assay.protocol import Session
from mcp_assay.rules.engine.samples import CLIENT_META
from tests.patience import LONGEST

SERVER = Path(__file__).with_name("notes_server.py")
LIBRARIES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed"),
    )
    for name in ("mcp", "fastmcp")
]

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("tools/call", {"name": "get_note", "arguments": {"number": 1}}),
    ("tools/call", {"name": "count_notes", "arguments": {}}),
    ("tools/call", {"name": "get_note", "arguments": {"number": "many"}}),
    ("tools/call", {"name": "get_note", "arguments": {"number": 99}}),
    ("tools/call", {"name": "no_such_tool", "arguments": {}}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "notes://all"}),
    ("resources/read", {"uri": "notes://2"}),
    ("resources/read", {"uri": "notes://none/at/all"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "summarise", "arguments": {"tone": "cheerful"}}),
    ("prompts/get", {"name": "no_such_prompt", "arguments": {}}),
]


def handshake(revision: str) -> Iterator[dict[str, Any]]:
    yield {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": {"name": "inspector", "version": "1.0"},
        },
    }
    yield {"jsonrpc": "2.0", "method": "notifications/initialized"}
    yield {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def conversation(revision: str) -> Iterator[dict[str, Any]]:
    modern = revision >= "2026-07-28"
    meta = {"_meta": CLIENT_META} if modern else {}
    if modern:
        yield {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {**meta}}
    else:
        yield from handshake(revision)
    for number, (method, params) in enumerate(CALLS, start=2):
        yield {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, **meta}}


def exchanged(library: str, revision: str) -> Iterator[tuple[str, bytes]]:
    """Every line that goes to and fro, each request after the answer to the one before."""
    process = subprocess.Popen(
        [sys.executable, str(SERVER), library],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    alarm = threading.Timer(LONGEST, process.kill)
    alarm.start()
    try:
        for message in conversation(revision):
            line = json.dumps(message).encode()
            process.stdin.write(line + b"\n")
            process.stdin.flush()
            yield "c2s", line
            while "id" in message:
                answer = process.stdout.readline()
                assert answer, f"the server ended before it answered {message['method']}"
                yield "s2c", answer.rstrip(b"\n")
                if json.loads(answer).get("id") == message["id"]:
                    break
    finally:
        alarm.cancel()
        process.kill()
        process.stdin.close()
        process.stdout.close()
        process.wait()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
)
def test_a_real_server_gives_no_false_error(library: str, revision: str) -> None:
    session, found = Session(), list[Finding]()
    seen = 0
    for direction, line in exchanged(library, revision):
        found += session.feed(direction, line)
        seen += 1
    assert seen >= 2 * len(CALLS)
    assert session.revision == revision
    assert [(one.rule, one.pointer, one.message) for one in found if one.severity == "error"] == []

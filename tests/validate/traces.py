"""Traces with a bit of everything in them, made from a seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

BARE = '{"jsonrpc":"2.0","id":%d,"method":"ping"}'
ODD = (
    "",
    "not json",
    '{"dir":"up","message":{}}',
    '{"dir":"c2s","session":"s1","message":{"jsonrpc":"2.0","id":1,"method":"ping","x":',
    '{"dir":"c2s","session":"s2","message":{"jsonrpc":"2.0","id":5,"id":5,"method":"ping"}}',
    '{"dir":"c2s","session":"s3","jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"dir":"c2s","session":"s4","params":{},"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"dir":"c2s","session":"s5","message":{},"raw":"{}"}',
    '{"dir":"c2s","session":"s6","message":{"jsonrpc":"2.0","method":"a"},"session":"s7"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","method":"x","params":{"dir":"c2s","session":"s1"}}',
    '{"dir":"s2c","conn":4,"raw":"listening on port 80"}',
    '{"dir":"s2c","conn":4,"end":true}',
)
WHO = {"name": "n", "version": "1"}


def session(rng: Random) -> Iterator[dict[str, Any]]:
    """The lines of one session, in which now and then something is wrong."""
    revision = rng.choice(["2024-11-05", "2025-06-18", "2025-11-25"])
    opening = {"protocolVersion": revision, "capabilities": {}}
    yield call(0, "initialize", {**opening, "clientInfo": WHO})
    yield answer(0, {**opening, "serverInfo": WHO})
    if rng.random() < 0.8:
        yield {"dir": "c2s", "message": {"jsonrpc": "2.0", "method": "notifications/initialized"}}
    for id in range(1, rng.randrange(2, 9)):
        yield call(rng.choice([id, id, id, 1, None]), rng.choice(["ping", "tools/list", "nope"]))
        if rng.random() < 0.7:
            yield answer(id, rng.choice([{}, {"tools": []}, {"tools": 5}]))


def call(id: int | None, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": id, "method": method}
    return {"dir": "c2s", "message": message if params is None else {**message, "params": params}}


def answer(id: int, result: dict[str, Any]) -> dict[str, Any]:
    return {"dir": "s2c", "message": {"jsonrpc": "2.0", "id": id, "result": result}}


def with_keys(lines: Iterator[dict[str, Any]], number: int, rng: Random) -> Iterator[str]:
    """The lines of a session in one of the ways in which traces name sessions."""
    style = rng.choice(["first", "last", "conn", "header"])
    for exchange, line in enumerate(lines):
        if style == "first":
            yield json.dumps({"t": exchange, "session": f"s{number}", **line})
        elif style == "last":
            yield json.dumps({**line, "session": f"s{number}"})
        elif style == "conn":
            yield json.dumps({**line, "conn": number, "transport": "stdio"})
        else:
            yield json.dumps({**line, **_over_http(line, number, exchange)})


def _over_http(line: dict[str, Any], number: int, exchange: int) -> dict[str, Any]:
    shared = f"{number}-{exchange - (line['dir'] == 's2c')}"
    side = "request_headers" if line["dir"] == "c2s" else "response_headers"
    headers = {} if exchange == 0 else {"Mcp-Session-Id": f"id{number}"}
    return {"transport": "http", "exchange": shared, "http": {side: headers}}


def write(folder: Path, seed: int, files: int = 3) -> list[str]:
    """Some files whose lines belong to many sessions, with odd lines among them."""
    rng = Random(seed)
    live = [with_keys(session(rng), number, rng) for number in range(30)]
    lines: list[str] = []
    while live:
        line = next(chosen := rng.choice(live), None)
        if line is None:
            live.remove(chosen)
        else:
            lines.append(line)
        if rng.random() < 0.05:
            lines.append(rng.choice([*ODD, BARE % rng.randrange(9)]))
    cut = len(lines) // files + 1
    names = []
    for number in range(files):
        path = folder / f"{seed}-{number}.jsonl"
        path.write_text("\n".join(lines[number * cut : (number + 1) * cut]) + "\n")
        names.append(str(path))
    return names

"""Traces for the benchmarks: interleaved sessions, as a gateway would write them.

The same seed always gives the same bytes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bench.corpus import SEED
from bench.traffic.conversation import Direction, converse
from bench.traffic.material import Material
from bench.traffic.styles import Balance

INTERLEAVED: Final = 200
"""Sessions that go on at the same time."""
SERVERS: Final = 40
"""Servers behind the gateway, each with its own tools."""
FIRST_MOMENT: Final = 1_763_000_000.0
STEP: Final = 0.0125
"""Seconds from one line to the next."""


class TraceLine(NamedTuple):
    """One message of a trace: its session, its direction, its text."""

    session: int
    direction: Direction
    raw: bytes


def lines(messages: int, seed: int = SEED, interleaved: int = INTERLEAVED) -> Iterator[TraceLine]:
    """`messages` messages of whole sessions, of which so many go on at the same time.

    A session is like an earlier one with the same server, but for its name.
    """
    rng = Random(seed)
    servers = _conversations(rng)
    numbers = itertools.count()

    def session() -> Iterator[TraceLine]:
        number = next(numbers)
        return (TraceLine(number, *spoken) for spoken in servers[number % SERVERS])

    live = [session() for _ in range(interleaved)]
    for _ in range(messages):
        index = rng.randrange(interleaved)
        line = next(live[index], None)
        if line is None:
            live[index] = session()
            line = next(live[index])
        yield line


def _conversations(rng: Random) -> list[list[tuple[Direction, bytes]]]:
    """One conversation with each server."""
    material, balance = Material(rng), Balance()
    return [
        [
            (draft.direction, balance.write((server, draft.direction), draft.message))
            for draft in converse(material, server, itertools.count(1))
        ]
        for server in range(SERVERS)
    ]


def open_sessions(messages: int, sessions: int) -> Iterator[TraceLine]:
    """Short messages of many sessions, none of which ends."""
    opening = _opening()
    for session in range(sessions):
        for direction, raw in opening:
            yield TraceLine(session, direction, raw)
    for number in range((messages - len(opening) * sessions) // 2):
        session, id = number % sessions, number // sessions + 2
        yield TraceLine(session, "c2s", _CALL % id)
        yield TraceLine(session, "s2c", _ANSWER % id)


def written(lines: Iterator[TraceLine]) -> Iterator[bytes]:
    """The lines as they stand in a file."""
    for number, line in enumerate(lines):
        moment = FIRST_MOMENT + number * STEP
        head = f'{{"t":{moment:.3f},"dir":"{line.direction}","session":"s-{line.session:06d}"'
        yield head.encode() + b',"message":' + line.raw + b"}\n"


def write(lines: Iterator[TraceLine], path: Path) -> Path:
    """Write the lines to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.writelines(written(lines))
    return path


_CALL: Final = (
    b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{}}}'
)
_TOOLS: Final = (
    b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}'
)
_ANSWER: Final = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"echo"}]}}'


def _opening() -> list[tuple[Direction, bytes]]:
    """The handshake, and the list of the server's tools."""
    who = b'{"name":"bench","version":"1.0.0"}'
    return [
        (
            "c2s",
            b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":'
            b'"2025-11-25","capabilities":{},"clientInfo":' + who + b"}}",
        ),
        (
            "s2c",
            b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":'
            b'{"tools":{}},"serverInfo":' + who + b"}}",
        ),
        ("c2s", b'{"jsonrpc":"2.0","method":"notifications/initialized"}'),
        ("c2s", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
        ("s2c", _TOOLS),
    ]

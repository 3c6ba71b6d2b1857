"""Traces of gateways whose files are rotated and whose clocks differ, made from a seed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.validate.traces import answer, call

SHARED: Final = "shared"
"""The session that all gateways see."""
BEGINNING: Final = 1_800_000_000
WHO: Final = {"name": "n", "version": "1"}
OPENING: Final = {"protocolVersion": "2025-11-25", "capabilities": {}}

Line = dict[str, Any]


def session(calls: int) -> Iterator[Line]:
    """The lines of one session without a fault."""
    yield call(0, "initialize", {**OPENING, "clientInfo": WHO})
    yield answer(0, {**OPENING, "serverInfo": WHO})
    yield {"dir": "c2s", "message": {"jsonrpc": "2.0", "method": "notifications/initialized"}}
    for id in range(1, calls + 1):
        yield call(id, "ping")
        yield answer(id, {})


def rotated(folder: Path, files: int, sessions: int, calls: int, seed: int = 0) -> list[str]:
    """One gateway: many sessions at a time, in files that follow one another."""
    rng = Random(seed)
    live = [(f"s{number}", session(calls)) for number in range(sessions)]
    lines: list[Line] = []
    while live:
        name, its = chosen = live[min(int(rng.expovariate(0.1)), len(live) - 1)]
        line = next(its, None)
        if line is None:
            live.remove(chosen)
        else:
            lines.append({"t": BEGINNING + len(lines) / 100, "session": name, **line})
    cut = len(lines) // files + 1
    pieces = (lines[at : at + cut] for at in range(0, len(lines), cut))
    return [
        written(folder / f"gateway.{number}.jsonl", piece) for number, piece in enumerate(pieces)
    ]


def several_gateways(folder: Path, clocks: Iterable[float], files: int = 5) -> list[str]:
    """Gateways with clocks that are wrong by so much; one session goes through all of them.

    Each message of it is recorded by one gateway, in turn: the answer to a request by the next one.
    """
    wrong = list(clocks)
    lines: list[list[Line]] = [[] for _ in wrong]
    for number, line in enumerate(session(40 * files)):
        at = number % len(wrong)
        moment = round(BEGINNING + number / 10 + wrong[at], 3)
        lines[at].append({"t": moment, "session": SHARED, **line})
    names = []
    for gateway, its in enumerate(lines):
        cut = len(its) // files + 1
        for number in range(files):
            piece = its[number * cut : (number + 1) * cut]
            names.append(written(folder / f"gateway-{gateway}.{number}.jsonl", piece))
    return names


def written(path: Path, lines: Iterable[Line]) -> str:
    """Write lines to a file; its name."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)

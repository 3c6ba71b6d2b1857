"""What calling a tool through our connection costs, against a bare asyncio client, in turns."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import orjson

from bench.bars import Bar
from bench.proxy import CALL, INITIALIZE
from bench.tables import table
from bench.timing import Figure
from mcp_assay.drive.connection import Connection, connect
from mcp_assay.drive.target import Command, Options
from mcp_assay.transport.environment import allowed

HERE: Final = Path(__file__).parent
SERVERS: Final[Mapping[str, str]] = {"a raw loop": "raw_server.py", "the SDK": "echo_server.py"}
TRIPS: Final = 50
"""Calls in one turn: few, so that what else the machine does hits both alike."""
ROUNDS: Final = 60
TIME: Final = Bar(1.3)
"""Our time as times that of the bare client, on a server that does some work."""
CPU: Final = Bar(400)
"""Microseconds of this process per call, on the raw loop."""
HEAD: Final = ("server", "bare per second", "ours per second", "our time", "our CPU us per call")

Call: TypeAlias = Callable[[], Awaitable[object]]


class Bare:
    """A client of the plainest kind on asyncio: it writes a line and reads a line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process: Final = process
        self._id = 0

    @classmethod
    async def start(cls, script: str) -> Self:
        """Start a server and shake hands."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, str(HERE / script))
        bare = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))
        await bare.ask("initialize", INITIALIZE)
        bare._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return bare

    async def call(self) -> object:
        """Call the tool."""
        return await self.ask("tools/call", CALL)

    async def ask(self, method: str, params: dict[str, Any]) -> object:
        """Send a request and give back its answer."""
        self._id += 1
        self._write({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self._process.stdout is not None
        return orjson.loads(await self._process.stdout.readline())

    async def close(self) -> None:
        """End the server."""
        self._process.kill()
        await self._process.wait()

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(orjson.dumps(message) + b"\n")


def calls() -> tuple[str, dict[str, Any]]:
    """The table of calls, and the same as figures."""
    rows, figures = [], {}
    for name, script in SERVERS.items():
        if script == "echo_server.py" and find_spec("mcp") is None:
            continue
        ratio, cpu, bare, ours = asyncio.run(_compared(script))
        promise = f"{CPU.words()}: {CPU.verdict(cpu)}" if name == "a raw loop" else ""
        kept = f"{TIME.words()}: {TIME.verdict(ratio.median)}" if not promise else ""
        rows.append(
            [name, f"{bare:,.0f}", f"{ours:,.0f}", f"{ratio} {kept}", f"{cpu:.0f} {promise}"]
        )
        figures[name] = {"ratio": ratio._asdict(), "cpu_us": cpu, "per_second": ours}
    return table(HEAD, rows), figures


async def _compared(script: str) -> tuple[Figure, float, float, float]:
    """Our time as times the bare one, our CPU per call, and how many calls each makes a second."""
    async with AsyncExitStack() as stack:
        bare = await Bare.start(script)
        stack.push_async_callback(bare.close)
        ours = await stack.enter_async_context(await _connected(script))
        await ours.list_all("tools")
        taken: list[tuple[float, float, float]] = []
        for _ in range(ROUNDS + 1):
            seconds, _ = await _timed(bare.call)
            taken.append((seconds, *await _timed(lambda: ours.ask("tools/call", CALL))))
    taken = taken[1:]
    ratio = Figure.of(our_seconds / bare_seconds for bare_seconds, our_seconds, _ in taken)
    best_bare, best_ours, cpu = (min(column) for column in zip(*taken, strict=True))
    return ratio, cpu / TRIPS * 1e6, TRIPS / best_bare, TRIPS / best_ours


async def _connected(script: str) -> Connection:
    command = (sys.executable, str(HERE / script))
    target = Command(command=command, environment=allowed(os.environ, {}))
    return await connect(target, Options(revision="2025-11-25"))


async def _timed(call: Call) -> tuple[float, float]:
    """The seconds, and those of this process, that many calls take."""
    started, cpu = time.perf_counter(), time.process_time()
    for _ in range(TRIPS):
        await call()
    return time.perf_counter() - started, time.process_time() - cpu

"""What the stdio proxy costs: round trips to a real server with and without it, in turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from bench import child
from bench.bars import Bar
from bench.tables import table
from bench.timing import BASELINE, Figure, Measured, Run, in_turns
from mcp_assay.proxy.inspector_process import MODULE

SERVER: Final = (sys.executable, str(Path(__file__).with_name("echo_server.py")))
PROXY: Final = child.mcp_assay("proxy")
TRIPS: Final = 100
"""Round trips in one turn: few, so that what else the machine does hits all alike."""
ROUNDS: Final = 60
BAR: Final = Bar(0.95, at_least=True)
"""The share of the round trips per second that the proxy leaves."""
BAR_HEAD: Final = ("promised", "seen")
DIRECT: Final = "without the proxy"
THROUGH: Final = "through the proxy"
RECORDED: Final = "through the proxy, recorded"
INITIALIZE: Final = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1.0"},
}
CALL: Final = {"name": "echo", "arguments": {"text": "tea " * 10}}


class ProxiedSession:
    """A client of the plainest kind: it writes a request and reads until the answer is there."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process: Final = process
        self.trips = 0
        self.ask("initialize", INITIALIZE)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and give back its answer."""
        self.trips += 1
        self._write({"jsonrpc": "2.0", "id": self.trips, "method": method, "params": params})
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        if "result" not in answer:
            raise RuntimeError(f"{method} was answered with {answer}")
        return answer

    def turn(self) -> float:
        """The seconds that many round trips take."""
        started = time.perf_counter()
        for _ in range(TRIPS):
            self.ask("tools/call", CALL)
        return time.perf_counter() - started

    def _write(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


def proxy() -> tuple[str, dict[str, Any]]:
    """The table of round trips, and the same as figures."""
    if find_spec("mcp") is None:
        return "the official SDK (mcp) is not installed", {}
    with ExitStack() as open_sessions:
        direct, through, recorded = (
            open_sessions.enter_context(_connected(command))
            for command in (
                SERVER,
                (*PROXY, "--", *SERVER),
                (*PROXY, "--record", os.devnull, "--", *SERVER),
            )
        )
        return _measured(direct, {THROUGH: through, RECORDED: recorded})


def _measured(
    direct: ProxiedSession, others: dict[str, ProxiedSession]
) -> tuple[str, dict[str, Any]]:
    cpu = {name: _Cpu(session.process.pid) for name, session in others.items()}
    turns: dict[str, Run] = {name: session.turn for name, session in others.items()}
    measured = in_turns(direct.turn, turns, ROUNDS)
    measured = {DIRECT: measured.pop(BASELINE), **measured}
    trips = TRIPS * ROUNDS
    rows = [
        [name, *_cells(m), *(cpu[name].cells(trips) if name in cpu else ["", ""])]
        for name, m in measured.items()
    ]
    head = ["round trips", "per second", "at best", "of those without", *BAR_HEAD, *_Cpu.HEAD]
    return table(head, rows), {name: m.figures() for name, m in measured.items()}


def _cells(measured: Measured) -> list[str]:
    kept = Figure.of(1 / ratio for ratio in measured.ratio)
    verdict = [BAR.words(), BAR.verdict(kept.median)] if kept.median != 1 else ["", ""]
    rates = [f"{TRIPS / seconds:,.0f}" for seconds in measured.seconds[:2]]
    return [*rates, str(kept), *verdict]


class _Cpu:
    """The CPU time that a proxy and its validator use from now on, where the system tells."""

    HEAD: Final = ("CPU us, proxy", "validator")

    def __init__(self, proxy: int) -> None:
        self._pids: Final = (proxy, _validator_of(proxy))
        self._before: Final = [_cpu_seconds(pid) for pid in self._pids]

    def cells(self, trips: int) -> list[str]:
        """Microseconds per round trip of both."""
        after = [_cpu_seconds(pid) for pid in self._pids]
        used = zip(after, self._before, strict=True)
        return [f"{(now - then) / trips * 1e6:.0f}" for now, then in used]


def _validator_of(proxy: int) -> int | None:
    try:
        pids = Path(f"/proc/{proxy}/task/{proxy}/children").read_text().split()
        commands = {int(pid): Path(f"/proc/{pid}/cmdline").read_text() for pid in pids}
    except OSError:
        return None
    return next((pid for pid, command in commands.items() if MODULE in command), None)


def _cpu_seconds(pid: int | None) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _connected(command: Sequence[str]) -> Iterator[ProxiedSession]:
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        yield ProxiedSession(process)
        assert process.stdin is not None
        process.stdin.close()

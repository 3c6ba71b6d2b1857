"""Whole traces: what session rules cost, what a second process gains, how much memory is used."""

from __future__ import annotations

import contextlib
import gc
import statistics
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from bench import bars, child
from bench.bars import Bar
from bench.tables import table
from bench.timing import BASELINE, Run, in_this_process, in_turns
from bench.traces import TraceLine, lines, open_sessions, write, written
from mcp_assay.rules.engine.checker import SessionChecker
from mcp_assay.rules.engine.decided import DecidedRules
from mcp_assay.validate.run import collect_seldom

MEGABYTE: Final = 1_000_000
COSTED, REPEATED = 50_000, 10
"""Messages over which the cost of session rules is measured, and how often: 1 GB together."""
SHARED: Final = 200_000
"""Messages of the file that one process and two processes judge."""
STREAMED: Final = 10_000_000
OPEN_SESSIONS: Final = 10_000
LOOK: Final = 200_000
"""Lines between two looks at the memory of a child."""
QUIET: Final = ("--format", "json", "--fail-on", "never", "--max-findings", "1000")

ALONE, IN_SESSION = "message rules alone", "message and session rules"


def traces(folder: Path, messages: int, rounds: int) -> tuple[str, dict[str, Any]]:
    """The tables of cost, gain and memory, and the same as figures."""
    cost = session_cost(list(lines(min(COSTED, messages))), rounds)
    gain = second_process(write(lines(min(SHARED, messages)), folder / "trace.jsonl"), rounds)
    peak = memory(min(STREAMED, messages), OPEN_SESSIONS)
    rows = [
        _row("session rules beyond message rules, times orjson.loads", cost, bars.SESSIONS),
        _row("two processes, times as fast as one", gain, bars.TWO_PROCESSES),
        _row("peak memory with 10,000 open sessions, MB", peak / MEGABYTE, bars.TRACE_MEMORY),
    ]
    figures = {"session_cost": cost, "two_processes": gain, "peak_memory": peak}
    return table(["what", "measured", "promised", "seen"], rows), figures


def session_cost(trace: Sequence[TraceLine], rounds: int) -> float:
    """What judging conversations costs beyond judging messages, as times `orjson.loads`."""
    judges = {ALONE: _judging(trace, sessions=False), IN_SESSION: _judging(trace, sessions=True)}
    with _seldom_collecting():
        measured = in_turns(in_this_process(lambda: _parsing(trace)), judges, rounds)
    seconds = {name: result.seconds.median for name, result in measured.items()}
    return (seconds[IN_SESSION] - seconds[ALONE]) / seconds[BASELINE]


def second_process(file: Path, rounds: int) -> float:
    """How many times as fast two processes are as one, by the clock."""
    gains = []
    for _ in range(rounds):
        alone, together = (_seconds(file, jobs) for jobs in ("1", "2"))
        gains.append(alone / together)
    return statistics.median(gains)


def memory(messages: int, sessions: int) -> int:
    """The peak memory of one process, in bytes, over a stream of short messages."""
    command = child.mcp_assay("validate", "-", *QUIET)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    peak = 0
    with contextlib.suppress(BrokenPipeError):
        peak = _feed(process, written(open_sessions(messages, sessions)))
    peak = max(peak, child.last_peak(process) or 0)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with exit code {process.returncode}")
    return peak


@contextlib.contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for garbage as seldom as mcp-assay does, which holds for everybody who is measured."""
    usual = gc.get_threshold()
    collect_seldom()
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _judging(trace: Sequence[TraceLine], *, sessions: bool) -> Run:
    def work() -> None:
        decided_rules = DecidedRules()
        for _ in range(REPEATED):
            _judge(trace, decided_rules, sessions=sessions)

    return in_this_process(work)


def _judge(trace: Iterable[TraceLine], decided_rules: DecidedRules, *, sessions: bool) -> None:
    """Judge the trace as if its sessions were new."""
    checkers: dict[int, SessionChecker] = {}
    for place, (session, direction, raw) in enumerate(trace):
        if session not in checkers:
            checkers[session] = SessionChecker(
                duplicates=False, decided=decided_rules, sessions=sessions
            )
        checkers[session].check(raw, direction, place)


def _parsing(trace: Iterable[TraceLine]) -> None:
    for _ in range(REPEATED):
        for line in trace:
            orjson.loads(line.raw)


def _seconds(file: Path, jobs: str) -> float:
    started = time.perf_counter()
    used = child.run(child.mcp_assay("validate", str(file), "--jobs", jobs, *QUIET))
    if used.code != 0:
        raise RuntimeError(f"validate --jobs {jobs} ended with exit code {used.code}")
    return time.perf_counter() - started


def _feed(process: subprocess.Popen[bytes], stream: Iterator[bytes]) -> int:
    """Write all lines to the child; the largest peak that was seen on the way."""
    assert process.stdin is not None
    peak = 0
    with process.stdin as pipe:
        for number, line in enumerate(stream):
            pipe.write(line)
            if number % LOOK == 0:
                peak = max(peak, child.peak_so_far(process) or 0)
    return peak


def _row(what: str, value: float, bar: Bar) -> list[str]:
    return [what, f"{value:.2f}", bar.words(), bar.verdict(value)]

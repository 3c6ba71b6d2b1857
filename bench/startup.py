"""How long the command takes to start, against an interpreter that does nothing."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench import bars, child
from bench.bars import Bar
from bench.tables import table
from bench.timing import BASELINE, Figure, Run, in_turns

ROUNDS: Final = 15
EXAMPLES: Final = Path(__file__).resolve().parents[1] / "examples"
NOTHING: Final = "python -c pass"
FIRST_BYTE: Final = 'head -c 1 >/dev/null && kill -KILL "$(cat "$0")"'
"""A server that ends whoever starts it as soon as it is sent a byte: what was used is then known.

It finds the number of the process in a file, because it may be the child of a child.
"""


class Start(NamedTuple):
    """Something that is started, and what was promised of it."""

    run: Run
    bar: Bar


def startup(folder: Path) -> tuple[str, dict[str, Any]]:
    """The table of start-up times, and the same as figures."""
    folder.mkdir(parents=True, exist_ok=True)
    starts = _starts(folder)
    measured = in_turns(
        _ending([sys.executable, "-c", "pass"]),
        {name: start.run for name, start in starts.items()},
        ROUNDS,
    )
    measured = {NOTHING: measured.pop(BASELINE), **measured}
    rows = [[name, *_cells(starts.get(name), m.seconds, m.ratio)] for name, m in measured.items()]
    head = ["start-up", "CPU ms", "times (lowest-highest)", "promised", "seen"]
    return table(head, rows), {name: m.figures() for name, m in measured.items()}


def _starts(folder: Path) -> dict[str, Start]:
    """What is started, as a reader would type it."""
    typed: dict[str, tuple[tuple[str, ...], Bar]] = {
        "version": (("version",), bars.START_VERSION),
        "--help": (("--help",), bars.START_HELP),
        "assess --help": (("assess", "--help"), bars.START_HELP),
        "explain RULE": (("explain", "JSONRPC-005"), bars.START_RULES),
        "rules": (("rules",), bars.START_RULES),
        "validate TRACE": (("validate", str(EXAMPLES / "notes.jsonl")), bars.START_VALIDATE),
        "lint FILE": (("lint", str(EXAMPLES / "weather-tools.json")), bars.START_LINT),
    }
    return {
        **{
            f"mcp-assay {name}": Start(_ending(child.mcp_assay(*arguments)), bar)
            for name, (arguments, bar) in typed.items()
        },
        "mcp-assay val<TAB>": Start(_ending(_completing("val")), bars.START_COMPLETION),
        "mcp-assay assess, to the first byte": Start(_until_first_byte(folder), bars.START_ASSESS),
    }


def _completing(word: str) -> list[str]:
    """The command line by which bash asks what a word may become."""
    asked = (f"COMP_WORDS=mcp-assay {word}", "COMP_CWORD=1", "_MCP_ASSAY_COMPLETE=bash_complete")
    return ["env", *asked, *child.mcp_assay()]


def _ending(command: list[str]) -> Run:
    """What a command uses to its end; that it found something is no failure."""

    def run() -> float:
        used = child.run(command)
        if used.code not in {0, 1}:
            raise RuntimeError(f"{' '.join(command)} ended with exit code {used.code}")
        return used.seconds

    return run


def _until_first_byte(folder: Path) -> Run:
    """What an assessment uses until its server has the first byte."""
    number = folder / "pid"
    command = child.mcp_assay("assess", "--no-input", "--", "sh", "-c", FIRST_BYTE, str(number))

    def run() -> float:
        number.unlink(missing_ok=True)
        process = child.start(command)
        number.write_text(str(process.pid))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != -signal.SIGKILL:
            raise RuntimeError(f"the assessment ended by itself, with {process.returncode}")
        return usage.ru_utime + usage.ru_stime

    return run


def _cells(start: Start | None, seconds: Figure, ratio: Figure) -> list[str]:
    promised = [start.bar.words(), start.bar.verdict(ratio.median)] if start else ["", ""]
    return [f"{seconds.median * 1000:.0f}", str(ratio), *promised]

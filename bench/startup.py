"""How long the command takes to start, against an interpreter that does nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

from bench import bars, child
from bench.tables import table
from bench.timing import BASELINE, Figure, Run, in_turns

ROUNDS: Final = 15
MESSAGE: Final = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_issue"}}\n'
NOTHING: Final = "python -c pass"
BARS: Final = {
    "mcp-assay version": bars.START_VERSION,
    "mcp-assay validate FILE": bars.START_VALIDATE,
}


def startup(folder: Path) -> tuple[str, dict[str, Any]]:
    """The table of start-up times, and the same as figures."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "one-message.json"
    file.write_bytes(MESSAGE)
    commands = {
        "mcp-assay version": child.mcp_assay("version"),
        "mcp-assay validate FILE": child.mcp_assay("validate", str(file)),
    }
    measured = in_turns(
        _starting([sys.executable, "-c", "pass"]),
        {name: _starting(command) for name, command in commands.items()},
        ROUNDS,
    )
    measured = {NOTHING: measured.pop(BASELINE), **measured}
    rows = [[name, *_cells(name, m.seconds, m.ratio)] for name, m in measured.items()]
    head = ["start-up", "CPU ms", "times (lowest-highest)", "promised", "seen"]
    return table(head, rows), {name: m.figures() for name, m in measured.items()}


def _starting(command: list[str]) -> Run:
    def run() -> float:
        used = child.run(command)
        if used.code != 0:
            raise RuntimeError(f"{' '.join(command)} ended with exit code {used.code}")
        return used.seconds

    return run


def _cells(name: str, seconds: Figure, ratio: Figure) -> list[str]:
    bar = BARS.get(name)
    promised = [bar.words(), bar.verdict(ratio.median)] if bar else ["", ""]
    return [f"{seconds.median * 1000:.0f}", str(ratio), *promised]

"""The race by instructions executed, which no other load on the machine changes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import Any, Final

from bench import bars
from bench.bars import Bar
from bench.corpus import SEED
from bench.tables import table

MESSAGES: Final = 6_000
"""Fewer than in the race: counting makes everything some fifty times slower."""
COLLECTED: Final = r"Collected : (\d+)"
BARS: Final[dict[str, Bar]] = {
    "verdict": bars.VERDICT,
    "findings": bars.FINDINGS,
    "everything": bars.EVERYTHING,
}


def instructions() -> tuple[str, dict[str, Any]]:
    """The table of ratios of instructions, and the same as figures."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return "not measured: valgrind is not installed", {}
    counts = {name: _count(valgrind, name) for name in ("nothing", "parsing", *BARS)}
    parsing = counts["parsing"] - counts["nothing"]
    ratios = {name: (counts[name] - counts["nothing"]) / parsing for name in BARS}
    rows = [
        [name, f"{ratio:.2f}", BARS[name].words(), BARS[name].verdict(ratio)]
        for name, ratio in ratios.items()
    ]
    return table(["pass", "times orjson.loads", "promised", "seen"], rows), ratios


def _count(valgrind: str, name: str) -> int:
    """The instructions of a process that makes the pass."""
    command = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    arguments = ["-m", "bench.counted", name, str(MESSAGES), str(SEED)]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
    found = re.search(COLLECTED, done.stderr)
    if found is None:
        raise RuntimeError(f"valgrind did not say how many instructions {name} takes")
    return int(found[1])

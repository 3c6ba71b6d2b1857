"""How long it takes to prepare and to assess published servers: the table that is replayed.

`python -m bench.simulation.job_times` measures anew: one server at a time, on wheels from the
registry that pip is set up to use, each assessed in a world with the usual options.
"""

from __future__ import annotations

import csv
import shutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from bench.published.runs import PublishedOptions, assessed
from bench.published.servers import CACHE, installed, version_of

TABLE: Final = Path(__file__).parent / "job_times.csv"
COLUMNS: Final = ("server", "version", "prepared", "assessed", "tools")
MEASURED: Final = (
    "awslabs.aws-documentation-mcp-server",
    "cli-mcp-server",
    "code-index-mcp",
    "duckduckgo-mcp-server",
    "excel-mcp-server",
    "mcp-chess",
    "mcp-dice",
    "mcp-geo",
    "mcp-grep",
    "mcp-math",
    "mcp-sequential-thinking",
    "mcp-server-calculator",
    "mcp-server-duckdb",
    "mcp-shell-server",
    "mcp-simple-timeserver",
    "mcp-text-editor",
    "mcp-todo",
    "pylint-mcp",
)
"""Servers of PyPI that need no service of their own."""


class JobTime(Struct, frozen=True):
    """What one server took."""

    server: str
    prepared: float
    """Seconds to install it."""
    assessed: float
    """Seconds to assess it, world and all."""

    @property
    def seconds(self) -> float:
        """Both together."""
        return self.prepared + self.assessed


def job_times() -> list[JobTime]:
    """The rows of the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [
            JobTime(row["server"], float(row["prepared"]), float(row["assessed"]))
            for row in csv.DictReader(file)
        ]


def measure(names: Iterable[str]) -> None:
    """Measure the servers and write the table, row by row."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for name in names:
            rows.writerow(_measured(name))
            file.flush()


def _measured(name: str) -> tuple[str, str, str, str, int]:
    shutil.rmtree(CACHE / name, ignore_errors=True)
    begun = time.monotonic()
    installed(name)
    prepared = time.monotonic()
    report = assessed(name, PublishedOptions())
    ended = time.monotonic()
    tools = 0 if report is None else int(report["summary"]["tools_listed"])
    times = f"{prepared - begun:.1f}", f"{ended - prepared:.1f}"
    return name, version_of(name), *times, tools


if __name__ == "__main__":
    measure(sys.argv[1:] or MEASURED)

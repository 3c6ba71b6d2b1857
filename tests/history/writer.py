"""A process that records runs: `python -m tests.history.writer URL RUNS NUMBER`."""

from __future__ import annotations

import sys
from typing import Final

from msgspec.structs import replace

from mcp_assay.history.identity import named
from mcp_assay.history.location import located
from mcp_assay.history.store import Store
from tests.drift.small_reports import finding
from tests.history.runs import remember

SERVERS: Final = 3
TOOLS: Final = 2
FINDINGS: Final = 4


def expected_text(writer: int, run: int) -> str:
    """What the first finding of a run says: by it every run is told from the others."""
    return f"writer {writer}, run {run}: {'x' * 500}"


def main(url: str, runs: int, writer: int) -> None:
    """Record so many runs, of servers that other writers have, too."""
    store = Store(located(url))
    for run in range(runs):
        found = [finding(key=key) for key in range(FINDINGS)]
        found[0] = replace(found[0], message=expected_text(writer, run))
        tools = {f"tool {number}": "fully_working" for number in range(TOOLS)}
        remember(store, *found, tools=tools, identity=named(f"server {run % SERVERS}"))
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

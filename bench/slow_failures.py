"""What servers cost whose tools fail slowly: the calls made, and the whole run against them."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.bars import Bar
from bench.tables import table
from mcp_assay.assess import Assessment, AssessOptions
from mcp_assay.client.target import Command, allowed

SERVERS: Final = Path(__file__).parents[1] / "tests" / "servers"
NAMES: Final = ("five-tools-of-the-sdk", "unreachable-fifty-tools")
WHOLE: Final = Bar(1.5)
"""The seconds of a whole run as times those that the server took for its answers."""
HEAD: Final = ("server", "calls", "most of a tool", "seconds", "of the server", "whole run")


class Cost(NamedTuple):
    """What one assessment took."""

    calls: int
    most_of_a_tool: int
    seconds: float
    of_server: float

    @property
    def ratio(self) -> float:
        """The whole run as times what the server took."""
        return self.seconds / self.of_server if self.of_server else float("inf")


def slow_failures() -> tuple[str, dict[str, Any]]:
    """The table of these servers, and the same as figures."""
    costs = {name: asyncio.run(_assessed(name)) for name in NAMES}
    rows = [
        [
            name,
            str(cost.calls),
            str(cost.most_of_a_tool),
            f"{cost.seconds:.1f}",
            f"{cost.of_server:.1f}",
            f"{cost.ratio:.2f} {WHOLE.words()}: {WHOLE.verdict(cost.ratio)}",
        ]
        for name, cost in costs.items()
    ]
    return table(HEAD, rows), {name: cost._asdict() for name, cost in costs.items()}


async def _assessed(name: str) -> Cost:
    """Assess a server as the command does, and add up what its answers took."""
    command = (sys.executable, str(SERVERS), name)
    run = Assessment(Command(command=command, environment=allowed(os.environ, {})), AssessOptions())
    began = time.perf_counter()
    await run.run()
    seconds, report = time.perf_counter() - began, run.report()
    messages = report.timing.messages
    return Cost(
        calls=sum(one.what.startswith("tools/call") for one in messages),
        most_of_a_tool=max(tool.called for tool in report.tools),
        seconds=seconds,
        of_server=sum(one.milliseconds or 0.0 for one in messages) / 1000,
    )

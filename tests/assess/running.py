"""The servers of the catalogue, assessed in this process, many at a time."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from mcp_assay.assess import Assessment, AssessOptions, NotReached
from mcp_assay.client.target import Command, Endpoint, Target, allowed
from mcp_assay.model.report import MAX_CALLS, Report
from tests.servers.planting import Planted

SERVERS = Path(__file__).parents[1] / "servers"
AT_ONCE = 6
QUICK = AssessOptions(timeout=30.0, max_time=600.0, max_calls=25)
"""Few calls, and time enough on a busy machine: servers that keep silent have their own options."""


class Reported(NamedTuple):
    """What an assessment said of a server."""

    planted: Planted
    report: Report
    exit_code: int


def assessed(all_planted: Iterable[Planted], at_once: int = AT_ONCE) -> list[Reported]:
    """Assess these servers."""
    return asyncio.run(_assessed(list(all_planted), at_once))


def assessed_fairly(all_planted: Iterable[Planted], at_once: int = AT_ONCE) -> list[Reported]:
    """Assess these servers; where one falls short, again and alone: calls may come too late."""
    return [
        reported if not shortcomings(reported) else assessed([reported.planted])[0]
        for reported in assessed(all_planted, at_once)
    ]


async def _assessed(all_planted: list[Planted], at_once: int) -> list[Reported]:
    turns = asyncio.Semaphore(at_once)

    async def one(planted: Planted) -> Reported:
        async with turns, target_of(planted) as target:
            return await _reported(planted, target)

    return await asyncio.gather(*(one(planted) for planted in all_planted))


def command_of(planted: Planted) -> tuple[str, ...]:
    """What starts a server of the catalogue."""
    return (sys.executable, str(SERVERS), planted.name)


def run_of(name: str, options: AssessOptions) -> Report:
    """The report on a server of the catalogue, made to its end."""
    command = (sys.executable, str(SERVERS), name)
    run = Assessment(Command(command=command, environment=allowed(os.environ, {})), options)
    asyncio.run(run.run())
    return run.report()


@asynccontextmanager
async def target_of(planted: Planted) -> AsyncIterator[Target]:
    """Whom to assess: a command, or the address of a server that runs meanwhile."""
    if not planted.over_http:
        yield Command(command=command_of(planted), environment=allowed(os.environ, {}))
        return
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(*command_of(planted), stdin=pipe, stdout=pipe)
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield Endpoint(url=(await server.stdout.readline()).decode().strip())
    finally:
        server.stdin.close()
        await server.wait()


async def _reported(planted: Planted, target: Target) -> Reported:
    run = Assessment(target, _options(planted.options))
    with suppress(NotReached):
        await run.run()
    report = run.report()
    return Reported(
        planted, report, 3 if run.state.is_incomplete else int(report.summary.errors > 0)
    )


def _options(words: tuple[str, ...]) -> AssessOptions:
    """The options that a server of the catalogue needs, as the command line has them."""
    given: dict[str, Any] = {}
    parts = [part for word in words for part in word.split("=", 1)]
    for name, value in zip(parts[::2], parts[1::2], strict=True):
        key = name.removeprefix("--").replace("-", "_")
        given[key] = (*given.get(key, ()), value) if key in ("allow", "deny") else value
    known = {"seed": int, "max_calls": int, "timeout": float, "max_time": float}
    taken = {key: known[key](value) if key in known else value for key, value in given.items()}
    return replace(QUICK, **taken)


def shortcomings(reported: Reported) -> list[str]:
    """What an assessment should have said of a server, and did not."""
    planted, report = reported.planted, reported.report
    found: list[str] = []
    if planted.exit_code is not None and reported.exit_code != planted.exit_code:
        found.append(f"exit code {reported.exit_code}")
    rules = {finding.rule for finding in report.findings}
    found += [rule for rule in planted.rules if rule not in rules]
    statuses = {tool.name: tool.status for tool in report.tools}
    found += [f"{name} is {statuses.get(name)}" for name, status in planted.tools.items()
              if statuses.get(name) != status]  # fmt: skip
    if planted.limits and all(limit.name == MAX_CALLS for limit in report.limits):
        found.append("no limit")
    found += [f"{rule} is told" for rule in planted.spared if rule in rules]
    if planted.correct:
        found += [f.rule for f in report.findings if f.severity == "error"]
    return found

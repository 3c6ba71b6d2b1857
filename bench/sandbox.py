"""What a disposable world costs a server, and whether its report is the same as without one."""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.parse import urlsplit

from msgspec.structs import replace

from bench.bars import Bar
from bench.published.servers import published
from bench.tables import table
from bench.timing import Figure
from mcp_assay.assess import AssessOptions, assess
from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.guarded import Guarded
from mcp_assay.client.sandbox import specification
from mcp_assay.client.sandbox.options import SandboxOptions
from mcp_assay.client.target import Command, allowed
from mcp_assay.model.report import Report
from tools.real_subjects import SUBJECTS, Subject, begun, filled
from tools.servers import npm_command, pypi_command

TRIPS: Final = 20
"""Calls in one turn: few, so that what else the machine does hits all alike."""
ROUNDS: Final = 20
STARTS: Final = 10
CALL_SECONDS: Final = 15.0
RUN_SECONDS: Final = 240.0
"""What waits for a network that is not there does not wait for ever."""
LATENCY: Final = Bar(1.3)
"""The time of a call in a world, with notifications, as times that without one."""
WHOLE: Final = Bar(1.5)
"""The same of a whole assessment."""
KNOWN: Final = (
    *("server-filesystem", "server-memory", "server-everything", "mcp-server-git"),
    *("mcp-server-sqlite", "mcp-server-time", "mcp-server-fetch"),
)
MORE: Final = (
    *("mcp-server-calculator", "mcp-shell-server", "excel-mcp-server", "mcp-text-editor"),
    *("mcp-simple-timeserver", "wikipedia-mcp"),
)
"""Published servers beyond those that the tests talk to."""


def sandbox(cache: Path, names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Measure calls, starts and whole assessments, bare and in a world, in turns."""
    cache.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=cache) as folder:
        calls, starts = asyncio.run(_costs(Path(folder)))
        print(_calls_table(calls), _starts_words(starts), sep="\n\n", file=sys.stderr, flush=True)
        runs = [_compared(one, Path(folder) / "work") for one in _subjects(names)]
    text = "\n\n".join((_calls_table(calls), _starts_words(starts), _runs_table(runs)))
    return text, {
        "calls": {one.name: one._asdict() for one in calls},
        "starts": {name: figure._asdict() for name, figure in starts.items()},
        "assessments": {one.name: one.figures() for one in runs},
    }


class CallCost(NamedTuple):
    """How long a call takes, in microseconds without a world, then as times that.

    Of many calls the tenth part was quicker: what else the machine does makes none quicker.
    """

    name: str
    bare: float
    inside: float
    watched: float


class Contest(NamedTuple):
    """A call that is made again and again."""

    name: str
    command: list[str]
    tool: str
    arguments: dict[str, Any]


def _contests(folder: Path) -> Iterator[Contest]:
    tea = str(folder / "tea.txt")
    files, echo = npm_command("filesystem", str(folder)), npm_command("everything", "stdio")
    yield Contest("everything echo", echo, "echo", {"message": "tea"})
    yield Contest("filesystem read_text_file", files, "read_text_file", {"path": tea})
    new = {"path": str(folder / "new.txt"), "content": "green\n"}
    yield Contest("filesystem write_file", files, "write_file", new)
    zone = {"timezone": "UTC"}
    yield Contest("time get_current_time", pypi_command("time"), "get_current_time", zone)
    git = pypi_command("git", "--repository", str(folder))
    yield Contest("git git_status", git, "git_status", {"repo_path": str(folder)})


async def _costs(folder: Path) -> tuple[list[CallCost], dict[str, Figure]]:
    work = folder / "calls"
    filled(SUBJECTS["mcp-server-git"], work)
    calls = [await _call_cost(one, work) for one in _contests(work)]
    return calls, await _start_costs(work)


async def _call_cost(contest: Contest, work: Path) -> CallCost:
    """The calls of one server, bare, in a world, and in one that tells of programs, in turns."""
    outside = Command(command=tuple(contest.command), environment=allowed(os.environ, {}))
    inside = replace(outside, sandbox=SandboxOptions(work=str(work)))
    async with AsyncExitStack() as stack:
        with patch.object(specification, "NOTIFY", ()):
            quiet = await stack.enter_async_context(await connect(inside))
        opened = [
            await stack.enter_async_context(await connect(outside)),
            quiet,
            await stack.enter_async_context(await connect(inside)),
        ]
        for connection in opened:
            await _turn(connection, contest)
        rounds = [[await _turn(one, contest) for one in opened] for _ in range(ROUNDS)]
    bare, unwatched, watched = map(_quick, zip(*rounds, strict=True))
    return CallCost(contest.name, 1e6 * bare, unwatched / bare, watched / bare)


def _quick(turns: Sequence[list[float]]) -> float:
    """The seconds within which a tenth of all calls were answered."""
    return statistics.quantiles((seconds for turn in turns for seconds in turn), n=10)[0]


async def _turn(connection: Connection, contest: Contest) -> list[float]:
    """Seconds of each call; asked for as any request, so that nothing is waited for around it."""
    params, taken = {"name": contest.tool, "arguments": contest.arguments}, list[float]()
    for _ in range(TRIPS):
        began = time.perf_counter()
        answer = await connection.ask("tools/call", params)
        taken.append(time.perf_counter() - began)
        assert answer.is_result, answer
    return taken


async def _start_costs(work: Path) -> dict[str, Figure]:
    """Seconds to start and to end a process that does nothing, bare and in a world."""
    options = {"bare": None, "in a world": SandboxOptions(work=str(work))}
    taken = {name: [await _start_cost(it) for _ in range(STARTS)] for name, it in options.items()}
    return {
        f"{what} {name}": Figure.of(row[number] for row in rows)
        for name, rows in taken.items()
        for number, what in enumerate(("start", "end"))
    }


async def _start_cost(world: SandboxOptions | None) -> tuple[float, float]:
    began = time.perf_counter()
    process = Guarded(("cat",), allowed(os.environ, {}), world)
    await process.started
    started = time.perf_counter()
    await process.end()
    for stream in (process.stdin, process.stdout, process.stderr):
        os.close(stream)
    return started - began, time.perf_counter() - started


class Comparison(NamedTuple):
    """One server, assessed without a world and in one."""

    name: str
    bare: Report
    inside: Report

    @property
    def ratio(self) -> float:
        """The seconds in a world as times those without."""
        return self.inside.timing.seconds / self.bare.timing.seconds

    @property
    def only_bare(self) -> list[str]:
        """What was found without a world alone."""
        return sorted(_found(self.bare) - _found(self.inside))

    @property
    def only_inside(self) -> list[str]:
        """What was found in a world alone."""
        return sorted(_found(self.inside) - _found(self.bare))

    @property
    def other_verdicts(self) -> list[str]:
        """The tools that have another status in a world."""
        before = {tool.name: tool.status for tool in self.bare.tools}
        return [
            f"{tool.name}: {before.get(tool.name)} -> {tool.status}"
            for tool in self.inside.tools
            if before.get(tool.name) != tool.status
        ]

    def figures(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "bare_seconds": self.bare.timing.seconds,
            "ratio": self.ratio,
            "only_bare": self.only_bare,
            "only_inside": self.only_inside,
            "other_verdicts": self.other_verdicts,
        }


def _found(report: Report) -> set[str]:
    return {f"{one.rule} {one.where.tool or ''}".strip() for one in report.findings}


def _subjects(names: Sequence[str]) -> Iterator[Subject]:
    for name in names or (*KNOWN, *MORE):
        yield published(name) if name in MORE else SUBJECTS[name]


def _compared(subject: Subject, folder: Path) -> Comparison:
    """Assess a server twice, with all its tools, in a folder that is as new each time."""
    reports = []
    with begun(subject, folder) as (target, usual):
        assert isinstance(target, Command)
        options = replace(usual, calls="all", timeout=CALL_SECONDS, max_time=RUN_SECONDS)
        world = SandboxOptions(allow=tuple(_hosts(options)))
        for one in (target, replace(target, sandbox=world)):
            filled(subject, folder)
            with chdir(folder):
                reports.append(assess(one, options))
    compared = Comparison(subject.name, *reports)
    print(f"{subject.name}: {compared.figures()}", file=sys.stderr, flush=True)
    return compared


def _hosts(options: AssessOptions) -> Iterator[str]:
    """The hosts on this machine that the examples of a server name."""
    for its in options.examples.values():
        for arguments in its.get("valid", ()):
            address = urlsplit(str(arguments.get("url", "")))
            if address.port is not None:
                yield f"{address.hostname}:{address.port}"


def _calls_table(calls: Sequence[CallCost]) -> str:
    head = ["call", "bare us", "in a world", "with notifications", LATENCY.words()]
    rows = [
        [
            one.name,
            f"{one.bare:.0f}",
            f"{one.inside:.2f}",
            f"{one.watched:.2f}",
            LATENCY.verdict(one.watched),
        ]
        for one in calls
    ]
    return table(head, rows)


def _starts_words(starts: dict[str, Figure]) -> str:
    return table(["seconds", ""], [[name, str(figure)] for name, figure in starts.items()])


def _runs_table(runs: Sequence[Comparison]) -> str:
    head = ["server", "tools", "findings", "only bare", "only inside", "verdicts", "time"]
    rows = [
        [
            one.name,
            f"{one.inside.summary.tools_succeeded}/{one.inside.summary.tools_listed}",
            str(len(_found(one.inside))),
            str(len(one.only_bare)),
            str(len(one.only_inside)),
            str(len(one.other_verdicts)),
            f"{one.ratio:.2f} {WHOLE.verdict(one.ratio)}",
        ]
        for one in runs
    ]
    others = [
        f"{run.name}: {words}"
        for run in runs
        for words in (
            *(f"{one} only bare" for one in run.only_bare),
            *(f"{one} only inside" for one in run.only_inside),
            *run.other_verdicts,
        )
    ]
    return "\n".join((table(head, rows), *others))

"""What calling tools, and assessing them, costs against a bare asyncio client, in turns."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeAlias

import orjson

from bench.bars import Bar
from bench.proxy import INITIALIZE
from bench.tables import table
from bench.timing import Figure
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import permit
from mcp_assay.assess.state import AssessmentState, Called, Connected, context_of
from mcp_assay.assess.tool_calls import ToolCalls
from mcp_assay.assess.tool_lists import list_and_lint
from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.target import Command, allowed
from mcp_assay.responses import Judge
from mcp_assay.schema.checker import Schemas
from tools.servers import Missing, npm_command

HERE: Final = Path(__file__).parent
TRIPS: Final = 50
"""Calls in one turn: few, so that what else the machine does hits both alike."""
ROUNDS: Final = 60
ASSESSMENTS: Final = 20
"""Turns of a whole assessment of one tool, against the same calls from the bare client."""
ASSESSED: Final = AssessOptions(
    revision="2025-11-25", calls="none", allow=("echo",), max_calls=100, shrink=False
)
LONGEST_LINE: Final = 1 << 24
TEXT: Final = "tea " * 10
TIME: Final = Bar(1.3)
"""Our time as times that of the bare client, on a server that does some work."""
CPU: Final = Bar(400)
"""Microseconds of this process per call, on the raw loop."""
RAW: Final = "a raw loop"
HEAD: Final = (
    *("server", "bare per second", "ours per second", "our time", "assessing"),
    "our CPU us per call",
)

Call: TypeAlias = Callable[[], Awaitable[object]]


class Contest(NamedTuple):
    """A server with a tool called echo, and the argument that the tool takes."""

    name: str
    command: tuple[str, ...]
    argument: str

    @property
    def call(self) -> dict[str, Any]:
        """The call that is made again and again."""
        return {"name": "echo", "arguments": {self.argument: TEXT}}

    @property
    def target(self) -> Command:
        """The server as we start it."""
        return Command(command=self.command, environment=allowed(os.environ, {}))


class Result(NamedTuple):
    """What a contest came to."""

    calls: Figure
    assessing: Figure
    cpu: float
    bare_per_second: float
    ours_per_second: float


class Bare:
    """A client of the plainest kind on asyncio: it writes a line and reads a line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process: Final = process
        self._id = 0

    @classmethod
    async def start(cls, command: Sequence[str]) -> Self:
        """Start a server and shake hands."""
        pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=quiet, limit=LONGEST_LINE
        )
        bare = cls(process)
        await bare.ask("initialize", INITIALIZE)
        bare._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return bare

    async def ask(self, method: str, params: dict[str, Any]) -> object:
        """Send a request and give back its answer."""
        self._id += 1
        self._write({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            message = orjson.loads(await self._process.stdout.readline())
            if message.get("id") == self._id:
                return message

    async def close(self) -> None:
        """End the server."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(orjson.dumps(message) + b"\n")


class Assessor:
    """Assesses the tool of a contest, as often as it is asked to."""

    def __init__(self, connection: Connection, state: AssessmentState, worker: LateWorker) -> None:
        self._connection: Final = connection
        self._state: Final = state
        self._worker: Final = worker
        self._judge: Final = Judge(worker=worker)
        self._called = Called()

    @classmethod
    async def prepare(cls, connection: Connection, target: Command, worker: LateWorker) -> Self:
        """List what the server has, and get permission for the tool."""
        context = context_of(target, ASSESSED)
        connected = Connected(revision=connection.revision)
        listed = await list_and_lint(connection, context, connected, worker)
        permitted = permit(listed, ASSESSED, None)
        state = AssessmentState(
            context=context, connected=connected, listed=listed, permitted=permitted
        )
        return cls(connection, state, worker)

    async def assess(self) -> None:
        """Plan the calls of the tool, make and judge them, and tell what they show."""
        judge, schemas = self._judge.judge_parsed, Schemas(self._worker)
        calls = ToolCalls(self._state, self._connection, judge, schemas, relists=False)
        self._called = await calls.run()

    def arguments(self) -> list[dict[str, Any]]:
        """What was sent in the last assessment, call by call."""
        return [call.scenario.arguments for run in self._called.runs for call in run.calls]


def calls() -> tuple[str, dict[str, Any]]:
    """The table of calls, and the same as figures."""
    rows, figures = [], {}
    for contest in _contests():
        result = asyncio.run(_compared(contest))
        rows.append(_row(contest.name, result))
        figures[contest.name] = {
            "ratio": result.calls._asdict(),
            "assessing": result.assessing._asdict(),
            "cpu_us": result.cpu,
            "per_second": result.ours_per_second,
        }
    return table(HEAD, rows), figures


def _contests() -> Iterator[Contest]:
    yield Contest(RAW, (sys.executable, str(HERE / "raw_server.py")), "text")
    if find_spec("mcp") is not None:
        yield Contest("the SDK", (sys.executable, str(HERE / "echo_server.py")), "text")
    try:
        yield Contest("server-everything", tuple(npm_command("everything", "stdio")), "message")
    except Missing as reason:
        print(f"server-everything takes no part: {reason}", file=sys.stderr)


def _row(name: str, result: Result) -> list[str]:
    bare, ours = f"{result.bare_per_second:,.0f}", f"{result.ours_per_second:,.0f}"
    if name == RAW:
        cpu = f"{result.cpu:.0f} {CPU.words()}: {CPU.verdict(result.cpu)}"
        return [name, bare, ours, str(result.calls), str(result.assessing), cpu]
    kept = (f"{it} {TIME.words()}: {TIME.verdict(it.median)}" for it in (result[0], result[1]))
    return [name, bare, ours, *kept, f"{result.cpu:.0f}"]


async def _compared(contest: Contest) -> Result:
    """The calls through our connection, and an assessment, against the bare client."""
    async with AsyncExitStack() as stack:
        bare = await Bare.start(contest.command)
        stack.push_async_callback(bare.close)
        ours = await stack.enter_async_context(await connect(contest.target, ASSESSED.driving()))
        worker = LateWorker()
        stack.callback(worker.close)
        assessor = await Assessor.prepare(ours, contest.target, worker)
        taken = await _taken(contest, bare, ours)
        assessing = [await _assessed(assessor, bare) for _ in range(ASSESSMENTS + 1)][1:]
    ratio = Figure.of(our_seconds / bare_seconds for bare_seconds, our_seconds, _ in taken)
    best_bare, best_ours, cpu = (min(column) for column in zip(*taken, strict=True))
    return Result(
        ratio, Figure.of(assessing), cpu / TRIPS * 1e6, TRIPS / best_bare, TRIPS / best_ours
    )


async def _taken(
    contest: Contest, bare: Bare, ours: Connection
) -> list[tuple[float, float, float]]:
    """In turns: the bare client's seconds, ours, and those of this process."""
    taken = []
    for _ in range(ROUNDS + 1):
        seconds, _ = await _timed(lambda: bare.ask("tools/call", contest.call))
        taken.append((seconds, *await _timed(lambda: ours.ask("tools/call", contest.call))))
    return taken[1:]


async def _assessed(assessor: Assessor, bare: Bare) -> float:
    """The time of an assessment as times that of the same calls from the bare client."""
    started = time.perf_counter()
    await assessor.assess()
    ours, started = time.perf_counter() - started, time.perf_counter()
    for arguments in assessor.arguments():
        await bare.ask("tools/call", {"name": "echo", "arguments": arguments})
    return ours / (time.perf_counter() - started)


async def _timed(call: Call) -> tuple[float, float]:
    """The seconds, and those of this process, that many calls take."""
    started, cpu = time.perf_counter(), time.process_time()
    for _ in range(TRIPS):
        await call()
    return time.perf_counter() - started, time.process_time() - cpu

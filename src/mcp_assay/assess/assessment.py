"""A server -> its definitions, its answers -> Report: what `mcp-assay assess` does.

Connect, list, judge the definitions, call what may be called, judge what comes back, shrink what
fails, and say what was not tried.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from msgspec.structs import replace

from mcp_assay.assess.events import emit_connected, emit_permitted
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import Ask, NoSuchTool, permit
from mcp_assay.assess.probes import ServerProbes
from mcp_assay.assess.reads import ServerReads
from mcp_assay.assess.report import report_on
from mcp_assay.assess.reproduction import RepeatCommands, Repeater
from mcp_assay.assess.rule_outcomes import each_once
from mcp_assay.assess.state import (
    AssessmentState,
    Called,
    Connected,
    Listed,
    Permitted,
    Read,
    RunEnding,
    context_of,
)
from mcp_assay.assess.tool_calls import ToolCalls
from mcp_assay.assess.tool_lists import lint, list_and_lint
from mcp_assay.client.connection import Connection
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.links import NotReached
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.client.target import Target
from mcp_assay.client.trace_file import Recording
from mcp_assay.judge.judge import ResponseJudge
from mcp_assay.model.event import Listener
from mcp_assay.model.report import Limit, Report
from mcp_assay.schema.checker import Schemas
from mcp_assay.session.challenges import REFUSALS

__all__ = ["AssessOptions", "Assessment", "NoSuchTool", "NotReached", "assess"]

CUT: Final = "the remaining tools and calls were skipped"
BROKE_OFF: Final = "the trace could not be written completely"


def assess(
    target: Target, options: AssessOptions | None = None, judge: ResponseJudge | None = None
) -> Report:
    """Assess a server and report what really works; raises NotReached where there is none.

    An option that names no tool of it raises ValueError. Nothing that a server does makes this
    raise otherwise.
    """
    run = Assessment(target, options or AssessOptions(), judge)
    asyncio.run(run.run())
    return run.report()


class Assessment:
    """One assessment under way: run it, and take its report at any time.

    Each stage makes a part that nobody else writes; those that take long know theirs so far.
    """

    def __init__(
        self,
        target: Target,
        options: AssessOptions,
        judge: ResponseJudge | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.options: Final = options
        self._context: Final = context_of(target, options, listener)
        self._judge: Final = judge
        self._watch: Final = Stopwatch()
        self._connection: Connection | None = None
        self._connected: Connected | None = None
        self._listed = Listed()
        self._permitted = Permitted()
        self._probes: Final = ServerProbes(self._context)
        self._reads: ServerReads | None = None
        self._calls: ToolCalls | None = None
        self._ending = RunEnding()

    @property
    def state(self) -> AssessmentState:
        """What is known up to now."""
        called = self._calls.so_far() if self._calls else Called()
        return AssessmentState(
            context=self._context,
            connection=self._connection,
            connected=self._connected,
            listed=called.listed or self._listed,
            permitted=called.permitted or self._permitted,
            probed=self._probes.so_far(),
            read=self._reads.so_far() if self._reads else Read(),
            called=called,
            ending=self._ending,
        )

    def report(self) -> Report:
        """What was found out up to now."""
        return report_on(self.state, self._watch.timing())

    def cut(self, seconds: float) -> None:
        """Note that the run was ended after so many seconds."""
        limit = Limit(name="max-time", value=int(seconds), count=1, effect=CUT)
        self._ending = replace(self._ending, cut_after=seconds)
        self._context.outcomes.limits.append(limit)

    def interrupt(self) -> None:
        """Note that the user ended the run."""
        self._ending = replace(self._ending, is_interrupted=True)

    def note_unreached(self, why: str | None) -> None:
        """Note why the server could not be started or reached, None where it could."""
        self._ending = replace(self._ending, unreached=why)

    async def run(self, ask: Ask | None = None) -> None:
        """Do all that the options ask for; what was found before an end stays.

        Raises NotReached where there is no server; one that dies for good ends the run. Of one
        that wants a token, what it says to strangers is looked at.
        """
        with closing(LateWorker()) as worker, self._recorded() as recording:
            driving = self.options.driving(recording)
            connection = self._connection = Connection(self._context.target, driving)
            try:
                await connection.restart()
                connected = self._connected = _connected(connection)
                emit_connected(self._context, connected)
                async with connection:
                    await self._run_stages(connection, connected, worker, ask)
            except NotReached as refusal:
                if self._connected is None:
                    self.note_unreached(str(refusal))
                    if refusal.status in REFUSALS:
                        await self._probes.probe_from_outside(refusal)
                    raise
                self._ending = replace(self._ending, lost=str(refusal))
            finally:  # neither an interruption nor a refusal loses what was received before it
                self._keep_observed(connection)

    async def _run_stages(
        self, connection: Connection, connected: Connected, worker: LateWorker, ask: Ask | None
    ) -> None:
        """List, ask and call; the time that the user takes to answer does not count."""
        context, most = self._context, self.options.max_time
        try:
            async with asyncio.timeout(most):
                self._listed = await list_and_lint(connection, context, connected, worker)
            self._permitted = permit(self._listed, self.options, ask)
            emit_permitted(context, self._permitted)
            if not self.options.dry_run:
                async with asyncio.timeout(most):
                    await self._probe_and_call(connection, connected, worker)
        except TimeoutError:
            self.cut(most)

    async def _probe_and_call(
        self, connection: Connection, connected: Connected, worker: LateWorker
    ) -> None:
        judge = self._judge or ResponseJudge(worker=worker)
        if self.options.only is None:
            await self._probes.probe_all(connection, self._listed, self._permitted)
        reads = self._reads = ServerReads(self.state, connection, judge.explain_error)
        await reads.read_listed()
        calls = ToolCalls(self.state, connection, judge.judge_parsed, Schemas(worker))
        self._calls = calls
        try:
            await calls.run()
        finally:
            if calls.tools.changes:
                lint(self._context, connected, calls.tools.listed, worker)
        await reads.fill_in_templates(calls.values)

    def _keep_observed(self, connection: Connection) -> None:
        """Keep what the messages of all stages showed, with calls that show it again."""
        state, outcomes = self.state, self._context.outcomes
        tools, permission_of = state.listed.surface.tools, state.permissions.get
        commands = RepeatCommands(state.target, self.options, state.revision, tools, permission_of)
        observed = each_once(connection.findings(), state.probed.observed)
        repeater = Repeater(commands, state.target)
        outcomes.keep_observed(repeater.with_repeats(observed, state.all_runs()))
        outcomes.limits.extend(connection.limits())

    @contextmanager
    def _recorded(self) -> Iterator[Recording | None]:
        """Write a trace of all that is said, if it is wanted; say so where it breaks off."""
        path = self.options.record
        if path is None:
            yield None
            return
        recording = Recording(path, self._context.redactor, anew=True)
        try:
            yield recording
        finally:
            recording.close()
            if recording.broke_off:
                limit = Limit(name="record", value=recording.lines, count=1, effect=BROKE_OFF)
                self._context.outcomes.limits.append(limit)


def _connected(connection: Connection) -> Connected:
    opened = connection.opened
    return Connected(
        revision=connection.revision,
        server_info=opened.server_info or None,
        capabilities=opened.capabilities,
        offered=tuple(opened.offered),
    )

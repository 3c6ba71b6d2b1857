"""A server -> its definitions, its answers -> Report: what `mcp-assay assess` does.

Connect, list, judge the definitions, call what may be called, judge what comes back, shrink what
fails, and say what was not tried.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import asdict, replace

from mcp_assay.assess.events import emit_connected
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import Ask, NoSuchTool
from mcp_assay.assess.state import (
    AssessmentState,
    Connected,
    RunEnding,
    StageParts,
    context_of,
)
from mcp_assay.client.connection import Connection
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.links import NotReached
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.client.target import Target
from mcp_assay.client.trace_file import Recording
from mcp_assay.model.event import Listener
from mcp_assay.model.report import Limit, Report
from mcp_assay.session.challenges import REFUSALS

if TYPE_CHECKING:
    from mcp_assay.assess.stages import Stages
    from mcp_assay.judge.judge import ResponseJudge

__all__ = ["AssessOptions", "Assessment", "NoSuchTool", "NotReached", "assess"]

CUT: Final = "the remaining tools and calls were skipped"
BROKE_OFF: Final = "the trace could not be written completely"
MakeJudge: TypeAlias = "Callable[[], ResponseJudge]"
"""Makes whoever judges answers, which takes a while, when the first has come."""


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

    The stages are not loaded before the server was sent its first message: it works meanwhile.
    """

    def __init__(
        self,
        target: Target,
        options: AssessOptions,
        judge: ResponseJudge | MakeJudge | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.options: Final = options
        self._context: Final = context_of(target, options, listener)
        self._judge: Final = judge
        self._watch: Final = Stopwatch()
        self._connection: Connection | None = None
        self._connected: Connected | None = None
        self._stages: Stages | None = None
        self._ending = RunEnding()

    @property
    def state(self) -> AssessmentState:
        """What is known up to now."""
        parts = self._stages.so_far() if self._stages else StageParts()
        return AssessmentState(
            context=self._context,
            connection=self._connection,
            connected=self._connected,
            ending=self._ending,
            **asdict(parts),
        )

    def report(self) -> Report:
        """What was found out up to now."""
        from mcp_assay.assess.report import report_on  # noqa: PLC0415  not needed before the end

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
                    await self._run_stages(connection, connected, self._begun(worker), ask)
            except NotReached as refusal:
                if self._connected is None:
                    self.note_unreached(str(refusal))
                    if refusal.status in REFUSALS:
                        await self._begun(worker).probe_from_outside(refusal)
                    raise
                self._ending = replace(self._ending, lost=str(refusal))
            finally:  # neither an interruption nor a refusal loses what was received before it
                self._begun(worker).keep_observed(connection)

    def _begun(self, worker: LateWorker) -> Stages:
        if self._stages is None:
            from mcp_assay.assess.stages import Stages  # noqa: PLC0415  as said above

            self._stages = Stages(self._context, lambda: self.state, worker)
        return self._stages

    async def _run_stages(
        self, connection: Connection, connected: Connected, stages: Stages, ask: Ask | None
    ) -> None:
        """List, ask and call; what takes too long is cut."""
        most = self.options.max_time
        try:
            await stages.list_and_permit(connection, connected, ask)
            if not self.options.dry_run:
                judge = self._judge() if callable(self._judge) else self._judge
                async with asyncio.timeout(most):
                    await stages.probe_and_call(connection, connected, judge)
        except TimeoutError:
            self.cut(most)

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

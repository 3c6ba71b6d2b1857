"""A server -> its definitions, its answers -> Report: what `mcp-assay assess` does.

Connect, list, judge the definitions, call what may be called, judge what comes back, shrink what
fails, and say what was not tried.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import asdict, replace

from mcp_assay.assess.events import emit_connected, emit_phase
from mcp_assay.assess.left_files import WorkingFolder
from mcp_assay.assess.options import AssessOptions
from mcp_assay.assess.permissions import Ask, Closed, NoSuchTool
from mcp_assay.assess.state import (
    AssessmentState,
    Connected,
    RunEnding,
    StageParts,
    context_of,
)
from mcp_assay.client.connection import Connection
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.links import NotOpened, NotReached
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.client.target import Command, Target
from mcp_assay.client.trace_file import Recording
from mcp_assay.model.call import ToolRun
from mcp_assay.model.event import Listener
from mcp_assay.model.report import Limit, Report, Timing
from mcp_assay.model.tool import Consent
from mcp_assay.session.challenges import REFUSALS

if TYPE_CHECKING:
    from mcp_assay.assess.stages import Stages
    from mcp_assay.judge.judge import ResponseJudge

__all__ = ["AssessOptions", "Assessment", "NoSuchTool", "NotReached", "assess"]

MOST_FILES: Final = 100
"""So many files are named that a run left behind."""
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
        *,
        free_runs: Iterable[ToolRun] = (),
    ) -> None:
        self.options: Final = options
        target = _furnished(target)
        self._context: Final = context_of(target, options, listener, free_runs)
        self._judge: Final = judge
        self._watch: Final = Stopwatch()
        self._folder: Final = WorkingFolder(target)
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

        state, timing = self.state, self._with_files(self._watch.timing())
        try:
            return report_on(state, timing)
        except Exception as fault:  # noqa: BLE001  the findings are worth a report without the rest
            self.note_fault("the report", fault)
            return report_on(replace(state, **asdict(StageParts())), timing)

    def _with_files(self, timing: Timing) -> Timing:
        """What differs from run to run: when it was, and what the server left behind."""
        own = os.path.relpath(self.options.record) if self.options.record else None
        found = [name for name in self._folder.new_files() if name != own]
        files: list[str] = self._context.redactor.lines(found)
        more = max(len(files) - MOST_FILES, 0)
        return replace(timing, files_left=files[:MOST_FILES], files_left_out=more)

    def note_fault(self, stage: str, fault: Exception) -> None:
        """Note a fault of ours."""
        self._context.outcomes.note_fault(stage, fault)

    def cut(self, seconds: float) -> None:
        """Note that the run was ended after so many seconds."""
        limit = Limit(name="max-time", value=int(seconds), count=1, effect=CUT)
        self._ending = replace(self._ending, cut_after=seconds)
        self._context.outcomes.limits.append(limit)

    def interrupt(self) -> None:
        """Note that the user ended the run."""
        self._ending = replace(self._ending, is_interrupted=True)

    def note_unreached(self, why: str | None, kind: NotOpened = "not_reached") -> None:
        """Note why no session could be opened with the server, None where one could."""
        self._ending = replace(self._ending, unreached=why, not_opened=kind)

    async def run(self, ask: Ask | None = None) -> None:
        """Do all that the options ask for; what was found before an end stays.

        Raises NotReached where there is no server; one that dies for good ends the run. Of one
        that wants a token, what it says to strangers is looked at.
        """
        context, deadline = self._context, self._context.deadline
        deadline.begin()
        with closing(LateWorker(deadline)) as worker, self._recorded() as recording:
            driving = self.options.driving(recording, deadline)
            connection = self._connection = Connection(context.target, driving)
            emit_phase(context, "connecting")
            try:
                await connection.restart()
                connected = self._connected = _connected(connection)
                emit_connected(context, connected)
                async with connection, self._in_time() as limit:
                    untimed = self._untimed(ask, limit) if ask else None
                    await self._run_stages(connection, connected, self._begun(worker), untimed)
            except NotReached as refusal:
                if self._connected is None:
                    await self._note_refusal(refusal, worker)
                    raise
                self._ending = replace(self._ending, lost=str(refusal))
            finally:  # neither an interruption nor a refusal loses what was received before it
                self._begun(worker).keep_observed(connection)

    async def _note_refusal(self, refusal: NotReached, worker: LateWorker) -> None:
        """Note that no server was reached; one that wants a token is looked at all the same."""
        self.note_unreached(str(refusal), refusal.kind)
        if self._context.deadline.is_over:
            self.cut(self.options.max_time)
        elif refusal.status in REFUSALS:
            async with self._in_time():
                await self._begun(worker).probe_from_outside(refusal)

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[asyncio.Timeout]:
        """While inside, the run is cut when its time is up; what is open is closed then."""
        try:
            async with asyncio.timeout_at(self._context.deadline.end) as limit:
                yield limit
        except TimeoutError:
            if not limit.expired():
                raise
            self.cut(self.options.max_time)

    def _untimed(self, ask: Ask, limit: asyncio.Timeout) -> Ask:
        """The same question; the time that the user takes to answer it does not count."""
        deadline = self._context.deadline

        def asked(closed: Closed) -> Consent | None:
            began = monotonic()
            try:
                return ask(closed)
            finally:
                deadline.put_off(monotonic() - began)
                limit.reschedule(deadline.end)

        return asked

    def hurry(self) -> None:
        """Close what is open as fast as at the end of --max-time: the run is cut from outside."""
        self._context.deadline.end_now()

    def _begun(self, worker: LateWorker) -> Stages:
        if self._stages is None:
            from mcp_assay.assess.stages import Stages  # noqa: PLC0415  as said above

            self._stages = Stages(self._context, lambda: self.state, worker)
        return self._stages

    async def _run_stages(
        self, connection: Connection, connected: Connected, stages: Stages, ask: Ask | None
    ) -> None:
        """List, ask and call."""
        await stages.list_and_permit(connection, connected, ask)
        if not self.options.dry_run:
            judge = self._judge() if callable(self._judge) else self._judge
            await stages.probe_and_call(connection, connected, judge)

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


def _furnished(target: Target) -> Target:
    """The server; in a world it finds prepared files where its working folder is empty."""
    if not isinstance(target, Command) or target.sandbox is None:
        return target
    from mcp_assay.client.sandbox.specification import with_prepared_work  # noqa: PLC0415

    return replace(target, sandbox=with_prepared_work(target.command, target.sandbox))


def _connected(connection: Connection) -> Connected:
    opened = connection.opened
    return Connected(
        revision=connection.revision,
        server_info=opened.server_info or None,
        capabilities=opened.capabilities,
        offered=tuple(opened.offered),
    )

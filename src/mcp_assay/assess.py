"""A server -> its definitions, its answers -> Report: what `mcp-assay assess` does.

Connect, list, judge the definitions, call what may be called, judge what comes back, shrink what
fails, and say what was not tried.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from mcp_assay.assessing.calling import Calling
from mcp_assay.assessing.dossier import Dossier
from mcp_assay.assessing.following import Follower
from mcp_assay.assessing.listing import lint, list_and_lint
from mcp_assay.assessing.looking_back import LookingBack
from mcp_assay.assessing.options import AssessOptions
from mcp_assay.assessing.permitting import Ask, NoSuchTool, permit
from mcp_assay.assessing.probing import probe_all, probe_from_outside
from mcp_assay.assessing.reading import Reading
from mcp_assay.assessing.repeating import Repeater
from mcp_assay.assessing.reporting import report_on
from mcp_assay.assessing.telling import tell_connected, tell_permitted
from mcp_assay.drive.connection import Connection
from mcp_assay.drive.target import Target
from mcp_assay.drive.trying import Trier
from mcp_assay.intake.late_worker import LateWorker
from mcp_assay.intake.stopwatch import Stopwatch
from mcp_assay.model.event import Listener
from mcp_assay.model.report import Limit, Report
from mcp_assay.responses import Judge
from mcp_assay.rules.challenges import REFUSALS
from mcp_assay.schema.checking import Schemas
from mcp_assay.transport.links import NotReached
from mcp_assay.transport.recording import Recording

__all__ = ["AssessOptions", "Assessment", "NoSuchTool", "NotReached", "assess"]

CUT: Final = "tools that were not called until then, and calls not made"
BROKE_OFF: Final = "the trace could not be written to its end"


def assess(
    target: Target, options: AssessOptions | None = None, judge: Judge | None = None
) -> Report:
    """Assess a server and report what really works; raises NotReached where there is none.

    An option that names no tool of it raises ValueError. Nothing that a server does makes this
    raise otherwise.
    """
    run = Assessment(target, options or AssessOptions(), judge)
    asyncio.run(run.run())
    return run.report()


class Assessment:
    """One assessment under way: run it, and take its report at any time."""

    def __init__(
        self,
        target: Target,
        options: AssessOptions,
        judge: Judge | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.options: Final = options
        self.dossier: Final = Dossier(target, options, listener)
        """What is known up to now."""
        self._judge: Final = judge
        self._watch: Final = Stopwatch()

    async def run(self, ask: Ask | None = None) -> None:
        """Do all that the options ask for; what was found before an end stays.

        Raises NotReached where there is no server; one that dies for good ends the run. Of one
        that wants a token, what it says to strangers is looked at.
        """
        dossier = self.dossier
        with closing(LateWorker()) as worker, self._recorded() as recording:
            connection = Connection(dossier.target, self.options.driving(recording))
            dossier.connection = connection
            try:
                await connection.restart()
                dossier.meet(connection)
                tell_connected(dossier)
                async with connection:
                    await self._within_time(connection, worker, ask)
            except NotReached as refusal:
                if dossier.revision is None:
                    dossier.unreached = str(refusal)
                    if refusal.status in REFUSALS:
                        await probe_from_outside(dossier, refusal)
                    raise
                dossier.lost = str(refusal)
            finally:  # neither an interruption nor a refusal loses what was heard before it
                heard = dossier.each_heard_once(connection.findings())
                dossier.keep_heard(Repeater(dossier).with_repeats(heard))
                dossier.limits.extend(connection.limits())

    @contextmanager
    def _recorded(self) -> Iterator[Recording | None]:
        """Write a trace of all that is said, if it is wanted; say so where it breaks off."""
        path = self.options.record
        if path is None:
            yield None
            return
        recording = Recording(path, self.dossier.redactor, anew=True)
        try:
            yield recording
        finally:
            recording.close()
            if recording.broke_off:
                limit = Limit(name="record", value=recording.lines, count=1, effect=BROKE_OFF)
                self.dossier.limits.append(limit)

    async def _within_time(
        self, connection: Connection, worker: LateWorker, ask: Ask | None
    ) -> None:
        """List, ask and try; the time that the user takes to answer does not count."""
        most = self.options.max_time
        try:
            async with asyncio.timeout(most):
                await list_and_lint(connection, self.dossier, worker)
            permit(self.dossier, ask)
            tell_permitted(self.dossier)
            async with asyncio.timeout(most):
                await self._probe_and_try(connection, worker)
        except TimeoutError:
            self.cut(most)

    def cut(self, seconds: float) -> None:
        """Note that the run was ended after so many seconds."""
        limit = Limit(name="max-time", value=int(seconds), count=1, effect=CUT)
        self.dossier.cut_after = seconds
        self.dossier.limits.append(limit)

    async def _probe_and_try(self, connection: Connection, worker: LateWorker) -> None:
        if self.options.dry_run:
            return
        if self.options.only is None:
            await probe_all(connection, self.dossier)
        judge = self._judge or Judge(worker=worker)
        reading = Reading(self.dossier, connection, judge.explain_error)
        await reading.read_listed()
        follower = Follower(self.dossier, connection)
        trier = Trier(follower, judge.judge_parsed, Schemas(worker))
        try:
            looking_back = LookingBack(self.dossier, connection, follower)
            await Calling(self.dossier, follower, trier, looking_back).try_all()
        finally:
            if follower.changes:
                lint(self.dossier, worker)
        await reading.fill_in_templates(trier.values)

    def report(self) -> Report:
        """What was found out up to now."""
        return report_on(self.dossier, self._watch.timing())

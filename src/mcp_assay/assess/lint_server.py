"""A server -> what it lists, and the messages meanwhile -> Report: `mcp-assay lint SERVER`.

Nothing is probed and no tool is called.
"""

from __future__ import annotations

import asyncio
from contextlib import closing
from math import inf
from typing import Any, Final

from msgspec.structs import replace

from mcp_assay.assess.events import count_of
from mcp_assay.assess.reproduction import naming_options
from mcp_assay.assess.tool_lists import surface_of, whole_lists
from mcp_assay.assess.untested import not_reached, ran_out
from mcp_assay.client.connection import Connection, connect
from mcp_assay.client.deadline import Deadline
from mcp_assay.client.late_worker import LateWorker
from mcp_assay.client.links import NotOpened, NotReached
from mcp_assay.client.negotiation import Opened
from mcp_assay.client.stopwatch import Stopwatch
from mcp_assay.client.target import Command, ConnectionOptions, Target
from mcp_assay.client.target_secrets import secrets_of, shown_url, shown_words
from mcp_assay.model.event import ConnectedEvent, Listener, Nobody
from mcp_assay.model.own_fault import OwnFault
from mcp_assay.model.report import Limit, Report, ReportSubject
from mcp_assay.text.redaction import Redactor
from mcp_assay.validate.lint_run import LintOptions, LintRun, ObservedMessages

__all__ = ["NotReached", "ServerLint", "incomplete", "lint_server"]

DEFAULT: Final = ConnectionOptions()
MAX_TIME: Final = 120.0
"""Seconds that a run may take."""
CUT: Final = "the definitions were not listed to their end, and not checked"


def lint_server(
    target: Target,
    options: LintOptions | None = None,
    driving: ConnectionOptions = DEFAULT,
    max_time: float = MAX_TIME,
) -> Report:
    """Connect, list and judge the definitions and the messages; raises NotReached.

    The revision is that of `driving`, or what the server agrees to.
    """
    linting = ServerLint(target, options or LintOptions(), driving, max_time=max_time)
    asyncio.run(linting.run())
    return linting.report()


class ServerLint:
    """One linting of a server under way: run it, and take its report at any time."""

    def __init__(
        self,
        target: Target,
        options: LintOptions,
        driving: ConnectionOptions,
        listener: Listener | None = None,
        max_time: float = MAX_TIME,
    ) -> None:
        self._target: Final = target
        self._max_time: Final = max_time
        self._options: Final = options
        self._deadline: Final = Deadline(max_time)
        bounds = driving.bounds
        connecting = replace(bounds, connect_seconds=min(max_time, bounds.connect_seconds))
        self._driving: Final = replace(driving, deadline=self._deadline, bounds=connecting)
        self._listener: Final[Listener] = listener or Nobody()
        self._redactor: Final = Redactor((*driving.secrets, *secrets_of(target)))
        self._watch: Final = Stopwatch()
        self._opened: Opened | None = None
        self._is_cut = False
        """Whether the time was over before all was listed."""
        self._run = LintRun(options, watch=self._watch, redactor=self._redactor)

    async def run(self) -> None:
        """Connect, list, judge; an interruption loses nothing that was received before it."""
        self._deadline.begin()
        connection = await connect(self._target, self._driving)
        with closing(LateWorker(self._deadline)) as worker:
            self._begin(connection, worker)
            try:
                async with connection:
                    await self._list_and_judge(connection)
            finally:
                self._run.take_over(_observed(connection))

    async def _list_and_judge(self, connection: Connection) -> None:
        """Judge what is listed, if all of it comes before the run must be over."""
        try:
            async with asyncio.timeout(self._deadline.left() if self._max_time < inf else None):
                surface = surface_of(await whole_lists(connection))
        except TimeoutError:
            limit = Limit(name="max-time", value=int(self._max_time), count=1, effect=CUT)
            self._run.cut(limit)
            self._is_cut = True
            return
        self._listener.emit(count_of(surface))
        self._run.judge(surface)

    def _begin(self, connection: Connection, worker: LateWorker) -> None:
        options = replace(self._options, revision=connection.revision)
        self._run = LintRun(
            options,
            worker,
            watch=self._watch,
            redactor=self._redactor,
            listener=self._listener,
        )
        self._opened = connection.opened
        self._listener.emit(
            ConnectedEvent(
                server_info=self._server_info(connection.opened),
                revision=connection.revision,
                revisions_offered=connection.opened.offered,
            )
        )

    @property
    def own_faults(self) -> list[OwnFault]:
        """Where we ourselves went wrong."""
        return self._run.own_faults

    def hurry(self) -> None:
        """Close what is open as fast as can be: the run is cut from outside."""
        self._deadline.end_now()

    def report(self) -> Report:
        """What was found out up to now."""
        opened, options = self._opened, naming_options(self._target)
        if opened is None:
            return replace(self._run.report(self._subject(), options), revision=None)
        subject = replace(self._subject(), server_info=self._server_info(opened))
        report = replace(self._run.report(subject, options), revisions_offered=opened.offered)
        return incomplete(report, ran_out(self._max_time)) if self._is_cut else report

    def report_unreached(self, why: str, kind: NotOpened = "not_reached") -> Report:
        """What there is to say where no session could be opened with the server."""
        return incomplete(self.report(), self.redacted(not_reached(why, kind)))

    def redacted(self, text: str) -> str:
        """The text without what must not be shown of this server."""
        return str(self._redactor.lines(text))

    def _server_info(self, opened: Opened) -> dict[str, Any] | None:
        return self._redactor.lines(opened.server_info) or None

    def _subject(self) -> ReportSubject:
        clean, target = self._redactor.lines, self._target
        if isinstance(target, Command):
            return ReportSubject(kind="server", command=clean(shown_words(target.command)))
        return ReportSubject(kind="server", url=clean(shown_url(target.url)))


def incomplete(report: Report, reason: str) -> Report:
    """The report, with why it does not show what it was to show."""
    return replace(report, summary=replace(report.summary, outcome="incomplete", reason=reason))


def _observed(connection: Connection) -> ObservedMessages:
    """What was found in the messages of a conversation that is over."""
    return ObservedMessages(
        findings=connection.findings(),
        decided=frozenset(connection.observations.decided_rules.decided()),
        limits=connection.limits(),
        own_faults=connection.observations.own_faults,
        messages=connection.observations.messages,
        sessions=connection.starts,
    )

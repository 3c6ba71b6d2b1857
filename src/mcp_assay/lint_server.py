"""A server -> what it lists, and the messages meanwhile -> Report: `mcp-assay lint SERVER`.

Nothing is probed and no tool is called.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import closing
from typing import Final

from msgspec.structs import replace

from mcp_assay.assessing.listing import listed
from mcp_assay.drive.connection import Connection, connect
from mcp_assay.drive.secrets import secrets_of
from mcp_assay.drive.target import Command, Options, Target
from mcp_assay.intake.late_worker import LateWorker
from mcp_assay.lint import Heard, LintOptions, LintRun
from mcp_assay.model.report import Report, ReportSubject
from mcp_assay.transport.links import NotReached
from mcp_assay.transport.redaction import Redactor

__all__ = ["NotReached", "lint_server"]

DEFAULT: Final = Options()


def lint_server(
    target: Target, options: LintOptions | None = None, driving: Options = DEFAULT
) -> Report:
    """Connect, list and judge the definitions and the messages; raises NotReached.

    The revision is that of `driving`, or what the server agrees to.
    """
    return asyncio.run(_linted(target, options or LintOptions(), driving))


async def _linted(target: Target, options: LintOptions, driving: Options) -> Report:
    started, redactor = (time.time(), time.perf_counter()), _redactor(target, driving)
    connection = await connect(target, driving)
    with closing(LateWorker()) as worker:
        async with connection:
            opened, options = connection.opened, replace(options, revision=connection.revision)
            run = LintRun(options, worker, started=started, redactor=redactor)
            run.judge(await listed(connection))
    run.take_over(_heard(connection))
    info = redactor.lines(opened.server_info) or None
    report = run.report(replace(_subject(target, redactor), server_info=info), {})
    return replace(report, revisions_offered=opened.offered)


def _redactor(target: Target, driving: Options) -> Redactor:
    return Redactor((*driving.secrets, *secrets_of(target)))


def _heard(connection: Connection) -> Heard:
    """What was found in the messages of a conversation that is over."""
    return Heard(
        findings=connection.findings(),
        decided=frozenset(connection.overheard.ledger.decided()),
        limits=connection.limits(),
        messages=connection.overheard.messages,
        sessions=connection.starts,
    )


def _subject(target: Target, redactor: Redactor) -> ReportSubject:
    if isinstance(target, Command):
        return ReportSubject(kind="server", command=redactor.lines(list(target.command)))
    return ReportSubject(kind="server", url=redactor.line(target.url))

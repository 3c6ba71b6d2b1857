"""`mcp-assay lint`: definitions in, a report out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcp_assay.cli.options import CommandLine, LintArguments
from mcp_assay.cli.output import CommandError, UsageError, apology, complain
from mcp_assay.cli.reports import (
    events_for,
    publish,
    refuse_contradictions,
    settled,
)
from mcp_assay.model.outcome import INTERRUPTED, OUR_FAULT, exit_code
from mcp_assay.model.own_fault import OwnFault
from mcp_assay.model.report import Report
from mcp_assay.spec.revisions import AUTO, DEFAULT_REVISION
from mcp_assay.validate.lint_run import LintOptions, Unreadable, lint

if TYPE_CHECKING:
    from mcp_assay.cli.history_keeper import Keeper
    from mcp_assay.client.target import ConnectionOptions
    from mcp_assay.validate.event_files import EventFiles

STANDARD_INPUT = "-"
NOT_FOR_FILES = (
    *("config", "server_name", "all_servers", "jobs", "env", "header"),
    *("sandbox", "sandbox_allow", "sandbox_show", "keep_world", "own_world"),
)
"""Options that only a server needs."""


def lint_one(line: CommandLine, arguments: LintArguments) -> int:
    """Judge the definitions in a file, or those of one server; write the report on them."""
    refuse_contradictions(arguments.report)
    words = arguments.target.words
    if len(words) == 1:
        keeper = _keeper_of_file(line, arguments) if arguments.remembered.is_given else None
        events, faults = events_for(arguments.report), list[OwnFault]()
        report = _of_file(line, arguments, events, faults)
        return _published(report, arguments, events, faults, keeper=keeper)
    return _of_server(line, arguments)


def _keeper_of_file(line: CommandLine, arguments: LintArguments) -> Keeper | None:
    """What remembers the run on a file."""
    from mcp_assay.cli.history_options import keeper_of_files

    words = arguments.target.words
    return keeper_of_files(line, arguments.remembered, arguments.report, words)


def _published(
    report: Report,
    arguments: LintArguments,
    events: EventFiles | None,
    faults: Sequence[OwnFault] = (),
    *,
    keeper: Keeper | None = None,
    is_interrupted: bool = False,
) -> int:
    report = settled(report, arguments.report)
    publish(report, arguments.report, events)
    for fault in faults:
        complain(apology(str(fault)))
    others = ((bool(faults), OUR_FAULT), (is_interrupted, INTERRUPTED))
    graver = (code for happened, code in others if happened)
    code = exit_code(report.summary.outcome, arguments.report.fail_on, *graver)
    return keeper.conclude(report, code) if keeper else code


def _of_file(
    line: CommandLine,
    arguments: LintArguments,
    events: EventFiles | None,
    faults: list[OwnFault],
) -> Report:
    words = arguments.target.words
    if arguments.target.is_typed or any(line.has(one) for one in NOT_FOR_FILES):
        raise UsageError(f"name either a server or a file, not both: {words[0]}.")
    revision = DEFAULT_REVISION if arguments.revision == AUTO else arguments.revision
    try:
        return lint(words[0], lint_options(arguments, revision), events, faults)
    except Unreadable as refusal:
        raise CommandError(f"{refusal}.{_for_a_server(line, words)}") from None


def _for_a_server(line: CommandLine, words: tuple[str, ...]) -> str:
    """What to type where the word was not meant as a file."""
    word, ending = words[0], os.path.splitext(words[0])[1]
    if word == STANDARD_INPUT:
        return ""
    from mcp_assay.cli.targets import INTERPRETERS, to_type

    if ending in INTERPRETERS or ":" in word:
        return f" To lint a server: {to_type(line, words)}"
    is_missing = not os.path.exists(word)
    return f" To lint a server: {line.command} -- COMMAND, or a URL." if is_missing else ""


def _of_server(line: CommandLine, arguments: LintArguments) -> int:
    target = arguments.target
    if not (target.words or target.is_typed or target.config):
        words = f"name a FILE, or a server: {line.command} -- COMMAND, or a URL."
        raise UsageError(words)
    from mcp_assay.assess.lint_server import NotReached, ServerLint
    from mcp_assay.cli.history_options import keeper_of_server
    from mcp_assay.cli.interruption import Interruption
    from mcp_assay.cli.questions import confirm_start
    from mcp_assay.cli.targets import named_server
    from mcp_assay.cli.unreachable import words_about
    from mcp_assay.cli.worlds import in_world
    from mcp_assay.client.sandbox.refusal import NoSandbox

    named = in_world(line, named_server(line, target), arguments.world)
    keeper = keeper_of_server(line, arguments.remembered, arguments.report, named)
    confirm_start(named, arguments.answers)
    events = events_for(arguments.report)
    driving = driving_of(arguments, named.secrets)
    seconds = arguments.max_time
    linting = ServerLint(named.target, lint_options(arguments), driving, events, seconds)
    interruption = Interruption()
    try:
        interruption.run(linting.run())
    except NoSandbox as refusal:
        raise CommandError(f"{refusal}.") from None
    except NotReached as refusal:
        why = words_about(refusal, named.target)
        complain(f"mcp-assay: {why}")
        unreached = linting.report_unreached(why, refusal.kind)
        return _published(unreached, arguments, events, keeper=keeper)
    if interruption.has_come:
        complain("mcp-assay: interrupted; the report contains the results so far.")
    return _published(
        linting.report(),
        arguments,
        events,
        linting.own_faults,
        keeper=keeper,
        is_interrupted=interruption.has_come,
    )


def driving_of(arguments: LintArguments, secrets: tuple[str, ...]) -> ConnectionOptions:
    """How to connect to a server, as the options say it."""
    from mcp_assay.client.target import Bounds, ConnectionOptions

    bounds = Bounds(call_seconds=arguments.timeout)
    return ConnectionOptions(revision=arguments.revision, bounds=bounds, secrets=secrets)


def lint_options(arguments: LintArguments, revision: str = DEFAULT_REVISION) -> LintOptions:
    """How to judge definitions, as the options say it."""
    reporting = arguments.report
    return LintOptions(
        revision=revision,
        select=reporting.select,
        ignore=reporting.ignore,
        max_findings=reporting.max_findings,
        fail_on=reporting.fail_on,
    )

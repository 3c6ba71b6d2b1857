"""`mcp-assay assess`: a server in, an honest verdict out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_assay.assess.assessment import (
    Assessment,
    AssessOptions,
    MakeJudge,
)
from mcp_assay.assess.examples import Examples, examples_in, read_examples
from mcp_assay.assess.permissions import Ask
from mcp_assay.cli.attempts import Attempt
from mcp_assay.cli.history_options import keeper_of_server
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.options import AssessArguments, CommandLine
from mcp_assay.cli.output import CommandError, UsageError, apology, complain, require_writable
from mcp_assay.cli.questions import ask_for, confirm_start, may_ask
from mcp_assay.cli.reports import events_for, publish, refuse_contradictions, settled
from mcp_assay.cli.sandbox_hint import Hinting, WorldTry
from mcp_assay.cli.targets import Named, named_server
from mcp_assay.cli.worlds import in_world, with_calls
from mcp_assay.client.project_config import WrongConfiguration, find_configuration
from mcp_assay.client.target import Command, Target
from mcp_assay.model.event import RecordedEvent
from mcp_assay.model.outcome import FOUND, INTERRUPTED, OUR_FAULT, FailOn, exit_code
from mcp_assay.model.report import Report
from mcp_assay.report.formats import POLICY

if TYPE_CHECKING:
    from mcp_assay.cli.history_keeper import Keeper
    from mcp_assay.responses import Judge
    from mcp_assay.validate.event_files import EventFiles

TAKEN = (
    *("revision", "calls", "allow", "deny", "seed", "max_calls", "timeout", "max_time", "only"),
    *("min_tools", "record", "dry_run"),
)
"""The options that go on as they were given."""
REPORTED = ("select", "ignore", "max_findings", "fail_on")
"""Those of the report that do."""


def assess_one(line: CommandLine, arguments: AssessArguments) -> int:
    """Assess the server that was named, write its report, and say how it went."""
    refuse_contradictions(arguments.report)
    repeated = None
    if arguments.like is not None:
        from mcp_assay.cli.rerun import repetition

        repeated = repetition(line, arguments, arguments.like)
        arguments = repeated.arguments
    else:
        arguments = with_calls(line, arguments)
    named = repeated.named() if repeated else named_server(line, arguments.target)
    named = in_world(line, named, arguments.world)
    keeper = keeper_of_server(line, arguments.remembered, arguments.report, named)
    events = events_for(arguments.report)
    known = repeated.known(_examples(arguments)) if repeated else None
    options = options_of(arguments, named, known)
    confirm_start(named, arguments.answers)
    hint = Hinting(named.target, options, WorldTry())
    ask: Ask | None = ask_for(arguments.answers, named.target) or hint.ask
    ask = repeated.asking(ask) if repeated else ask
    attempt = Attempt(named.target, options, judge_for, ask, events)
    if not may_ask(arguments.answers):
        attempt.tell_at_once()
    while attempt.is_wanted:
        with attempt.noted():
            attempt.interruption.run(attempt.work(quiet=arguments.report.quiet))
        attempt = attempt.settled()
    report = ended(attempt.run, attempt.interruption)
    if report.sandbox is not None and POLICY in dict(arguments.report.reports):
        from mcp_assay.cli.policy_check import with_checked_policy

        quiet = arguments.report.quiet
        report = with_checked_policy(report, attempt, options, quiet=quiet)
    report = settled(hint.added_to(report), arguments.report)
    publish(report, arguments.report, events)
    _remark(attempt.run)
    code = exit_code_of(report, attempt.run, arguments.report.fail_on)
    code = repeated.concluded(report, code) if repeated else code
    return remembered(report, code, keeper, events) if keeper else code


def remembered(report: Report, code: int, keeper: Keeper, events: EventFiles | None) -> int:
    """The exit code after the run was recorded, which the events tell too."""
    code = keeper.conclude(report, code)
    if events and keeper.run_id:
        events.emit(RecordedEvent(run=keeper.run_id))
    return code


def ended(run: Assessment, interruption: Interruption) -> Report:
    """The report, after a word about what ended the run before its time."""
    if interruption.has_come:
        run.interrupt()
        complain("mcp-assay: interrupted; the report contains the results so far.")
    ending = run.state.ending
    if why := ending.unreached or ending.lost:
        complain(f"mcp-assay: {why}")
    return run.report()


def options_of(
    arguments: AssessArguments, named: Named, known: Examples | None = None
) -> AssessOptions:
    """How to assess a server, as it was typed."""
    known = known or _examples(arguments)
    if arguments.record is not None:
        require_writable(arguments.record, "--record")
    return AssessOptions(
        **{name: getattr(arguments, name) for name in TAKEN},
        **{name: getattr(arguments.report, name) for name in REPORTED},
        args=arguments_of_call(arguments.only, arguments.args),
        shrink=not arguments.no_shrink,
        examples=known.tools,
        examples_file=arguments.examples,
        answers=known.answers,
        secrets=named.secrets,
    )


def arguments_of_call(only: str | None, typed: str | None) -> dict[str, Any] | None:
    """The arguments of the one call that --only and --args ask for; None where they do not."""
    if typed is None:
        return None
    if only is None:
        raise UsageError("--args needs --only TOOL.")
    try:
        arguments = json.loads(typed)
    except ValueError as fault:
        raise UsageError(f"--args is not JSON: {fault}.") from None
    if not isinstance(arguments, dict):
        raise UsageError("--args must be a JSON object.")
    return arguments


def _examples(arguments: AssessArguments) -> Examples:
    """What the configuration says about this server, and what --examples says beyond that."""
    try:
        more = read_examples(arguments.examples) if arguments.examples else {}
    except WrongConfiguration as refusal:
        raise CommandError(f"--examples: {refusal}") from None
    return examples_in(find_configuration().table, more)


def judge_for(target: Target) -> MakeJudge:
    """Makes whoever judges the answers of a server."""
    in_world = isinstance(target, Command) and target.sandbox is not None
    return lambda: judge_of(in_world=in_world)


def judge_of(*, in_world: bool = False) -> Judge:
    """Who judges answers, with the patterns of the configuration."""
    from mcp_assay.responses import Judge

    try:
        return Judge.configured(in_world=in_world)
    except WrongConfiguration as refusal:
        raise CommandError(str(refusal)) from None


def _remark(run: Assessment) -> None:
    """Say what the options asked for, and the server does not have."""
    from mcp_assay.assess.permissions import near_names, strangers

    state = run.state
    for fault in state.outcomes.own_faults:
        complain(apology(str(fault)))
    named = strangers(state.options, state.permitted) if state.permissions else {}
    for name, option in named.items():
        words = f"{option}: the server has no tool {name!r}; {near_names(name, state.permitted)}"
        complain(f"mcp-assay: {words}")
    if state.has_too_few:
        wanted = state.options.min_tools
        number, listed = state.tools_succeeded, len(state.listed.surface.tools)
        complain(f"mcp-assay: {number} of {listed} tools succeeded; --min-tools requires {wanted}.")


def exit_code_of(report: Report, run: Assessment, fail_on: FailOn) -> int:
    """How a run ended, as a number."""
    state = run.state
    others = (
        (state.ending.is_interrupted, INTERRUPTED),
        (bool(state.outcomes.own_faults), OUR_FAULT),
        (state.has_too_few, FOUND),
    )
    graver = (code for happened, code in others if happened)
    return exit_code(report.summary.outcome, fail_on, *graver)

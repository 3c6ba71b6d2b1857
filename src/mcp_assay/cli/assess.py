"""`mcp-assay assess`: a server in, an honest verdict out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from mcp_assay.assess.assessment import Assessment, AssessOptions, NoSuchTool, NotReached
from mcp_assay.assess.examples import Examples, examples_in, read_examples
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.options import AssessArguments
from mcp_assay.cli.output import apology, complain, require_writable
from mcp_assay.cli.questions import ask_for, confirm_start
from mcp_assay.cli.reports import events_for, publish, refuse_contradictions, settled
from mcp_assay.cli.targets import Named, named_server
from mcp_assay.cli.ticker import Ticker
from mcp_assay.client.project_config import WrongConfiguration, find_configuration
from mcp_assay.model.outcome import FOUND, INTERRUPTED, OUR_FAULT, FailOn, exit_code
from mcp_assay.model.report import Report

if TYPE_CHECKING:
    from mcp_assay.responses import Judge

TAKEN = (
    *("revision", "calls", "allow", "deny", "seed", "max_calls", "timeout", "max_time", "only"),
    *("min_tools", "record", "dry_run"),
)
"""The options that go on as they were given."""
REPORTED = ("select", "ignore", "max_findings", "fail_on")
"""Those of the report that do."""


def assess_one(context: click.Context, arguments: AssessArguments) -> int:
    """Assess the server that was named, write its report, and say how it went."""
    refuse_contradictions(arguments.report)
    repeated = None
    if arguments.like is not None:
        from mcp_assay.cli.rerun import repetition

        repeated = repetition(context, arguments, arguments.like)
        arguments = repeated.arguments
    named = repeated.named() if repeated else named_server(context, arguments.target)
    events = events_for(arguments.report)
    known = repeated.known(_examples(arguments)) if repeated else None
    run = Assessment(named.target, options_of(arguments, named, known), judge_of, events)
    confirm_start(named, arguments.answers)
    ticker, interruption = Ticker(run, quiet=arguments.report.quiet), Interruption()
    ask = ask_for(arguments.answers)
    ask = repeated.asking(ask) if repeated else ask
    try:
        asked = interruption.asking(ticker.aside(ask)) if ask else None
        interruption.run(ticker.while_running(run.run(asked)))
    except NotReached as refusal:
        from mcp_assay.cli.unreachable import words_about

        run.note_unreached(words_about(refusal, named.target), refusal.kind)
    except NoSuchTool as refusal:
        raise click.UsageError(f"--only: {refusal}") from None
    except (click.ClickException, click.Abort):
        raise
    except Exception as fault:  # noqa: BLE001  what was found before is reported first
        run.note_fault("the run", fault)
    report = settled(ended(run, interruption), arguments.report)
    publish(report, arguments.report, events)
    _remark(run)
    code = exit_code_of(report, run, arguments.report.fail_on)
    return repeated.concluded(report, code) if repeated else code


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
        raise click.UsageError("--args needs --only TOOL.")
    try:
        arguments = json.loads(typed)
    except ValueError as fault:
        raise click.UsageError(f"--args is not JSON: {fault}.") from None
    if not isinstance(arguments, dict):
        raise click.UsageError("--args must be a JSON object.")
    return arguments


def _examples(arguments: AssessArguments) -> Examples:
    """What the configuration says about this server, and what --examples says beyond that."""
    try:
        more = read_examples(arguments.examples) if arguments.examples else {}
    except WrongConfiguration as refusal:
        raise click.ClickException(f"--examples: {refusal}") from None
    return examples_in(find_configuration().table, more)


def judge_of() -> Judge:
    """Who judges answers, with the patterns of the configuration."""
    from mcp_assay.responses import Judge

    try:
        return Judge.configured()
    except WrongConfiguration as refusal:
        raise click.ClickException(str(refusal)) from None


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

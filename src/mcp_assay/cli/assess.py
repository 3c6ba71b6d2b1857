"""`mcp-assay assess`: a server in, an honest verdict out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from mcp_assay.assess import Assessment, AssessOptions, NoSuchTool, NotReached
from mcp_assay.assessing.permitting import near_names, strangers
from mcp_assay.cli.application import INTERRUPTED
from mcp_assay.cli.asking import ask_for, confirm_start
from mcp_assay.cli.baselines import settled
from mcp_assay.cli.events import events_for
from mcp_assay.cli.every_server import several_options, wants_all
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.output import complain
from mcp_assay.cli.parameters import arguments_of, enough, seed
from mcp_assay.cli.reporting import publish, refuse_contradictions, reporting_options
from mcp_assay.cli.servers import ServerCommand
from mcp_assay.cli.targets import Named, named_server, server_options
from mcp_assay.cli.ticker import Ticker
from mcp_assay.cli.unreached import INCOMPLETE, words_about
from mcp_assay.configuration import WrongConfiguration, find_configuration
from mcp_assay.drive.target import AUTO
from mcp_assay.examples import Examples, examples_in, read_examples
from mcp_assay.model.report import Report
from mcp_assay.responses import Judge
from mcp_assay.spec.revisions import REVISIONS

if TYPE_CHECKING:
    from mcp_assay.cli.likeness import Repetition

TAKEN = (
    *("revision", "calls", "allow", "deny", "seed", "max_calls", "timeout", "max_time", "only"),
    *("min_tools", "record", "dry_run", "select", "ignore", "max_findings", "fail_on"),
)
"""The options that go on as they were given."""


@click.command(
    "assess", cls=ServerCommand, short_help="Connect to a server, call its tools, say what works."
)
@click.argument("words", nargs=-1, metavar="")
@click.option(
    "--revision",
    type=click.Choice([AUTO, *REVISIONS]),
    default=AUTO,
    show_default=True,
    help="The revision of MCP to speak; auto finds out what the server can.",
)
@click.option(
    "--calls",
    type=click.Choice(["safe", "none", "all"]),
    default="safe",
    show_default=True,
    help="Which tools to call: those declared read-only, none, or all.",
)
@click.option("--allow", metavar="TOOL", multiple=True, help="Call this tool too; repeatable.")
@click.option("--deny", metavar="TOOL", multiple=True, help="Never call this tool; repeatable.")
@click.option(
    "--seed",
    metavar="N|random",
    default="0",
    show_default=True,
    callback=seed,
    help="Same seed, same calls.",
)
@click.option(
    "--max-calls",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    metavar="N",
    help="How many scenarios of one tool to call; calls that repeat or shrink one come on top.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="S",
    help="How many seconds a call may take.",
)
@click.option(
    "--max-time",
    type=click.FloatRange(min=1),
    default=120.0,
    show_default=True,
    metavar="S",
    help="How many seconds the whole run may take.",
)
@click.option(
    "--min-tools",
    metavar="N|P%",
    callback=enough,
    help="Fail where fewer tools succeed: a number, or a share of those listed.",
)
@click.option(
    "--examples", metavar="FILE", help="Arguments for tools, answers for what the server asks."
)
@click.option("--only", metavar="TOOL", help="Call this tool only.")
@click.option("--args", metavar="JSON", help="With --only: make this one call.")
@click.option("--dry-run", is_flag=True, help="Connect, list and lint; call nothing.")
@click.option("--no-shrink", is_flag=True, help="Do not look for smaller calls that fail.")
@click.option(
    "--like",
    metavar="REPORT",
    help="Repeat the run of a JSON report with its options, and say whether it differs.",
)
@click.option("--record", metavar="FILE", help="Write a trace of all messages to FILE.")
@several_options
@server_options
@reporting_options
@click.pass_context
def command(context: click.Context, /, words: tuple[str, ...], **given: Any) -> int:
    """Connect to a server, judge what it lists and says, call the tools that may be called.

    The server is a command behind --, a URL, or one of a client's configuration (--config).
    """
    if wants_all(context, given):
        from mcp_assay.cli.several_assessed import assess_all

        return assess_all(context, given)
    refuse_contradictions(given)
    repeated = _repeated(context, given)
    named = repeated.named(given) if repeated else named_server(context, given)
    events = events_for(given)
    run = Assessment(named.target, options_of(given, named, repeated), judge_of(), events)
    confirm_start(named, given)
    ticker, interruption = Ticker(run.dossier, quiet=given["quiet"]), Interruption()
    ask = repeated.asking(ask_for(given)) if repeated else ask_for(given)
    try:
        asked = interruption.asking(ticker.aside(ask)) if ask else None
        interruption.run(ticker.while_running(run.run(asked)))
    except NotReached as refusal:
        run.dossier.unreached = words_about(refusal, named.target)
    except NoSuchTool as refusal:
        raise click.UsageError(f"--only: {refusal}") from None
    report = settled(ended(run, interruption), given)
    publish(report, given, events)
    _remark(run)
    code = exit_code_of(report, run, given)
    return repeated.concluded(report, given, code) if repeated else code


def ended(run: Assessment, interruption: Interruption) -> Report:
    """The report, after a word about what ended the run before its time."""
    dossier = run.dossier
    if interruption.has_come:
        dossier.is_interrupted = True
        complain("mcp-assay: interrupted; the report holds what was found before.")
    if why := dossier.unreached or dossier.lost:
        complain(f"mcp-assay: {why}")
    return run.report()


def _repeated(context: click.Context, given: dict[str, Any]) -> Repetition | None:
    if given["like"] is None:
        return None
    from mcp_assay.cli.likeness import repetition

    return repetition(context, given)


def options_of(
    given: dict[str, Any], named: Named, repeated: Repetition | None = None
) -> AssessOptions:
    """How to assess a server, as the options say it."""
    known = repeated.known(_examples(given)) if repeated else _examples(given)
    _require_writable(given["record"])
    return AssessOptions(
        **{name: given[name] for name in TAKEN},
        args=arguments_of(given),
        shrink=not given["no_shrink"],
        examples=known.tools,
        examples_file=given["examples"],
        answers=known.answers,
        secrets=named.secrets,
    )


def _examples(given: dict[str, Any]) -> Examples:
    """What the configuration says about this server, and what --examples says beyond that."""
    try:
        more = read_examples(given["examples"]) if given["examples"] else {}
    except WrongConfiguration as refusal:
        raise click.ClickException(f"--examples: {refusal}") from None
    return examples_in(find_configuration().table, more)


def _require_writable(path: str | None) -> None:
    try:
        with open(path or os.devnull, "ab"):
            return
    except OSError as fault:
        raise click.UsageError(f"--record: {path} cannot be written: {fault.strerror}.") from None


def judge_of() -> Judge:
    """Who judges answers, with the patterns of the configuration."""
    try:
        return Judge.configured()
    except WrongConfiguration as refusal:
        raise click.ClickException(str(refusal)) from None


def _remark(run: Assessment) -> None:
    """Say what the options asked for, and the server does not have."""
    dossier = run.dossier
    for name, option in strangers(dossier).items() if dossier.permissions else ():
        words = f"{option}: the server has no tool {name!r}; {near_names(name, dossier)}"
        complain(f"mcp-assay: {words}")
    if dossier.has_too_few:
        wanted = dossier.options.min_tools
        number, listed = dossier.tools_succeeded, len(dossier.surface.tools)
        complain(f"mcp-assay: {number} of {listed} tools succeeded; --min-tools wants {wanted}.")


def exit_code_of(report: Report, run: Assessment, given: dict[str, Any]) -> int:
    """How a run ended, as a number."""
    if run.dossier.is_interrupted:
        return INTERRUPTED
    if run.dossier.is_incomplete:
        return INCOMPLETE
    if run.dossier.has_too_few:
        return 1
    return 1 if report.summary.outcome == "fail" and given["fail_on"] != "never" else 0

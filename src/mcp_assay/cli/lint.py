"""`mcp-assay lint`: definitions in, a report out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import click

from mcp_assay.cli.application import INTERRUPTED
from mcp_assay.cli.baselines import settled
from mcp_assay.cli.events import EventOutput, events_for
from mcp_assay.cli.every_server import several_options, wants_all
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.output import complain
from mcp_assay.cli.reporting import publish, refuse_contradictions, reporting_options
from mcp_assay.cli.servers import INTERPRETERS, ServerCommand, is_typed, to_type
from mcp_assay.cli.targets import named_server, server_options
from mcp_assay.cli.unreached import INCOMPLETE, words_about
from mcp_assay.drive.target import AUTO, Bounds, Options
from mcp_assay.lint import LintOptions, Unreadable, lint
from mcp_assay.model.report import Report
from mcp_assay.spec.revisions import DEFAULT_REVISION, REVISIONS

STANDARD_INPUT = "-"
NOT_FOR_FILES = ("config", "server_name", "all_servers", "jobs", "env", "header")
"""Options that only a server needs."""


class LintCommand(ServerCommand):
    """A command that takes a file besides all that names a server."""

    words_end_options = False
    server_usage = "(FILE | URL | --config FILE | -- COMMAND [ARG]...)"


@click.command(
    "lint", cls=LintCommand, short_help="Judge the definitions of tools, resources and prompts."
)
@click.argument("words", nargs=-1, metavar="")
@click.option(
    "--revision",
    type=click.Choice([AUTO, *REVISIONS]),
    default=AUTO,
    show_default=True,
    help=f"The revision of MCP to judge by; auto is {DEFAULT_REVISION} for a file.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="S",
    help="How many seconds a server may take for an answer.",
)
@several_options
@server_options
@reporting_options
@click.pass_context
def command(context: click.Context, /, words: tuple[str, ...], **given: Any) -> int:
    """Judge what a server lists, or what FILE does; standard input where FILE is -.

    Nothing is called. FILE is a saved result of tools/list, a JSON-RPC response with it, or an
    object with any of tools, resources, resourceTemplates and prompts.
    """
    if not words and wants_all(context, given):
        from mcp_assay.cli.several_linted import lint_all

        return lint_all(context, given)
    refuse_contradictions(given)
    if len(words) == 1:
        events = events_for(given)
        return _published(_of_file(context, words, given, events), given, events)
    return _of_server(context, given)


def _published(report: Report, given: dict[str, Any], events: EventOutput | None) -> int:
    report = settled(report, given)
    publish(report, given, events)
    return lint_exit_code(report, given)


def lint_exit_code(report: Report, given: dict[str, Any]) -> int:
    """How a linting ended, as a number."""
    if report.summary.outcome == "incomplete":
        return INCOMPLETE
    return 1 if report.summary.outcome == "fail" and given["fail_on"] != "never" else 0


def _of_file(
    context: click.Context,
    words: tuple[str, ...],
    given: dict[str, Any],
    events: EventOutput | None,
) -> Report:
    if given["url"] or given["server"] or any(is_typed(context, one) for one in NOT_FOR_FILES):
        raise click.UsageError(f"name either a server or a file, not both: {words[0]}.")
    revision = DEFAULT_REVISION if given["revision"] == AUTO else given["revision"]
    try:
        return lint(words[0], lint_options(given, revision), events)
    except Unreadable as refusal:
        raise click.ClickException(f"{refusal}.{_for_a_server(context, words)}") from None


def _for_a_server(context: click.Context, words: tuple[str, ...]) -> str:
    """What to type where the word was not meant as a file."""
    word, ending = words[0], os.path.splitext(words[0])[1]
    if word == STANDARD_INPUT:
        return ""
    if ending in INTERPRETERS or ":" in word:
        return f" To lint a server: {to_type(context, words)}"
    is_missing = not os.path.exists(word)
    return f" To lint a server: {context.command_path} -- COMMAND, or a URL." if is_missing else ""


def _of_server(context: click.Context, given: dict[str, Any]) -> int:
    if not any((context.params["words"], given["url"], given["server"], given["config"])):
        words = f"name a FILE, or a server: {context.command_path} -- COMMAND, or a URL."
        raise click.UsageError(words)
    from mcp_assay.cli.asking import confirm_start
    from mcp_assay.lint_server import NotReached, ServerLint

    named = named_server(context, given)
    confirm_start(named, given)
    events = events_for(given)
    driving = driving_of(given, named.secrets)
    linting = ServerLint(named.target, lint_options(given), driving, events)
    interruption = Interruption()
    try:
        interruption.run(linting.run())
    except NotReached as refusal:
        why = words_about(refusal, named.target)
        complain(f"mcp-assay: {why}")
        return _published(linting.report_unreached(why), given, events)
    if interruption.has_come:
        complain("mcp-assay: interrupted; the report holds what was found before.")
    code = _published(linting.report(), given, events)
    return INTERRUPTED if interruption.has_come else code


def driving_of(given: Mapping[str, Any], secrets: tuple[str, ...]) -> Options:
    """How to talk to a server, as the options say it."""
    bounds = Bounds(call_seconds=given["timeout"])
    return Options(revision=given["revision"], bounds=bounds, secrets=secrets)


def lint_options(given: Mapping[str, Any], revision: str = DEFAULT_REVISION) -> LintOptions:
    """How to judge definitions, as the options say it."""
    names = ("select", "ignore", "max_findings", "fail_on")
    return LintOptions(revision=revision, **{name: given[name] for name in names})

"""`mcp-assay assess`: a server in, an honest verdict out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import click

from mcp_assay.assess import Assessment, AssessOptions, NotReached, Told
from mcp_assay.cli.application import INTERRUPTED
from mcp_assay.cli.interruption import Interruption
from mcp_assay.cli.output import complain
from mcp_assay.cli.reporting import publish, refuse_quiet_and_verbose, reporting_options
from mcp_assay.cli.servers import ServerCommand, pairs, require_server
from mcp_assay.configuration import WrongConfiguration, find_configuration
from mcp_assay.drive.gate import DESTRUCTIVE, Permission
from mcp_assay.drive.target import AUTO, Command, Endpoint, Target
from mcp_assay.model.call import Call
from mcp_assay.model.report import Report
from mcp_assay.report.plain import plain
from mcp_assay.responses import Judge
from mcp_assay.spec.revisions import REVISIONS
from mcp_assay.transport.environment import allowed

INCOMPLETE = 3
TAKEN = (
    *("revision", "calls", "allow", "deny", "seed", "max_calls", "timeout", "max_time", "only"),
    *("dry_run", "select", "ignore", "max_findings", "fail_on"),
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
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same calls.")
@click.option(
    "--max-calls",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    metavar="N",
    help="How many calls to make of one tool.",
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
@click.option("--only", metavar="TOOL", help="Call this tool only.")
@click.option("--args", metavar="JSON", help="With --only: make this one call.")
@click.option("--dry-run", is_flag=True, help="Connect, list and lint; call nothing.")
@click.option("--no-input", is_flag=True, help="Ask nothing, also on a terminal.")
@click.option("--no-shrink", is_flag=True, help="Do not look for smaller calls that fail.")
@click.option("--env", metavar="NAME[=VALUE]", multiple=True, help="A variable for the server.")
@click.option("--header", metavar='"NAME: VALUE"', multiple=True, help="A header for HTTP.")
@reporting_options
@click.pass_context
def command(context: click.Context, /, words: tuple[str, ...], **given: Any) -> int:
    """Connect to a server, judge what it lists and says, call the tools that may be called.

    The server is a command behind --, or a URL.
    """
    require_server(context)
    refuse_quiet_and_verbose(given)
    run = Assessment(_target(given), _options(given), _judge())
    interruption = Interruption()
    ask = interruption.asking(_ask) if _may_ask(given) else None
    with suppress(NotReached):  # the dossier says why
        interruption.run(run.run(ask, _progress(given)))
    report = ended(run, interruption)
    _clear_progress(given)
    publish(report, given)
    return _exit_code(report, run, given)


def ended(run: Assessment, interruption: Interruption) -> Report:
    """The report, after a word about what ended the run before its time."""
    if interruption.has_come:
        run.dossier.is_interrupted = True
        complain("mcp-assay: interrupted; the report holds what was found before.")
    if run.dossier.lost is not None:
        complain(f"mcp-assay: {run.dossier.lost}")
    return run.report()


def _target(given: dict[str, Any]) -> Target:
    headers = pairs(given["header"], ":", "--header")
    if given["url"]:
        return Endpoint(url=given["url"], headers=headers)
    named = pairs(given["env"], "=", "--env", os.environ)
    return Command(command=given["server"], environment=allowed(os.environ, named))


def _options(given: dict[str, Any]) -> AssessOptions:
    examples = find_configuration().table.get("tools", {})
    return AssessOptions(
        **{name: given[name] for name in TAKEN},
        args=_arguments(given),
        shrink=not given["no_shrink"],
        examples=examples,
    )


def _arguments(given: dict[str, Any]) -> dict[str, Any] | None:
    if given["args"] is None:
        return None
    if given["only"] is None:
        raise click.UsageError("--args needs --only TOOL.")
    try:
        arguments = json.loads(given["args"])
    except ValueError as fault:
        raise click.UsageError(f"--args is not JSON: {fault}.") from None
    if not isinstance(arguments, dict):
        raise click.UsageError("--args must be a JSON object.")
    return arguments


def _judge() -> Judge:
    try:
        return Judge.configured()
    except WrongConfiguration as refusal:
        raise click.ClickException(str(refusal)) from None


def _may_ask(given: dict[str, Any]) -> bool:
    return not given["no_input"] and sys.stdin.isatty() and sys.stderr.isatty()


def _ask(closed: list[tuple[str, Permission]]) -> Iterable[str]:
    """One question for all tools that are not declared read-only; no is what silence means."""
    complain(f"{len(closed)} tools are not called by default:")
    for name, permission in closed:
        complain(f"    {plain(name)}   {permission.reason}")
    answer = click.prompt(
        "Call them too, with generated arguments? They may change data",
        type=click.Choice(["y", "n", "choose"]),
        default="n",
        err=True,
    )
    if answer == "y":
        return [name for name, it in closed if it.reason != DESTRUCTIVE]
    if answer == "choose":
        return [name for name, _ in closed if click.confirm(f"Call {plain(name)}?", err=True)]
    return []


def _progress(given: dict[str, Any]) -> Told | None:
    """Tell on a terminal how far the run is."""
    if given["quiet"] or not sys.stderr.isatty():
        return None

    def told(call: Call) -> None:
        sys.stderr.write(f"\r\x1b[Kcalling {plain(call.scenario.tool)}  {call.number} calls")
        sys.stderr.flush()

    return told


def _clear_progress(given: dict[str, Any]) -> None:
    if not given["quiet"] and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


def _exit_code(report: Report, run: Assessment, given: dict[str, Any]) -> int:
    if run.dossier.is_interrupted:
        return INTERRUPTED
    if run.dossier.is_incomplete:
        return INCOMPLETE
    return 1 if report.summary.outcome == "fail" and given["fail_on"] != "never" else 0

"""Questions on a terminal: whether to start a command, and which tools to call."""

from __future__ import annotations

import shlex
import sys

import click

from mcp_assay.assess.permissions import Ask, Closed
from mcp_assay.cli.options import AnswerOptions
from mcp_assay.cli.output import complain
from mcp_assay.cli.targets import Named
from mcp_assay.client.target import Command
from mcp_assay.model.tool import Consent
from mcp_assay.text.safe import plain


def may_ask(options: AnswerOptions) -> bool:
    """Whether there is somebody who wants to be asked."""
    return not options.no_input and sys.stdin.isatty() and sys.stderr.isatty()


def confirm_start(named: Named, options: AnswerOptions) -> None:
    """Show the command that a configuration names, and ask once whether to start it."""
    target = named.target
    if named.file is None or not isinstance(target, Command):
        return
    if options.yes or not may_ask(options):
        return
    complain(f"{named.file} contains this command:")
    complain(f"    {shlex.join(target.command)}")
    if not click.confirm("Start it?", err=True):
        raise click.ClickException("the server was not started.")


def ask_for(options: AnswerOptions) -> Ask | None:
    """Who answers for the tools that are not called by default: the user, --yes, or nobody."""
    if options.yes:
        return say_yes
    return ask if may_ask(options) else None


def say_yes(closed: Closed) -> Consent:
    """The answer that --yes gives; it does not reach destructive tools."""
    return Consent(answer="yes", allowed=_not_destructive(closed), given_by="--yes")


def ask(closed: Closed) -> Consent:
    """One question for all tools that are not declared read-only; no is what silence means."""
    are = "tool is" if len(closed) == 1 else "tools are"
    complain(f"{len(closed)} {are} not called by default:")
    for name, permission in closed:
        complain(f"    {plain(name)}   {permission.text}")
    answer = click.prompt(
        "These tools may modify data or run commands. Call them with generated arguments? "
        "[y/N/choose]",
        type=click.Choice(["y", "n", "choose"]),
        default="n",
        show_choices=False,
        show_default=False,
        err=True,
    )
    if answer == "y":
        return Consent(answer="yes", allowed=_not_destructive(closed))
    if answer == "choose":
        chosen = [name for name, _ in closed if click.confirm(f"Call {plain(name)}?", err=True)]
        return Consent(answer="choose", allowed=chosen)
    return Consent(answer="no", allowed=[])


def _not_destructive(closed: Closed) -> list[str]:
    return [name for name, permission in closed if permission.kind != "destructive"]

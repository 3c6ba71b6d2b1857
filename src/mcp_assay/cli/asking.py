"""Questions on a terminal: whether to start a command, and which tools to call."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from typing import Any

import click

from mcp_assay.assessing.permitting import Ask, Closed, Consent
from mcp_assay.cli.output import complain
from mcp_assay.cli.targets import Named
from mcp_assay.drive.gate import DESTRUCTIVE
from mcp_assay.drive.target import Command
from mcp_assay.report.plain import plain


def may_ask(given: Mapping[str, Any]) -> bool:
    """Whether there is somebody who wants to be asked."""
    return not given["no_input"] and sys.stdin.isatty() and sys.stderr.isatty()


def confirm_start(named: Named, given: Mapping[str, Any]) -> None:
    """Show the command that a configuration names, and ask once whether to start it."""
    target = named.target
    if named.file is None or not isinstance(target, Command):
        return
    if given["yes"] or not may_ask(given):
        return
    complain(f"{named.file} names this command:")
    complain(f"    {shlex.join(target.command)}")
    if not click.confirm("Start it?", err=True):
        raise click.ClickException("the server was not started, as you answered.")


def ask_for(given: Mapping[str, Any]) -> Ask | None:
    """Who answers for the tools that are not called by default: the user, --yes, or nobody."""
    if given["yes"]:
        return say_yes
    return ask if may_ask(given) else None


def say_yes(closed: Closed) -> Consent:
    """The answer that --yes gives; it does not reach destructive tools."""
    return Consent(answer="yes", allowed=_not_destructive(closed), given_by="--yes")


def ask(closed: Closed) -> Consent:
    """One question for all tools that are not declared read-only; no is what silence means."""
    are = "tool is" if len(closed) == 1 else "tools are"
    complain(f"{len(closed)} {are} not called by default:")
    for name, permission in closed:
        complain(f"    {plain(name)}   {permission.reason}")
    answer = click.prompt(
        "Call them too, with generated arguments? That may change data",
        type=click.Choice(["y", "n", "choose"]),
        default="n",
        err=True,
    )
    if answer == "y":
        return Consent(answer="yes", allowed=_not_destructive(closed))
    if answer == "choose":
        chosen = [name for name, _ in closed if click.confirm(f"Call {plain(name)}?", err=True)]
        return Consent(answer="choose", allowed=chosen)
    return Consent(answer="no", allowed=[])


def _not_destructive(closed: Closed) -> list[str]:
    return [name for name, permission in closed if permission.reason != DESTRUCTIVE]

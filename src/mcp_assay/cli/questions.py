"""Questions on a terminal: whether to start a command, and which tools to call."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal

from mcp_assay.assess.permissions import Ask, Closed
from mcp_assay.cli.options import AnswerOptions
from mcp_assay.cli.output import CommandError, Unanswered, complain
from mcp_assay.cli.targets import Named
from mcp_assay.cli.worlds import fits_into_world
from mcp_assay.client.target import Command, Target
from mcp_assay.model.tool import Consent
from mcp_assay.text.safe import plain

ANSWERS: Final[Mapping[str, Literal["yes", "no", "choose"]]] = {
    "y": "yes",
    "n": "no",
    "choose": "choose",
}
"""What may be typed, and what it means."""
WIDEST_NAME: Final = 40
"""Behind longer names, what is said of a tool does not stand in its column."""


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
    if not confirm("Start it?"):
        raise CommandError("the server was not started.")


def confirm(question: str, *, default: bool = False) -> bool:
    """Whether the user says yes."""
    import click

    with _asking():
        return click.confirm(question, default=default, err=True)


@contextmanager
def _asking() -> Iterator[None]:
    """While inside, whoever leaves without an answer raises Unanswered."""
    from click import Abort

    try:
        yield
    except Abort:
        raise Unanswered from None


def ask_for(options: AnswerOptions, target: Target) -> Ask | None:
    """Who answers for the tools that are not called by default: the user, --yes, or nobody."""
    if options.yes:
        return say_yes
    if not may_ask(options):
        return None
    return lambda closed: start_inside(closed) if fits_into_world(target) else ask(closed)


def consent_about(target: Target, closed: Closed) -> Consent:
    """What the user says of the tools of a server, which is started only after it."""
    return ask_about_world(closed) if fits_into_world(target) else ask(closed)


def say_yes(closed: Closed) -> Consent:
    """The answer that --yes gives; it does not reach destructive tools."""
    return Consent(answer="yes", allowed=_not_destructive(closed), given_by="--yes")


class WorldWanted(Exception):
    """The answer that tools are to be called in a disposable world: the server begins anew."""

    def __init__(self, consent: Consent, closed: Closed) -> None:
        super().__init__()
        self.consent: Final = consent
        self.closed: Final = closed
        """What was asked about."""


def start_inside(closed: Closed) -> Consent:
    """Ask about a disposable world; raises WorldWanted where tools are to be called in one."""
    consent = ask_about_world(closed)
    if consent.allowed:
        raise WorldWanted(consent, closed)
    return consent


def ask_about_world(closed: Closed) -> Consent:
    """One question for all tools that are not called here; nothing lasts, so yes is silence."""
    _show(closed)
    them = "it" if len(closed) == 1 else "them"
    answer = _prompt(
        f"Call {them} in a disposable world, where nothing on this machine changes? [Y/n/choose]",
        "y",
    )
    names = [name for name, _ in closed]
    if answer == "choose":
        names = [name for name in names if _confirm(name, default=True)]
    return Consent(
        answer=ANSWERS[answer], allowed=[] if answer == "n" else names, in_world=answer != "n"
    )


def ask(closed: Closed) -> Consent:
    """One question for all tools that are not declared read-only; no is what silence means."""
    _show(closed)
    answer = _prompt(
        "These tools may modify data or run commands. Call them with generated arguments? "
        "[y/N/choose]",
        "n",
    )
    if answer == "y":
        return Consent(answer="yes", allowed=_not_destructive(closed))
    if answer == "choose":
        chosen = [name for name, _ in closed if _confirm(name)]
        return Consent(answer="choose", allowed=chosen)
    return Consent(answer="no", allowed=[])


def _show(closed: Closed) -> None:
    are = "tool is" if len(closed) == 1 else "tools are"
    complain(f"{len(closed)} {are} not called by default:")
    names = [plain(name) for name, _ in closed]
    widest = min(max(map(len, names)), WIDEST_NAME)
    for name, (_, permission) in zip(names, closed, strict=True):
        complain(f"    {name:<{widest}}   {permission.text}")


def _prompt(question: str, silence: str) -> str:
    import click

    with _asking():
        answer: str = click.prompt(
            question,
            type=click.Choice(list(ANSWERS)),
            default=silence,
            show_choices=False,
            show_default=False,
            err=True,
        )
    return answer


def _confirm(name: str, *, default: bool = False) -> bool:
    return confirm(f"Call {plain(name)}?", default=default)


def _not_destructive(closed: Closed) -> list[str]:
    return [name for name, permission in closed if permission.kind != "destructive"]

"""Pages as the application shows them, stored so that nothing needs to be loaded for them."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mcp_assay.cli.application import application
from mcp_assay.cli.output import painted
from mcp_assay.cli.plain_commands import PROGRAM
from mcp_assay.cli.rules import rule_list, rule_story
from mcp_assay.cli.stored_pages import HELP_WIDTH, PAGE_END
from mcp_assay.rules import rule_name
from mcp_assay.spec.revisions import DEFAULT_REVISION
from mcp_assay.spec.selection import KNOWN_RULES


def help_pages() -> str:
    """One page after the other: the application's, then that of each command."""
    settings = {"terminal_width": HELP_WIDTH - 2, **application.context_settings}
    whole = click.Context(application, info_name=PROGRAM, **settings)
    commands = [application.get_command(whole, name) for name in application.list_commands(whole)]
    each = (
        click.Context(command, whole, info_name=command.name).get_help()
        for command in commands
        if command is not None
    )
    return PAGE_END.join(f"{page}\n" for page in (whole.get_help(), *each))


def rule_pages() -> str:
    """The list of all rules, then for each a line with its names, and what is said of it."""
    return PAGE_END.join((painted(rule_list(None, ())), *_stories()))


def _stories() -> Iterator[str]:
    for id, entry in KNOWN_RULES.items():
        names = " ".join(filter(None, (id, rule_name(id), *entry.aliases)))
        yield f"{names}\n{painted(rule_story(id, DEFAULT_REVISION))}"

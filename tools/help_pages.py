"""The help of all commands as it is shown, stored so that nothing needs to be loaded for it."""

from __future__ import annotations

import click

from mcp_assay.cli.application import PROGRAM, application
from mcp_assay.cli.main import PAGE_END, WIDTH


def pages() -> str:
    """One page after the other: the application's, then that of each command."""
    settings = {"terminal_width": WIDTH - 2, **application.context_settings}
    whole = click.Context(application, info_name=PROGRAM, **settings)
    commands = [application.get_command(whole, name) for name in application.list_commands(whole)]
    each = (
        click.Context(command, whole, info_name=command.name).get_help()
        for command in commands
        if command is not None
    )
    return PAGE_END.join(f"{page}\n" for page in (whole.get_help(), *each))
